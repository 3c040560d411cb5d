import { and, eq } from "drizzle-orm";
import { subscriptionChanges, subscriptionCycles, subscriptions } from "@/db/schema/subscriptions";
import { changedRow } from "@/db/stored";
import { change, insertion, type Write, writeTogether } from "@/db/writes";
import { actorOf } from "@/lib/audit";
import { type Context, now } from "@/lib/context";
import { scheduling, unschedule, unscheduling } from "@/lib/due-jobs/schedule";
import { emission } from "@/lib/events";
import { newId } from "@/lib/ids";
import { pipelined } from "@/lib/pipeline";
import { cycleDueOn } from "@/lib/subscriptions/calendar";
import { writeCanceled } from "@/lib/subscriptions/letters";
import { cycleMachine, isOver, SUBSCRIPTION_EVENTS, subscriptionMachine } from "@/lib/subscriptions/machine";
import { opensAt } from "@/lib/subscriptions/mandate-days";
import { askToEnd } from "@/lib/subscriptions/mandate-queries";
import {
  type AnchorRow,
  anchorsOf,
  type Counts,
  type CycleRow,
  countsOf,
  openCycleOf,
  type SubscriptionRow,
  viewOf,
} from "@/lib/subscriptions/queries";
import { subscriptionEvent } from "@/lib/subscriptions/serializer";

type RowChanges = Partial<typeof subscriptions.$inferInsert>;
type CycleChanges = Partial<typeof subscriptionCycles.$inferInsert>;

interface Told {
  changes?: RowChanges;
  reason?: string | undefined;
  detail?: Record<string, unknown>;
  /** With the date of the next cycle, counted anew, and its job. */
  isReplanned?: boolean;
}

/** One row of the subscription's machine, with its place in the history and its event; under the subscription's lock. */
export async function moveSubscription(
  ctx: Context,
  row: SubscriptionRow,
  fact: string,
  told: Told = {},
): Promise<SubscriptionRow> {
  const event = SUBSCRIPTION_EVENTS[fact];
  if (!event) throw new Error(`${fact} has no event`);
  const moved = await write(ctx, row, event, { ...told, fact });
  if (moved.status === "canceled") await writeCanceled(ctx, moved);
  return moved;
}

/** Something of it changed, its status apart. With `detail` it has a place in the history too. */
export const announceSubscription = (
  ctx: Context,
  row: SubscriptionRow,
  event: string,
  told: Told & { errorCode?: string } = {},
): Promise<SubscriptionRow> => write(ctx, row, event, told);

async function write(
  ctx: Context,
  row: SubscriptionRow,
  event: string,
  { fact, changes = {}, reason, detail, isReplanned, errorCode }: Told & { fact?: string; errorCode?: string },
): Promise<SubscriptionRow> {
  const at = now(ctx);
  const status = fact ? subscriptionMachine.next(row.status, fact) : row.status;
  const isRecorded = fact !== undefined || detail !== undefined;
  const revision = row.revision + (isRecorded ? 1 : 0);
  const view = await viewOf(ctx, row);
  const nextDueOn = isReplanned ? dueAfter({ ...row, status }, view.anchors, view.counts) : undefined;
  const moved = {
    ...changes,
    ...(isOver(status) ? { nextDueOn: null } : nextDueOn === undefined ? {} : { nextDueOn }),
    status,
    revision,
    updatedAt: at,
  };
  const shown = changedRow(subscriptions, row, moved);
  const data = subscriptionEvent(ctx, { ...view, row: shown }, errorCode);
  const last = { version: row.eventVersion, at: row.lastEventAt };
  const news = emission(ctx, { object: "subscription", event, entityId: row.id, data }, last);
  const position = { eventVersion: news.version, lastEventAt: news.at };
  await writeTogether(ctx.db, [
    ...(nextDueOn === undefined ? [] : planning(ctx, row, nextDueOn)),
    change(subscriptions, { ...moved, ...position }, { id: row.id, status: row.status }, { isMust: true }),
    news.write,
    ...(isRecorded
      ? [
          insertion(subscriptionChanges, {
            id: newId(),
            clientId: ctx.account.id,
            subscriptionId: row.id,
            revision,
            fact: fact ?? "changed",
            fromStatus: row.status,
            toStatus: status,
            actor: actorOf(ctx),
            reason: reason ?? null,
            detail: detail ?? null,
            at,
          }),
        ]
      : []),
  ]);
  return changedRow(subscriptions, row, { ...moved, ...position });
}

