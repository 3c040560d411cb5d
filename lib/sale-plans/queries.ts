import { and, asc, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { salePlanRates, salePlans } from "@/db/schema/sale-plans";
import type { Context } from "@/lib/context";
import { directionOf, offsetOf, type Paged } from "@/lib/http/pagination";
import type { RateRow } from "@/lib/sale-plans/rates";
import type { SalePlanFilters } from "@/lib/sale-plans/schema";

export type SalePlanRow = typeof salePlans.$inferSelect;

export interface SalePlan {
  row: SalePlanRow;
  /** All that ever were, oldest first. */
  rates: RateRow[];
}

const ownedBy = (ctx: Context): SQL => eq(salePlans.clientId, ctx.account.id);

export async function findSalePlan(ctx: Context, id: string, lock?: "update"): Promise<SalePlan | undefined> {
  const asked = ctx.db
    .select()
    .from(salePlans)
    .where(and(ownedBy(ctx), eq(salePlans.id, id)));
  const [row] = await (lock ? asked.for(lock) : asked);
  return row && (await withRates(ctx, [row]))[0];
}

export async function listSalePlans(ctx: Context, filters: SalePlanFilters): Promise<Paged<SalePlan>> {
  const where = and(
    ownedBy(ctx),
    filters.isDefault === undefined ? undefined : eq(salePlans.isDefault, filters.isDefault),
  );
  const order = directionOf(filters) === "asc" ? asc : desc;
  const rows = await ctx.db
    .select({ row: salePlans, totalItems: sql`count(*) over ()`.mapWith(Number) })
    .from(salePlans)
    .where(where)
    .orderBy(order(salePlans.createdAt), order(salePlans.id))
    .limit(filters.limit)
    .offset(offsetOf(filters));
  const items = await withRates(
    ctx,
    rows.map(({ row }) => row),
  );
  return { items, totalItems: rows[0]?.totalItems ?? (await ctx.db.$count(salePlans, where)) };
}

async function withRates(ctx: Context, rows: SalePlanRow[]): Promise<SalePlan[]> {
  const rates = await ratesOf(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ row, rates: rates.filter(({ planId }) => planId === row.id) }));
}

/** All rows of these plans. */
export async function ratesOf(ctx: Context, planIds: readonly string[]): Promise<RateRow[]> {
  if (planIds.length === 0) return [];
  return ctx.db
    .select()
    .from(salePlanRates)
    .where(and(eq(salePlanRates.clientId, ctx.account.id), inArray(salePlanRates.planId, [...planIds])))
    .orderBy(asc(salePlanRates.id));
}

/** For a choice: the plans that sellers can have. */
export const plansToChoose = (ctx: Context): Promise<Pick<SalePlanRow, "id" | "name" | "isDefault">[]> =>
  ctx.db
    .select({ id: salePlans.id, name: salePlans.name, isDefault: salePlans.isDefault })
    .from(salePlans)
    .where(and(ownedBy(ctx), eq(salePlans.status, "active")))
    .orderBy(desc(salePlans.isDefault), asc(salePlans.name), asc(salePlans.id))
    .limit(MOST_CHOICES);

const MOST_CHOICES = 200;

const NUMBER_OF_SELLERS = sql`(
  select count(*) from sellers s where s.client_id = ${salePlans.clientId} and s.deleted_at is null
     and (s.plan_id = ${salePlans.id} or s.plan_id is null and ${salePlans.isDefault}))`;

export type PlanWithSellers = SalePlanRow & { sellers: number };
/** Of a plan after which a page begins. */
export type PlanPosition = Pick<SalePlanRow, "id" | "name" | "isDefault">;

/** With how many sellers pay by each: the default first, then by name. */
export async function plansWithSellers(
  ctx: Context,
  { after, limit = MOST_CHOICES }: { after?: PlanPosition | undefined; limit?: number } = {},
): Promise<{ items: PlanWithSellers[]; next: PlanPosition | undefined }> {
  const { id, name, isDefault } = salePlans;
  const beyond =
    after &&
    sql`(not ${isDefault}, ${name}, ${id}) > (${!after.isDefault}::boolean, ${after.name}::text, ${after.id}::uuid)`;
  const rows = await ctx.db
    .select({ row: salePlans, sellers: NUMBER_OF_SELLERS.mapWith(Number) })
    .from(salePlans)
    .where(and(ownedBy(ctx), beyond))
    .orderBy(desc(isDefault), asc(name), asc(id))
    .limit(limit + 1);
  const items = rows.slice(0, limit).map(({ row, sellers }) => ({ ...row, sellers }));
  return { items, next: rows.length > limit ? items.at(-1) : undefined };
}
