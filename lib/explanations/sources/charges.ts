import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { charges } from "@/db/schema/charges";
import { receivables } from "@/db/schema/receivables";
import type { Context } from "@/lib/context";
import { notFound } from "@/lib/errors";
import type { AskedFigure } from "@/lib/explanations/schema";
import { type Explained, NET, ofReceivable, rateOf, row } from "@/lib/explanations/sources/source";

/** A total that the charge itself keeps, against the journals that moved it. */
export const chargeTotal =
  (column: "capturedAmount" | "refundedAmount" | "chargedBackAmount") =>
  async (ctx: Context, { chargeId = "" }: AskedFigure): Promise<Explained> => {
    const charge = await chargeAt(ctx, chargeId);
    return { value: charge[column], currency: charge.currency, rows: BOOKED[column](charge.id) };
  };

const booked = (chargeId: string, account: string, types: readonly string[], sign: SQL): SQL => sql`
  select ${row({
    id: sql`j.id || '/' || p.line`,
    at: sql`j.created_at`,
    type: sql`j.event_type`,
    amount: sql`${sign} * p.amount`,
    sourceType: "journal",
    sourceId: sql`j.id`,
    chargeId: sql`j.charge_id`,
    journalId: sql`j.id`,
  })}
    from journals j join postings p on p.journal_id = j.id join ledger_accounts a on a.id = p.account_id
   where j.charge_id = ${chargeId} and a.kind = ${account}
     and j.event_type in (${sql.join(
       types.map((type) => sql`${type}`),
       sql`, `,
     )})`;

const PLUS = sql.raw("1");
const MINUS = sql.raw("-1");
const BOOKED = {
  capturedAmount: (id: string) => booked(id, "provider_receivable", ["capture"], PLUS),
  refundedAmount: (id: string) => booked(id, "provider_receivable", ["refund", "reversal"], MINUS),
  chargedBackAmount: (id: string) => booked(id, "bank", ["chargeback", "chargeback_refund"], MINUS),
};

/** What one party is left with, receivable by receivable (spec/rulings.md 41). */
export async function chargeNet(ctx: Context, { chargeId = "", sellerId }: AskedFigure): Promise<Explained> {
  const charge = await chargeAt(ctx, chargeId);
  const ofParty = sellerId === undefined ? isNull(receivables.sellerId) : eq(receivables.sellerId, sellerId);
  const [found] = await ctx.db
    .select({
      value: sql`coalesce(sum(${receivables.gross} - ${receivables.fee} - ${receivables.anticipationFee}), 0)`.mapWith(
        Number,
      ),
    })
    .from(receivables)
    .where(and(eq(receivables.chargeId, charge.id), ofParty));
  const rows = sql`
    select ${ofReceivable(NET, { ruleId: rateOf(sql`r.charge_id`, sql`r.seller_id`) })}
      from receivables r where r.charge_id = ${charge.id} and r.seller_id is not distinct from ${sellerId ?? null}::uuid`;
  return { value: found?.value ?? 0, currency: charge.currency, rows };
}

async function chargeAt({ account, db }: Context, id: string): Promise<typeof charges.$inferSelect> {
  const [charge] = await db
    .select()
    .from(charges)
    .where(and(eq(charges.clientId, account.id), eq(charges.id, id)));
  if (!charge) throw notFound("charge");
  return charge;
}
