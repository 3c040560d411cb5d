import type { AccountKind } from "@/db/schema/ledger";
import { each } from "@/lib/invariants/each";
import { EVIDENCE_INVARIANTS } from "@/lib/invariants/evidence";
import { PAYOUT_INVARIANTS } from "@/lib/invariants/payouts";
import { SPLIT_INVARIANTS } from "@/lib/invariants/splits";
import { SUBSCRIPTION_INVARIANTS } from "@/lib/invariants/subscriptions";
import type { EvidenceType } from "@/lib/ledger/post";

/** What an invariant is about: its audit looks at rows of this kind, picked by whoever runs it. */
export const ROOTS = [
  "purchases",
  "charges",
  "journals",
  "receivables",
  "ledger_checkpoints",
  "payout_batches",
  "payout_transfers",
  "payout_files",
  "prepayments",
  "sessions",
  "subscriptions",
  "audit_log",
  "audit_chain",
] as const;
export type Root = (typeof ROOTS)[number];

export interface Invariant {
  /** As in spec/invariants.md; a letter behind it where one line of it is audited in parts. */
  id: string;
  /** What is true of every row. */
  text: string;
  root: Root;
  /** Answers `id` and `client_id` of the picked rows that break it; `picked(id)` is given. */
  sql: string;
}

const QUIET = `p.review_reason is null and not exists (
  select from purchase_operations o where o.purchase_id = p.id and o.status in ('pending', 'processing'))`;

const purchase = (id: string, text: string, broken: string): Invariant => ({
  id,
  text,
  root: "purchases",
  sql: `select p.id, p.client_id from ${each("purchases", "p")} where ${broken}`,
});

const charge = (id: string, text: string, broken: string): Invariant => ({
  id,
  text,
  root: "charges",
  sql: `select c.id, c.client_id from ${each("charges", "c")} where ${broken}`,
});

const SLOTS = "select from purchase_payments s where s.purchase_id = p.id";
const PAID_SLOTS = "select from purchase_payments s join charges c on c.id = s.charge_id where s.purchase_id = p.id";

/** What the books of a charge say, by kind of account and event. */
const booked = (kinds: readonly AccountKind[], ...events: EvidenceType[]): string => `(
  select coalesce(sum(g.amount), 0) from journals j join postings g on g.journal_id = j.id
    join ledger_accounts a on a.id = g.account_id
   where j.charge_id = c.id and a.kind in ('${kinds.join("', '")}') ${events.length > 0 ? `and j.event_type in ('${events.join("', '")}')` : ""})`;

const ACCOUNT_NOW = `(select case when k.clock_frozen_at is null then now() + make_interval(secs => k.clock_offset_seconds)
  else k.clock_frozen_at end from clients k where k.id = c.client_id)`;
/** The last look at a given-up payment comes before its hold can be 28 days old. */
const WATCHED = "interval '27 days'";

