import { subscriptionAnchors, subscriptions } from "@/db/schema/subscriptions";
import { audit } from "@/lib/audit";
import type { CardRow } from "@/lib/cards/queries";
import { type Context, inTransaction, now, publicKeyOf } from "@/lib/context";
import { getCustomer } from "@/lib/customers/service";
import { schedule } from "@/lib/due-jobs/schedule";
import { DomainError, invalid } from "@/lib/errors";
import type { StoredAnswer } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { answerOf, CREATE_KIND, claimFor, finalAnswer } from "@/lib/subscriptions/answer";
import { beginOf, chargedAt, dayOf } from "@/lib/subscriptions/calendar";
import { amountOf, checkRules, requireCard, requireMerchant } from "@/lib/subscriptions/checks";
import { chooseFirst } from "@/lib/subscriptions/due";
import { announce } from "@/lib/subscriptions/moves";
import type { SubscriptionRow } from "@/lib/subscriptions/queries";
import type { NewSubscription } from "@/lib/subscriptions/schema";
import { startTry } from "@/lib/subscriptions/start";
import { addSeconds } from "@/lib/time";

/** What a dead process leaves is begun by a worker then. */
const LEFT_SECONDS = 60;

/**
 * Writes the subscription, and charges its first cycle while the client waits when it starts today (spec/contract.md
 * 17.4). A refused first charge is a valid answer: `lastCycle` shows it.
 */
export async function createSubscription(ctx: Context, input: NewSubscription): Promise<StoredAnswer> {
  const id = newId();
  const row = await inTransaction(ctx, (inside) => accept(inside, id, input));
  const { cvv } = input.paymentMethod.card;
  if (row.status === "created" && row.startAt <= dayOf(now(ctx))) await startTry(ctx, id, chooseFirst(), { cvv });
  return finalAnswer(ctx, (inside) => answerOf(inside, CREATE_KIND, { subscriptionId: id, cycleId: undefined }));
}

interface Days {
  startAt: string;
  trialEndAt: string | null;
}

/** What of the days is wrong, in the words of their members. */
function daysOf({ recurrence, trial }: NewSubscription, today: string): Days {
  if (trial && trial.endAt <= today) throw invalid("trial.endAt: must be after today");
  const { startAt = trial?.endAt ?? today } = recurrence;
  if (startAt < today) throw invalid("recurrence.startAt: must not be in the past");
  if (trial && startAt < trial.endAt) throw invalid("recurrence.startAt: must not be before the end of the trial");
  return { startAt, trialEndAt: trial?.endAt ?? null };
}

/** A browser's key pays with a card that it did not make only by showing its code, and so at once (rulings 19). */
function demandCode({ principal }: Context, card: CardRow, input: NewSubscription, isAtOnce: boolean): void {
  const isStranger = principal.kind === "public" && card.createdByKey !== principal.publicKey;
  if (!isStranger || (isAtOnce && input.paymentMethod.card.cvv !== undefined)) return;
  throw new DomainError("cvv_required", "another key saved this card: its CVV must be sent, with a start today");
}

async function accept(ctx: Context, id: string, input: NewSubscription): Promise<SubscriptionRow> {
  const { db, account } = ctx;
  const at = now(ctx);
  const today = dayOf(at);
  await claimFor(ctx, ctx, id);
  const { startAt, trialEndAt } = daysOf(input, today);
  const { merchantId, customerId, recurrence, paymentMethod, splitRules = [] } = input;
  const amount = amountOf(input.items);
  await requireMerchant(ctx, merchantId);
  await getCustomer(ctx, customerId);
  const card = await requireCard(ctx, paymentMethod.card.cardId, customerId);
  demandCode(ctx, card, input, trialEndAt === null && startAt === today);
  await checkRules(ctx, merchantId, amount, splitRules);
  const [row] = await db
    .insert(subscriptions)
    .values({
      id,
      clientId: account.id,
      merchantId,
      customerId,
      name: input.name,
      referenceKey: input.referenceKey ?? null,
      currency: input.currency,
      items: input.items,
      amount,
      interval: recurrence.interval,
      cycles: recurrence.cycles ?? null,
      startAt,
      trialEndAt,
      cardId: card.id,
      installments: paymentMethod.installments,
      splitRules,
      status: trialEndAt === null ? "created" : "trialing",
      nextDueOn: startAt,
      createdByKey: publicKeyOf(ctx) ?? null,
      createdAt: at,
      updatedAt: at,
    })
    .returning();
  if (!row) throw new Error("the subscription was not written");
  const { interval } = recurrence;
  await db
    .insert(subscriptionAnchors)
    .values({ clientId: account.id, subscriptionId: id, fromCycle: 1, startOn: startAt, interval });
  if (trialEndAt !== null) await schedule(ctx, "trial.ends", id, beginOf(trialEndAt));
  const isToday = trialEndAt === null && startAt === today;
  await schedule(ctx, "subscription.due", id, isToday ? addSeconds(at, LEFT_SECONDS) : chargedAt(startAt));
  await audit(ctx, { action: "subscription.create", object: "subscription", objectId: id, after: { amount } });
  const made = await announce(ctx, row, "created", { detail: { amount, interval } });
  return trialEndAt === null ? made : announce(ctx, made, "trial_started");
}
