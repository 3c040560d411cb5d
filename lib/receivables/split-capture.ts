import { and, eq, sql } from "drizzle-orm";
import { charges } from "@/db/schema/charges";
import { type Context, now } from "@/lib/context";
import type { KeptShare } from "@/lib/ledger/post";
import { type Cents, sumOf } from "@/lib/money";
import type { Movement } from "@/lib/receivables/movements";
import type { Share } from "@/lib/receivables/shares";
import { feeTable, feeTableOf } from "@/lib/splits/fee-table";
import { cutToShare, type Fee, feesOf } from "@/lib/splits/fees";
import { sharesOf } from "@/lib/splits/shares";

export interface CapturedSplit {
  shares: Share[];
  /** What each rule came to. */
  kept: KeptShare[];
}

/** Prices alone decide it: nothing that was booked of the charge before, and no other row of it changes. */
export const isCapturedWhole = ({ type, amount, charge: { row } }: Movement): boolean =>
  type === "capture" && amount === row.originalAmount;

/** Who owns what of a captured amount, with the fees in force on this day. */
export async function capturedSplit(ctx: Context, of: Movement): Promise<CapturedSplit> {
  const { charge, amount } = of;
  const { row, brand, splits, prices } = charge;
  const shares = sharesOf(splits, { total: row.originalAmount, part: amount });
  const { paymentType, merchantId } = row;
  const sale = { merchantId, paymentType, installments: row.installments ?? 1, brand, amount };
  const table = prices ? feeTable(prices, sale, now(ctx)) : await feeTableOf(ctx, sale, splits);
  const whole = feesOf(splits, shares.rules, amount, table);
  const fees = whole.map((fee, index) => cutToShare(fee, shares.rules[index] ?? 0));
  if (table.applied && !isCapturedWhole(of)) {
    await ctx.db
      .update(charges)
      .set({ platformFee: { ...table.applied } })
      .where(and(eq(charges.id, row.id), sql`${charges.platformFee} is not null`));
  }
  const parties = [
    ...splits.map(({ sellerId: party }, index) => ({
      party,
      gross: shares.rules[index] ?? 0,
      processingFee: fees[index]?.processing ?? 0,
      fares: fees[index]?.fares ?? 0,
    })),
    { party: null, gross: shares.merchant, processingFee: Math.min(shares.merchant, cutOff(whole, fees)), fares: 0 },
  ];
  return {
    shares: parties.filter(({ gross }) => gross > 0),
    kept: splits.flatMap(({ id }, index) => {
      const fee = fees[index];
      return fee ? [{ id, capturedShare: shares.rules[index] ?? 0, ...fee }] : [];
    }),
  };
}

/** What sellers could not bear of a processing fee that grew: the merchant does, as far as its own share allows. */
const cutOff = (whole: readonly Fee[], borne: readonly Fee[]): Cents =>
  sumOf(whole.map(({ processing }) => processing)) - sumOf(borne.map(({ processing }) => processing));
