import { eq } from "drizzle-orm";
import { merchants } from "@/db/schema/merchants";
import type { PayoutRailName, TransferReason } from "@/db/schema/payouts";
import type { Context } from "@/lib/context";
import type { Cents } from "@/lib/money";

export async function railOf(ctx: Context, merchantId: string): Promise<PayoutRailName> {
  const [row] = await ctx.db.select({ rail: merchants.payoutRail }).from(merchants).where(eq(merchants.id, merchantId));
  return row?.rail ?? "none";
}

/** Above it money goes by TED. */
const PIX_LIMITS: Readonly<Record<PayoutRailName, Cents>> = { sandbox: 10_000_000, file: 10_000_000, none: 0 };
export const pixLimitOf = (rail: PayoutRailName): Cents => PIX_LIMITS[rail];

/** The seller's account is the cause: nothing more is sent to it until it changes. */
const OF_THE_ACCOUNT: readonly TransferReason[] = ["invalid_account", "account_closed", "holder_mismatch"];
export const isOfTheAccount = (reason: TransferReason): boolean => OF_THE_ACCOUNT.includes(reason);
