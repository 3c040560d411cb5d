import type postgres from "postgres";
import { newId } from "@/lib/ids";

const BATCH = 500;
/** An event waits for the earlier ones of its entity so long at most. */
export const ORDER_PATIENCE_SECONDS = 900;

interface Pair {
  event_id: string;
  webhook_id: string;
  status: "scheduled" | "held" | "dropped";
}

/**
 * Makes the deliveries of events that have none yet; answers how many events it took. Rows are found by what is still
 * to be done with them, never by a cursor: an id given early may be committed late (spec/invariants.md E4).
 */
export async function fanOut(sql: postgres.Sql): Promise<number> {
  return sql.begin(async (tx) => {
    const taken = await tx<{ id: string }[]>`
      select id from events where fanned_out_at is null order by id limit ${BATCH} for update skip locked`;
    if (taken.length === 0) return 0;
    const ids = taken.map(({ id }) => id);
    // Subscribed when it happened: what a webhook missed while its client had it stopped is left to replay.
    const pairs = await tx<Pair[]>`
      select e.id as event_id, w.id as webhook_id,
             case when w.status then 'scheduled'
                  when w.disabled_reason = 'delivery_failures' and w.deleted_at is null then 'held'
                  else 'dropped' end as status
        from events e
        join webhooks w on w.client_id = e.client_id
         and (w.event = '*' or w.event = e.object || '.*' or w.event = e.object || '.' || e.event)
       where e.id = any(${ids}::uuid[]) and w.active_since <= e.created_at
         and (w.status or (w.disabled_reason = 'delivery_failures' and w.deleted_at is null)
              or e.created_at < least(w.disabled_at, w.deleted_at))
       order by e.created_at, e.entity_version, e.id`;
    if (pairs.length > 0) await insertDeliveries(tx, pairs);
    await tx`update events set fanned_out_at = now() where id = any(${ids}::uuid[])`;
    return ids.length;
  });
}

/** Their ids grow as their events do: those of one moment are listed in the order of what happened. */
const insertDeliveries = (tx: postgres.TransactionSql, pairs: Pair[]) => tx`
  insert into webhook_deliveries
         (id, client_id, webhook_id, event_id, event, entity_id, entity_version, event_created_at,
          origin, status, reason, next_attempt_at, waits_until, ready_at, created_at)
  select pair.id, e.client_id, pair.webhook_id, e.id, e.object || '.' || e.event, e.entity_id, e.entity_version,
         e.created_at, 'event', pair.status, case when pair.status = 'dropped' then 'webhook stopped' end,
         case when pair.status = 'scheduled' then clock.at end,
         clock.at + make_interval(secs => ${ORDER_PATIENCE_SECONDS}),
         case when pair.status = 'scheduled' then now() end, clock.at
    from unnest(${pairs.map(newId).sort()}::uuid[], ${pairs.map((pair) => pair.event_id)}::uuid[],
                ${pairs.map((pair) => pair.webhook_id)}::uuid[], ${pairs.map((pair) => pair.status)}::text[])
           as pair (id, event_id, webhook_id, status)
    join events e on e.id = pair.event_id
    join clients c on c.id = e.client_id
   cross join lateral (
     select coalesce(c.clock_frozen_at, now() + make_interval(secs => c.clock_offset_seconds)) as at) clock
  on conflict do nothing`;
