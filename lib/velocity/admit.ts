import { and, asc, eq, gt, isNotNull, sql } from "drizzle-orm";
import { cardTries } from "@/db/schema/captcha";
import { charges } from "@/db/schema/charges";
import { cards } from "@/db/schema/customers";
import { purchasePayments } from "@/db/schema/purchases";
import { type Context, now } from "@/lib/context";
import type { RequestError } from "@/lib/errors";
import { tooMany } from "@/lib/http/rate-limit";
import { newId } from "@/lib/ids";
import { addSeconds } from "@/lib/time";
import { type CardsStanding, linksOf, standingNow } from "@/lib/velocity/check";
import { LIMITS } from "@/lib/velocity/limits";
import { protectionOf } from "@/lib/velocity/protection";
import { type CardSubject, counted } from "@/lib/velocity/subject";

/** A card that is checked and charged nothing stands where its charge would. */
export type AdmittedPayment = { chargeId: string } | { purchaseId: string } | { cardId: string };

/** What of a card is counted. */
interface Tried {
  fingerprint: string;
  bin: string;
  slotIndex: number | null;
}

/** How long whoever is refused here is told to wait; the page says more (`Standing.retryAfterSeconds`). */
const WAIT_SECONDS: Readonly<Record<Exclude<CardsStanding, "open">, number>> = {
  visit_closed: LIMITS.visit.withinSeconds,
  too_many: LIMITS.address.withinSeconds,
  card_overused: LIMITS.card.withinSeconds,
  paused: LIMITS.merchant.withinSeconds,
};

export const cardsClosed = (standing: Exclude<CardsStanding, "open">, seconds?: number): RequestError =>
  tooMany(seconds ?? WAIT_SECONDS[standing]);

/**
 * Writes down the cards of a payment that was just accepted, in its transaction, unless a limit is reached: then it
 * throws, and nothing of the payment remains. Requests of one visit, address or card wait for each other here, so a
 * thousand at the same moment are counted like a thousand in a row.
 */
export async function admitCards(ctx: Context, subject: CardSubject, payment: AdmittedPayment): Promise<void> {
  const of = counted(subject);
  const { key: _key, ...place } = of;
  const tried = await triedBy(ctx, payment);
  if (tried.length === 0) return;
  const isCheck = "cardId" in payment && subject.isOfSubscription === true;
  await lock(ctx, [
    `visit:${of.visit}`,
    `ip:${of.ip}`,
    ...(isCheck ? [`link:${of.sessionId}`] : []),
    ...tried.map(({ fingerprint }) => `card:${fingerprint}`),
  ]);
  const { isOn, limits } = await protectionOf(ctx);
  if (isOn) {
    const standing = await standingNow(ctx, of, limits);
    if (standing !== "open") throw cardsClosed(standing);
    const { tried: most, withinSeconds } = LIMITS.subscription;
    if (isCheck && (await triesOn(ctx, of.sessionId, withinSeconds)) >= most) {
      throw cardsClosed("visit_closed", withinSeconds);
    }
    for (const { fingerprint } of tried) {
      if ((await linksOf(ctx, fingerprint, of.sessionId)) >= limits.card.sessions) throw cardsClosed("card_overused");
    }
  }
  const at = now(ctx);
  await ctx.db
    .insert(cardTries)
    .values(
      tried.map((card) => ({ id: newId(), clientId: ctx.account.id, ...place, ...placeOf(payment), ...card, at })),
    );
}

const triesOn = (ctx: Context, sessionId: string, withinSeconds: number): Promise<number> =>
  ctx.db.$count(
    cardTries,
    and(
      eq(cardTries.clientId, ctx.account.id),
      eq(cardTries.sessionId, sessionId),
      gt(cardTries.at, addSeconds(now(ctx), -withinSeconds)),
    ),
  );

const placeOf = (payment: AdmittedPayment) => ("cardId" in payment ? { chargeId: payment.cardId } : payment);

function triedBy(ctx: Context, payment: AdmittedPayment): Promise<Tried[]> {
  if ("cardId" in payment) return checkedCard(ctx, payment.cardId);
  return "chargeId" in payment ? cardOf(ctx, payment.chargeId) : cardsOf(ctx, payment.purchaseId);
}

/** How the check of a card ended: no payment's trigger tells it. */
export const endCardCheck = (
  ctx: Context,
  cardId: string,
  outcome: "approved" | "declined" | "other",
): Promise<unknown> =>
  ctx.db
    .update(cardTries)
    .set({ outcome })
    .where(and(eq(cardTries.clientId, ctx.account.id), eq(cardTries.chargeId, cardId)));

/** Always in the same order, so that two payments never wait for each other. */
async function lock(ctx: Context, keys: readonly string[]): Promise<void> {
  for (const key of [...new Set(keys)].sort()) {
    await ctx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${ctx.account.id}:${key}`}, 0))`);
  }
}

const CARD = { fingerprint: cards.fingerprint, bin: cards.first6digits };

async function checkedCard(ctx: Context, cardId: string): Promise<Tried[]> {
  const rows = await ctx.db
    .select(CARD)
    .from(cards)
    .where(and(eq(cards.clientId, ctx.account.id), eq(cards.id, cardId)));
  return rows.map((card) => ({ ...card, slotIndex: null }));
}

async function cardOf(ctx: Context, chargeId: string): Promise<Tried[]> {
  const rows = await ctx.db
    .select(CARD)
    .from(charges)
    .innerJoin(cards, eq(cards.id, charges.cardId))
    .where(and(eq(charges.clientId, ctx.account.id), eq(charges.id, chargeId)));
  return rows.map((card) => ({ ...card, slotIndex: null }));
}

const cardsOf = (ctx: Context, purchaseId: string): Promise<Tried[]> =>
  ctx.db
    .select({ ...CARD, slotIndex: purchasePayments.slotIndex })
    .from(purchasePayments)
    .innerJoin(cards, eq(cards.id, purchasePayments.cardId))
    .where(
      and(
        eq(purchasePayments.clientId, ctx.account.id),
        eq(purchasePayments.purchaseId, purchaseId),
        isNotNull(purchasePayments.cardId),
      ),
    )
    .orderBy(asc(purchasePayments.slotIndex));
