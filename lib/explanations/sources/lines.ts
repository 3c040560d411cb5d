import { and, eq, type SQL, sql } from "drizzle-orm";
import { payoutBatches, payoutLines } from "@/db/schema/payouts";
import { receivables } from "@/db/schema/receivables";
import type { Context } from "@/lib/context";
import { notFound } from "@/lib/errors";
import type { AskedFigure } from "@/lib/explanations/schema";
import { feeParts, moving, part } from "@/lib/explanations/sources/receivables";
import { type Explained, row } from "@/lib/explanations/sources/source";
import type { LineRow } from "@/lib/payouts/queries";

/** One line of a batch: what it takes of its receivable, or what else it stands for. */
export async function line(ctx: Context, { lineId = "" }: AskedFigure): Promise<Explained> {
  const { account, db } = ctx;
  const [found] = await db
    .select({ line: payoutLines, currency: payoutBatches.currency })
    .from(payoutLines)
    .innerJoin(payoutBatches, eq(payoutBatches.id, payoutLines.batchId))
    .where(and(eq(payoutLines.clientId, account.id), eq(payoutLines.id, lineId)));
  if (!found) throw notFound("payment batch line");
  const { currency } = found;
  const rows = found.line.sourceType === "receivable" ? await ofReceivable(ctx, found.line) : ofItself(found.line);
  return { value: found.line.amount, currency, rows };
}

/** As lib/payouts/compose makes them: a sale and its fees stand apart, what is taken stands net. */
async function ofReceivable({ account, db }: Context, { type, sourceId }: LineRow): Promise<SQL> {
  const [one] = await db
    .select()
    .from(receivables)
    .where(and(eq(receivables.clientId, account.id), eq(receivables.id, sourceId)));
  if (!one) throw new Error(`a line of receivable ${sourceId}, which is gone`);
  const gross = part(one, "gross", sql`r.gross`);
  const fees = sql`
    select parts.id, parts.at, parts.type, -parts.amount as amount, parts.source_type, parts.source_id,
           parts.charge_id, parts.installment, parts.journal_id, parts.rule_id
      from (${feeParts(one)} union all ${part(one, "anticipation", sql`r.anticipation_fee`)}) parts`;
  if (type === "credit") return moving(gross);
  return moving(type === "fee" ? fees : sql`${gross} union all ${fees}`);
}

/** A transfer's price, a batch that was left open, an adjustment: there is nothing smaller behind it. */
const ofItself = ({ id }: LineRow): SQL => sql`
  select ${row({
    id: sql`l.id`,
    at: sql`l.created_at`,
    type: sql`l.type`,
    amount: sql`l.amount`,
    sourceType: "line",
    sourceId: sql`l.source_id`,
    chargeId: sql`l.charge_id`,
    journalId: sql`(select j.id from journals j
      where j.client_id = l.client_id and j.event_id = case l.source_type when 'plan' then l.batch_id else l.source_id end::text
        and j.event_type in ('payout', 'adjustment') limit 1)`,
    ruleId: sql`case l.source_type when 'plan' then l.source_id end`,
  })}
    from payout_lines l where l.id = ${id}`;
