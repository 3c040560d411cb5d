import { systemSql } from "@/db/client";
import { endedWhenPaused } from "@/db/paused";
import { JOB_LANES, type JobKind, type Lane } from "@/lib/due-jobs/kinds";
import { realNow } from "@/lib/time";

/** Longer than the longest call with everything round it; it begins when the job does. */
const LEASE_SECONDS = 60;
const PROMOTED = 500;
/** Claims of a lane follow each other over all workers, or two of them could pass a bound together. */
const CLAIM_LOCK: Record<Lane, number> = { provider: 4_782_311, bookkeeping: 4_782_312 };

/** Jobs under way at once over all workers. A queue is a provider; of bookkeeping, an account. */
export interface Bounds {
  perQueue: number;
  perAccount: number;
  /** Of one kind of provider: an acquirer that is silent is so for all of its merchants. */
  perKind: number;
}
export const BOUNDS: Record<Lane, Bounds> = {
  provider: { perQueue: 16, perAccount: 16, perKind: 32 },
  bookkeeping: { perQueue: 8, perAccount: 8, perKind: 8 },
};

/** A job in the hands of this worker; `epoch` is the fence that its end names. */
export interface DueJob {
  id: string;
  client_id: string;
  kind: JobKind;
  ref_id: string;
  due_at: Date;
  attempts: number;
  epoch: number;
}

/** Puts what has fallen due into the queue of its provider, however much there is of others. */
async function promote(lane: Lane): Promise<void> {
  const sql = systemSql();
  const queue =
    lane === "provider"
      ? sql`coalesce(
          (select c.provider_id from charges c where c.id = j.ref_id),
          (select t.provider_id from transaction_requests t where t.charge_id = j.ref_id
            order by t.created_at desc, t.id desc limit 1),
          j.client_id)`
      : sql`j.client_id`;
  for (let promoted = PROMOTED; promoted === PROMOTED; ) {
    const rows = await sql`
      with late as (
        select j.id, ${queue} as queue from due_jobs j
         where j.lane = ${lane} and j.queue is null and j.wake_at <= now()
         order by j.wake_at limit ${PROMOTED} for update of j skip locked)
      update due_jobs j set queue = late.queue from late where j.id = late.id returning 1`;
    promoted = rows.length;
  }
}

const kindsOf = (lane: Lane): string[] =>
  Object.entries(JOB_LANES).flatMap(([kind, own]) => (own === lane ? [kind] : []));

/**
 * Takes up to `count` jobs that begin now: queues in turn, each in the order of its moments, within the bounds, and of
 * one object the earliest alone. What a silent provider leaves waiting costs the others nothing. When many fall due
 * together, the statistics know of none that waits: `offset 0` has each row looked up by its key all the same.
 */
