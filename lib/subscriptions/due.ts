import { and, eq } from "drizzle-orm";
import { subscriptionCycles, subscriptions, subscriptionTries } from "@/db/schema/subscriptions";
import { changedRow } from "@/db/stored";
import { insertion, writeTogether } from "@/db/writes";
import { type Context, inTransaction, now } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { newId } from "@/lib/ids";
import { pipelined } from "@/lib/pipeline";
import { allowanceOf, spentBy } from "@/lib/subscriptions/allowance";
import { beginOf, chargedAt, lastRetryDay, nextRetryDay, utcDayOf } from "@/lib/subscriptions/calendar";
import { firstInstruction, nextInstruction } from "@/lib/subscriptions/instruct";
import { settleStart } from "@/lib/subscriptions/link-start";
import { isCharged, isOver } from "@/lib/subscriptions/machine";
import { opensAt } from "@/lib/subscriptions/mandate-days";
import {
  cancelSubscription,
  changing,
  dueAfter,
  moveCycle,
  moveSubscription,
  planning,
} from "@/lib/subscriptions/moves";
import {
  anchorsOf,
  type CycleRow,
  countsOf,
  findCycle,
  lockSubscription,
  oldestOf,
  openCycleOf,
  type SubscriptionRow,
} from "@/lib/subscriptions/queries";
import { remindOfLastTry } from "@/lib/subscriptions/reminders";
import { settleCycle } from "@/lib/subscriptions/settle";
import { type Choose, type Chosen, endRetries, startTry } from "@/lib/subscriptions/start";

/** Of the job `subscription.due`: cycles whose day has come get their rows, and the oldest that waits is charged. */
export const cycleDue = async (ctx: Context, subscriptionId: string): Promise<void> => {
  await startTry(ctx, subscriptionId, chooseDue(opensAt));
};

/** Within the call that creates: the first cycle of today is charged whatever the hour. */
export const chooseFirst = (): Choose =>
  chooseDue((row, day) => (row.method === "credit" ? beginOf(day) : opensAt(row, day)));

type MomentOf = (row: SubscriptionRow, day: string) => Date;

const chooseDue =
  (momentOf: MomentOf): Choose =>
  async (ctx, found) => {
    const row = await openCycles(ctx, await endedWhenDue(ctx, found), momentOf);
    if (!isCharged(row.status)) return undefined;
    const [open, cycle] = await pipelined([openCycleOf(ctx, row.id), oldestOf(ctx, row.id, "scheduled")]);
    if (open) return undefined;
    if (cycle && row.method === "pix_automatic") return firstInstruction(ctx, row, cycle);
    return cycle && { row, cycle, kind: "first" };
  };

/** Every cycle that fell due has a row from then on, charged or not: none is lost and none comes twice. */
async function openCycles(ctx: Context, found: SubscriptionRow, momentOf: MomentOf): Promise<SubscriptionRow> {
  if (found.status === "trialing" || isOver(found.status)) return found;
  const at = now(ctx);
  const isDue = (day: string | null): day is string => day !== null && momentOf(found, day) <= at;
  const [anchors, counts] = await pipelined([anchorsOf(ctx, found.id), countsOf(ctx, found.id)]);
  const status = isCharged(found.status) ? "scheduled" : "canceled";
  let row = found;
  let { newest, canceled } = counts;
  // One statement for each: however many there are, their statement is one that is kept.
  while (isDue(row.nextDueOn)) {
    newest += 1;
    if (status === "canceled") canceled += 1;
    const nextDueOn = dueAfter(row, anchors, { newest, canceled });
    await writeTogether(ctx.db, [
      insertion(subscriptionCycles, {
        id: newId(),
        clientId: ctx.account.id,
        subscriptionId: row.id,
        customerId: row.customerId,
        merchantId: row.merchantId,
        cycle: newest,
        status,
        dueOn: row.nextDueOn,
        createdAt: at,
        updatedAt: at,
      }),
      changing(row, { nextDueOn }),
      ...(isDue(nextDueOn) ? [] : planning(ctx, row, nextDueOn)),
    ]);
    row = changedRow(subscriptions, row, { nextDueOn });
  }
  if (row === found) await writeTogether(ctx.db, planning(ctx, row, row.nextDueOn));
  return row;
}

