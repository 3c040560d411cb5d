import type { Invariant } from "@/lib/invariants/catalogue";
import { each } from "@/lib/invariants/each";

const charge = (id: string, text: string, broken: string): Invariant => ({
  id,
  text,
  root: "charges",
  sql: `select c.id, c.client_id from ${each("charges", "c")} where ${broken}`,
});

const OF_RULES = "from split_rules s where s.charge_id = c.id and s.captured_share is not null";

/** What sellers have of a payment, pay for it and give back of it (spec/invariants.md section 6.2). */
export const SPLIT_INVARIANTS: readonly Invariant[] = [
  charge(
    "P7b",
    "each seller's receivables are its share of what was captured",
    `exists (
      select ${OF_RULES}
         and s.captured_share <> (select coalesce(sum(r.gross), 0) from receivables r
                                   where r.charge_id = c.id and r.seller_id = s.seller_id and r.type = 'credit'))`,
  ),
  charge(
    "P8b",
    "a fee that a seller paid names the row of prices that it comes from",
    `exists (select ${OF_RULES} and s.processing > 0 and s.rate_id is null)`,
  ),
  charge(
    "P10b",
    "no seller got more of its fee back than can go back",
    `exists (
      select ${OF_RULES}
         and -(select coalesce(sum(r.fee), 0) from receivables r
                where r.charge_id = c.id and r.seller_id = s.seller_id and r.type in ('refund', 'refund_reversal'))
           > case s.processing_refundable when 'all' then s.processing when 'mdr' then s.processing_mdr else 0 end
           + case s.fares_refundable when 'all' then s.fares when 'mdr' then s.fares_mdr else 0 end)`,
  ),
  // One that failed afterwards gave back to what still waited: then nothing tells any more what waited before.
  charge(
    "P10c",
    "a refund takes what is available of a party only once nothing of the payment waits for it",
    `exists (
      select from receivables t where t.charge_id = c.id and t.type = 'refund' and t.reduces is null and t.gross < t.fee
         and exists (
           select from receivables w where w.charge_id = c.id and w.type = 'credit' and w.status = 'waiting_funds'
              and w.seller_id is not distinct from t.seller_id
              and w.gross - w.fee - w.anticipation_fee + coalesce((
                    select sum(d.gross - d.fee) from receivables d where d.reduces = w.id), 0) > 0))
     and not exists (select from journals j where j.charge_id = c.id and j.event_type = 'reversal')`,
  ),
  charge(
    "P10d",
    "what counts as given back of a seller's share is the sum of its refunds, and at least what was taken of it",
    `exists (
      select ${OF_RULES}
         and (s.refunded_share <> (select coalesce(sum(value::bigint), 0) from jsonb_each_text(s.refunded_parts))
           or s.refunded_share < -(select coalesce(sum(r.gross), 0) from receivables r
                where r.charge_id = c.id and r.seller_id = s.seller_id and r.type in ('refund', 'refund_reversal'))))`,
  ),
];
