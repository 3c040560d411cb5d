import { and, desc, eq } from "drizzle-orm";
import { cardAttempts } from "@/db/schema/customers";
import { subscriptionTries } from "@/db/schema/subscriptions";
import { brandOfName } from "@/lib/brazil/card-brand";
import { findCardOrGone } from "@/lib/cards/queries";
import { declinesOf } from "@/lib/charges/engine/failover";
import type { Charge } from "@/lib/charges/queries";
import { type Context, now } from "@/lib/context";
import { canRetry, type DeclinedAttempt, type RetryDecision, type RetryRefusal } from "@/lib/declines/can-retry";
import type { RetryClass } from "@/lib/declines/decline-codes";
import { mapDecline } from "@/lib/declines/decline-map";
import { type CycleRow, merchantOf, type SubscriptionRow } from "@/lib/subscriptions/queries";
import { OF_THE_DATA } from "@/lib/velocity/retry";

/**
 * Whether the networks let the subscription's card be tried again now: the cycle's tries with this card are one series,
 * and all charges of its number at this merchant count (spec/brazil.md section 7). Who types a number again that will
 * never be approved asks the same question; who may have corrected its data asks another.
 */
export async function allowanceOf(ctx: Context, row: SubscriptionRow, cycle: CycleRow): Promise<RetryDecision> {
  // Networks rule over cards alone.
  if (row.cardId === null) return { allowed: true };
  const [card, tries, declines] = [
    await findCardOrGone(ctx, row.cardId),
    await ctx.db
      .select({ chargeId: subscriptionTries.chargeId, cardId: subscriptionTries.cardId })
      .from(subscriptionTries)
      .where(eq(subscriptionTries.cycleId, cycle.id)),
    await declinesOf(ctx, { cardId: row.cardId, merchantId: merchantOf(row, cycle) }),
  ];
  const brand = brandOfName(card?.brand ?? "");
  const cardOf = new Map(tries.map(({ chargeId, cardId }) => [chargeId, cardId]));
  const isOwn = ({ series, retry, code }: DeclinedAttempt): boolean =>
    cardOf.get(series) === row.cardId ||
    (cardOf.has(series) && retry === "never" && !(code && OF_THE_DATA.has(mapDecline({ brand, code }).declinedCode)));
  const history = declines.map((one) => (isOwn(one) ? { ...one, series: cycle.id } : one));
  return canRetry(history, { brand, series: cycle.id, amount: cycle.amount ?? row.amount }, now(ctx));
}

/** Kept with the fact that retries are spent: the policy may have had days left. */
export type SpentReason = "card_refused" | "card_limit" | "retries_used";

/** Of a card that was declined too often, by a network's rules or our own. */
const OFTEN: ReadonlySet<RetryRefusal> = new Set(["network_wait", "visa_30_days_over", "network_limit", "own_ceiling"]);

export const spentBy = (reason: RetryRefusal): SpentReason => (OFTEN.has(reason) ? "card_limit" : "card_refused");

/**
 * Nothing that an issuer said: our own side, mended without the buyer; or a payment that never came to be, which no
 * other provider may be asked for and a later try may (spec/contract.md 22.5).
 */
const NOT_OF_THE_CARD: ReadonlySet<string> = new Set(["invalid_credentials", "timeout"]);

/** What the decline of a charge says about trying again. */
export async function retryClassOf(ctx: Context, { row, attempts, paidWith }: Charge): Promise<RetryClass> {
  const [counted] = await ctx.db
    .select({ retry: cardAttempts.retry })
    .from(cardAttempts)
    .where(
      and(
        eq(cardAttempts.clientId, ctx.account.id),
        eq(cardAttempts.fingerprint, paidWith?.fingerprint ?? ""),
        eq(cardAttempts.merchantId, row.merchantId),
        eq(cardAttempts.series, row.id),
      ),
    )
    .orderBy(desc(cardAttempts.at), desc(cardAttempts.id))
    .limit(1);
  if (counted) return counted.retry;
  const error = attempts.find(({ providerError }) => providerError !== null)?.providerError;
  if (!error) return "later";
  return error.retryable || NOT_OF_THE_CARD.has(error.declinedCode) ? "later" : "never";
}
