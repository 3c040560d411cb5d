import { systemSql } from "@/db/client";
import { brokenOf } from "@/lib/testing/audited";

/** Nobody is asked for in any of these cells: a purchase under review is a wrong of its own. */
export async function underReview(ids: readonly string[]): Promise<number> {
  const [row] = await systemSql()<{ n: number }[]>`
    select count(*)::int as n from purchases where id = any(${[...ids]}::uuid[]) and review_reason is not null`;
  return row?.n ?? 0;
}

/** What another acquirer's own books hold of a charge, all its transactions together. */
export interface Held {
  chargeId: string;
  holds: number;
  captured: number;
  isHeld: boolean;
  givenBack: number;
}

/**
 * What the books and the acquirers' own records say against these purchases; nothing when they agree. `elsewhere` is
 * held by another acquirer than the simulator.
 */
export async function wrongsOf(ids: readonly string[], elsewhere: readonly Held[] = []): Promise<string[]> {
  const others = JSON.stringify(elsewhere);
  const rows = await systemSql()<{ id: string; wrong: string }[]>`
    with other as (
      select "chargeId" as charge_id, sum(holds) as holds, sum(captured) as captured, bool_or("isHeld") as is_held,
             sum("givenBack") as given_back
        from jsonb_to_recordset(${others}::text::jsonb)
          as held("chargeId" uuid, holds int, captured bigint, "isHeld" boolean, "givenBack" bigint)
       group by "chargeId"
    ), slot as (
      select p.id, p.status, p.capture, p.review_reason, s.slot_index, s.status as slot_status, s.amount,
             s.refunded_amount as refunded, s.charge_id, c.captured_amount as shown_captured, c.operation,
             coalesce(t.holds, 0) + coalesce(other.holds, 0) as holds,
             coalesce(t.captured, 0) + coalesce(other.captured, 0) as captured,
             coalesce(t.is_held, false) or coalesce(other.is_held, false) as is_held,
             coalesce(t.given_back, 0) + coalesce(other.given_back, 0) as given_back,
             exists (select 1 from purchase_operations o
                      where o.purchase_id = p.id and o.status in ('pending', 'processing')) as is_active,
             coalesce((select sum(x.amount) from postings x join journals j on j.id = x.journal_id
                         join ledger_accounts a on a.id = x.account_id
                        where j.charge_id = s.charge_id and a.kind = 'provider_receivable'
                           and j.event_type not in ('settlement', 'provider_cost')), 0) as receivable
        from purchases p
        join purchase_payments s on s.purchase_id = p.id
        left join charges c on c.id = s.charge_id
        left join other on other.charge_id = s.charge_id
        left join lateral (
          select count(*) filter (where x.authorized > 0) as holds, sum(x.captured) as captured,
                 -- A pending one whose moment has come is what it resolves to.
                 bool_or((x.state = 'held' or (x.state = 'pending' and x.resolves_to = 'held')) and x.captured = 0)
                   as is_held,
                 coalesce((select sum(m.amount) from sandbox_movements m
                            where m.kind = 'refund' and m.transaction_id = any(array_agg(x.id))), 0) as given_back
            from sandbox_transactions x where x.charge_id = s.charge_id) t on true
       where p.id = any(${[...ids]}::uuid[])
    )
    select id, wrong from slot cross join lateral (values
      (is_active, 'L1: an operation has not ended'),
      (review_reason is not null, 'a review was opened: ' || review_reason),
      (holds > 1, 'M8: a card was authorised twice'),
      (captured > amount, 'M3: more was captured than asked'),
      (status = 'failed' and captured > 0, 'M6: failed, and money was captured'),
      (status = 'cancelled' and captured - given_back <> 0, 'M7: cancelled, and money was kept'),
      (status in ('failed', 'cancelled') and is_held, 'M16: ended, and a card is still held'),
      (status = 'paid' and captured <> amount, 'M5: paid, and a card was not'),
      (status = 'pending' and not (slot_status = 'pre_authorized' and is_held and not capture), 'L2: pending for ever'),
      (refunded <> given_back, 'M4: what is shown as given back is not'),
      (coalesce(shown_captured, 0) <> captured, 'what is shown as captured is not'),
      (receivable <> captured - given_back, 'P5: the books differ from the acquirer')
    ) checks (is_wrong, wrong) where is_wrong`;
  return rows.map(({ id, wrong }) => `${id}: ${wrong}`);
}

/** What sellers have of these purchases, by every rule that the database can be asked about. */
export async function wrongsOfShares(ids: readonly string[]): Promise<string[]> {
  const picked = `select id from charges where purchase_id in ('${ids.join("', '")}')`;
  const broken = await brokenOf(systemSql(), picked);
  if (broken.length === 0) return [];
  const purchases = await systemSql()<{ id: string; purchase: string }[]>`
    select id, purchase_id as purchase from charges where id = any(${broken.map(({ id }) => id)}::uuid[])`;
  return broken.map(({ id, wrong }) => `${purchases.find((one) => one.id === id)?.purchase}: ${wrong}`);
}

/** The same of single card charges. */
export async function wrongsOfCharges(ids: readonly string[]): Promise<string[]> {
  const rows = await systemSql()<{ id: string; wrong: string }[]>`
    with one as (
      select c.id, c.status, c.operation, c.review_reason, c.original_amount as amount, c.captured_amount as shown_captured,
             c.refunded_amount as refunded, coalesce(t.holds, 0) as holds, coalesce(t.captured, 0) as captured,
             coalesce(t.is_held, false) as is_held, coalesce(t.given_back, 0) as given_back,
             coalesce((select sum(x.amount) from postings x join journals j on j.id = x.journal_id
                         join ledger_accounts a on a.id = x.account_id
                        where j.charge_id = c.id and a.kind = 'provider_receivable'
                           and j.event_type not in ('settlement', 'provider_cost')), 0) as receivable
        from charges c
        left join lateral (
          select count(*) filter (where x.authorized > 0) as holds, sum(x.captured) as captured,
                 bool_or((x.state = 'held' or (x.state = 'pending' and x.resolves_to = 'held')) and x.captured = 0)
                   as is_held,
                 coalesce((select sum(m.amount) from sandbox_movements m
                            where m.kind = 'refund' and m.transaction_id = any(array_agg(x.id))), 0) as given_back
            from sandbox_transactions x where x.charge_id = c.id) t on true
       where c.id = any(${[...ids]}::uuid[]) and c.purchase_id is null
    )
    select id, wrong from one cross join lateral (values
      (operation is not null, 'L1: an operation has not ended'),
      (review_reason is not null, 'a review was opened: ' || review_reason),
      (holds > 1, 'M8: the card was authorised twice'),
      (captured > amount, 'M3: more was captured than asked'),
      (status in ('failed', 'voided') and is_held, 'L7: ended, and the card is still held'),
      (status = 'authorized' and captured <> amount, 'shown captured, and the card was not'),
      (status = 'pre_authorized' and not is_held, 'shown held, and the card is not'),
      (status not in ('authorized', 'failed', 'voided', 'pre_authorized', 'canceled'), 'L1: left as ' || status),
      (refunded <> given_back, 'M4: what is shown as given back is not'),
      (coalesce(shown_captured, 0) <> captured, 'what is shown as captured is not'),
      (receivable <> captured - given_back, 'P5: the books differ from the acquirer')
    ) checks (is_wrong, wrong) where is_wrong`;
  return rows.map(({ id, wrong }) => `${id}: ${wrong}`);
}
