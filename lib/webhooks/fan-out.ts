import type postgres from "postgres";
import { endedWhenPaused } from "@/db/paused";
import {
  CLAIM_LOCK,
  type ClaimedDelivery,
  claimedColumns,
  claimedOf,
  LEASE_SECONDS,
  LISTENERS,
  MOST_PER_CLIENT,
  MOST_PER_WEBHOOK,
} from "@/lib/webhooks/claim";

/** So many events at once, at most. */
export const BATCH = 500;
/** An event waits for the earlier ones of its entity so long at most. */
export const ORDER_PATIENCE_SECONDS = 900;

/** Workers fan out one after the other: none waits for rows of another, and none takes them twice. */
const FAN_OUT_LOCK = 4_782_302;
/** So many ids of one millisecond keep their order. */
const IDS_PER_MS = 4_096;

export interface FannedOut {
  /** Events that have their deliveries now. */
  count: number;
  /** Deliveries that this worker has in its hands already. */
  claimed: ClaimedDelivery[];
  /** Whether others of them are ready for a claim. */
  isAnyReady: boolean;
}

/**
 * Makes the deliveries of events that have none yet. Rows are found by what is still to be done with them, never by a
 * cursor: an id given early may be committed late (spec/invariants.md E4).
 *
 * Up to `room` of the deliveries are claimed as they are made, which saves writing them once more: those that a claim
 * would take at once, of clients for whom nothing else is ready.
 */
export async function fanOutAndClaim(sql: postgres.Sql, limit: number, room: number): Promise<FannedOut> {
  const [, rows] = await sql.begin((tx) => [
    // What a crash of the database undoes is made again: nothing waits for the disk.
    tx`select ${endedWhenPaused(tx)},
              set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(${FAN_OUT_LOCK}),
              case when ${room > 0} then pg_advisory_xact_lock(${CLAIM_LOCK}) end`,
    // A statement of its own, so that it sees what whoever held the locks before it has done.
    makeDeliveries(tx, limit, room),
  ]);
  const [first] = rows;
  return { count: first?.count ?? 0, claimed: claimedOf(rows), isAnyReady: first?.is_any_ready ?? false };
}

/** The same for whoever sends nothing; answers how many events it took. */
export const fanOutEvents = async (sql: postgres.Sql): Promise<number> => (await fanOutAndClaim(sql, BATCH, 0)).count;

/**
 * Subscribed when it happened: what a webhook missed while its client had it stopped is left to replay. The ids of
 * deliveries grow as their events do: those of one moment are listed in the order of what happened.
 */
const makeDeliveries = (tx: postgres.TransactionSql, limit: number, room: number) => tx<
  (ClaimedDelivery & { count: number; is_any_ready: boolean })[]
>`
  with taken as materialized (
    select id, client_id, object, event, entity_id, entity_version, created_at, body
      from events where fanned_out_at is null order by id limit ${limit}
  ), marked as (
    update events set fanned_out_at = now() from taken where events.id = taken.id
  ), pairs as (
    select e.id, e.client_id, e.object, e.event, e.entity_id, e.entity_version, e.created_at, w.id as webhook_id,
           case when w.status then 'scheduled'
                when w.disabled_reason = 'delivery_failures' and w.deleted_at is null then 'held'
                else 'dropped' end as status,
           ${room}::int > 0 and w.status and w.deleted_at is null and w.health = 'healthy' and w.failures = 0
             and w.address not like ${LISTENERS} as is_well,
           row_number() over (order by e.created_at, e.entity_version, e.id, w.id) as place
      from taken e
      join webhooks w on w.client_id = e.client_id
       and (w.event = '*' or w.event = e.object || '.*' or w.event = e.object || '.' || e.event)
     where w.active_since <= e.created_at
       and (w.status or (w.disabled_reason = 'delivery_failures' and w.deleted_at is null)
            or e.created_at < least(w.disabled_at, w.deleted_at))
  ), rooms as materialized (
    select w.client_id, w.id as webhook_id, coalesce(wire.n, 0) as n,
           sum(coalesce(wire.n, 0)) over (partition by w.client_id) as of_client,
           bool_or(waits.any) over (partition by w.client_id) as is_any_ready
      from webhooks w
      left join (select d.webhook_id, count(*)::int as n from webhook_deliveries d
                  where d.status = 'sending' and d.ready_at > statement_timestamp()
                  group by d.webhook_id) wire on wire.webhook_id = w.id
     cross join lateral (
       select exists (select from webhook_deliveries d
                       where d.webhook_id = w.id and d.ready_at <= statement_timestamp()) as any) waits
     where w.client_id in (select client_id from pairs where is_well) and w.address not like ${LISTENERS}
  ), placed as (
    select p.*, r.n + row_number() over (partition by p.webhook_id order by p.place) <= ${MOST_PER_WEBHOOK}
             and r.of_client + row_number() over (partition by p.client_id, p.is_well order by p.place) <= ${MOST_PER_CLIENT}
             and row_number() over (partition by p.webhook_id, p.entity_id order by p.entity_version) = 1
             and not r.is_any_ready
             and not exists (
               select from webhook_deliveries earlier
                where earlier.webhook_id = p.webhook_id and earlier.entity_id = p.entity_id
                  and earlier.entity_version < p.entity_version
                  and earlier.status in ('scheduled', 'sending', 'held')) as is_next
      from pairs p left join rooms r on r.webhook_id = p.webhook_id and p.is_well
  ), chosen as (
    select p.*, coalesce(p.is_next, false)
             and row_number() over (partition by p.is_next order by p.place) <= ${room} as is_sent
      from placed p
  ), made as (
    insert into webhook_deliveries
           (id, client_id, webhook_id, event_id, event, entity_id, entity_version, event_created_at,
            origin, status, reason, next_attempt_at, waits_until, ready_at, epoch, created_at)
    select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint + p.place / ${IDS_PER_MS}::int), 12, '0')
             || '7' || lpad(to_hex(p.place % ${IDS_PER_MS}::int), 3, '0')
             || substr(replace(gen_random_uuid()::text, '-', ''), 17, 16))::uuid,
           p.client_id, p.webhook_id, p.id, p.object || '.' || p.event, p.entity_id, p.entity_version, p.created_at,
           'event', case when p.is_sent then 'sending' else p.status end,
           case when p.status = 'dropped' then 'webhook stopped' end,
           case when p.status = 'scheduled' then clock.at end,
           clock.at + make_interval(secs => ${ORDER_PATIENCE_SECONDS}),
           case when p.is_sent then clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
                when p.status = 'scheduled' then now() end,
           case when p.is_sent then 1 else 0 end, clock.at
      from chosen p
      join clients c on c.id = p.client_id
     cross join lateral (
       select coalesce(c.clock_frozen_at, now() + make_interval(secs => c.clock_offset_seconds)) as at) clock
     order by p.place
    on conflict do nothing
    returning *
  )
  select (select count(*)::int from taken) as count,
         exists (select from made where status = 'scheduled') as is_any_ready,
         ${claimedColumns(tx)}
    from (values (1)) one
    left join (made t join webhooks w on w.id = t.webhook_id join clients c on c.id = t.client_id
                      join taken e on e.id = t.event_id) on t.status = 'sending'
   order by t.id`;