/** Without an event. */
export async function changeSubscription(
  ctx: Context,
  row: SubscriptionRow,
  changes: RowChanges,
): Promise<SubscriptionRow> {
  if (Object.keys(changes).length === 0) return row;
  await writeTogether(ctx.db, [changing(row, changes)]);
  return changedRow(subscriptions, row, changes);
}

export const changing = ({ id }: SubscriptionRow, changes: RowChanges): Write =>
  change(subscriptions, changes, { id }, { isMust: true });

/** One row of a cycle's machine, or without a fact a change beside it. */
export async function moveCycle(
  ctx: Context,
  cycle: CycleRow,
  fact: string | undefined,
  changes: CycleChanges = {},
): Promise<CycleRow> {
  const moved = movingCycle(ctx, cycle, fact, changes);
  await writeTogether(ctx.db, [moved.write]);
  return moved.cycle;
}

/** The same as a write of the caller's statement. */
export function movingCycle(
  ctx: Context,
  cycle: CycleRow,
  fact: string | undefined,
  changes: CycleChanges = {},
): { cycle: CycleRow; write: Write } {
  const status = fact ? cycleMachine.next(cycle.status, fact) : cycle.status;
  const moved = { ...changes, status, updatedAt: now(ctx) };
  const where = { id: cycle.id, status: cycle.status };
  return {
    cycle: changedRow(subscriptionCycles, cycle, moved),
    write: change(subscriptionCycles, moved, where, { isMust: true }),
  };
}

/** What waits behind an open cycle does not count: nothing is charged for it. */
export async function skipWaiting(ctx: Context, row: SubscriptionRow): Promise<void> {
  await ctx.db
    .update(subscriptionCycles)
    .set({ status: cycleMachine.next("scheduled", "skipped"), updatedAt: now(ctx) })
    .where(and(eq(subscriptionCycles.subscriptionId, row.id), eq(subscriptionCycles.status, "scheduled")));
}

/** When the next cycle without a row falls due: never again once as many count as were asked for. */
export const dueAfter = (
  { status, cycles }: SubscriptionRow,
  anchors: readonly AnchorRow[],
  { newest, canceled }: Pick<Counts, "newest" | "canceled">,
): string | null =>
  isOver(status) || (cycles !== null && newest - canceled >= cycles) ? null : cycleDueOn(anchors, newest + 1);

/** The job that comes with that date. */
export const planning = (ctx: Context, row: SubscriptionRow, nextDueOn: string | null): Write[] =>
  nextDueOn === null
    ? [unscheduling("subscription.due", row.id)]
    : scheduling(ctx, "subscription.due", row.id, opensAt(row, nextDueOn));

/** Sets that date, with its job. */
export async function replan(ctx: Context, row: SubscriptionRow): Promise<SubscriptionRow> {
  const [anchors, counts] = await pipelined([anchorsOf(ctx, row.id), countsOf(ctx, row.id)]);
  const nextDueOn = dueAfter(row, anchors, counts);
  const isMoved = nextDueOn !== row.nextDueOn;
  await writeTogether(ctx.db, [...planning(ctx, row, nextDueOn), ...(isMoved ? [changing(row, { nextDueOn })] : [])]);
  return isMoved ? changedRow(subscriptions, row, { nextDueOn }) : row;
}

/** Ends it by a person or a date: what waits is skipped, what is under way keeps its true result. */
export async function cancelSubscription(
  ctx: Context,
  row: SubscriptionRow,
  reason: string | undefined,
): Promise<SubscriptionRow> {
  await skipWaiting(ctx, row);
  const open = await openCycleOf(ctx, row.id);
  if (open?.status === "retrying") await moveCycle(ctx, open, "skipped", { nextRetryOn: null });
  if (open) await unschedule(ctx, "subscription.retry", open.id);
  const ended = await moveSubscription(ctx, row, "canceled", { reason });
  await endJobs(ctx, row.id, "merchant");
  return ended;
}

/** Nothing more happens by itself; `why` is told of the mandate that ends with it. */
export async function endJobs(ctx: Context, subscriptionId: string, why: "merchant" | "completed"): Promise<void> {
  for (const kind of [
    "subscription.due",
    "subscription.cancel",
    "subscription.card_expiry",
    "trial.ends",
    "trial.reminder",
  ] as const) {
    await unschedule(ctx, kind, subscriptionId);
  }
  await askToEnd(ctx, subscriptionId, why);
}
