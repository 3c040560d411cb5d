import { and, eq } from "drizzle-orm";
import { subscriptionChanges, subscriptionCycles, subscriptions } from "@/db/schema/subscriptions";
import { changedRow } from "@/db/stored";
import { change, insertion, writeTogether } from "@/db/writes";
import { actorOf } from "@/lib/audit";
import { type Context, now } from "@/lib/context";
import { schedule, unschedule } from "@/lib/due-jobs/schedule";
import { emission } from "@/lib/events";
import { newId } from "@/lib/ids";
import { cycleDueOn } from "@/lib/subscriptions/calendar";
import { writeCanceled } from "@/lib/subscriptions/letters";
import { cycleMachine, isOver, SUBSCRIPTION_EVENTS, subscriptionMachine } from "@/lib/subscriptions/machine";
import { opensAt } from "@/lib/subscriptions/mandate-days";
import { askToEnd } from "@/lib/subscriptions/mandate-queries";
import {
  anchorsOf,
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
  { fact, changes = {}, reason, detail, errorCode }: Told & { fact?: string; errorCode?: string },
): Promise<SubscriptionRow> {
  const at = now(ctx);
  const status = fact ? subscriptionMachine.next(row.status, fact) : row.status;
  const isRecorded = fact !== undefined || detail !== undefined;
  const revision = row.revision + (isRecorded ? 1 : 0);
  const moved = {
    ...changes,
    ...(isOver(status) ? { nextDueOn: null } : {}),
    status,
    revision,
    updatedAt: at,
  };
  const shown = changedRow(subscriptions, row, moved);
  const data = subscriptionEvent(ctx, await viewOf(ctx, shown), errorCode);
  const last = { version: row.eventVersion, at: row.lastEventAt };
  const news = emission(ctx, { object: "subscription", event, entityId: row.id, data }, last);
  const position = { eventVersion: news.version, lastEventAt: news.at };
  await writeTogether(ctx.db, [
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
  await writeTogether(ctx.db, [change(subscriptions, changes, { id: row.id }, { isMust: true })]);
  return changedRow(subscriptions, row, changes);
}

/** One row of a cycle's machine, or without a fact a change beside it. */
export async function moveCycle(
  ctx: Context,
  cycle: CycleRow,
  fact: string | undefined,
  changes: CycleChanges = {},
): Promise<CycleRow> {
  const status = fact ? cycleMachine.next(cycle.status, fact) : cycle.status;
  const moved = { ...changes, status, updatedAt: now(ctx) };
  const where = { id: cycle.id, status: cycle.status };
  await writeTogether(ctx.db, [change(subscriptionCycles, moved, where, { isMust: true })]);
  return changedRow(subscriptionCycles, cycle, moved);
}

/** What waits behind an open cycle does not count: nothing is charged for it. */
export async function skipWaiting(ctx: Context, row: SubscriptionRow): Promise<void> {
  await ctx.db
    .update(subscriptionCycles)
    .set({ status: cycleMachine.next("scheduled", "skipped"), updatedAt: now(ctx) })
    .where(and(eq(subscriptionCycles.subscriptionId, row.id), eq(subscriptionCycles.status, "scheduled")));
}

/** When the next cycle without a row falls due: never again once as many count as were asked for. */
export async function nextDueOf(ctx: Context, row: SubscriptionRow): Promise<string | null> {
  if (isOver(row.status)) return null;
  const [anchors, { newest, canceled }] = [await anchorsOf(ctx, row.id), await countsOf(ctx, row.id)];
  return row.cycles !== null && newest - canceled >= row.cycles ? null : cycleDueOn(anchors, newest + 1);
}

/** Sets that date, and the job that comes with it. */
export async function replan(ctx: Context, row: SubscriptionRow): Promise<SubscriptionRow> {
  const nextDueOn = await nextDueOf(ctx, row);
  if (nextDueOn === null) await unschedule(ctx, "subscription.due", row.id);
  else await schedule(ctx, "subscription.due", row.id, opensAt(row, nextDueOn));
  return nextDueOn === row.nextDueOn ? row : changeSubscription(ctx, row, { nextDueOn });
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
