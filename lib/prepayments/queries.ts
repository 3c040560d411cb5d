import { and, asc, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { prepaymentItems, prepayments } from "@/db/schema/prepayments";
import type { Context } from "@/lib/context";
import { directionOf, offsetOf, type Paged } from "@/lib/http/pagination";
import type { PrepaymentFilters } from "@/lib/prepayments/schema";

export type PrepaymentRow = typeof prepayments.$inferSelect;
export type ItemRow = typeof prepaymentItems.$inferSelect;
export interface Prepayment {
  row: PrepaymentRow;
  items: ItemRow[];
}

const owned = (ctx: Context): SQL => eq(prepayments.clientId, ctx.account.id);

export async function findPrepayment(ctx: Context, id: string, lock?: "update"): Promise<Prepayment | undefined> {
  const asked = ctx.db
    .select()
    .from(prepayments)
    .where(and(owned(ctx), eq(prepayments.id, id)));
  const [row] = await (lock ? asked.for(lock) : asked);
  return row && (await withItems(ctx, [row]))[0];
}

export async function listPrepayments(ctx: Context, filters: PrepaymentFilters): Promise<Paged<Prepayment>> {
  const where = and(owned(ctx), filters.status === undefined ? undefined : inArray(prepayments.status, filters.status));
  const order = directionOf(filters) === "asc" ? asc : desc;
  const rows = await ctx.db
    .select({ row: prepayments, totalItems: sql`count(*) over ()`.mapWith(Number) })
    .from(prepayments)
    .where(where)
    .orderBy(order(prepayments.createdAt), order(prepayments.id))
    .limit(filters.limit)
    .offset(offsetOf(filters));
  return {
    items: await withItems(
      ctx,
      rows.map(({ row }) => row),
    ),
    totalItems: rows[0]?.totalItems ?? (await ctx.db.$count(prepayments, where)),
  };
}

async function withItems(ctx: Context, rows: readonly PrepaymentRow[]): Promise<Prepayment[]> {
  if (rows.length === 0) return [];
  const items = await ctx.db
    .select()
    .from(prepaymentItems)
    .where(
      and(
        eq(prepaymentItems.clientId, ctx.account.id),
        inArray(
          prepaymentItems.prepaymentId,
          rows.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(asc(prepaymentItems.settlementDate), asc(prepaymentItems.receivableId));
  const of = new Map<string, ItemRow[]>(rows.map(({ id }) => [id, []]));
  for (const item of items) of.get(item.prepaymentId)?.push(item);
  return rows.map((row) => ({ row, items: of.get(row.id) ?? [] }));
}
