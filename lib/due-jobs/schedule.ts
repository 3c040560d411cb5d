import { and, eq, min, sql } from "drizzle-orm";
import { dueJobs } from "@/db/schema/outbox";
import type { Context } from "@/lib/context";
import { newId } from "@/lib/ids";
import { enqueue } from "@/lib/outbox";
import { type AccountClock, realNow } from "@/lib/time";

/** Everything that happens later, by what it does; each kind has one handler in lib/due-jobs/handlers.ts. */
export const JOB_KINDS = [
  "attempt.query",
  "charge.expire",
  "charge.hold_ends",
  "orphan.watch",
  "charge.watch",
  "antifraud.verdict",
  "webhook.attempt",
  "webhook.pause",
  "webhook.probe",
  "session.expires",
  "session.close",
  "buyer.confirming",
  "buyer.reminder",
] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** The real moment at which an instant of the account's clock comes; null while the clock stands still before it. */
export const wakeAt = (clock: AccountClock, dueAt: Date): Date | null => {
  if (clock.frozenAt) return dueAt <= clock.frozenAt ? realNow() : null;
  return new Date(dueAt.getTime() - clock.offsetSeconds * 1000);
};

/** The drain runs each minute and looks this far ahead; only what is due sooner must wake it. */
export const SOON_SECONDS = 60;

/** One job of a kind for each object: scheduling it again moves it. The engine is told when it is due soon. */
export async function schedule(ctx: Context, kind: JobKind, refId: string, dueAt: Date): Promise<void> {
  const wake = wakeAt(ctx.account.clock, dueAt);
  const values = { dueAt, wakeAt: wake, attempts: 0, leaseUntil: null };
  await ctx.db
    .insert(dueJobs)
    .values({ id: newId(), clientId: ctx.account.id, kind, refId, createdAt: realNow(), ...values })
    .onConflictDoUpdate({ target: [dueJobs.kind, dueJobs.refId], set: values });
  await tellWhenSoon(ctx, wake);
}

/** As `schedule`, but an earlier date already set stays. */
export async function scheduleNoLater(ctx: Context, kind: JobKind, refId: string, dueAt: Date): Promise<void> {
  const [kept] = await ctx.db
    .select({ dueAt: dueJobs.dueAt })
    .from(dueJobs)
    .where(and(eq(dueJobs.kind, kind), eq(dueJobs.refId, refId)));
  if (!kept || kept.dueAt > dueAt) await schedule(ctx, kind, refId, dueAt);
}

export async function unschedule(ctx: Context, kind: JobKind, refId: string): Promise<void> {
  await ctx.db.delete(dueJobs).where(and(eq(dueJobs.kind, kind), eq(dueJobs.refId, refId)));
}

/** After the account's clock was set: every job of it gets the real moment of the new clock, and the engine the first. */
export async function rewake(ctx: Context, clock: AccountClock): Promise<void> {
  const wake = clock.frozenAt
    ? sql`case when ${dueJobs.dueAt} <= ${clock.frozenAt.toISOString()}::timestamptz then now() end`
    : sql`${dueJobs.dueAt} - make_interval(secs => ${clock.offsetSeconds})`;
  await ctx.db.update(dueJobs).set({ wakeAt: wake }).where(eq(dueJobs.clientId, ctx.account.id));
  const [first] = await ctx.db
    .select({ wakeAt: min(dueJobs.wakeAt) })
    .from(dueJobs)
    .where(eq(dueJobs.clientId, ctx.account.id));
  await tellWhenSoon(ctx, first?.wakeAt ?? null);
}

async function tellWhenSoon(ctx: Context, wake: Date | null): Promise<void> {
  if (!wake || wake.getTime() > realNow().getTime() + SOON_SECONDS * 1000) return;
  await enqueue(ctx.db, ctx.account.id, "jobs/due.soon", { wakeAt: wake.toISOString() });
}