/** The money and progress invariants of spec/invariants.md that the database can be asked about at any instant. */
export const INVARIANTS: readonly Invariant[] = [
  purchase(
    "M1",
    "2 or 3 cards of 100 cents or more that add up to the purchase, in BRL",
    `p.currency <> 'BRL' or p.amount < 200 or (
      select count(*) not between 2 and 3 or coalesce(sum(s.amount), 0) <> p.amount or min(s.amount) < 100
        from purchase_payments s where s.purchase_id = p.id)`,
  ),
  {
    id: "M2",
    text: "every journal has the transfers that it was written with, each from one account to another",
    root: "journals",
    sql: `select j.id, j.client_id from ${each("journals", "j")} left join transfers t on t.journal_id = j.id
           group by j.id, j.client_id, j.lines
          having count(t.line) <> j.lines or bool_or(t.amount <= 0 or t.debit_account = t.credit_account)`,
  },
  charge(
    "M3",
    "given back and charged back never exceed what was captured, and a card never more than was asked",
    `c.refunded_amount + c.charged_back_amount > c.captured_amount
     or (c.card_id is not null and c.captured_amount > c.original_amount)`,
  ),
  purchase(
    "M4",
    "what a card shows as refunded is what its charge gave back",
    `exists (${PAID_SLOTS} and s.status not in ('processing', 'undetermined') and s.refunded_amount <> c.refunded_amount)`,
  ),
  purchase(
    "M5",
    "paid: every card was captured for exactly its amount",
    `p.status = 'paid' and exists (
      select from purchase_payments s left join charges c on c.id = s.charge_id
       where s.purchase_id = p.id and coalesce(c.captured_amount, 0) <> s.amount)`,
  ),
  purchase(
    "M6",
    "failed: no money was ever captured on any card",
    `p.status = 'failed' and exists (${PAID_SLOTS} and (c.captured_amount > 0 or s.was_captured))`,
  ),
  purchase(
    "M7",
    "cancelled: captured less refunded less charged back is 0",
    `p.status = 'cancelled' and ${QUIET} and (
      select coalesce(sum(c.captured_amount - c.refunded_amount - c.charged_back_amount), 0) from charges c
       where c.purchase_id = p.id) <> 0`,
  ),
  charge(
    "M8",
    "at most one authorisation is approved or possible",
    `(select count(*) from transaction_requests t where t.charge_id = c.id and t.kind = 'authorize'
       and t.state in ('sent', 'undetermined', 'approved', 'mismatch')) > 1`,
  ),
  purchase(
    "M9",
    "no capture begins before every card is held",
    `exists (
      select from charges c join transaction_requests t on t.charge_id = c.id and t.kind = 'capture'
       where c.purchase_id = p.id and exists (
         ${SLOTS} and not exists (
           select from transaction_requests h where h.charge_id = s.charge_id and h.kind = 'authorize'
              and h.state = 'approved' and h.created_at <= t.created_at)))`,
  ),
  charge(
    "M12",
    "the amount of a captured charge is what was captured less what was refunded",
    `c.status = 'authorized' and c.amount <> c.captured_amount - c.refunded_amount`,
  ),
  {
    id: "M13",
    text: "a link is paid no more often than it allows, and its counts are those of its payments",
    root: "sessions",
    sql: `select s.id, s.client_id from ${each("sessions", "s")},
      lateral (select count(*) filter (where captured_amount > 0) as paid,
                      count(*) filter (where captured_amount = 0 and status in
                        ('pending', 'pre_authorized', 'capture_pending', 'refund_pending')) as pending
                 from charges where session_id = s.id and purchase_id is null) c,
      lateral (select count(*) filter (where exists (
                        select from events e where e.entity_id = q.id and e.event = 'paid')) as paid,
                      count(*) filter (where q.status = 'pending') as pending
                 from purchases q where q.session_id = s.id) p,
      -- A trial is agreed to without a payment, and takes a place like one.
      lateral (select count(*) filter (where status = 'started') as paid,
                      count(*) filter (where status = 'pending') as pending
                 from subscription_starts where session_id = s.id and charge_id is null) t
     where s.payment_count <> c.paid + p.paid + t.paid or s.pending_count <> c.pending + p.pending + t.pending
        or (coalesce(s.max_payments, 1) <> -1 and c.paid + p.paid + t.paid > coalesce(s.max_payments, 1))`,
  },
  purchase(
    "M16",
    "ended: no card is held, and no authorisation is open",
    `p.status in ('failed', 'cancelled') and p.review_reason is null and exists (
      ${PAID_SLOTS} and (c.status = 'pre_authorized' or exists (
        select from transaction_requests t where t.charge_id = c.id and t.kind = 'authorize'
           and t.state in ('sent', 'undetermined', 'mismatch'))))`,
  ),
  charge(
    "M17",
    "a payment given up as not found is looked for while its hold could exist, and the look is not late",
    `exists (
      select from transaction_requests t where t.charge_id = c.id and t.kind = 'authorize' and t.state = 'absent'
         and t.provider_error->>'declinedCode' = 'timeout' and t.created_at + ${WATCHED} > ${ACCOUNT_NOW})
     and not exists (
      select from due_jobs d where d.kind = 'orphan.watch' and d.ref_id = c.id
         and (d.wake_at is null or d.wake_at > now() - interval '1 hour'))
     and not exists (
      select from transaction_requests v where v.charge_id = c.id and v.kind = 'void'
         and v.state in ('sent', 'undetermined', 'approved'))`,
  ),
  ...EVIDENCE_INVARIANTS,
  charge(
    "P3",
    "nothing is posted for a call whose outcome is unknown",
    `exists (
      select from transaction_requests t join journals j on j.charge_id = c.id and j.event_id = t.id::text
       where t.charge_id = c.id and t.state in ('sent', 'undetermined'))`,
  ),
  charge(
    "P5a",
    "refundedAmount is the ledger's",
    `c.refunded_amount <> -${booked(["provider_receivable"], "refund", "reversal")}`,
  ),
  charge(
    "P5b",
    "what was captured is the ledger's",
    `c.captured_amount <> ${booked(["provider_receivable"], "capture")}`,
  ),
  charge(
    "P5c",
    "what is held is in the memo accounts, and nothing else is",
    `c.status in ('pre_authorized', 'authorized', 'failed', 'voided', 'canceled', 'charged_back')
     and ${booked(["memo:hold"])} <> case when c.status = 'pre_authorized' then c.amount else 0 end`,
  ),
  {
    id: "P5d",
    text: "a checkpoint of a balance is the one before it and what the account moved since",
    root: "ledger_checkpoints",
    sql: `select k.id, k.client_id from ${each("ledger_checkpoints", "k")}
            cross join lateral (
              select up_to, balance from (
                (select up_to, balance from ledger_checkpoints b
                  where b.account_id = k.account_id and b.up_to < k.up_to order by b.up_to desc limit 1)
                union all select '0'::xid8, 0) known order by up_to desc limit 1) b
           where k.balance <> b.balance
             + coalesce((select sum(amount) from transfers t where t.debit_account = k.account_id
                          and t.tx < k.up_to and t.tx >= b.up_to), 0)
             - coalesce((select sum(amount) from transfers t where t.credit_account = k.account_id
                          and t.tx < k.up_to and t.tx >= b.up_to), 0)`,
  },
  charge(
    "P6",
    "what is pending in the books is what its receivables still wait for",
    `${booked(["merchant_pending", "seller_pending"])} <> -(
      select coalesce(sum(r.gross - r.fee + coalesce((
               select sum(d.gross - d.fee) from receivables d where d.reduces = r.id), 0)), 0)
        from receivables r where r.charge_id = c.id and r.type = 'credit' and (r.status = 'waiting_funds'
          or (r.status = 'prepaid' and r.available_at is null)))`,
  ),
  charge(
    "P7",
    "its receivables are what was captured, instalment by instalment",
    `exists (
      select from (select r.installment, min(r.installments) as n, max(r.installments) as most, sum(r.gross) as gross
                     from receivables r where r.charge_id = c.id and r.type = 'credit' group by r.installment) i
       where i.n <> i.most or i.gross <> case when i.installment = 1 then c.captured_amount - c.captured_amount / i.n * (i.n - 1)
                                              else c.captured_amount / i.n end)
     or c.captured_amount <> (select coalesce(sum(r.gross), 0) from receivables r
                               where r.charge_id = c.id and r.type = 'credit')`,
  ),
  charge(
    "P8",
    "the fees of its receivables are those booked",
    `(select coalesce(sum(r.fee), 0) from receivables r where r.charge_id = c.id and r.type = 'credit')
       <> -${booked(["revenue:platform_fee", "revenue:fares"], "fee", "fares")}`,
  ),
  {
    id: "P9",
    text: "a receivable is paid once its release is posted, and not before",
    root: "receivables",
    sql: `select r.id, r.client_id from ${each("receivables", "r")}
           where r.type = 'credit' and r.status <> 'prepaid'
             and r.gross - r.fee - r.anticipation_fee + coalesce((
                   select sum(d.gross - d.fee) from receivables d where d.reduces = r.id), 0) > 0
             and (r.status = 'paid') <> exists (
               select from journals j join transfers t on t.journal_id = j.id join ledger_accounts a on a.id = t.credit_account
                where j.event_type = 'release' and j.event_id = r.charge_id || ':' || r.installment
                  and a.kind in ('merchant_available', 'seller_available') and a.seller_id is not distinct from r.seller_id)`,
  },
  charge(
    "P10",
    "what its refunds and chargebacks took is what they were",
    `-(c.refunded_amount + c.charged_back_amount) <> (
      select coalesce(sum(r.gross), 0) from receivables r where r.charge_id = c.id and r.type <> 'credit')`,
  ),
  ...SPLIT_INVARIANTS,
  ...PAYOUT_INVARIANTS,
  purchase(
    "L2",
    "pending: an operation runs, people look, or all cards wait for the client's capture",
    `p.status = 'pending' and ${QUIET} and (p.capture or exists (${SLOTS} and s.status <> 'pre_authorized'))`,
  ),
  purchase(
    "L3",
    "at most one operation is pending or processing",
    `(select count(*) from purchase_operations o
       where o.purchase_id = p.id and o.status in ('pending', 'processing')) > 1`,
  ),
  purchase(
    "L4",
    "ended: every card has ended",
    `p.status <> 'pending' and ${QUIET} and exists (
      ${SLOTS} and s.status not in ('authorized', 'failed', 'voided', 'canceled', 'charged_back'))`,
  ),
  ...SUBSCRIPTION_INVARIANTS,
  {
    id: "A1a",
    text: "every audit row takes its place in its account's chain within ten minutes",
    root: "audit_log",
    sql: `select a.id, a.client_id from ${each("audit_log", "a")}
           where a.at < now() - interval '10 minutes' and not exists (select from audit_chain c where c.id = a.id)`,
  },
  {
    id: "A1b",
    text: "every link of the audit chain is the digest of its row and the link before it",
    root: "audit_chain",
    sql: `select c.id, c.client_id from ${each("audit_chain", "c")}
            left join audit_log a on a.id = c.id and a.client_id = c.client_id
            left join audit_chain p on p.client_id = c.client_id and p.position = c.position - 1
           where a.id is null or (p.id is null and c.position > 1) or c.hash <> audit_hash(p.hash, a)`,
  },
];
