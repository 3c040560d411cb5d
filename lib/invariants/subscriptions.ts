import type { Invariant } from "@/lib/invariants/catalogue";
import { each } from "@/lib/invariants/each";

const subscription = (id: string, text: string, broken: string): Invariant => ({
  id,
  text,
  root: "subscriptions",
  sql: `select s.id, s.client_id from ${each("subscriptions", "s")} where ${broken}`,
});

const CYCLES = "select from subscription_cycles k where k.subscription_id = s.id";
const TRIES = "select from subscription_tries t where t.subscription_id = s.id";
const counted = (condition: string): string =>
  `(select count(*) from subscription_cycles k where k.subscription_id = s.id and ${condition})`;

/** What the subscription was when a try took its place in the history. */
const STATUS_THEN = `(
  select h.to_status from subscription_changes h where h.subscription_id = s.id and h.revision < t.revision
   order by h.revision desc limit 1)`;

const MONTHS =
  "case a.interval when 'monthly' then 1 when 'quarterly' then 3 when 'yearly' then 12 when 'biennial' then 24 else 36 end";
/** PostgreSQL cuts a month's end as the anchor does, by a calendar of its own. */
const DUE = `(
  select (case a.interval when 'weekly' then a.start_on + 7 * (k.cycle - a.from_cycle)
            else a.start_on + make_interval(months => (k.cycle - a.from_cycle) * ${MONTHS}) end)::date
    from subscription_anchors a where a.subscription_id = s.id and a.from_cycle <= k.cycle
   order by a.from_cycle desc limit 1)`;

const WAITS_FOR = (kind: string, ref: string): string =>
  `exists (select from due_jobs d where d.kind = '${kind}' and d.ref_id = ${ref})`;

