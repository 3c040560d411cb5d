import { and, eq, type SQL, sql } from "drizzle-orm";
import { receivables } from "@/db/schema/receivables";
import type { Context } from "@/lib/context";
import { notFound } from "@/lib/errors";
import type { AskedFigure } from "@/lib/explanations/schema";
import { type Explained, rateOf, row } from "@/lib/explanations/sources/source";

type Receivable = typeof receivables.$inferSelect;

export async function receivableNet(ctx: Context, { receivableId = "" }: AskedFigure): Promise<Explained> {
  const one = await receivableAt(ctx, receivableId);
  const { gross, fee, anticipationFee } = one;
  const rows = sql`${part(one, "gross", sql`r.gross`)} union all ${part(one, "fee", sql`-r.fee`)}
    union all ${part(one, "anticipation", sql`-r.anticipation_fee`)}`;
  return { value: gross - fee - anticipationFee, currency: one.currency, rows: moving(rows) };
}

export async function receivableFee(ctx: Context, { receivableId = "" }: AskedFigure): Promise<Explained> {
  const one = await receivableAt(ctx, receivableId);
  return { value: one.fee, currency: one.currency, rows: moving(feeParts(one)) };
}

/** As payment orders state it. */
export async function totalFee(ctx: Context, { receivableId = "" }: AskedFigure): Promise<Explained> {
  const one = await receivableAt(ctx, receivableId);
  const rows = sql`${feeParts(one)} union all ${part(one, "anticipation", sql`r.anticipation_fee`)}`;
  return { value: one.fee + one.anticipationFee, currency: one.currency, rows: moving(rows) };
}

/**
 * Fares fall on the instalments of their own share, and the first bears what does not divide; the rest of what an
 * instalment pays is its part of the processing fee.
 */
export const feeParts = ({ id }: Pick<Receivable, "id">): SQL => feePartsOf(sql`r.id = ${id}`);

/** Of all receivables `r` that are chosen. */
export function feePartsOf(chosen: SQL): SQL {
  const fares = sql`coalesce((
    select least(r.fee, s.fares / r.installments + case when r.installment = 1 then s.fares % r.installments else 0 end)
      from split_rules s where s.charge_id = r.charge_id and s.seller_id = r.seller_id and r.type = 'credit' limit 1), 0)`;
  return sql`${partOf(chosen, "processing", sql`r.fee - ${fares}`, "fee")} union all ${partOf(chosen, "fares", fares, "fares")}`;
}

/** What adds nothing explains nothing. */
export const moving = (rows: SQL): SQL => sql`select * from (${rows}) parts where amount <> 0`;

/** One part of it; what was booked for it stands in the journal of that type, else in its own. */
export const part = ({ id }: Pick<Receivable, "id">, type: string, amount: SQL): SQL =>
  partOf(sql`r.id = ${id}`, type, amount);

/** Of each receivable `r` that is chosen. */
export function partOf(chosen: SQL, type: string, amount: SQL, journal?: "fee" | "fares"): SQL {
  const ofCharge = sql`(select j.id from journals j where j.charge_id = r.charge_id and j.event_type = ${journal ?? ""} limit 1)`;
  return sql`
    select ${row({
      id: sql`r.id || '/' || ${type}::text`,
      at: sql`r.created_at`,
      type: sql`${type}::text`,
      amount,
      sourceType: "receivable",
      sourceId: sql`r.id`,
      chargeId: sql`r.charge_id`,
      installment: sql`r.installment`,
      journalId: journal ? sql`case when r.type = 'credit' then ${ofCharge} else r.journal_id end` : sql`r.journal_id`,
      ruleId: rateOf(sql`r.charge_id`, sql`r.seller_id`),
    })}
      from receivables r where ${chosen}`;
}

async function receivableAt({ account, db }: Context, id: string): Promise<Receivable> {
  const [found] = await db
    .select()
    .from(receivables)
    .where(and(eq(receivables.clientId, account.id), eq(receivables.id, id)));
  if (!found) throw notFound("receivable");
  return found;
}
