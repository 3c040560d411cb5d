import { sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { Asked } from "@/lib/explanations/schema";
import { type Explained, row } from "@/lib/explanations/sources/source";
import { prepaymentAt } from "@/lib/prepayments/service";

const COLUMNS = {
  grossAmount: sql`i.gross_amount`,
  netAmount: sql`i.net_amount`,
  feeAmount: sql`i.fee_amount`,
  markupAmount: sql`i.markup_amount`,
} as const;

export const amount =
  (name: keyof typeof COLUMNS) =>
  async (ctx: Context, { prepaymentId = "" }: Asked): Promise<Explained> => {
    const { row: prepayment } = await prepaymentAt(ctx, prepaymentId);
    const rows = sql`
      select ${row({
        id: sql`i.id`,
        at: sql`i.created_at`,
        type: sql`'item'`,
        amount: COLUMNS[name],
        sourceType: "receivable",
        sourceId: sql`i.receivable_id`,
        chargeId: sql`r.charge_id`,
        installment: sql`r.installment`,
        journalId: sql`(select j.id from journals j
          where j.event_type = 'prepayment' and j.event_id = i.prepayment_id || ':' || i.receivable_id)`,
      })}
        from prepayment_items i join receivables r on r.id = i.receivable_id
       where i.client_id = ${ctx.account.id} and i.prepayment_id = ${prepayment.id}`;
    return { value: prepayment[name], currency: "BRL", rows };
  };
