import { eq, sql } from "drizzle-orm";
import { appSql } from "@/db/client";
import { clients } from "@/db/schema/accounts";
import { loadAccount } from "@/lib/accounts/service";
import { type Account, asClient, type Context, systemContext } from "@/lib/context";
import { claimOf, type Ended, finishJob, isAwaited } from "@/lib/due-jobs/claim";
import type { JobKind } from "@/lib/due-jobs/kinds";
import { rewake, wakeAt } from "@/lib/due-jobs/schedule";
import { invalid, RequestError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { runUnfinished } from "@/lib/scheduler/drain";
import { type AccountClock, addSeconds, DAY_SECONDS, monotonicMs, nowOn, realNow } from "@/lib/time";
import { pause } from "@/lib/wait";

/** One call moves the clock this far at most (spec/contract.md 21.6). */
const LONGEST_DAYS = 400;
/** Jobs that keep making jobs for the same instant would never end. */
const MOST_JOBS = 100_000;
/** A job that a worker is running, or whose charge is being driven, is waited for this long in all. */
const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 50;

export interface ClockAnswer {
  now: Date;
  offsetSeconds: number;
  frozen: boolean;
}

export interface RunOnTheWay {
  jobsRun: number;
  /** Each once, in the order of their first jobs. */
  kindsRun: JobKind[];
}

export interface ClockMove {
  /** An instant, or one reckoned from the present of the clock when this move's turn has come. */
  to: Date | ((present: Date) => Date);
  /** Absent: as it was. */
  freeze: boolean | undefined;
  /** Told before the first job of a move that goes on. */
  onBegin?: (from: Date, to: Date) => Promise<void>;
}

export const readClock = ({ clock }: Account): ClockAnswer => ({
  now: nowOn(clock),
  offsetSeconds: clock.frozenAt ? offsetAt(clock.frozenAt) : clock.offsetSeconds,
  frozen: clock.frozenAt !== null,
});

/** Whole seconds, rounded up: the clock never falls behind the instant it was set to. */
const offsetAt = (at: Date): number => Math.ceil((at.getTime() - realNow().getTime()) / 1000);

/**
 * Moves the account's clock forward, living every due moment on the way in its order: the clock stands at the moment
 * a job is due while it runs. Answers when all of them have run.
 */
export async function moveClock(ctx: Context, { to, freeze, onBegin }: ClockMove): Promise<ClockAnswer & RunOnTheWay> {
  return oneAtATime(ctx.account.id, async () => {
    // Read in turn: the move before this one may have ended a moment ago.
    const account = await loadAccount(ctx.account.id);
    const start = nowOn(account.clock);
    const end = to instanceof Date ? to : to(start);
    refuseWrong(start, end);
    if (end > start) await onBegin?.(start, end);
    const run = await live(account, start, end);
    const isFrozen = freeze ?? account.clock.frozenAt !== null;
    const clock = await setClock(account.id, end, isFrozen);
    await asClient(account.id, (db) => rewake({ ...ctx, db }, clock));
    return { ...readClock({ ...account, clock }), ...run };
  });
}

function refuseWrong(start: Date, end: Date): void {
  if (end < start) throw invalid("the clock moves forward only");
  if (!(end <= addSeconds(start, LONGEST_DAYS * DAY_SECONDS))) {
    throw invalid(`the clock moves at most ${LONGEST_DAYS} days a call`);
  }
}

async function live(account: Account, from: Date, to: Date): Promise<RunOnTheWay> {
  const deadline = monotonicMs() + PATIENCE_MS;
  const isFrozen = account.clock.frozenAt !== null;
  const leftOut: string[] = [];
  /** Kinds of jobs that somebody else is at, by job and moment. */
  const withOthers = new Map<string, JobKind>();
  const run: JobKind[] = [];
  let at = from;
  let ended: Ended | undefined;
  while (run.length < MOST_JOBS) {
    const job = await claimOf(account.id, to, { leftOut, ended, clock: { at, isFrozen } });
    ended = undefined;
    if (!job) {
      if (monotonicMs() > deadline || !(await isAwaited(account.id, to, leftOut))) break;
      await pause(LOOK_AGAIN_MS);
      continue;
    }
    if (job.due_at > at) at = job.due_at;
    const clock: AccountClock = { offsetSeconds: account.clock.offsetSeconds, frozenAt: at };
    const end = await runUnfinished(systemContext({ ...account, clock }, newId()), job);
    const name = `${job.id} ${job.due_at.getTime()}`;
    if (end === "busy") withOthers.set(name, job.kind);
    else withOthers.delete(name);
    if (typeof end !== "string") {
      run.push(job.kind);
      ended = { job, ...(end.next && { again: { dueAt: end.next, wakeAt: wakeAt(clock, end.next) } }) };
    } else if (end === "failed" || monotonicMs() > deadline) leftOut.push(job.id);
    else await pause(LOOK_AGAIN_MS);
  }
  if (ended) await finishJob(ended);
  // What others were at ran too: the loop ends when nothing is due any more, or its patience does.
  if (withOthers.size > 0 && !(await isAwaited(account.id, to, leftOut))) run.push(...withOthers.values());
  return { jobsRun: run.length, kindsRun: [...new Set(run)] };
}

/** A clock that runs is only ever set forward: real time went on while the jobs ran. */
async function setClock(clientId: string, at: Date, isFrozen: boolean): Promise<AccountClock> {
  const offset = offsetAt(at);
  const [row] = await asClient(clientId, (db) =>
    db
      .update(clients)
      .set({
        clockOffsetSeconds: isFrozen
          ? offset
          : sql`greatest(case when ${clients.clockFrozenAt} is null then ${clients.clockOffsetSeconds} end, ${offset}::bigint)`,
        clockFrozenAt: isFrozen ? at : null,
      })
      .where(eq(clients.id, clientId))
      .returning({ offsetSeconds: clients.clockOffsetSeconds, frozenAt: clients.clockFrozenAt }),
  );
  if (!row) throw new Error("an account vanished");
  return row;
}

/** Each holds a connection for as long as it lasts; the rest of the pool is left to the work itself. */
const MOST_AT_ONCE = 4;
let atWork = 0;

/** Two moves of one clock follow each other, whichever process they are in. Waiting holds no connection. */
async function oneAtATime<T>(clientId: string, work: () => Promise<T>): Promise<T> {
  const deadline = monotonicMs() + PATIENCE_MS;
  for (;;) {
    if (atWork < MOST_AT_ONCE) {
      const done = await alone(clientId, work);
      if (done) return done.result;
    }
    if (monotonicMs() > deadline) throw beingMoved();
    await pause(LOOK_AGAIN_MS);
  }
}

/** Undefined when another move has the clock. */
async function alone<T>(clientId: string, work: () => Promise<T>): Promise<{ result: T } | undefined> {
  atWork++;
  try {
    const connection = await appSql().reserve();
    try {
      const [lock] = await connection<{ taken: boolean }[]>`
        select pg_try_advisory_lock(hashtextextended(${`clock:${clientId}`}, 0)) as taken`;
      if (!lock?.taken) return undefined;
      try {
        return { result: await work() };
      } finally {
        await connection`select pg_advisory_unlock(hashtextextended(${`clock:${clientId}`}, 0))`;
      }
    } finally {
      connection.release();
    }
  } finally {
    atWork--;
  }
}

/** Whether a move of it is under way, in whichever process. */
export async function isBeingMoved(clientId: string): Promise<boolean> {
  const rows = await appSql()`
    select 1 from pg_locks, (select hashtextextended(${`clock:${clientId}`}, 0) as key) of
     where locktype = 'advisory' and granted and objsubid = 1
       and database = (select oid from pg_database where datname = current_database())
       and classid = ((of.key >> 32) & 4294967295)::oid and objid = (of.key & 4294967295)::oid`;
  return rows.length > 0;
}

const beingMoved = (): RequestError =>
  new RequestError(409, "invalid_request_error", "the clock is being moved", { retryAfterSeconds: RETRY_SECONDS });
const RETRY_SECONDS = 5;
