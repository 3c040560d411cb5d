import { and, eq, min, sql } from "drizzle-orm";
import { dueJobs } from "@/db/schema/outbox";
import { insertion, removal, type Write, writeTogether } from "@/db/writes";
import type { Context } from "@/lib/context";
import { DUE_SOON, JOB_LANES, type JobKind, LANES, type Lane } from "@/lib/due-jobs/kinds";
import { newId } from "@/lib/ids";
import { enqueue, enqueueing } from "@/lib/outbox";
import { type AccountClock, realNow } from "@/lib/time";

/** The real moment at which an instant of the account's clock comes; null while the clock stands still before it. */
export const wakeAt = (clock: AccountClock, dueAt: Date): Date | null => {
  if (clock.frozenAt) return dueAt <= clock.frozenAt ? realNow() : null;
  return new Date(dueAt.getTime() - clock.offsetSeconds * 1000);
};

/** The drain runs each minute and looks this far ahead. */
export const SOON_SECONDS = 60;
/** Only what is due sooner wakes it: what is due in a minute is seen in time, or seconds late, without being told. */
const TELL_SECONDS = 55;

/** One job of a kind for each object: scheduling it again moves it. The engine is told when it is due soon. */
export async function schedule(ctx: Context, kind: JobKind, refId: string, dueAt: Date): Promise<void> {
  await writeTogether(ctx.db, scheduling(ctx, kind, refId, dueAt));
}

/** The same as writes of the caller's statement. */
export function scheduling({ account }: Context, kind: JobKind, refId: string, dueAt: Date): Write[] {
  const wake = wakeAt(account.clock, dueAt);
  const lane = JOB_LANES[kind];
  const job = { id: newId(), clientId: account.id, kind, refId, lane, createdAt: realNow(), dueAt, wakeAt: wake };
  const told = isSoon(wake) ? [enqueueing(account.id, DUE_SOON[lane], { wakeAt: wake.toISOString() })] : [];
  return [insertion(dueJobs, job, { upsert: MOVED }), ...told];
}

/** Whoever runs it at this moment holds another epoch then, and leaves the row alone. */
const MOVED = sql`on conflict (kind, ref_id) do update set due_at = excluded.due_at, wake_at = excluded.wake_at,
  attempts = 0, lease_until = null, queue = null, epoch = ${dueJobs.epoch} + 1`;

/** As `schedule`, but an earlier date already set stays. */
export async function scheduleNoLater(ctx: Context, kind: JobKind, refId: string, dueAt: Date): Promise<void> {
  await holdJob(ctx, kind, refId);
  const kept = await dueAtOf(ctx, kind, refId);
  if (!kept || kept > dueAt) await schedule(ctx, kind, refId, dueAt);
}

/**
 * Until the transaction ends nobody moves the job, and whoever had moved it is waited for: a handler that finds nothing
 * more to do does not undo the date of what was only just written.
 */
export async function holdJob({ db }: Context, kind: JobKind, refId: string): Promise<void> {
  await db.execute(sql`select 1 from due_jobs where kind = ${kind} and ref_id = ${refId} for update`);
}

export async function dueAtOf({ db }: Context, kind: JobKind, refId: string): Promise<Date | undefined> {
  const [job] = await db
    .select({ dueAt: dueJobs.dueAt })
    .from(dueJobs)
    .where(and(eq(dueJobs.kind, kind), eq(dueJobs.refId, refId)));
  return job?.dueAt;
}

export async function unschedule(ctx: Context, kind: JobKind, refId: string): Promise<void> {
  await writeTogether(ctx.db, [unscheduling(kind, refId)]);
}

export const unscheduling = (kind: JobKind, refId: string): Write => removal(dueJobs, { kind, refId });

/** After the account's clock was set: every job of it gets the real moment of the new clock, and the engine the first. */
export async function rewake(ctx: Context, clock: AccountClock): Promise<void> {
  const wake = clock.frozenAt
    ? sql`case when ${dueJobs.dueAt} <= ${clock.frozenAt.toISOString()}::timestamptz then now() end`
    : sql`${dueJobs.dueAt} - make_interval(secs => ${clock.offsetSeconds})`;
  await ctx.db.update(dueJobs).set({ wakeAt: wake }).where(eq(dueJobs.clientId, ctx.account.id));
  const firsts = await ctx.db
    .select({ lane: dueJobs.lane, wakeAt: min(dueJobs.wakeAt) })
    .from(dueJobs)
    .where(eq(dueJobs.clientId, ctx.account.id))
    .groupBy(dueJobs.lane);
  for (const lane of LANES) await tellWhenSoon(ctx, lane, firsts.find((first) => first.lane === lane)?.wakeAt ?? null);
}

const isSoon = (wake: Date | null): wake is Date =>
  wake !== null && wake.getTime() <= realNow().getTime() + TELL_SECONDS * 1000;

async function tellWhenSoon(ctx: Context, lane: Lane, wake: Date | null): Promise<void> {
  if (!isSoon(wake)) return;
  await enqueue(ctx.db, ctx.account.id, DUE_SOON[lane], { wakeAt: wake.toISOString() });
}