export async function claimDue(lane: Lane, count: number): Promise<DueJob[]> {
  await promote(lane);
  const { perQueue, perAccount, perKind } = BOUNDS[lane];
  const [, jobs] = await systemSql().begin((tx) => [
    // A claim that a crash of the database undoes is only made again: nothing waits for the disk.
    tx`select ${endedWhenPaused(tx)},
              set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(${CLAIM_LOCK[lane]})`,
    tx<DueJob[]>`
      with recursive waiting (queue) as (
        (select queue from due_jobs where lane = ${lane} and queue is not null order by queue limit 1)
        union all
        select (select d.queue from due_jobs d where d.lane = ${lane} and d.queue > w.queue order by d.queue limit 1)
          from waiting w where w.queue is not null
      ), running as (
        select queue, client_id, count(*)::int as n from due_jobs
         where lane = ${lane} and queue is not null and lease_until > now() group by queue, client_id
      ), room as (
        select w.queue, p.kind, ${perQueue}::int - coalesce(sum(r.n), 0) as places
          from waiting w left join providers p on p.id = w.queue left join running r on r.queue = w.queue
         where w.queue is not null group by w.queue, p.kind
      ), ready as (
        select of.id, of.client_id, of.wake_at, of.place, room.kind
          from room cross join lateral (
            select d.id, d.client_id, d.wake_at, row_number() over (order by d.wake_at, d.id) as place
              from due_jobs d
             where d.lane = ${lane} and d.queue = room.queue and d.wake_at <= now()
               and (d.lease_until is null or d.lease_until <= now())
               and not exists (
                 select from (select of.queue, of.due_at, of.id from due_jobs of
                               where of.kind = any(${kindsOf(lane)}::text[]) and of.ref_id = d.ref_id offset 0) earlier
                  where earlier.queue is not null and (earlier.due_at, earlier.id) < (d.due_at, d.id))
             order by d.wake_at, d.id
             limit greatest(room.places, 0)
          ) of
      ), of_account as (
        select ready.*, row_number() over (partition by client_id order by place, wake_at, id)
                 + coalesce((select sum(n) from running r where r.client_id = ready.client_id), 0) as turn
          from ready
      ), of_kind as (
        select of_account.*, row_number() over (partition by kind order by turn, wake_at, id)
                 + coalesce((select sum(r.n) from running r join providers p on p.id = r.queue
                              where p.kind = of_account.kind), 0) as turn_of_kind
          from of_account where turn <= ${perAccount}
      ), chosen as (
        select d.id
          from (select id from of_kind where kind is null or turn_of_kind <= ${perKind}
                 order by turn, wake_at, id limit ${count}) next
         cross join lateral (select j.id, j.queue, j.lease_until from due_jobs j
                              where j.id = next.id offset 0 for update skip locked) d
         where d.queue is not null and (d.lease_until is null or d.lease_until <= now())
      )
      update due_jobs d
         set lease_until = now() + make_interval(secs => ${LEASE_SECONDS}),
             attempts = d.attempts + 1, epoch = d.epoch + 1
        from chosen where d.id = chosen.id
      returning d.id, d.client_id, d.kind, d.ref_id, d.due_at, d.attempts, d.epoch`,
  ]);
  return [...jobs];
}

/** Of the test clock on its way. */
export interface OnTheWay {
  /** Where it stands; it is set to the moment of the job when that is later. */
  at: Date;
  isFrozen: boolean;
}

/** A job that has run. */
export interface Ended {
  job: DueJob;
  /** When it runs again; it is over without it. */
  again?: { dueAt: Date; wakeAt: Date | null };
}

interface ClaimOptions {
  leftOut?: readonly string[];
  /** The job before it: unless somebody has set a new date of it meanwhile, its row goes, or waits for its next moment. */
  ended?: Ended | undefined;
  /** Absent: it stays as it is. */
  clock?: OnTheWay;
}

/**
 * Takes the first job of an account that is due on its own clock, whatever real time says: the test clock runs it, and
 * stands at its moment from then on. Undefined while somebody else has that first one, so that the order of moments is
 * kept; `isAwaited` tells the two. One statement does it all: a year has a thousand of these. Its commit does not wait
 * for the disk: what the job then commits is behind it in the log, and takes it along.
 */
