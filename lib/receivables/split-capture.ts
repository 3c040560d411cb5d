import { and, eq, sql } from "drizzle-orm";
import { charges } from "@/db/schema/charges";
import type { Context } from "@/lib/context";
import { type Cents, sumOf } from "@/lib/money";
import type { Movement } from "@/lib/receivables/movements";
import type { Share } from "@/lib/receivables/shares";
import { feeTableOf } from "@/lib/splits/fee-table";
import { cutToShare, type Fee, feesOf } from "@/lib/splits/fees";
import { sharesOf } from "@/lib/splits/shares";

/**
 * Who owns what of a captured amount, with the fees in force on this day; what each rule came to is kept beside it, so
 * that a refund gives back by what was charged.
 */
export async function capturedSplit(ctx: Context, { charge, amount }: Movement): Promise<Share[]> {
  const { row, brand, splits } = charge;
  const shares = sharesOf(splits, { total: row.originalAmount, part: amount });
  const { paymentType, merchantId } = row;
  const sale = { merchantId, paymentType, installments: row.installments ?? 1, brand, amount };
  const table = await feeTableOf(ctx, sale, splits);
  const whole = feesOf(splits, shares.rules, amount, table);
  const fees = whole.map((fee, index) => cutToShare(fee, shares.rules[index] ?? 0));
  await keep(
    ctx,
    splits.flatMap(({ id }, index) => {
      const [share = 0, fee] = [shares.rules[index], fees[index]];
      return fee ? [{ id, share, fee }] : [];
    }),
  );
  if (table.applied && amount !== row.originalAmount) {
    await ctx.db
      .update(charges)
      .set({ platformFee: { ...table.applied } })
      .where(and(eq(charges.id, row.id), sql`${charges.platformFee} is not null`));
  }
  return [
    ...splits.map(({ sellerId: party }, index) => ({
      party,
      gross: shares.rules[index] ?? 0,
      processingFee: fees[index]?.processing ?? 0,
      fares: fees[index]?.fares ?? 0,
    })),
    { party: null, gross: shares.merchant, processingFee: Math.min(shares.merchant, cutOff(whole, fees)), fares: 0 },
  ].filter(({ gross }) => gross > 0);
}

/** Of all rules in one statement; what a rule came to is written once. */
const keep = ({ db, account }: Context, kept: readonly { id: string; share: Cents; fee: Fee }[]): Promise<unknown> =>
  db.execute(sql`
    update split_rules s
       set captured_share = k.share, processing = k.processing, processing_mdr = k."processingMdr",
           processing_refundable = k."processingRefundable", rate_id = k."rateId",
           fares = k.fares, fares_mdr = k."faresMdr", fares_refundable = k."faresRefundable"
      from json_to_recordset(${JSON.stringify(kept.map(({ id, share, fee }) => ({ id, share, ...fee })))}::json)
             as k (id uuid, share bigint, processing bigint, "processingMdr" bigint, "processingRefundable" text,
                   "rateId" uuid, fares bigint, "faresMdr" bigint, "faresRefundable" text)
     where s.client_id = ${account.id} and s.id = k.id and s.captured_share is null`);

/** What sellers could not bear of a processing fee that grew: the merchant does, as far as its own share allows. */
const cutOff = (whole: readonly Fee[], borne: readonly Fee[]): Cents =>
  sumOf(whole.map(({ processing }) => processing)) - sumOf(borne.map(({ processing }) => processing));
