import type postgres from "postgres";
import type { Runnable, WorkflowRegistry } from "@/lib/engine/embedded/registry";
import { encode } from "@/lib/engine/json";
import { type ReceivedEvent, type SentEvent, scalarText } from "@/lib/engine/workflow";
import { newId } from "@/lib/ids";

/** A pool, a reserved connection or an open transaction of postgres.js. */
export type Connection = postgres.ISql;

/** Told whenever a run has become claimable. */
export const WAKE_CHANNEL = "engine_wake";

/** Values of one event that a wait can be matched by; events carry a few ids. */
const MAX_MATCHABLE_VALUES = 100;

/** Starts the runs of events and wakes those that wait for them, in the caller's transaction: all of it or nothing. */
export async function fanOut(
  sql: Connection,
  registry: WorkflowRegistry,
  sent: readonly SentEvent[],
  now: Date,
): Promise<void> {
  const events = [...new Map(sent.map(received).map((event) => [event.id, event])).values()];
  if (events.length === 0) return;
  const runs = events.flatMap((event) => (registry.byEvent.get(event.name) ?? []).map((of) => newRun(of, event)));
  const names = events.map((event) => event.name);
  const fresh = await sql<{ id: string; awaited: boolean }[]>`
    with fresh as (
      insert into engine_events (id, name, received_at)
      select id, name, ${now} from unnest(${events.map((event) => event.id)}::text[], ${names}::text[]) as sent (id, name)
      on conflict do nothing
      returning id, name
    ), started as (
      insert into engine_runs (id, workflow, event, concurrency_key, wake_at, created_at)
      select run.id, run.workflow, run.event, run.concurrency_key, ${now}, ${now}
        from unnest(
          ${runs.map((run) => run.id)}::uuid[], ${runs.map((run) => run.eventId)}::text[],
          ${runs.map((run) => run.workflow)}::text[], ${runs.map((run) => run.event)}::text[],
          ${runs.map((run) => run.concurrencyKey)}::text[]
        ) as run (id, event_id, workflow, event, concurrency_key)
        join fresh on fresh.id = run.event_id
      returning pg_notify(${WAKE_CHANNEL}, '')
    )
    select fresh.id, exists (select from engine_waits where event = fresh.name) as awaited
      from fresh left join (select count(*) from started) as told on true`;
  const awaited = new Set(fresh.filter((event) => event.awaited).map((event) => event.id));
  if (awaited.size > 0)
    await wakeWaiting(
      sql,
      events.filter((event) => awaited.has(event.id)),
      now,
    );
}

/** Starts one run of one runnable, whatever its triggers: cron runs and failure handlers. */
export async function startRun(sql: Connection, runnable: Runnable, sent: SentEvent, now: Date): Promise<void> {
  const run = newRun(runnable, received(sent));
  await sql`
    with fresh as (
      insert into engine_events (id, name, received_at) values (${run.eventId}, ${sent.name}, ${now})
      on conflict do nothing returning id
    )
    insert into engine_runs (id, workflow, event, concurrency_key, wake_at, created_at)
    select ${run.id}, ${run.workflow}, ${run.event}, ${run.concurrencyKey}, ${now}, ${now} from fresh
    returning pg_notify(${WAKE_CHANNEL}, '')`;
}

/**
 * The run's row is locked before the rows of its steps, as the worker does, so that the two cannot deadlock.
 * A wait is answered once: whoever deletes its row has it.
 */
async function wakeWaiting(sql: Connection, events: readonly ReceivedEvent[], now: Date): Promise<void> {
  const values = events.flatMap((event) => matchable(event).map((pair) => ({ ...pair, event })));
  const hits = await sql<{ runId: string; eventId: string }[]>`
    select wait.run_id as "runId", sent.id as "eventId"
      from engine_waits wait
      join unnest(
        ${values.map(({ event }) => event.id)}::text[], ${values.map(({ event }) => event.name)}::text[],
        ${values.map(({ path }) => path)}::text[], ${values.map(({ value }) => value)}::text[]
      ) as sent (id, event, path, value)
        on sent.event = wait.event and sent.path = wait.path and sent.value = wait.value`;
  if (hits.length === 0) return;
  await sql`
    select 1 from engine_runs where id = any (${[...new Set(hits.map((hit) => hit.runId))]}::uuid[])
     order by id for no key update`;
  await sql`
    with answered as (
      delete from engine_waits wait
       using unnest(
         ${values.map(({ event }) => event.id)}::text[], ${values.map(({ event }) => encode(event))}::text[],
         ${values.map(({ event }) => event.name)}::text[], ${values.map(({ path }) => path)}::text[],
         ${values.map(({ value }) => value)}::text[]
       ) as sent (id, body, event, path, value)
       where sent.event = wait.event and sent.path = wait.path and sent.value = wait.value
         and wait.run_id = any (${hits.map((hit) => hit.runId)}::uuid[])
      returning wait.run_id, wait.step_id, sent.body
    ), ready as (
      update engine_steps step set status = 'ok', output = answered.body, wake_at = null
        from answered where step.run_id = answered.run_id and step.step_id = answered.step_id
      returning step.run_id
    )
    update engine_runs set signals = signals + 1, wake_at = least(wake_at, ${now})
     where id in (select run_id from ready)
    returning pg_notify(${WAKE_CHANNEL}, '')`;
}

const received = ({ id, name, data }: SentEvent): ReceivedEvent => ({ id: id ?? newId(), name, data });

const newRun = (runnable: Runnable, event: ReceivedEvent) => ({
  id: newId(),
  eventId: event.id,
  workflow: runnable.id,
  event: encode(event),
  concurrencyKey: runnable.keyOf(event),
});

/** Every scalar of the event's data with its path: the paths that runs wait by are theirs, not the sender's. */
function matchable(event: ReceivedEvent): { path: string; value: string }[] {
  const found: { path: string; value: string }[] = [];
  const visit = (path: string, value: unknown) => {
    if (found.length >= MAX_MATCHABLE_VALUES) return;
    const text = scalarText(value);
    if (text !== undefined) found.push({ path, value: text });
    else if (typeof value === "object" && value !== null) {
      for (const [name, inner] of Object.entries(value)) visit(`${path}.${name}`, inner);
    }
  };
  visit("data", event.data);
  return found;
}
