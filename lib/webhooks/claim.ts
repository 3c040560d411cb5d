import type postgres from "postgres";
import { endedWhenPaused } from "@/db/paused";
import type { Account } from "@/lib/context";
import { LISTENER_SCHEME } from "@/lib/webhooks/endpoint-rules";

/** Nobody sends to them: they ask (lib/webhooks/listen.ts). */
export const LISTENERS = `${LISTENER_SCHEME}%`;

/** Longer than an attempt with everything round it. */
export const LEASE_SECONDS = 60;
export const MOST_PER_CLIENT = 10;
/** A webhook leaves room for the others of its client; one that fails takes the least. */
export const MOST_PER_WEBHOOK = 8;
const MOST_PER_FAILING_WEBHOOK = 2;

/** Claims follow each other over all workers, or two of them could pass a client's limit together. */
export const CLAIM_LOCK = 4_782_301;

/** A delivery in the hands of this worker; `epoch` is the fence that its result names. */
export interface ClaimedDelivery {
  id: string;
  client_id: string;
  webhook_id: string;
  event_id: string;
  epoch: number;
  attempts: number;
  counted: number;
  first_attempt_at: Date | null;
  /** Absent when the event is no longer kept. */
  body: Buffer | null;
  address: string;
  version: number;
  /** As the webhook was when this was claimed: whether a success changes anything. */
  is_well: boolean;
  /** It asks whether a stopped webhook is back. */
  is_probe: boolean;
  private_key: Buffer;
  previous_private_key: Buffer | null;
  previous_key_expires_at: Date | null;
  /** The account, with its clock as it stood at the claim. */
  mode: Account["mode"];
  clock_offset_seconds: string;
  clock_frozen_at: Date | null;
  auto_settle_seconds: number | null;
}

export const accountOfDelivery = (claimed: ClaimedDelivery): Account => ({
  id: claimed.client_id,
  mode: claimed.mode,
  clock: { offsetSeconds: Number(claimed.clock_offset_seconds), frozenAt: claimed.clock_frozen_at },
  autoSettleSeconds: claimed.auto_settle_seconds,
});

/** What a claim answers of each delivery `t`. */
export const claimedColumns = (sql: postgres.ISql) => sql`
  t.id, t.client_id, t.webhook_id, t.event_id, t.epoch, t.attempts, t.counted, t.first_attempt_at,
  e.body, w.address, w.version, w.health = 'healthy' and w.failures = 0 as is_well, w.health = 'paused' as is_probe,
  w.private_key, w.previous_private_key, w.previous_key_expires_at,
  c.mode, c.clock_offset_seconds, c.clock_frozen_at, c.auto_settle_seconds`;

export interface DeliveryClaim {
  claimed: ClaimedDelivery[];
  /** Something was ready, claimed or not: what ends on the wire may make room for it. */
  isAnyReady: boolean;
}

/**
 * Takes up to `count` deliveries whose time has come: clients in turn and each client's webhooks in turn, within the
 * limits, the longest ready first, and none whose entity has an earlier event open for this webhook.
 */
export async function claimDeliveries(sql: postgres.Sql, count: number): Promise<DeliveryClaim> {
  const [, rows] = await sql.begin((tx) => [
    // A claim that a crash of the database undoes is only made again: nothing waits for the disk.
    tx`select ${endedWhenPaused(tx)},
              set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(${CLAIM_LOCK})`,
    tx<(ClaimedDelivery & { is_any_ready: boolean })[]>`
      with recursive waiting (webhook_id) as (
        (select webhook_id from webhook_deliveries where ready_at <= statement_timestamp() order by webhook_id limit 1)
        union all
        select (select d.webhook_id from webhook_deliveries d
                 where d.ready_at <= statement_timestamp() and d.webhook_id > w.webhook_id order by d.webhook_id limit 1)
          from waiting w where w.webhook_id is not null
      ), sending as (
        select d.client_id, d.webhook_id, count(*) as n
          from webhook_deliveries d join webhooks w on w.id = d.webhook_id
         where d.status = 'sending' and d.ready_at > statement_timestamp() and w.address not like ${LISTENERS}
         group by d.client_id, d.webhook_id
      ), room as (
        select w.id as webhook_id, w.client_id, w.health,
               case when w.failures > 0 then ${MOST_PER_FAILING_WEBHOOK}::int else ${MOST_PER_WEBHOOK}::int end
                 - coalesce((select sum(n)::int from sending s where s.webhook_id = w.id), 0) as of_webhook,
               ${MOST_PER_CLIENT}::int
                 - coalesce((select sum(n)::int from sending s where s.client_id = w.client_id), 0) as of_client,
               coalesce(c.clock_frozen_at, clock_timestamp() + make_interval(secs => c.clock_offset_seconds)) as at
          from waiting join webhooks w on w.id = waiting.webhook_id join clients c on c.id = w.client_id
         where w.deleted_at is null and (w.status or w.health = 'paused') and w.address not like ${LISTENERS}
      ), due as (
        select of.id, room.client_id, room.of_client,
               row_number() over (partition by room.client_id order by of.place, of.ready_at, of.id) as turn
          from room cross join lateral (
            select d.id, d.ready_at, row_number() over (order by d.ready_at, d.event_created_at, d.id) as place
              from webhook_deliveries d
             where d.webhook_id = room.webhook_id and d.ready_at <= statement_timestamp()
               and (room.health <> 'paused' or d.status <> 'scheduled')
               and (d.waits_until is null or d.waits_until <= room.at or not exists (
                 select from webhook_deliveries earlier
                  where earlier.webhook_id = d.webhook_id and earlier.entity_id = d.entity_id
                    and earlier.entity_version < d.entity_version
                    and earlier.status in ('scheduled', 'sending', 'held')))
             order by d.ready_at, d.event_created_at, d.id
             limit greatest(room.of_webhook, 0)
          ) of
      ), chosen as (
        select d.id from webhook_deliveries d
          join (select id from due where turn <= of_client order by turn limit ${count}) next on next.id = d.id
         where d.ready_at <= statement_timestamp()
           for update of d skip locked
      ), taken as (
        update webhook_deliveries d
           set status = 'sending', epoch = d.epoch + 1,
               ready_at = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
          from chosen where d.id = chosen.id
        returning d.*
      )
      select ${claimedColumns(tx)}, ready.is_any_ready
        from (select exists (select from room) as is_any_ready) ready
        left join (taken t join webhooks w on w.id = t.webhook_id join clients c on c.id = t.client_id
                           left join events e on e.id = t.event_id) on true
       order by t.ready_at`,
  ]);
  return { claimed: claimedOf(rows), isAnyReady: rows[0]?.is_any_ready ?? false };
}

