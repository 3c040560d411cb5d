import { eq } from "drizzle-orm";
import { type Interval, type Replaced, subscriptionAnchors, type subscriptions } from "@/db/schema/subscriptions";
import { audit } from "@/lib/audit";
import { type Context, inTransaction, now } from "@/lib/context";
import { schedule, unschedule } from "@/lib/due-jobs/schedule";
import { DomainError, invalid } from "@/lib/errors";
import { newestAnchor } from "@/lib/subscriptions/anchors";
import { beginOf, utcDayOf } from "@/lib/subscriptions/calendar";
import { amountOfItems, checkRules, requireCard, requireMerchant } from "@/lib/subscriptions/checks";
import { isOver } from "@/lib/subscriptions/machine";
import {
  announceSubscription,
  cancelSubscription,
  changeSubscription,
  moveCycle,
  moveSubscription,
  replan,
} from "@/lib/subscriptions/moves";
import {
  countsOf,
  getSubscription,
  lockSubscription,
  oldestOf,
  openCycleOf,
  type SubscriptionRow,
  type SubscriptionView,
  viewOf,
} from "@/lib/subscriptions/queries";
import { remindOfCard } from "@/lib/subscriptions/reminders";
import type { SubscriptionChanges } from "@/lib/subscriptions/schema";
import { chooseTriable } from "@/lib/subscriptions/service";
import { type Choose, type StartOptions, startTry } from "@/lib/subscriptions/start";

type Row = typeof subscriptions.$inferInsert;

/**
 * Changes hold from the next cycle that was not charged; another card is tried at once where a cycle waits for it.
 * `alongside` runs with that charge, and refuses the change with it.
 */
export async function updateSubscription(
  ctx: Context,
  id: string,
  input: SubscriptionChanges,
  { alongside }: Pick<StartOptions, "alongside"> = {},
): Promise<SubscriptionView> {
  let replaced: Replaced | undefined;
  const before = async (inside: Context): Promise<void> => {
    replaced = await changeWithin(inside, id, input);
  };
  // With the change: a process that died between the two would have left the new card untried.
  if (input.paymentMethod?.card) {
    const choose: Choose = async (inside, row) => {
      const chosen = replaced && (await chooseTriable(inside, row));
      return chosen && { ...chosen, replaced };
    };
    await startTry(ctx, id, choose, { before, alongside });
  } else await inTransaction(ctx, before);
  return inTransaction(ctx, async (inside) => viewOf(inside, await getSubscription(inside, id)));
}

/** Without the try of another card; answers what that takes the place of. */
export async function changeWithin(
  ctx: Context,
  id: string,
  input: SubscriptionChanges,
): Promise<Replaced | undefined> {
  const row = await lockSubscription(ctx, id);
  if (isOver(row.status)) {
    throw new DomainError("subscription_invalid_state", `a subscription that is ${row.status} does not change`);
  }
  if (input.trial?.endAt !== undefined && input.trial.endAt !== row.trialEndAt) {
    throw invalid("trial.endAt: cannot change");
  }
  if (row.method === "pix_automatic") refuseBesideMandate(row, input);
  const changes = await columnsOf(ctx, row, input);
  const isOtherCard = changes.cardId !== undefined && changes.cardId !== row.cardId;
  const replaced = isOtherCard ? await freeCycle(ctx, row) : undefined;
  let changed = await changeSubscription(ctx, row, changes);
  if (isOtherCard) await remindOfCard(ctx, changed);
  changed = await reanchor(ctx, changed, row, input.recurrence ?? {});
  changed = await replan(ctx, await recount(ctx, changed, input));
  changed = await plannedEnd(ctx, changed);
  const detail = { changed: Object.keys(input).filter((name) => input[name as keyof typeof input] !== undefined) };
  changed = await announceSubscription(ctx, changed, "updated", { detail });
  await audit(ctx, { action: "subscription.update", object: "subscription", objectId: id, after: detail });
  if (changed.cancelOn !== null && beginOf(changed.cancelOn) <= now(ctx)) {
    await cancelSubscription(ctx, changed, changed.scheduledCancellationReason ?? undefined);
  }
  return replaced;
}

/** What the buyer has authorized is not changed without the buyer. */
function refuseBesideMandate(
  row: SubscriptionRow,
  { items, merchantId, paymentMethod, recurrence }: SubscriptionChanges,
) {
  const fixed = (member: string) => invalid(`${member}: is fixed by the mandate; a new subscription has a new one`);
  if (paymentMethod) throw fixed("paymentMethod");
  if (items && amountOfItems(items) !== row.amount) throw fixed("items");
  if (merchantId !== undefined && merchantId !== row.merchantId) throw fixed("merchantId");
  if (recurrence?.interval !== undefined && recurrence.interval !== row.interval) throw fixed("recurrence.interval");
  if (recurrence?.startAt !== undefined && recurrence.startAt !== row.startAt) throw fixed("recurrence.startAt");
}