/** spec/invariants.md 6.5, as far as the rows themselves can be asked; from P37 on of mandates. */
export const SUBSCRIPTION_INVARIANTS: readonly Invariant[] = [
  subscription(
    "P26",
    "the cycles of a subscription are numbered 1, 2, 3 without gaps or repeats",
    `(select count(*) > 0 and (max(k.cycle) <> count(*) or min(k.cycle) <> 1)
        from subscription_cycles k where k.subscription_id = s.id)`,
  ),
  subscription(
    "P27",
    "a cycle is paid at most once: its charges are its tries, one after the other, and only the last may be approved",
    `exists (
      ${CYCLES} and (select count(*) from subscription_tries t join charges c on c.id = t.charge_id
                      where t.cycle_id = k.id and c.captured_amount > 0) > 1)
     or exists (${TRIES} and t.status = 'authorized' and not exists (
          select from charges c where c.id = t.charge_id and c.captured_amount > 0))
     or exists (${TRIES} and t.status <> 'failed' and exists (
          select from subscription_tries l where l.cycle_id = t.cycle_id and l.number > t.number))
     or exists (select from charges c where c.subscription_id = s.id and not exists (
          select from subscription_tries t where t.charge_id = c.id))`,
  ),
  subscription(
    "P28",
    "each cycle is due on the day that its anchor and its number say",
    `exists (${CYCLES} and k.due_on is distinct from ${DUE})`,
  ),
  subscription(
    "P29",
    "no charge begins while it is in trial, paused, canceled or ended",
    `exists (${TRIES} and coalesce(${STATUS_THEN}, '') not in ('created', 'active', 'unpaid'))`,
  ),
  subscription(
    "P30",
    "one cycle is open at most, the oldest first, and what is to come has its job",
    `${counted("k.status in ('pending', 'retrying')")} > 1
     or exists (${CYCLES} and k.status = 'scheduled' and exists (
          select from subscription_cycles l where l.subscription_id = s.id and l.cycle > k.cycle and l.attempts > 0))
     or (s.next_due_on is not null and s.status not in ('trialing', 'canceled', 'expired')
         and not ${WAITS_FOR("subscription.due", "s.id")})
     or (s.status = 'trialing' and not ${WAITS_FOR("trial.ends", "s.id")})
     or (s.cancel_on is not null and s.status not in ('canceled', 'expired')
         and not ${WAITS_FOR("subscription.cancel", "s.id")})
     or (s.status in ('created', 'active') and exists (
          ${CYCLES} and k.status = 'retrying' and not ${WAITS_FOR("subscription.retry", "k.id")}))`,
  ),
  subscription(
    "P31",
    "a cycle is retried no more often than its policy says, and never by itself after a decline that forbids it",
    `exists (
      ${CYCLES} and k.policy is not null and (
        cardinality(k.policy) > 6 or (select sum(days) from unnest(k.policy) as p(days)) > 30
        or (select count(*) from subscription_tries t where t.cycle_id = k.id and t.kind = 'retry'
              and t.charge_id is not null and t.error is distinct from 'taken_back') > cardinality(k.policy)
        or (select count(*) from subscription_tries t where t.cycle_id = k.id and t.kind = 'immediate') > 1))
     or exists (${TRIES} and t.retry_class = 'never' and t.replaced is null and exists (
          select from subscription_tries l where l.cycle_id = t.cycle_id and l.number > t.number and l.kind <> 'manual'))`,
  ),
  subscription(
    "P32",
    "no more cycles count than were asked for; it has ended when the last of them is paid",
    `s.cycles is not null and (
      ${counted("k.status <> 'canceled'")} > s.cycles
      or (s.status = 'expired' and ${counted("k.status = 'authorized'")} < s.cycles)
      or (s.status in ('created', 'active', 'paused') and ${counted("k.status in ('authorized', 'failed')")} >= s.cycles))`,
  ),
  subscription(
    "P33",
    "its history is one order: each change goes on from the one before, and the last says what it is",
    `exists (
      select from (
        select h.from_status, h.to_status, lag(h.to_status) over (order by h.revision) as before,
               lead(h.revision) over (order by h.revision) is null as is_last
          from subscription_changes h where h.subscription_id = s.id) h
       where (h.before is not null and h.before is distinct from h.from_status) or (h.is_last and h.to_status <> s.status))
     or not exists (select from subscription_changes h where h.subscription_id = s.id)
     or exists (select from subscription_tries t join subscription_changes h
                  on h.subscription_id = t.subscription_id and h.revision = t.revision where t.subscription_id = s.id)`,
  ),
  subscription(
    "P37",
    "a bank is asked to pay only under the mandate of its own subscription, approved before, and for the amount it says",
    `exists (
      select from subscription_tries t join subscription_mandates m on m.id = t.mandate_id
        left join charges c on c.id = t.charge_id
       where t.subscription_id = s.id and (
         m.subscription_id <> s.id or coalesce(c.original_amount <> m.amount, false)
         or (t.settle_on is not null and (
           m.approved_at is null or t.created_at < m.approved_at or t.created_at > coalesce(m.ended_at, 'infinity')))))
     or exists (${TRIES} and t.charge_id is not null and (t.mandate_id is null) <> (s.method = 'credit'))`,
  ),
  subscription(
    "P38",
    "a bank is asked for a cycle on as many further days as its mandate allows, within seven of the first,",
    `exists (
      select from subscription_tries t join subscription_mandates m on m.id = t.mandate_id
       where t.subscription_id = s.id and t.settle_on is not null and t.error is distinct from 'taken_back' and t.kind <> 'manual'
       group by t.cycle_id, m.retry
      having count(*) filter (where t.kind = 'retry') > case m.retry when 'none' then 0 else 3 end
          or max(t.settle_on) filter (where t.kind = 'retry') - min(t.settle_on) > 7
          or count(*) filter (where t.status = 'authorized') > 1)`,
  ),
  subscription(
    "P39",
    "a mandate that stands is of a subscription that goes on, or is being ended, and what is to come of it has its job",
    `exists (
      select from subscription_mandates m where m.subscription_id = s.id and m.status in ('created', 'approved') and (
        (m.ending is null and s.status in ('canceled', 'expired'))
        or ((m.ending is not null or m.status = 'created') and not ${WAITS_FOR("mandate.query", "m.id")})))
     or (s.method = 'pix_automatic' and not exists (select from subscription_mandates m where m.subscription_id = s.id))
     or (s.method = 'pix_automatic' and s.status not in ('canceled', 'expired') and not exists (
          select from subscription_mandates m where m.subscription_id = s.id and m.status in ('created', 'approved')))`,
  ),
];
