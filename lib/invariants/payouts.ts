import { bankHolidays } from "@/lib/brazil/bank-calendar";
import type { Invariant } from "@/lib/invariants/catalogue";
import { each } from "@/lib/invariants/each";

const batch = (id: string, text: string, broken: string): Invariant => ({
  id,
  text,
  root: "payout_batches",
  sql: `select b.id, b.client_id from ${each("payout_batches", "b")} where ${broken}`,
});

const LINES = "from payout_lines l where l.batch_id = b.id";
const ofType = (condition: string): string => `(select coalesce(sum(l.amount), 0) ${LINES} and ${condition})`;

/** Made from the batch, so that a second one of it cannot be told. */
const REFERENCE = "'TR' || upper(replace(t.batch_id::text, '-', ''))";

/** Years whose payouts are looked at; a test clock comes this far. */
const [FIRST_YEAR, LAST_YEAR] = [2020, 2080];
const HOLIDAYS = Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, year) => [...bankHolidays(FIRST_YEAR + year)])
  .flat()
  .join(",");

/** What leaves as transfers, and what is paid early (spec/invariants.md sections 6.3 and 6.4). */
export const PAYOUT_INVARIANTS: readonly Invariant[] = [
  batch(
    "P11",
    "what a batch sends is its amounts, added and subtracted",
    `b.final_balance <> b.amount + b.balance_amount + b.credit_amount + b.credit_adjustment_amount - b.total_fee_amount
       - b.refund_amount - b.debit_adjustment_amount
     or b.total_fee_amount <> b.fee_amount + b.withdrawal_fee_amount or b.balance_amount > 0`,
  ),
  batch(
    "P12",
    "every amount of a batch is the sum of its lines of that type",
    `b.amount <> ${ofType("l.type = 'credit'")} or b.fee_amount <> -${ofType("l.type = 'fee'")}
     or b.withdrawal_fee_amount <> -${ofType("l.type = 'withdrawal'")} or b.balance_amount <> ${ofType("l.type = 'carried'")}
     or b.credit_amount <> ${ofType("l.type = 'manual_credit'")}
     or b.refund_amount <> -${ofType("l.type in ('refund', 'chargeback')")}
     or b.credit_adjustment_amount <> ${ofType("l.type = 'adjustment' and l.amount > 0")}
     or b.debit_adjustment_amount <> -${ofType("l.type = 'adjustment' and l.amount < 0")}`,
  ),
  batch(
    "P13",
    "what an offset batch leaves open is carried once, by a batch of the same seller, and no more than that",
    `(b.status = 'offset' and b.final_balance < 0 and exists (
       select from payout_lines l join payout_batches t on t.id = l.batch_id
        where l.source_id = b.id and l.type = 'carried' and l.is_live
       having count(*) > 1 or bool_or(l.amount <> b.final_balance or t.status = 'failed'
         or t.seller_id is distinct from b.seller_id or t.merchant_id <> b.merchant_id)))
     or (b.status <> 'offset' and exists (select from payout_lines l where l.source_id = b.id and l.type = 'carried'))`,
  ),
  batch(
    "P14",
    "offset sends nothing; otherwise a seller is sent exactly what its batch says, by one transfer",
    `b.seller_id is not null and (
       (b.status = 'offset' and exists (select from payout_transfers t where t.batch_id = b.id))
       or (b.status <> 'offset' and not exists (
         select from payout_transfers t where t.batch_id = b.id and t.amount = b.final_balance and case b.status
           when 'pending' then t.status in ('created', 'sent', 'unknown')
           when 'paid' then t.status in ('settled', 'returned') else t.status = 'failed' end)))`,
  ),
  batch(
    "P17",
    "a batch that failed gave everything back, once; one that did not has what its lines say",
    `exists (select ${LINES} and l.is_live = (b.status = 'failed'))
     or (b.status = 'failed') <> exists (
       select from journals j where j.event_type = 'payout_failed' and j.event_id = b.id::text)
     or (b.status <> 'failed' and exists (
       select from payout_lines l join receivables r on r.id = l.source_id
        where l.batch_id = b.id and l.source_type = 'receivable' and r.batch_id is distinct from b.id))`,
  ),
  batch(
    "P15",
    "a batch ended once, as its journals say, and they moved what it says",
    `b.seller_id is not null and (
       (b.status = 'paid') <> exists (select from journals j where j.event_type = 'payout_paid' and j.event_id = b.id::text)
       or (b.status = 'offset') = exists (select from journals j where j.event_type = 'payout' and j.event_id = b.id::text)
       or exists (
         select from journals j join postings p on p.journal_id = j.id join ledger_accounts a on a.id = p.account_id
          where j.event_id = b.id::text and j.event_type in ('payout', 'payout_paid', 'payout_failed')
            and a.kind = 'payout_in_transit'
          group by j.event_type having abs(sum(p.amount)) <> b.final_balance))`,
  ),
  {
    id: "P16",
    text: "a transfer is named by its batch alone, and nobody was told of it by a call and by a file",
    root: "payout_transfers",
    sql: `select t.id, t.client_id from ${each("payout_transfers", "t")}
           where t.reference <> ${REFERENCE} or (t.rail <> 'file' and t.file_id is not null)
              or (t.file_id is not null and (t.attempted_at is null or t.status = 'created'))`,
  },
  {
    id: "P16b",
    text: "a file carries exactly the transfers that it was made with, and its bank misses no number before it",
    root: "payout_files",
    sql: `select f.id, f.client_id from ${each("payout_files", "f")}
           where not exists (
               select from payout_transfers t where t.file_id = f.id
               having count(*) = f.transfers and coalesce(sum(t.amount), 0) = f.amount
                  and bool_and(strpos(f.content, t.file_number) > 0))
              or (f.sequence > 1 and not exists (
               select from payout_files o where o.client_id = f.client_id and o.bank = f.bank and o.agreement = f.agreement
                  and o.sequence = f.sequence - 1))`,
  },
  {
    id: "P18",
    text: "nothing left for a seller that may not receive",
    root: "payout_transfers",
    sql: `select t.id, t.client_id from ${each("payout_transfers", "t")}
           where t.attempted_at is not null and coalesce(t.left_as, '') not in ('active', 'partial')`,
  },
  batch(
    "P19",
    "what was paid was sent on a bank day, not before it was due; nothing else was",
    `(b.status = 'paid') <> (b.payout_date is not null) or (b.payout_date is not null and (
       b.payout_date < b.payment_date or extract(isodow from b.payout_date) > 5
       or b.payout_date = any('{${HOLIDAYS}}'::date[])))`,
  ),
  {
    id: "P9b",
    text: "a receivable is prepaid by one committed prepayment, and available once that is paid",
    root: "receivables",
    sql: `select r.id, r.client_id from ${each("receivables", "r")}
           left join prepayment_items i on i.receivable_id = r.id and i.is_committed
           left join prepayments p on p.id = i.prepayment_id
          where r.type = 'credit' and ((r.status = 'prepaid') <> coalesce(p.status in ('committed', 'paid'), false)
             or (r.status = 'prepaid' and ((p.status = 'paid') <> (r.available_at is not null)
               or r.anticipation_fee <> i.fee_amount + i.markup_amount or r.payment_date <> p.payment_date)))`,
  },
  {
    id: "P22",
    text: "a prepayment is its items, each priced by its own days",
    root: "prepayments",
    sql: `select p.id, p.client_id from ${each("prepayments", "p")} where exists (
            select from prepayment_items i where i.prepayment_id = p.id
            having sum(i.gross_amount) is distinct from p.gross_amount or sum(i.net_amount) is distinct from p.net_amount
                or sum(i.fee_amount) is distinct from p.fee_amount or sum(i.markup_amount) is distinct from p.markup_amount
                or bool_or(i.days_to_anticipate <> i.settlement_date - p.payment_date or i.days_to_anticipate < 1
                  or i.net_amount <> floor(i.gross_amount::numeric * 300000
                       / (300000 + (p.monthly_rate_bps + p.markup_bps)::numeric * i.days_to_anticipate))
                  or i.fee_amount <> floor((2 * i.net_amount::numeric * p.monthly_rate_bps * i.days_to_anticipate + 300000)
                       / 600000)))`,
  },
  {
    id: "P20",
    text: "committed in its time: up to 15:00 in São Paulo of the bank day that it was made for, the one before it pays",
    root: "prepayments",
    sql: `select p.id, p.client_id from ${each("prepayments", "p")}
           where (p.status in ('committed', 'paid')) <> (p.committed_at is not null) or p.committed_at > p.expires_at
              or p.expires_at at time zone 'America/Sao_Paulo' <> date_trunc('day', p.expires_at at time zone 'America/Sao_Paulo')
                   + interval '15 hours'
              or p.payment_date <= (p.expires_at at time zone 'America/Sao_Paulo')::date`,
  },
  {
    id: "P21",
    text: "a receivable is in one committed prepayment at most",
    root: "receivables",
    sql: `select r.id, r.client_id from ${each("receivables", "r")}
           where (select count(*) from prepayment_items i join prepayments p on p.id = i.prepayment_id
                   where i.receivable_id = r.id and (i.is_committed or p.status in ('committed', 'paid'))) > 1`,
  },
  {
    id: "P24",
    text: "what is paid early was sold, and would have come later",
    root: "prepayments",
    sql: `select p.id, p.client_id from ${each("prepayments", "p")} where exists (
            select from prepayment_items i join receivables r on r.id = i.receivable_id
             where i.prepayment_id = p.id and (r.type <> 'credit' or i.settlement_date <> r.original_payment_date
               or r.seller_id is distinct from p.seller_id
               or (p.receipt_dates is not null and i.settlement_date <> all(p.receipt_dates)) or i.settlement_date > p.end_date))`,
  },
  {
    id: "P25",
    text: "a prepayment has the receivables of its state, and pays each of them the price that was committed",
    root: "prepayments",
    sql: `select p.id, p.client_id from ${each("prepayments", "p")}
           where (p.status = 'paid') <> (p.paid_at is not null) or exists (
             select from prepayment_items i join receivables r on r.id = i.receivable_id
               left join journals j on j.event_type = 'prepayment' and j.event_id = p.id || ':' || r.id
              where i.prepayment_id = p.id and (i.is_committed <> (p.status in ('committed', 'paid'))
                or (p.status = 'paid') <> (j.id is not null)
                or (j.id is not null and i.net_amount is distinct from (
                  select sum(t.amount) from transfers t join ledger_accounts a on a.id = t.credit_account
                   where t.journal_id = j.id and a.kind in ('merchant_available', 'seller_available')))))`,
  },
];