async function columnsOf(ctx: Context, row: SubscriptionRow, input: SubscriptionChanges): Promise<Partial<Row>> {
  const { name, referenceKey, items, splitRules, paymentMethod, cancelAtPeriodEnd } = input;
  const merchantId = input.merchantId ?? row.merchantId;
  const amount = items ? amountOfItems(items) : row.amount;
  if (input.merchantId) await requireMerchant(ctx, merchantId);
  const cardId = paymentMethod?.card?.cardId;
  if (cardId) await requireCard(ctx, cardId, row.customerId);
  // Guarantee: stored from the request schema's own output.
  const rules = splitRules ?? (row.splitRules as unknown as NonNullable<SubscriptionChanges["splitRules"]>);
  if (items || splitRules || input.merchantId) await checkRules(ctx, merchantId, amount, rules);
  const { scheduledCancellationAt: endsOn, scheduledCancellationReason: why } = input;
  if (endsOn && endsOn < utcDayOf(now(ctx))) throw invalid("scheduledCancellationAt: must not be in the past");
  return {
    ...(name === undefined ? {} : { name }),
    ...(referenceKey === undefined ? {} : { referenceKey }),
    ...(items ? { items, amount } : {}),
    ...(splitRules ? { splitRules } : {}),
    ...(input.merchantId ? { merchantId } : {}),
    ...(cardId ? { cardId } : {}),
    ...(paymentMethod?.installments === undefined ? {} : { installments: paymentMethod.installments }),
    ...(cancelAtPeriodEnd === undefined ? {} : { cancelAtPeriodEnd }),
    ...(endsOn === undefined ? {} : { scheduledCancellationAt: endsOn }),
    ...(why === undefined ? {} : { scheduledCancellationReason: why }),
  };
}

/** With another card nothing that was said of the old one stands. */
async function freeCycle(ctx: Context, row: SubscriptionRow): Promise<Replaced> {
  if (row.cardId === null) throw new Error("a card in place of none");
  const open = await openCycleOf(ctx, row.id);
  const { waitsForCard = false, nextRetryOn = null } = open ?? {};
  if (open && waitsForCard) {
    await moveCycle(ctx, open, undefined, { waitsForCard: false, nextRetryOn: utcDayOf(now(ctx)) });
  }
  return { cardId: row.cardId, waitsForCard, nextRetryOn };
}

interface Recurrence {
  interval?: Interval | undefined;
  startAt?: string | undefined;
  cycles?: number | undefined;
}

/** Another interval counts from the next due date, which stays; another start is possible until the first charge. */
async function reanchor(
  ctx: Context,
  row: SubscriptionRow,
  before: SubscriptionRow,
  { interval, startAt }: Recurrence,
): Promise<SubscriptionRow> {
  const { newest } = await countsOf(ctx, row.id);
  if (startAt !== undefined && startAt !== before.startAt) {
    if (newest > 0) throw invalid("recurrence.startAt: cannot change after the first charge");
    if (startAt < utcDayOf(now(ctx))) throw invalid("recurrence.startAt: must not be in the past");
    if (row.trialEndAt !== null && startAt < row.trialEndAt) {
      throw invalid("recurrence.startAt: must not be before the end of the trial");
    }
    await ctx.db
      .update(subscriptionAnchors)
      .set({ startOn: startAt })
      .where(eq(subscriptionAnchors.subscriptionId, row.id));
  }
  const isOther = interval !== undefined && interval !== before.interval;
  if (isOther) await newestAnchor(ctx, row, newest + 1, interval);
  return changeSubscription(ctx, row, {
    ...(startAt === undefined ? {} : { startAt }),
    ...(interval === undefined ? {} : { interval }),
  });
}

/** As many as are charged or waiting already are the least; exactly those, all paid, end it. */
async function recount(
  ctx: Context,
  row: SubscriptionRow,
  { recurrence }: SubscriptionChanges,
): Promise<SubscriptionRow> {
  const cycles = recurrence?.cycles;
  if (cycles === undefined) return row;
  const { newest, canceled, ended } = await countsOf(ctx, row.id);
  if (cycles < newest - canceled) throw invalid(`recurrence.cycles: must be at least ${newest - canceled}`);
  const changed = await changeSubscription(ctx, row, { cycles });
  const isDone =
    cycles === ended && ended === newest - canceled && (row.status === "active" || row.status === "paused");
  return isDone ? moveSubscription(ctx, changed, "cycles.completed") : changed;
}

/** A date that was given wins over the end of the period. */
async function plannedEnd(ctx: Context, row: SubscriptionRow): Promise<SubscriptionRow> {
  if (isOver(row.status)) return row;
  const periodEnd = row.status === "trialing" ? row.trialEndAt : row.nextDueOn;
  const cancelOn = row.scheduledCancellationAt ?? (row.cancelAtPeriodEnd ? periodEnd : null);
  if (cancelOn === null) await unschedule(ctx, "subscription.cancel", row.id);
  else await schedule(ctx, "subscription.cancel", row.id, beginOf(cancelOn));
  if (cancelOn === row.cancelOn) return row;
  // A bank is not asked for a day on or after the end: what was left out for the former one has its turn.
  if (await oldestOf(ctx, row.id, "scheduled")) await schedule(ctx, "subscription.due", row.id, now(ctx));
  return changeSubscription(ctx, row, { cancelOn });
}
