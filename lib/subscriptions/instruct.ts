import { and, desc, eq, isNotNull } from "drizzle-orm";
import { charges } from "@/db/schema/charges";
import { subscriptionTries } from "@/db/schema/subscriptions";
import { addDays, type CivilDate } from "@/lib/brazil/bank-calendar";
import { type Context, now } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { providerFor } from "@/lib/providers/registry";
import { nextRetryDay, utcDayOf } from "@/lib/subscriptions/calendar";
import { askedAgainAt, settlementDay } from "@/lib/subscriptions/mandate-days";
import { isInstructed } from "@/lib/subscriptions/mandate-decide";
import { type MandateRow, mandateOf } from "@/lib/subscriptions/mandate-queries";
import { moveCycle } from "@/lib/subscriptions/moves";
import type { CycleRow, SubscriptionRow } from "@/lib/subscriptions/queries";
import { remindOfLastTry } from "@/lib/subscriptions/reminders";
import { type Chosen, endRetries } from "@/lib/subscriptions/start";

/**
 * The first instruction of a cycle, once the mandate stands; or, in the journey that begins with a payment, the Pix that
 * authorizes it. Nothing is asked for a day on or after the subscription's planned end.
 */
export async function firstInstruction(
  ctx: Context,
  row: SubscriptionRow,
  cycle: CycleRow,
): Promise<Chosen | undefined> {
  const mandate = await mandateOf(ctx, row.id);
  if (!mandate || mandate.ending !== null) return undefined;
  const { status, journey } = mandate;
  if (status === "created" && journey === "qr_with_first_payment" && cycle.cycle === 1) {
    return { row, cycle, kind: "first", mandated: { mandate } };
  }
  if (!isInstructed(mandate)) return undefined;
  const settleOn = settlementDay(cycle.dueOn, utcDayOf(now(ctx)), noticeOf(mandate));
  return isPastEnd(row, settleOn) ? undefined : { row, cycle, kind: "first", mandated: { mandate, settleOn } };
}

/** The bank is asked again, the day before one of the dates that its rules allow. */
export async function nextInstruction(
  ctx: Context,
  row: SubscriptionRow,
  cycle: CycleRow,
): Promise<Chosen | undefined> {
  const { nextRetryOn, refusedOn, policy } = cycle;
  const today = utcDayOf(now(ctx));
  const tomorrow = addDays(today, 1);
  const mandate = await mandateOf(ctx, row.id);
  // Nobody has refused it: its first instruction could not be given.
  const first =
    refusedOn === null && mandate?.status === "approved" ? await firstInstruction(ctx, row, cycle) : undefined;
  if (first) return first;
  const next =
    nextRetryOn && refusedOn && policy
      ? nextRetryOn > today
        ? nextRetryOn
        : nextRetryDay(refusedOn, policy, today, undefined)
      : undefined;
  if (!mandate || !isInstructed(mandate) || !next || isPastEnd(row, next)) {
    await endRetries(ctx, row, cycle);
    return undefined;
  }
  if (next > tomorrow) {
    const waiting = next === nextRetryOn ? cycle : await moveCycle(ctx, cycle, undefined, { nextRetryOn: next });
    await schedule(ctx, "subscription.retry", cycle.id, askedAgainAt(next));
    await remindOfLastTry(ctx, waiting);
    return undefined;
  }
  const retryOf = await lastInstructionOf(ctx, cycle);
  const settleOn = retryOf === undefined ? settlementDay(next, today, noticeOf(mandate)) : next;
  return {
    row,
    cycle,
    kind: "retry",
    mandated: { mandate, settleOn, ...(retryOf === undefined ? {} : { retryOf }) },
  };
}

/** A person asks for the cycle anew: on the first day that the notice allows. */
export async function newInstruction(ctx: Context, row: SubscriptionRow, cycle: CycleRow): Promise<Chosen | undefined> {
  const mandate = await mandateOf(ctx, row.id);
  if (!mandate || !isInstructed(mandate)) return undefined;
  const today = utcDayOf(now(ctx));
  const settleOn = settlementDay(today, today, noticeOf(mandate));
  return isPastEnd(row, settleOn) ? undefined : { row, cycle, kind: "manual", mandated: { mandate, settleOn } };
}

const isPastEnd = ({ cancelOn }: SubscriptionRow, settleOn: CivilDate): boolean =>
  cancelOn !== null && cancelOn <= settleOn;

function noticeOf({ providerType }: MandateRow): { min: number } {
  const { mandates } = providerFor(providerType).capabilities;
  if (mandates === false) throw new Error(`${providerType} keeps no mandates`);
  return mandates.noticeDays;
}

/** What the provider calls the newest instruction of the cycle that it has, where it has one. */
async function lastInstructionOf(ctx: Context, { id }: CycleRow): Promise<string | undefined> {
  const [last] = await ctx.db
    .select({ name: charges.providerTxId })
    .from(subscriptionTries)
    .innerJoin(charges, eq(charges.id, subscriptionTries.chargeId))
    .where(and(eq(subscriptionTries.cycleId, id), isNotNull(charges.providerTxId)))
    .orderBy(desc(subscriptionTries.number))
    .limit(1);
  return last?.name ?? undefined;
}
