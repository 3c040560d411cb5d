import { systemSql } from "@/db/client";
import type { PlanBody } from "@/lib/plans/schema";

/** What a call did, as the database holds it and in the plan's words; read by SQL alone. */
export interface Booked extends Pick<PlanBody, "journals" | "shares" | "fees" | "events"> {
  chargeIds: string[];
}

interface Journal {
  id: string;
  type: string;
  currency: string;
}
interface Receivable {
  id: string;
  chargeId: string;
  sellerId: string | null;
  installment: number | null;
  amount: number;
  fee: number;
  date: string;
}

/** Remembers what it has shown: each time, what is new of an account. */
export function newsOf(clientId: string): () => Promise<Booked> {
  const seen = new Set<string>();
  const unseen = <T extends { id: string }>(rows: readonly T[]): T[] => {
    const fresh = rows.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    return fresh;
  };
  return async () => {
    const sql = systemSql();
    const journals = unseen(
      await sql<Journal[]>`
        select id, event_type as type, currency from journals where client_id = ${clientId} order by created_at, id`,
    );
    const transfers = await sql<{ journal: string; debit: string; credit: string; amount: number }[]>`
      select x.journal_id as journal, x.amount::float8 as amount,
             concat_ws(':', d.kind, d.seller_id, d.arrangement) as debit,
             concat_ws(':', c.kind, c.seller_id, c.arrangement) as credit
        from transfers x join ledger_accounts d on d.id = x.debit_account join ledger_accounts c on c.id = x.credit_account
       where x.journal_id = any(${journals.map(({ id }) => id)}::uuid[]) order by x.line`;
    const receivables = unseen(
      await sql<Receivable[]>`
        select r.id, r.charge_id as "chargeId", r.seller_id as "sellerId", r.installment, r.gross::float8 as amount,
               r.fee::float8 as fee, r.payment_date::text as date
          from receivables r join merchants m on m.id = r.merchant_id where m.client_id = ${clientId} order by r.id`,
    );
    const events = unseen(
      await sql<{ id: string; name: string }[]>`
        select id, object || '.' || event as name from events
         where client_id = ${clientId} order by created_at, entity_id, entity_version`,
    );
    const charges = unseen(
      await sql<{ id: string }[]>`select id from charges where client_id = ${clientId} order by created_at, id`,
    );
    return {
      chargeIds: charges.map(({ id }) => id),
      journals: journals.map(({ id, type, currency }) => ({
        type,
        currency,
        transfers: transfers
          .filter(({ journal }) => journal === id)
          .map(({ debit, credit, amount }) => ({ debit, credit, amount })),
      })),
      shares: receivables.map(({ sellerId, installment, amount, date }) => ({ sellerId, installment, amount, date })),
      fees: await feesOf(receivables),
      events: events.map(({ name }) => name),
    };
  };
}

/** What each party of each charge pays, and the row of prices that its split rule was priced by. */
async function feesOf(receivables: readonly Receivable[]): Promise<PlanBody["fees"]> {
  const parties = new Map<string, { chargeId: string; sellerId: string | null; amount: number }>();
  for (const { chargeId, sellerId, fee } of receivables) {
    const key = `${chargeId} ${sellerId}`;
    const party = parties.get(key) ?? { chargeId, sellerId, amount: 0 };
    parties.set(key, { ...party, amount: party.amount + fee });
  }
  const paying = [...parties.values()].filter(({ amount }) => amount !== 0);
  const rates = await systemSql()<{ chargeId: string; sellerId: string; rateId: string | null }[]>`
    select charge_id as "chargeId", seller_id as "sellerId", rate_id as "rateId" from split_rules
     where charge_id = any(${paying.map(({ chargeId }) => chargeId)}::uuid[])`;
  return paying.map(({ chargeId, sellerId, amount }) => ({
    sellerId,
    amount,
    rateId: rates.find((rate) => rate.chargeId === chargeId && rate.sellerId === sellerId)?.rateId ?? null,
  }));
}

/** The flow and the provider that a payment was really decided by. */
export async function routeOf(chargeId: string): Promise<{ flow: PlanBody["flow"]; provider: string | null }> {
  const [row] = await systemSql()<{ id: string | null; version: string; provider: string | null }[]>`
    select d.flow_id as id, d.flow_version as version, c.provider_id as provider
      from charges c left join routing_decisions d on d.charge_id = c.id where c.id = ${chargeId}`;
  return {
    flow: row?.id ? { id: row.id, version: row.version, isDrawn: false } : null,
    provider: row?.provider ?? null,
  };
}