/** A statement that also says something else says it in a row without a delivery when there is none. */
export const claimedOf = <R extends ClaimedDelivery>(rows: readonly R[]): R[] => rows.filter(({ id }) => id !== null);

/** Longer than a reader needs for all that it takes at once. */
const LISTENER_LEASE_SECONDS = 90;

/** The same for one listener, that asks for itself: nothing else is on its wire. */
export function claimForListener(sql: postgres.Sql, webhookId: string, count: number): Promise<ClaimedDelivery[]> {
  return sql<ClaimedDelivery[]>`
    with chosen as (
      select d.id
        from webhook_deliveries d join clients c on c.id = d.client_id
       where d.webhook_id = ${webhookId} and d.ready_at <= clock_timestamp()
         and (d.waits_until is null or not exists (
           select from webhook_deliveries earlier
            where earlier.webhook_id = d.webhook_id and earlier.entity_id = d.entity_id
              and earlier.entity_version < d.entity_version
              and earlier.status in ('scheduled', 'sending', 'held')
              -- One that only waits to be taken goes first, however long its reader was away.
              and (earlier.ready_at is not null or d.waits_until >
                coalesce(c.clock_frozen_at, clock_timestamp() + make_interval(secs => c.clock_offset_seconds)))))
       order by d.ready_at, d.event_created_at, d.id
       limit ${count}
         for update of d skip locked
    ), taken as (
      update webhook_deliveries d
         set status = 'sending', epoch = d.epoch + 1,
             ready_at = clock_timestamp() + make_interval(secs => ${LISTENER_LEASE_SECONDS})
        from chosen where d.id = chosen.id
      returning d.*
    )
    select ${claimedColumns(sql)}
      from taken t join webhooks w on w.id = t.webhook_id join clients c on c.id = t.client_id
      left join events e on e.id = t.event_id
     order by t.event_created_at, t.entity_version, t.id`;
}

/** The request that made what a delivery tells of: a payment's or a purchase's. */
export async function causeOf(sql: postgres.Sql, id: string): Promise<string | null> {
  const [row] = await sql<{ request_id: string | null }[]>`
    select coalesce(c.request_id, p.request_id) as request_id
      from webhook_deliveries d
      left join charges c on c.id = d.entity_id
      left join purchases p on p.id = d.entity_id
     where d.id = ${id}`;
  return row?.request_id ?? null;
}

/** What somebody took and did not answer for is there again at once; the epoch moves on with the next claim. */
export async function giveBack(sql: postgres.Sql, webhookId: string): Promise<void> {
  await sql`
    update webhook_deliveries set ready_at = clock_timestamp()
     where webhook_id = ${webhookId} and status = 'sending' and ready_at > clock_timestamp()`;
}

/** One that was taken, as its claim answered it; nothing, when it is in other hands by now. */
export async function stillClaimed(
  sql: postgres.Sql,
  { webhookId, id, epoch }: { webhookId: string; id: string; epoch: number },
): Promise<ClaimedDelivery | undefined> {
  const [claimed] = await sql<ClaimedDelivery[]>`
    select ${claimedColumns(sql)}
      from webhook_deliveries t join webhooks w on w.id = t.webhook_id join clients c on c.id = t.client_id
      left join events e on e.id = t.event_id
     where t.webhook_id = ${webhookId} and t.id = ${id} and t.epoch = ${epoch} and t.status = 'sending'`;
  return claimed;
}