export async function claimOf(
  clientId: string,
  until: Date,
  { leftOut = [], ended, clock }: ClaimOptions = {},
): Promise<DueJob | undefined> {
  const again = ended?.again;
  const [job] = await systemSql()<DueJob[]>`
    with ended as materialized (
      select id, ${again?.dueAt ?? null}::timestamptz as again_at, ${again?.wakeAt ?? null}::timestamptz as wake_at
        from due_jobs where id = ${ended?.job.id ?? null}::uuid and epoch = ${ended?.job.epoch ?? null}::int
    ), over as (
      delete from due_jobs d using ended
       where d.id = ended.id and d.epoch = ${ended?.job.epoch ?? null}::int and ended.again_at is null
    ), first as materialized (
      select id, due_at, is_again from (
        (select id, due_at, false as is_again from due_jobs
          where client_id = ${clientId} and due_at <= ${until} and id <> all(${[...leftOut]}::uuid[])
            -- As it was before this statement.
            and id is distinct from (select id from ended)
          order by due_at, id limit 1)
        union all
        select id, again_at, true from ended where again_at <= ${until}) next
       order by due_at, id limit 1
    ), put_off as (
      update due_jobs d
         set due_at = ended.again_at, wake_at = ended.wake_at, attempts = 0, lease_until = null, queue = null,
             epoch = d.epoch + 1
        from ended
       where d.id = ended.id and d.epoch = ${ended?.job.epoch ?? null}::int and ended.again_at is not null
         and d.id is distinct from (select id from first)
    ), claimed as (
      update due_jobs d
         set due_at = first.due_at, wake_at = case when first.is_again then ended.wake_at else d.wake_at end,
             queue = case when not first.is_again then d.queue end,
             attempts = case when first.is_again then 1 else d.attempts + 1 end,
             lease_until = now() + make_interval(secs => ${LEASE_SECONDS}), epoch = d.epoch + 1
        from first left join ended on first.is_again
       -- Moved while this waited for its row, it may lie behind \`until\`: the clock must not follow it there.
       where d.id = first.id
         and case when first.is_again then d.epoch = ${ended?.job.epoch ?? null}::int
                  else d.due_at = first.due_at and (d.lease_until is null or d.lease_until < now()) end
      returning d.id, d.client_id, d.kind, d.ref_id, d.due_at, d.attempts, d.epoch
    ), moment as (
      select greatest(due_at, ${clock?.at ?? null}::timestamptz) as at from claimed where ${clock !== undefined}::boolean
    ), moved as (
      update clients c
         set clock_offset_seconds = greatest(
               case when ${clock?.isFrozen ?? false}::boolean or c.clock_frozen_at is not null then null else c.clock_offset_seconds end,
               ceil(extract(epoch from moment.at - ${realNow()}::timestamptz))::bigint),
             clock_frozen_at = case when ${clock?.isFrozen ?? false}::boolean then moment.at end
        from moment where c.id = ${clientId}
    )
    select claimed.*, set_config('synchronous_commit', 'off', true) from claimed`;
  return job;
}

/** Whether a job of the account is due by then and has not run: somebody else has it, or it is to be tried again. */
export async function isAwaited(clientId: string, until: Date, leftOut: readonly string[]): Promise<boolean> {
  const rows = await systemSql()`
    select 1 from due_jobs
     where client_id = ${clientId} and due_at <= ${until} and id <> all(${[...leftOut]}::uuid[]) limit 1`;
  return rows.length > 0;
}

/** Over, or to run again, unless somebody else has set a new date meanwhile: then the row is another's. */
export async function finishJob({ job: { id, epoch }, again }: Ended): Promise<void> {
  if (!again) await systemSql()`delete from due_jobs where id = ${id} and epoch = ${epoch}`;
  else
    await systemSql()`
      update due_jobs set due_at = ${again.dueAt}, wake_at = ${again.wakeAt}, attempts = 0, lease_until = null,
             queue = null, epoch = epoch + 1
       where id = ${id} and epoch = ${epoch}`;
}

/** To be tried again so many seconds from now. */
export async function putBack({ id, epoch }: DueJob, seconds: number): Promise<void> {
  await systemSql()`
    update due_jobs set lease_until = null, queue = null, wake_at = now() + make_interval(secs => ${seconds})
     where id = ${id} and epoch = ${epoch}`;
}

/** A look at what could be taken, but for the bounds, comes so soon again. */
const SHORTLY_SECONDS = 0.25;

/** When there is something to do next by real time, if that is within so many seconds. */
export async function nextWake(lane: Lane, withinSeconds: number): Promise<Date | undefined> {
  const [row] = await systemSql()<{ at: Date | null }[]>`
    select least(
      (select min(wake_at) from due_jobs
        where lane = ${lane} and queue is null and wake_at < now() + make_interval(secs => ${withinSeconds})),
      (select min(lease_until) from due_jobs
        where lane = ${lane} and lease_until > now() and lease_until < now() + make_interval(secs => ${withinSeconds})),
      (select now() + make_interval(secs => ${SHORTLY_SECONDS}) where exists (
        select from due_jobs where lane = ${lane} and queue is not null
           and (lease_until is null or lease_until <= now())))
    ) as at`;
  return row?.at ?? undefined;
}
