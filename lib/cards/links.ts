import { and, eq, isNull } from "drizzle-orm";
import { cards, customers } from "@/db/schema/customers";
import { audit } from "@/lib/audit";
import { allCardsOf, cardsOf } from "@/lib/cards/queries";
import type { CardBody, CardLink, CustomerCardsQuery } from "@/lib/cards/schema";
import { serializeCard } from "@/lib/cards/serializer";
import { usableCard } from "@/lib/cards/service";
import { type Context, now } from "@/lib/context";
import { customerAt, demandOwn, lockCustomerAt } from "@/lib/customers/service";
import { DomainError, notFound } from "@/lib/errors";
import { envelope, pageQuery } from "@/lib/http/pagination";

/** Gives a card to a customer, once and for one customer; a repeat only changes the default. */
export async function linkCard(ctx: Context, customerId: string, link: CardLink): Promise<void> {
  const customer = await lockCustomerAt(ctx, customerId);
  if (link.default) demandOwn(ctx, customer);
  const card = await usableCard(ctx, link.cardId);
  const at = now(ctx);
  if (card.customerId !== customerId) {
    const [linked] = await ctx.db
      .update(cards)
      .set({ customerId, linkedAt: at, updatedAt: at })
      .where(
        and(
          eq(cards.clientId, ctx.account.id),
          eq(cards.id, card.id),
          isNull(cards.customerId),
          isNull(cards.deletedAt),
        ),
      )
      .returning({ id: cards.id });
    if (!linked) throw new DomainError("card_already_linked", "the card belongs to another customer");
  }
  if (link.default && customer.defaultCardId !== card.id) await setDefault(ctx, customerId, card.id);
}

const setDefault = (ctx: Context, customerId: string, defaultCardId: string | null): Promise<unknown> =>
  ctx.db
    .update(customers)
    .set({ defaultCardId, updatedAt: now(ctx) })
    .where(and(eq(customers.clientId, ctx.account.id), eq(customers.id, customerId)));

/** The card stays, without its customer. */
export async function unlinkCard(ctx: Context, customerId: string, cardId: string): Promise<void> {
  const customer = await lockCustomerAt(ctx, customerId);
  const [unlinked] = await ctx.db
    .update(cards)
    .set({ customerId: null, linkedAt: null, updatedAt: now(ctx) })
    .where(
      and(
        eq(cards.clientId, ctx.account.id),
        eq(cards.id, cardId),
        eq(cards.customerId, customerId),
        isNull(cards.deletedAt),
      ),
    )
    .returning({ id: cards.id });
  if (!unlinked) throw notFound("card");
  if (customer.defaultCardId === cardId) await setDefault(ctx, customerId, null);
  await audit(ctx, {
    action: "card.unlink",
    object: "card",
    objectId: cardId,
    before: { customerId },
    after: { customerId: null },
  });
}

export type CustomerCards = CardBody[] | ReturnType<typeof envelope<CardBody>>;

/** The bare array of all cards, newest first; with page or limit the usual list (spec/contract.md section 7). */
export async function listCustomerCards(
  ctx: Context,
  customerId: string,
  query: CustomerCardsQuery,
): Promise<CustomerCards> {
  await customerAt(ctx, customerId);
  if (query.page === undefined && query.limit === undefined) {
    return (await allCardsOf(ctx, customerId)).map((card) => serializeCard(card));
  }
  const page = { ...pageQuery.parse({}), ...withoutUndefined(query) };
  const { items, totalItems } = await cardsOf(ctx, customerId, page);
  return envelope(page, { items: items.map((card) => serializeCard(card)), totalItems });
}

const withoutUndefined = <T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  // Guarantee: entries that are undefined were taken out.
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
