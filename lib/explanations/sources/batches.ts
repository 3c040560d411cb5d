import { type SQL, sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { AskedFigure } from "@/lib/explanations/schema";
import { type Explained, rateOf, row } from "@/lib/explanations/sources/source";
import type { BatchRow } from "@/lib/payouts/queries";
import { batchAt } from "@/lib/payouts/service";

const types = (...names: readonly string[]): SQL =>
  sql`l.type in (${sql.join(
    names.map((name) => sql`${name}`),
    sql`, `,
  )})`;

/** Each field of a batch and the lines that it is the sum of (spec/money.md section 9). */
const FIELDS = {
  amount: { lines: types("credit"), isNegated: false },
  feeAmount: { lines: types("fee"), isNegated: true },
  withdrawalFeeAmount: { lines: types("withdrawal"), isNegated: true },
  totalFeeAmount: { lines: types("fee", "withdrawal"), isNegated: true },
  balanceAmount: { lines: types("carried"), isNegated: false },
  creditAmount: { lines: types("manual_credit"), isNegated: false },
  refundAmount: { lines: types("refund", "chargeback"), isNegated: true },
  debitAdjustmentAmount: { lines: sql`l.type = 'adjustment' and l.amount < 0`, isNegated: true },
  creditAdjustmentAmount: { lines: sql`l.type = 'adjustment' and l.amount > 0`, isNegated: false },
  finalBalance: { lines: sql`true`, isNegated: false },
} as const satisfies Partial<Record<keyof BatchRow, { lines: SQL; isNegated: boolean }>>;

export const field =
  (name: keyof typeof FIELDS) =>
  async (ctx: Context, { batchId = "" }: AskedFigure): Promise<Explained> => {
    const batch = await batchAt(ctx, batchId);
    const { lines, isNegated } = FIELDS[name];
    const rows = sql`
      select ${row({
        id: sql`l.id`,
        at: sql`l.created_at`,
        type: sql`l.type`,
        amount: isNegated ? sql`-l.amount` : sql`l.amount`,
        sourceType: "line",
        sourceId: sql`l.source_id`,
        chargeId: sql`l.charge_id`,
        installment: sql`r.installment`,
        journalId: sql`coalesce(r.journal_id, j.id)`,
        ruleId: sql`case l.source_type when 'plan' then l.source_id
          when 'receivable' then ${rateOf(sql`r.charge_id`, sql`r.seller_id`)} end`,
      })}
        from payout_lines l
        left join receivables r on l.source_type = 'receivable' and r.id = l.source_id
        left join journals j on l.source_type = 'plan' and j.event_type = 'payout' and j.event_id = l.batch_id::text
       where l.client_id = ${ctx.account.id} and l.batch_id = ${batch.id} and ${lines}`;
    return { value: batch[name], currency: batch.currency, rows };
  };
