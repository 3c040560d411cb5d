import { type SQL, sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { AskedFigure } from "@/lib/explanations/schema";
import { type Explained, row } from "@/lib/explanations/sources/source";
import { prepaymentAt } from "@/lib/prepayments/service";

const COLUMNS = {
  grossAmount: sql`i.gross_amount`,
  netAmount: sql`i.net_amount`,
  feeAmount: sql`i.fee_amount`,
  markupAmount: sql`i.markup_amount`,
} as const;

export const prepaymentAmount =
  (name: keyof typeof COLUMNS) =>
  async (ctx: Context, { prepaymentId = "" }: AskedFigure): Promise<Explained> => {
    const { row: prepayment } = await prepaymentAt(ctx, prepaymentId);
    return { value: prepayment[name], currency: "BRL", rows: itemsOf(ctx, prepaymentId, COLUMNS[name]) };
  };

/** What being paid early costs: the fee with the markup. */
export async function cost(ctx: Context, { prepaymentId = "" }: AskedFigure): Promise<Explained> {
  const { row: prepayment } = await prepaymentAt(ctx, prepaymentId);
  const rows = itemsOf(ctx, prepaymentId, sql`i.gross_amount - i.net_amount`);
  return { value: prepayment.feeAmount + prepayment.markupAmount, currency: "BRL", rows };
}

const itemsOf = ({ account }: Context, prepaymentId: string, amount: SQL): SQL => sql`
      select ${row({
        id: sql`i.id`,
        at: sql`i.created_at`,
        type: sql`'item'`,
        amount,
        sourceType: "receivable",
        sourceId: sql`i.receivable_id`,
        chargeId: sql`r.charge_id`,
        installment: sql`r.installment`,
        journalId: sql`(select j.id from journals j
          where j.event_type = 'prepayment' and j.event_id = i.prepayment_id || ':' || i.receivable_id)`,
      })}
        from prepayment_items i join receivables r on r.id = i.receivable_id
       where i.client_id = ${account.id} and i.prepayment_id = ${prepaymentId}`;
