import { addDays } from "@/lib/brazil/bank-calendar";
import { type CardRow, findCard } from "@/lib/cards/queries";
import { type Context, inTransaction, now } from "@/lib/context";
import { schedule, unschedule } from "@/lib/due-jobs/schedule";
import { cycleDueOn, lastRetryDay, utcDayOf } from "@/lib/subscriptions/calendar";
import { isAuthorized, writeCardExpires, writeLastTry, writeTrialEnds } from "@/lib/subscriptions/letters";
import { isCharged, isOver } from "@/lib/subscriptions/machine";
import { type CycleRow, findCycle, lockSubscription, type SubscriptionRow, viewOf } from "@/lib/subscriptions/queries";

/** Buyers are written in the morning in São Paulo: 9:00 there. */
const REMINDED_AT = "T12:00:00.000Z";
const remindedAt = (day: string): Date => new Date(`${day}${REMINDED_AT}`);

const TRIAL_DAYS = 3;
/** Before the last day of the card. */
const CARD_DAYS: readonly number[] = [30, 7];

/** Three days before, where so many are left. */
export async function remindOfTrial(ctx: Context, { id, trialEndAt }: SubscriptionRow): Promise<void> {
  if (trialEndAt === null) return;
  const at = remindedAt(addDays(trialEndAt, -TRIAL_DAYS));
  if (at > now(ctx)) await schedule(ctx, "trial.reminder", id, at);
}

/** Of the job `trial.reminder`. */
export const trialReminderDue = (ctx: Context, subscriptionId: string): Promise<void> =>
  inTransaction(ctx, async (inside) => {
    const row = await lockSubscription(inside, subscriptionId);
    const isSoon = row.trialEndAt !== null && row.trialEndAt > utcDayOf(now(inside));
    if (row.status !== "trialing" || !isSoon || endsBy(row, row.startAt)) return;
    if (row.method === "credit" || (await isAuthorized(inside, row))) await writeTrialEnds(inside, row);
  });

/** Nothing is charged on the day of a scheduled end, nor after it. */
const endsBy = ({ cancelOn }: SubscriptionRow, day: string): boolean => cancelOn !== null && cancelOn <= day;

/** The day before the policy's last date, when that is what is tried next. */
export async function remindOfLastTry(ctx: Context, cycle: CycleRow): Promise<void> {
  if (cycle.nextRetryOn === null || cycle.nextRetryOn !== lastRetryDay(cycle)) return;
  const at = remindedAt(addDays(cycle.nextRetryOn, -1));
  if (at > now(ctx)) await schedule(ctx, "subscription.last_try", cycle.id, at);
}

/** Of the job `subscription.last_try`. */
export const lastTryDue = (ctx: Context, cycleId: string): Promise<void> =>
  inTransaction(ctx, async (inside) => {
    const found = await findCycle(inside, cycleId);
    if (!found) return;
    const row = await lockSubscription(inside, found.subscriptionId);
    const cycle = await findCycle(inside, cycleId);
    // A bank is asked before that hour of the day before.
    const isOpen = cycle?.status === "retrying" || (row.method === "pix_automatic" && cycle?.status === "pending");
    if (!isOpen || !isCharged(row.status) || cycle.waitsForCard) return;
    const tomorrow = addDays(utcDayOf(now(inside)), 1);
    if (cycle.nextRetryOn !== tomorrow || endsBy(row, tomorrow)) return;
    if (cycle.nextRetryOn === lastRetryDay(cycle)) await writeLastTry(inside, row, cycle);
  });

/** At the next of the two days before the card's last one; with another card, of that one. */
export async function remindOfCard(ctx: Context, row: SubscriptionRow): Promise<void> {
  const card = isOver(row.status) || row.cardId === null ? undefined : await findCard(ctx, row.cardId);
  const next = card && CARD_DAYS.map((days) => remindedAt(addDays(lastDayOf(card), -days))).find((at) => at > now(ctx));
  if (next) await schedule(ctx, "subscription.card_expiry", row.id, next);
  else await unschedule(ctx, "subscription.card_expiry", row.id);
}

/** Of the job `subscription.card_expiry`. */
export const cardExpiryDue = (ctx: Context, subscriptionId: string): Promise<void> =>
  inTransaction(ctx, async (inside) => {
    const row = await lockSubscription(inside, subscriptionId);
    const card = isOver(row.status) || row.cardId === null ? undefined : await findCard(inside, row.cardId);
    if (!card) return;
    const until = lastDayOf(card);
    const today = utcDayOf(now(inside));
    const days = CARD_DAYS.find((before) => addDays(until, -before) === today);
    if (days !== undefined && (await lastDueOf(inside, row)) > until) await writeCardExpires(inside, row, until, days);
    await remindOfCard(inside, row);
  });

const ENDLESS = "9999-12-31";

async function lastDueOf(ctx: Context, row: SubscriptionRow): Promise<string> {
  if (row.nextDueOn === null) return row.startAt;
  const { anchors, counts } = await viewOf(ctx, row);
  const last = row.cycles === null ? ENDLESS : cycleDueOn(anchors, row.cycles + counts.canceled);
  // A scheduled end comes before any charge of its day.
  return row.cancelOn !== null && row.cancelOn <= last ? addDays(row.cancelOn, -1) : last;
}

/** Cards work until the end of the month they name. */
const lastDayOf = ({ expirationMonth, expirationYear }: CardRow): string =>
  new Date(Date.UTC(Number(expirationYear), Number(expirationMonth), 0)).toISOString().slice(0, 10);