/** A cancellation whose day has come is before everything else of that day. */
async function endedWhenDue(ctx: Context, row: SubscriptionRow): Promise<SubscriptionRow> {
  const isDue = row.cancelOn !== null && beginOf(row.cancelOn) <= now(ctx) && !isOver(row.status);
  return isDue ? cancelSubscription(ctx, row, row.scheduledCancellationReason ?? undefined) : row;
}

/** Of the job `subscription.retry`: the retry of a cycle, on the day its policy says. */
export async function retryDue(ctx: Context, cycleId: string): Promise<void> {
  const cycle = await inTransaction(ctx, (inside) => findCycle(inside, cycleId));
  if (cycle) await startTry(ctx, cycle.subscriptionId, chooseRetry(cycleId));
}

const chooseRetry =
  (cycleId: string): Choose =>
  async (ctx, found) => {
    const row = await endedWhenDue(ctx, found);
    const cycle = await findCycle(ctx, cycleId);
    if (cycle?.status !== "retrying" || !isCharged(row.status)) return undefined;
    if (row.method === "pix_automatic") return nextInstruction(ctx, row, cycle);
    return cycle.waitsForCard ? closedWithoutCard(ctx, row, cycle) : retryNow(ctx, row, cycle);
  };

/** The card never changed: the policy's last day closes the cycle all the same. */
async function closedWithoutCard(ctx: Context, row: SubscriptionRow, cycle: CycleRow): Promise<undefined> {
  const last = lastRetryDay(cycle);
  if (last === undefined || chargedAt(last) <= now(ctx)) await endRetries(ctx, row, cycle, "card_refused");
  return undefined;
}

async function retryNow(ctx: Context, row: SubscriptionRow, cycle: CycleRow): Promise<Chosen | undefined> {
  const today = utcDayOf(now(ctx));
  if (cycle.nextRetryOn === null || cycle.nextRetryOn > today) return undefined;
  const kind = await kindOf(ctx, cycle);
  const allowed = await allowanceOf(ctx, row, cycle);
  if (allowed.allowed) return { row, cycle, kind };
  // What the networks forbid today is moved, and never doubled up.
  const moved =
    allowed.notBefore && cycle.refusedOn && cycle.policy
      ? nextRetryDay(cycle.refusedOn, cycle.policy, today, allowed.notBefore)
      : undefined;
  if (!moved) {
    await endRetries(ctx, row, cycle, spentBy(allowed.reason));
    return undefined;
  }
  const waiting = await moveCycle(ctx, cycle, undefined, { nextRetryOn: moved });
  await schedule(ctx, "subscription.retry", cycle.id, chargedAt(moved));
  await remindOfLastTry(ctx, waiting);
  return undefined;
}

/** A cycle that no charge was ever made for has its first still before it. */
async function kindOf(ctx: Context, cycle: CycleRow): Promise<"first" | "retry" | "immediate"> {
  const tries = await ctx.db
    .select()
    .from(subscriptionTries)
    .where(and(eq(subscriptionTries.cycleId, cycle.id)));
  const charged = tries.filter(({ chargeId }) => chargeId !== null).toSorted((a, b) => a.number - b.number);
  if (charged.length === 0) return "first";
  // Another card that was declined is not the one tried now.
  const own = charged.filter(({ replaced }) => replaced === null);
  const isAsked = own.at(-1)?.retryClass === "now" && !charged.some(({ kind }) => kind === "immediate");
  return isAsked ? "immediate" : "retry";
}

/** Of the job `subscription.outcome`: what became of a charge whose starter may be gone. */
export const outcomeDue = async (ctx: Context, chargeId: string): Promise<void> => {
  await settleStart(ctx, chargeId);
  await settleCycle(ctx, chargeId);
};

/** Of the job `subscription.cancel`. */
export const cancellationDue = (ctx: Context, subscriptionId: string): Promise<void> =>
  inTransaction(ctx, async (inside) => {
    await endedWhenDue(inside, await lockSubscription(inside, subscriptionId));
  });

/** Of the job `trial.ends`. */
export const trialDue = (ctx: Context, subscriptionId: string): Promise<void> =>
  inTransaction(ctx, async (inside) => {
    const row = await endedWhenDue(inside, await lockSubscription(inside, subscriptionId));
    if (row.status !== "trialing" || row.trialEndAt === null || beginOf(row.trialEndAt) > now(inside)) return;
    const begun = await moveSubscription(inside, row, "trial.ended");
    if (begun.nextDueOn) await schedule(inside, "subscription.due", row.id, opensAt(begun, begun.nextDueOn));
  });
