import { and, eq, type SQL, sql } from "drizzle-orm";
import { charges, splitRules } from "@/db/schema/charges";
import type { Context } from "@/lib/context";
import { notFound } from "@/lib/errors";
import type { AskedFigure } from "@/lib/explanations/schema";
import { feePartsOf, moving, partOf } from "@/lib/explanations/sources/receivables";
import type { Explained } from "@/lib/explanations/sources/source";

/** What one seller's part of a payment came to when it was captured, against what it is to be paid instalment by instalment. */
const part =
  (worth: (came: { share: number; fee: number }) => number, rowsOf: (sales: SQL) => SQL) =>
  async ({ account, db }: Context, { chargeId = "", sellerId = "" }: AskedFigure): Promise<Explained> => {
    const [found] = await db
      .select({
        share: splitRules.capturedShare,
        processing: splitRules.processing,
        fares: splitRules.fares,
        currency: charges.currency,
      })
      .from(splitRules)
      .innerJoin(charges, eq(charges.id, splitRules.chargeId))
      .where(
        and(eq(splitRules.clientId, account.id), eq(splitRules.chargeId, chargeId), eq(splitRules.sellerId, sellerId)),
      );
    if (!found) throw notFound("split rule");
    const { share, processing, fares, currency } = found;
    const sales = sql`r.charge_id = ${chargeId} and r.seller_id = ${sellerId} and r.type = 'credit'`;
    const value = worth({ share: share ?? 0, fee: (processing ?? 0) + (fares ?? 0) });
    return { value, currency, rows: moving(rowsOf(sales)) };
  };

const gross = (sales: SQL): SQL => partOf(sales, "gross", sql`r.gross`);

const taken = (sales: SQL): SQL => sql`
  select parts.id, parts.at, parts.type, -parts.amount as amount, parts.source_type, parts.source_id,
         parts.charge_id, parts.installment, parts.journal_id, parts.rule_id
    from (${feePartsOf(sales)}) parts`;

export const share = part(({ share }) => share, gross);
export const splitFee = part(({ fee }) => fee, feePartsOf);
export const splitNet = part(
  ({ share, fee }) => share - fee,
  (sales) => sql`${gross(sales)} union all ${taken(sales)}`,
);
