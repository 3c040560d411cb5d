import { and, asc, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { vendors } from "@/db/schema/vendors";
import type { Context } from "@/lib/context";
import { directionOf, offsetOf, type Paged } from "@/lib/http/pagination";
import type { VendorFilters } from "@/lib/vendors/schema";

export type VendorRow = typeof vendors.$inferSelect;

const live = (ctx: Context): SQL | undefined => and(eq(vendors.clientId, ctx.account.id), isNull(vendors.deletedAt));

/** One that exists; locked it stays as it is until the transaction ends. */
export async function findVendor(ctx: Context, id: string, lock?: "update"): Promise<VendorRow | undefined> {
  const asked = ctx.db
    .select()
    .from(vendors)
    .where(and(live(ctx), eq(vendors.id, id)));
  const [row] = await (lock ? asked.for(lock) : asked);
  return row;
}

export async function listVendors(ctx: Context, filters: VendorFilters): Promise<Paged<VendorRow>> {
  const where = and(
    live(ctx),
    filters.referenceId === undefined ? undefined : eq(vendors.referenceId, filters.referenceId),
  );
  const order = directionOf(filters) === "asc" ? asc : desc;
  const rows = await ctx.db
    .select({ row: vendors, totalItems: sql`count(*) over ()`.mapWith(Number) })
    .from(vendors)
    .where(where)
    .orderBy(order(vendors.createdAt), order(vendors.id))
    .limit(filters.limit)
    .offset(offsetOf(filters));
  return {
    items: rows.map(({ row }) => row),
    totalItems: rows[0]?.totalItems ?? (await ctx.db.$count(vendors, where)),
  };
}

/** All of them, a page at a time, the newest first. */
export async function vendorsAfter(
  ctx: Context,
  { after, limit }: { after: VendorRow | undefined; limit: number },
): Promise<{ items: VendorRow[]; next: VendorRow | undefined }> {
  const { createdAt, id } = vendors;
  const beyond =
    after && sql`(${createdAt}, ${id}) < (${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`;
  const rows = await ctx.db
    .select()
    .from(vendors)
    .where(and(live(ctx), beyond))
    .orderBy(desc(createdAt), desc(id))
    .limit(limit + 1);
  const items = rows.slice(0, limit);
  return { items, next: rows.length > limit ? items.at(-1) : undefined };
}
