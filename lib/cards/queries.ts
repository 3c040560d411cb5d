import { and, asc, desc, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { transactionRequests } from "@/db/schema/charges";
import { cards } from "@/db/schema/customers";
import { findRows } from "@/db/statements";
import type { CardFilters } from "@/lib/cards/schema";
import { type Context, publicKeyOf } from "@/lib/context";
import { directionOf, offsetOf, type Page, type Paged } from "@/lib/http/pagination";

export type CardRow = typeof cards.$inferSelect;

const ownedBy = (ctx: Context): SQL => eq(cards.clientId, ctx.account.id);

/** A session's key has the cards of the buyer it is bound to, too. */
const createdBy = (ctx: Context): SQL | undefined => {
  const key = publicKeyOf(ctx);
  if (key === undefined) return undefined;
  const own = eq(cards.createdByKey, key);
  const bound = ctx.principal.kind === "session" ? ctx.principal.customerId : null;
  return bound === null ? own : or(own, eq(cards.customerId, bound));
};

/** A session's key reaches what it created; every other key all cards of its account. */
const reachable = (ctx: Context): SQL | undefined =>
  and(ownedBy(ctx), isNull(cards.deletedAt), ctx.principal.kind === "session" ? createdBy(ctx) : undefined);

export async function findCard(ctx: Context, id: string): Promise<CardRow | undefined> {
  if (ctx.principal.kind !== "session") {
    const [known] = await findRows(ctx.db, cards, { clientId: ctx.account.id, id, deletedAt: null });
    return known;
  }
  const [row] = await ctx.db
    .select()
    .from(cards)
    .where(and(reachable(ctx), eq(cards.id, id)));
  return row;
}

/** Deleted cards included: what tells a card that is no longer usable from one that never was. */
export async function findCardOrGone(ctx: Context, id: string): Promise<CardRow | undefined> {
  if (ctx.principal.kind !== "session") {
    const [known] = await findRows(ctx.db, cards, { clientId: ctx.account.id, id });
    return known;
  }
  const [row] = await ctx.db
    .select()
    .from(cards)
    .where(and(ownedBy(ctx), eq(cards.id, id), createdBy(ctx)));
  return row;
}

export const listCards = (ctx: Context, filters: CardFilters): Promise<Paged<CardRow>> =>
  pageOf(ctx, filters, [
    filters.customerId ? eq(cards.customerId, filters.customerId) : undefined,
    filters.fingerprint === undefined ? undefined : eq(cards.fingerprint, filters.fingerprint),
    filters.status ? inArray(cards.status, filters.status) : undefined,
  ]);

export const cardsOf = (ctx: Context, customerId: string, page: Page): Promise<Paged<CardRow>> =>
  pageOf(ctx, page, [eq(cards.customerId, customerId)]);

export const allCardsOf = (ctx: Context, customerId: string): Promise<CardRow[]> =>
  ctx.db
    .select()
    .from(cards)
    .where(and(ownedBy(ctx), isNull(cards.deletedAt), createdBy(ctx), eq(cards.customerId, customerId)))
    .orderBy(desc(cards.createdAt), desc(cards.id));

async function pageOf(ctx: Context, page: Page, conditions: (SQL | undefined)[]): Promise<Paged<CardRow>> {
  const where = and(ownedBy(ctx), isNull(cards.deletedAt), createdBy(ctx), ...conditions);
  const order = directionOf(page) === "asc" ? asc : desc;
  const rows = await ctx.db
    .select({ row: cards, totalItems: sql`count(*) over ()`.mapWith(Number) })
    .from(cards)
    .where(where)
    .orderBy(order(cards.createdAt), order(cards.id))
    .limit(page.limit)
    .offset(offsetOf(page));
  // A page past the end carries no row that could tell the total.
  const totalItems = rows[0]?.totalItems ?? (await ctx.db.$count(cards, where));
  return { items: rows.map(({ row }) => row), totalItems };
}

export type CardCheckRow = typeof transactionRequests.$inferSelect;

/** The zero-amount checks of a card, newest first. */
export const cardChecksOf = (ctx: Context, cardId: string): Promise<CardCheckRow[]> =>
  ctx.db
    .select()
    .from(transactionRequests)
    .where(and(eq(transactionRequests.clientId, ctx.account.id), eq(transactionRequests.cardId, cardId)))
    .orderBy(desc(transactionRequests.createdAt), desc(transactionRequests.id));
