import { and, eq, inArray, isNotNull } from "drizzle-orm";
import { merchants } from "@/db/schema/merchants";
import type { PayoutRailName, TransferReason } from "@/db/schema/payouts";
import { sellerRegistrations } from "@/db/schema/sellers";
import type { Context } from "@/lib/context";
import type { Cents } from "@/lib/money";
import { isPaymentKind, isRoutable, PAYMENT_KINDS } from "@/lib/providers/kinds";
import { providerFor } from "@/lib/providers/registry";

/**
 * Who sends each seller its money: the merchant's rail, but no file of its bank where the seller's acquirer pays it by
 * itself (README.md). There people mark what the acquirer sent.
 */
export async function railsOf(
  ctx: Context,
  merchantId: string,
  sellerIds: readonly string[],
): Promise<(sellerId: string) => PayoutRailName> {
  const [merchant] = await ctx.db
    .select({ rail: merchants.payoutRail })
    .from(merchants)
    .where(eq(merchants.id, merchantId));
  const rail = merchant?.rail ?? "none";
  if (rail !== "file") return () => rail;
  const kinds = Object.keys(PAYMENT_KINDS).filter(isPaying);
  const rows = await ctx.db
    .select({ id: sellerRegistrations.sellerId })
    .from(sellerRegistrations)
    .where(
      and(
        eq(sellerRegistrations.clientId, ctx.account.id),
        inArray(sellerRegistrations.sellerId, [...sellerIds]),
        inArray(sellerRegistrations.providerType, kinds),
        isNotNull(sellerRegistrations.externalId),
      ),
    );
  const paid = new Set(rows.map(({ id }) => id));
  return (sellerId) => (paid.has(sellerId) ? "none" : rail);
}

const isPaying = (kind: string): boolean =>
  isPaymentKind(kind) && isRoutable(kind) && providerFor(kind).recipients?.paysThem === true;

/** Above it money goes by TED. */
const PIX_LIMITS: Readonly<Record<PayoutRailName, Cents>> = { sandbox: 10_000_000, file: 10_000_000, none: 0 };
export const pixLimitOf = (rail: PayoutRailName): Cents => PIX_LIMITS[rail];

/** The seller's account is the cause: nothing more is sent to it until it changes. */
const OF_THE_ACCOUNT: readonly TransferReason[] = ["invalid_account", "account_closed", "holder_mismatch"];
export const isOfTheAccount = (reason: TransferReason): boolean => OF_THE_ACCOUNT.includes(reason);
