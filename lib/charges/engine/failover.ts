import { eq } from "drizzle-orm";
import { lookUp } from "@/db/look-up";
import { cardAttempts, cards } from "@/db/schema/customers";
import { brandOfName } from "@/lib/brazil/card-brand";
import { challengeOf } from "@/lib/charges/history";
import type { Charge, ChargeRow } from "@/lib/charges/queries";
import { type Context, inTransaction, now } from "@/lib/context";
import { canRetry, type DeclinedAttempt } from "@/lib/declines/can-retry";
import type { Step } from "@/lib/flows/rules/evaluate";
import { newId } from "@/lib/ids";
import type { AttemptRow } from "@/lib/payments/attempts";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import type { Decline } from "@/lib/providers/provider";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** The longest window any network counts in. */
const COUNTED_DAYS = 30;

interface Answer {
  decline?: Decline;
  /** It provably never left. */
  isUnsent: boolean;
}

/** Of an authorization's answer. A buyer who was sent to a challenge is not sent to another provider's. */
export async function alternativeTo(
  ctx: Context,
  charge: Charge,
  attempt: AttemptRow,
  answer: Answer,
): Promise<RoutedProvider | undefined> {
  if (attempt.kind !== "authorize" || challengeOf(charge)) return undefined;
  return nextProvider(ctx, charge, answer, untried(charge, attempt, answer));
}

/** Whether an authorization that does not leave at all is tried elsewhere. */
export function hasOther(charge: Charge, attempt: AttemptRow): boolean {
  if (attempt.kind !== "authorize" || challengeOf(charge)) return false;
  const other = untried(charge, attempt, { isUnsent: true });
  return other !== undefined && other.id !== attempt.providerId;
}

/** The first that was decided for the charge and has no attempt yet: whoever drives it comes to the same. */
function untried(charge: Charge, current: AttemptRow, answer: Answer): RoutedProvider | undefined {
  const { providers = [], attempts, steps } = charge;
  const authorizations = attempts.filter(({ kind }) => kind === "authorize");
  const tried = authorizations.map(({ providerId }) => providerId);
  const left = steps && afterDeclines(steps, authorizations.toReversed(), current, answer);
  const ids = left ? left.map(({ id }) => id) : providers.map(({ id }) => id);
  return ids.flatMap((id) => providers.filter((one) => one.id === id)).find(({ id }) => !tried.includes(id));
}

/** What is left of a flow's order when its providers answered like this, the oldest attempt first. */
function afterDeclines(
  steps: readonly Step[],
  attempts: readonly AttemptRow[],
  current: AttemptRow,
  { decline }: Answer,
): readonly Step[] {
  let left = steps;
  for (const { id, providerId, providerError } of attempts) {
    const place = left.findIndex((step) => step.id === providerId);
    if (place < 0) continue;
    const code = id === current.id ? decline?.declinedCode : providerError?.declinedCode;
    left = left[place]?.on?.[code ?? ""] ?? left.slice(place + 1);
  }
  return left;
}

/**
 * The provider to try after this answer, if there is one to try: after a call that provably never left, or a decline
 * that allows it within the networks' limits over all providers (spec/brazil.md section 7). Never after an unknown one.
 */
async function nextProvider(
  ctx: Context,
  charge: Charge,
  { decline, isUnsent }: Answer,
  other: RoutedProvider | undefined,
): Promise<RoutedProvider | undefined> {
  if (!other || isUnsent) return other;
  if (!decline || (decline.retry !== "later" && decline.retry !== "now")) return undefined;
  const { row } = charge;
  const history = [...(await declinesOf(ctx, row)), declinedNow(ctx, row, decline)];
  const candidate = { brand: brandOfName(charge.brand ?? ""), series: row.id, amount: row.amount };
  return canRetry(history, candidate, now(ctx)).allowed ? other : undefined;
}

const declinedNow = (ctx: Context, row: ChargeRow, decline: Decline): DeclinedAttempt => ({
  at: now(ctx),
  retry: decline.retry,
  series: row.id,
  amount: row.amount,
  code: decline.networkResponseCode,
  mac: decline.networkAdviceCode,
  notBeforeSeconds: decline.retryNotBefore
    ? (new Date(decline.retryNotBefore).getTime() - now(ctx).getTime()) / 1000
    : undefined,
});

/** In one round trip: $2 card, $3 merchant, $4 since when. */
const lookUpDeclines = lookUp({
  counted: [
    cardAttempts,
    `fingerprint = (select c.fingerprint from cards c where c.client_id = who.client_id and c.id = $2::uuid)
       and merchant_id = $3::uuid and at >= $4::timestamptz`,
  ],
});

/** What the networks count against a card at a merchant, over all its charges and providers. */
export async function declinesOf(
  ctx: Context,
  row: Pick<ChargeRow, "cardId" | "merchantId">,
): Promise<DeclinedAttempt[]> {
  const cardId = row.cardId;
  if (!cardId) return [];
  const since = addSeconds(now(ctx), -COUNTED_DAYS * DAY_SECONDS);
  const look = ({ db, account }: Context) =>
    lookUpDeclines(db, account.id, [cardId, row.merchantId, since.toISOString()]);
  const { counted } = await (ctx.merchants ? inTransaction(ctx, look) : look(ctx));
  return counted.map((attempt) => ({
    at: attempt.at,
    retry: attempt.retry,
    series: attempt.series,
    amount: attempt.amount,
    code: attempt.code ?? undefined,
    mac: attempt.mac ?? undefined,
    notBeforeSeconds: attempt.notBefore ? (attempt.notBefore.getTime() - attempt.at.getTime()) / 1000 : undefined,
  }));
}

/** Writes the decline into the card's count, in the transaction that records its evidence. */
export async function countDecline(ctx: Context, row: ChargeRow, decline: Decline): Promise<void> {
  if (!row.cardId) return;
  const [card] = await ctx.db.select({ fingerprint: cards.fingerprint }).from(cards).where(eq(cards.id, row.cardId));
  if (!card) return;
  await ctx.db.insert(cardAttempts).values({
    id: newId(),
    clientId: ctx.account.id,
    fingerprint: card.fingerprint,
    merchantId: row.merchantId,
    series: row.id,
    amount: row.amount,
    retry: decline.retry,
    notBefore: decline.retryNotBefore ? new Date(decline.retryNotBefore) : null,
    code: decline.networkResponseCode ?? null,
    mac: decline.networkAdviceCode ?? null,
    at: now(ctx),
  });
}
