import { and, eq, isNull } from "drizzle-orm";
import { cards, customers } from "@/db/schema/customers";
import { updateReturning } from "@/db/statements";
import { changedRow, storedRow, withoutNulls } from "@/db/stored";
import { change, insertion, type Write, writeTogether } from "@/db/writes";
import { audit } from "@/lib/audit";
import { type CardRow, findCard, findCardOrGone } from "@/lib/cards/queries";
import { cardBody } from "@/lib/cards/schema";
import { serializeCard } from "@/lib/cards/serializer";
import { type Context, now, publicKeyOf } from "@/lib/context";
import { DomainError, notFound } from "@/lib/errors";
import { emission, emit } from "@/lib/events";
import { newId } from "@/lib/ids";
import type { TokenRow } from "@/lib/tokens/service";

export type { CardRow } from "@/lib/cards/queries";

export interface NewCardState {
  /** Given when something must know the card before it is written. */
  id?: string;
  status: CardRow["status"];
  statusReason?: string;
  cvvChecked?: boolean;
}

/** Saves the card of a token that was taken, in the caller's transaction. */
export async function cardFromToken(ctx: Context, token: TokenRow, state: NewCardState): Promise<CardRow> {
  const { card, write } = newCardOf(ctx, token, state);
  await writeTogether(ctx.db, [write]);
  if (card.status !== "pending") await tell(ctx, card);
  return card;
}

/** The same as a write of the caller's statement; nothing is told of it. */
export function newCardOf(ctx: Context, token: TokenRow, state: NewCardState): { card: CardRow; write: Write } {
  const { vaultId, cardHolderName, brand, first6digits, last4digits, expirationMonth, expirationYear, fingerprint } =
    token;
  const at = now(ctx);
  const card = storedRow(cards, {
    id: state.id ?? newId(),
    clientId: ctx.account.id,
    status: state.status,
    statusReason: state.statusReason ?? null,
    cvvChecked: state.cvvChecked ?? false,
    vaultId: required(vaultId),
    cardHolderName: required(cardHolderName),
    brand: required(brand),
    first6digits: required(first6digits),
    last4digits: required(last4digits),
    expirationMonth: required(expirationMonth),
    expirationYear: required(expirationYear),
    fingerprint: required(fingerprint),
    createdByKey: publicKeyOf(ctx) ?? null,
    createdAt: at,
    updatedAt: at,
  });
  return { card, write: insertion(cards, withoutNulls(card)) };
}

function required(value: string | null): string {
  if (value === null) throw new Error("a token of kind card carries all members of a card");
  return value;
}

/** active and failed are reached once and for good, so the event is always the card's first. */
const tell = (ctx: Context, card: CardRow): Promise<unknown> =>
  emit(ctx, { ...newsOf(card), previous: { version: 0, at: null } });

const newsOf = (card: CardRow) => ({
  object: "card",
  event: card.status,
  entityId: card.id,
  data: cardBody.parse(serializeCard(card)),
});

/** The card a payment names: refused when nobody can pay with it. */
export async function usableCard(ctx: Context, cardId: string): Promise<CardRow> {
  return usable(await findCardOrGone(ctx, cardId));
}

export function usable(card: CardRow | undefined): CardRow {
  if (!card) throw new DomainError("card_not_found", "the card does not exist");
  if (card.deletedAt || card.status === "failed") throw new DomainError("card_not_usable", "the card cannot be used");
  return card;
}

/** For a card's own path: unknown, deleted and another client's are alike. */
export async function getCard(ctx: Context, id: string): Promise<CardRow> {
  const card = await findCard(ctx, id);
  if (!card) throw notFound("card");
  return card;
}

/** A first refusal with one of these tells that the number will never work (spec/contract.md 6.2). */
const FATAL: ReadonlySet<string> = new Set([
  "invalid_number",
  "lost_card",
  "stolen_card",
  "pickup_card",
  "fraud_confirmed",
]);

/** What a first approval makes of a card that the caller knows, as writes of the caller's statement. */
export function firstApproval(ctx: Context, card: CardRow, cvvChecked: boolean): Write[] {
  if (card.status !== "pending") return [];
  const updatedAt = now(ctx);
  const changes = { status: "active", statusReason: null, updatedAt, ...(cvvChecked ? { cvvChecked } : {}) } as const;
  const active = changedRow(cards, card, changes);
  const pending = { clientId: ctx.account.id, id: card.id, status: "pending" } as const;
  const { write } = emission(ctx, newsOf(active), { version: 0, at: null }, FIRST_ANSWER);
  return [change(cards, changes, pending, { as: FIRST_ANSWER }), write];
}

const FIRST_ANSWER = "first_answer";

export type CardAnswer = { kind: "approved"; cvvChecked?: boolean } | { kind: "declined"; code: string };

/** What a provider's answer makes of a pending card; a card that is settled stays as it is. */
export async function markFirstAnswer(ctx: Context, cardId: string, answer: CardAnswer): Promise<CardRow | undefined> {
  const updatedAt = now(ctx);
  if (answer.kind === "approved") {
    const cvv = answer.cvvChecked ? { cvvChecked: true } : {};
    const changes = { status: "active", statusReason: null, updatedAt, ...cvv } as const;
    const pending = { clientId: ctx.account.id, id: cardId, status: "pending" } as const;
    const [card] = await updateReturning(ctx.db, cards, changes, pending);
    if (card) await tell(ctx, card);
    return card;
  }
  const isPending = and(eq(cards.clientId, ctx.account.id), eq(cards.id, cardId), eq(cards.status, "pending"));
  // The reason of a first refusal stays on the pending card: it tells that any later one is not the first.
  const isFirst = and(isPending, isNull(cards.statusReason));
  if (FATAL.has(answer.code))
    return settleCardCheck(ctx, { status: "failed", statusReason: answer.code, updatedAt }, isFirst);
  await ctx.db.update(cards).set({ statusReason: answer.code, updatedAt }).where(isFirst);
  return undefined;
}

/** Ends pending by compare-and-set, and says so once. */
export async function settleCardCheck(
  ctx: Context,
  change: Partial<typeof cards.$inferInsert>,
  where: ReturnType<typeof and>,
): Promise<CardRow | undefined> {
  const [card] = await ctx.db.update(cards).set(change).where(where).returning();
  if (card) await tell(ctx, card);
  return card;
}

/** The card is unlinked; subscriptions that use it fail at their next cycle. */
export async function deleteCard(ctx: Context, id: string): Promise<void> {
  const card = await getCard(ctx, id);
  const at = now(ctx);
  if (card.customerId) {
    await ctx.db
      .update(customers)
      .set({ defaultCardId: null, updatedAt: at })
      .where(and(eq(customers.id, card.customerId), eq(customers.defaultCardId, id)));
  }
  await ctx.db
    .update(cards)
    .set({ customerId: null, linkedAt: null, deletedAt: at, deletedReason: "deleted by the client", updatedAt: at })
    .where(and(eq(cards.clientId, ctx.account.id), eq(cards.id, id)));
  await audit(ctx, { action: "card.delete", object: "card", objectId: id });
}
