import { and, asc, count, desc, eq, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import { publicKeys } from "@/db/schema/accounts";
import type { Context } from "@/lib/context";
import { directionOf, offsetOf, type Page, type Paged } from "@/lib/http/pagination";
import { realNow } from "@/lib/time";

export type PublicKeyRow = typeof publicKeys.$inferSelect;

/** Lifetimes of keys run on real time, whatever the account's clock says (spec/sandbox.md section 7). */
export const liveKeyOf = (ctx: Context): SQL | undefined =>
  and(
    eq(publicKeys.clientId, ctx.account.id),
    // A session's key ends with its session and is not managed here.
    isNull(publicKeys.sessionId),
    isNull(publicKeys.revokedAt),
    or(isNull(publicKeys.expiresAt), gt(publicKeys.expiresAt, realNow())),
  );

export async function listPublicKeys(ctx: Context, page: Page): Promise<Paged<PublicKeyRow>> {
  const order = directionOf(page) === "asc" ? asc : desc;
  const rows = await ctx.db
    .select({ row: publicKeys, totalItems: sql`count(*) over ()`.mapWith(Number) })
    .from(publicKeys)
    .where(liveKeyOf(ctx))
    .orderBy(order(publicKeys.createdAt), order(publicKeys.publicKey))
    .limit(page.limit)
    .offset(offsetOf(page));
  return { items: rows.map(({ row }) => row), totalItems: rows[0]?.totalItems ?? (await countPublicKeys(ctx)) };
}

/** A page past the end carries no row that could tell the total. */
async function countPublicKeys(ctx: Context): Promise<number> {
  const [row] = await ctx.db.select({ total: count() }).from(publicKeys).where(liveKeyOf(ctx));
  return row?.total ?? 0;
}

export async function findPublicKey(ctx: Context, publicKey: string): Promise<PublicKeyRow | undefined> {
  const [row] = await ctx.db
    .select()
    .from(publicKeys)
    .where(and(liveKeyOf(ctx), eq(publicKeys.publicKey, publicKey)));
  return row;
}
