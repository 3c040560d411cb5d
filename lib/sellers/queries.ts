import { and, asc, desc, eq, inArray, isNull, or, type SQL } from "drizzle-orm";
import { providers } from "@/db/schema/merchants";
import { sellerDocuments, sellerRegistrations, sellerReviews, sellers } from "@/db/schema/sellers";
import { whereIdIn } from "@/db/where-id-in";
import { type Context, publicKeyOf } from "@/lib/context";
import { directionOf, offsetOf, type Page, type Paged } from "@/lib/http/pagination";
import { sellersNamed } from "@/lib/sellers/named";
import type { SellerFilters } from "@/lib/sellers/schema";

export type SellerRow = typeof sellers.$inferSelect;
export type RegistrationRow = typeof sellerRegistrations.$inferSelect;
export type ReviewRow = typeof sellerReviews.$inferSelect;

/** A seller with everything that is answered of it. */
export interface Seller {
  row: SellerRow;
  /** Oldest first. */
  registrations: RegistrationRow[];
  /** Ids. */
  documents: string[];
}

const live = (ctx: Context): SQL | undefined => and(eq(sellers.clientId, ctx.account.id), isNull(sellers.deletedAt));

export async function findSeller(ctx: Context, id: string, lock?: "update"): Promise<Seller | undefined> {
  const asked = ctx.db
    .select()
    .from(sellers)
    .where(and(live(ctx), eq(sellers.id, id)));
  const [row] = await (lock ? asked.for(lock) : asked);
  return row && (await withParts(ctx, [row]))[0];
}

/** Whom a merchant knows by this document, however it is written. */
export async function sellerWithDocument(ctx: Context, merchantId: string, typed: string): Promise<string | undefined> {
  const number = typed.replaceAll(/[^0-9A-Z]/gi, "").toUpperCase();
  const [row] = await ctx.db
    .select({ id: sellers.id })
    .from(sellers)
    .where(and(live(ctx), eq(sellers.documentNumber, number), eq(sellers.merchantId, merchantId)))
    .limit(1);
  return row?.id;
}

export async function listSellers(ctx: Context, filters: SellerFilters): Promise<Paged<Seller>> {
  const key = publicKeyOf(ctx);
  const where = and(
    live(ctx),
    key === undefined ? undefined : eq(sellers.createdByKey, key),
    filters.id ? eq(sellers.id, filters.id) : undefined,
    filters.merchantId ? eq(sellers.merchantId, filters.merchantId) : undefined,
    filters.status && inArray(sellers.status, filters.status),
    filters.email === undefined
      ? undefined
      : or(eq(sellers.ownerEmail, filters.email), eq(sellers.businessEmail, filters.email)),
  );
  const { items: ids, totalItems } =
    filters.businessName === undefined
      ? await pageOf(ctx, where, filters)
      : await sellersNamed(ctx, filters.businessName, where, filters);
  const rows = await ctx.db
    .select()
    .from(sellers)
    .where(and(live(ctx), whereIdIn(sellers.id, ids)))
    .orderBy(...inOrder(filters));
  return { items: await withParts(ctx, rows), totalItems };
}

const inOrder = (page: Page): SQL[] => [sellers.createdAt, sellers.id].map(directionOf(page) === "asc" ? asc : desc);

/** Ids alone, which the index of the list holds: what a page passes over is never read. */
async function pageOf({ db }: Context, where: SQL | undefined, page: Page): Promise<Paged<string>> {
  const rows = await db
    .select({ id: sellers.id })
    .from(sellers)
    .where(where)
    .orderBy(...inOrder(page))
    .limit(page.limit)
    .offset(offsetOf(page));
  return { items: rows.map(({ id }) => id), totalItems: await db.$count(sellers, where) };
}

async function withParts(ctx: Context, rows: SellerRow[]): Promise<Seller[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const registrations = await registrationsOf(ctx, ids);
  const documents = await ctx.db
    .select({ id: sellerDocuments.id, sellerId: sellerDocuments.sellerId })
    .from(sellerDocuments)
    .where(
      and(
        eq(sellerDocuments.clientId, ctx.account.id),
        inArray(sellerDocuments.sellerId, ids),
        isNull(sellerDocuments.deletedAt),
      ),
    )
    .orderBy(asc(sellerDocuments.createdAt), asc(sellerDocuments.id));
  return rows.map((row) => ({
    row,
    registrations: registrations.filter(({ sellerId }) => sellerId === row.id),
    documents: documents.flatMap(({ id, sellerId }) => (sellerId === row.id ? [id] : [])),
  }));
}

export const registrationsOf = (ctx: Context, sellerIds: readonly string[]): Promise<RegistrationRow[]> =>
  ctx.db
    .select()
    .from(sellerRegistrations)
    .where(and(eq(sellerRegistrations.clientId, ctx.account.id), inArray(sellerRegistrations.sellerId, [...sellerIds])))
    .orderBy(asc(sellerRegistrations.createdAt), asc(sellerRegistrations.id));

/** A provider where a seller is registered, as the account calls it. */
export interface SellerProvider {
  sellerId: string;
  registrationId: string;
  id: string;
  name: string;
  priority: number;
}

export const providersOfSellers = ({ db, account }: Context, sellerIds: readonly string[]): Promise<SellerProvider[]> =>
  db
    .select({
      sellerId: sellerRegistrations.sellerId,
      registrationId: sellerRegistrations.id,
      id: providers.id,
      name: providers.name,
      priority: providers.priority,
    })
    .from(sellerRegistrations)
    .innerJoin(providers, eq(providers.id, sellerRegistrations.providerId))
    .where(and(eq(sellerRegistrations.clientId, account.id), whereIdIn(sellerRegistrations.sellerId, sellerIds)));

/** Of one seller, newest first. */
export const reviewsOf = (ctx: Context, sellerId: string): Promise<ReviewRow[]> =>
  ctx.db
    .select()
    .from(sellerReviews)
    .where(and(eq(sellerReviews.clientId, ctx.account.id), eq(sellerReviews.sellerId, sellerId)))
    .orderBy(desc(sellerReviews.createdAt), desc(sellerReviews.id));
