import type postgres from "postgres";

const BATCH = 500;
/** An event waits for the earlier ones of its entity so long at most. */
export const ORDER_PATIENCE_SECONDS = 900;

/** Workers fan out one after the other: none waits for rows of another, and none takes them twice. */
const FAN_OUT_LOCK = 4_782_302;
/** A worker that stops in the middle holds nobody up for longer. */
const IDLE_LIMIT = "5s";
/** So many ids of one millisecond keep their order. */
const IDS_PER_MS = 4_096;

/**
 * Makes the deliveries of events that have none yet; answers how many events it took. Rows are found by what is still
 * to be done with them, never by a cursor: an id given early may be committed late (spec/invariants.md E4).
 */
export async function fanOut(sql: postgres.Sql): Promise<number> {
  const [, [done]] = await sql.begin((tx) => [
    tx`select set_config('idle_in_transaction_session_timeout', ${IDLE_LIMIT}, true),
              pg_advisory_xact_lock(${FAN_OUT_LOCK})`,
    // A statement of its own, so that it sees what whoever held the lock before it has done.
    makeDeliveries(tx),
  ]);
  return done?.count ?? 0;
}

/**
 * Subscribed when it happened: what a webhook missed while its client had it stopped is left to replay. The ids of
 * deliveries grow as their events do: those of one moment are listed in the order of what happened.
 */
const makeDeliveries = (tx: postgres.TransactionSql) => tx<{ count: number }[]>`
  with taken as materialized (
    select id, client_id, object, event, entity_id, entity_version, created_at
      from events where fanned_out_at is null order by id limit ${BATCH}
  ), marked as (
    update events set fanned_out_at = now() from taken where events.id = taken.id
  ), pairs as (
    select e.*, w.id as webhook_id,
           case when w.status then 'scheduled'
                when w.disabled_reason = 'delivery_failures' and w.deleted_at is null then 'held'
                else 'dropped' end as status,
           row_number() over (order by e.created_at, e.entity_version, e.id, w.id) as place
      from taken e
      join webhooks w on w.client_id = e.client_id
       and (w.event = '*' or w.event = e.object || '.*' or w.event = e.object || '.' || e.event)
     where w.active_since <= e.created_at
       and (w.status or (w.disabled_reason = 'delivery_failures' and w.deleted_at is null)
            or e.created_at < least(w.disabled_at, w.deleted_at))
  ), made as (
    insert into webhook_deliveries
           (id, client_id, webhook_id, event_id, event, entity_id, entity_version, event_created_at,
            origin, status, reason, next_attempt_at, waits_until, ready_at, created_at)
    select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint + p.place / ${IDS_PER_MS}::int), 12, '0')
             || '7' || lpad(to_hex(p.place % ${IDS_PER_MS}::int), 3, '0')
             || substr(replace(gen_random_uuid()::text, '-', ''), 17, 16))::uuid,
           p.client_id, p.webhook_id, p.id, p.object || '.' || p.event, p.entity_id, p.entity_version, p.created_at,
           'event', p.status, case when p.status = 'dropped' then 'webhook stopped' end,
           case when p.status = 'scheduled' then clock.at end,
           clock.at + make_interval(secs => ${ORDER_PATIENCE_SECONDS}),
           case when p.status = 'scheduled' then now() end, clock.at
      from pairs p
      join clients c on c.id = p.client_id
     cross join lateral (
       select coalesce(c.clock_frozen_at, now() + make_interval(secs => c.clock_offset_seconds)) as at) clock
     order by p.place
    on conflict do nothing
  )
  select count(*)::int as count from taken`;
