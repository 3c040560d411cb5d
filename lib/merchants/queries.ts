import { and, asc, count, desc, eq, exists, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { equalsLiteral, isOneOf } from "@/db/literals";
import { charges } from "@/db/schema/charges";
import { merchants, providers } from "@/db/schema/merchants";
import { purchases } from "@/db/schema/purchases";
import { findRows } from "@/db/statements";
import type { Write } from "@/db/writes";
import type { Context } from "@/lib/context";
import { directionOf, offsetOf, type Paged } from "@/lib/http/pagination";
import type { MerchantFilters } from "@/lib/merchants/schema";
import type { ProviderRow } from "@/lib/payments/routing/provider";
import { type FeeRuleRow, feeRulesOf } from "@/lib/platform-fees/queries";

export type MerchantRow = typeof merchants.$inferSelect;

export interface MerchantView {
  merchant: MerchantRow;
  /** Live ones, first tried first. */
  providers: ProviderRow[];
  feeRules: FeeRuleRow[];
}

const live = (ctx: Context): SQL | undefined =>
  and(eq(merchants.clientId, ctx.account.id), isNull(merchants.deletedAt));

/**
 * A merchant that exists, or undefined. Until the transaction ends `key share` keeps it from being deleted, and `update`
 * from any change.
 */
export async function findMerchant(
  ctx: Context,
  id: string,
  lock?: "key share" | "update",
): Promise<MerchantRow | undefined> {
  const [row] = await findRows(ctx.db, merchants, { clientId: ctx.account.id, id, deletedAt: null }, { lock });
  return row;
}

/** The same as a write of the caller's statement, that writes nothing. */
export const merchantKept = ({ account }: Context, id: string, named: Pick<Write, "isMust">): Write => ({
  ...named,
  shape: "merchant kept",
  values: [account.id, id],
  text: (place, gate) => sql`select 1 from ${merchants} where ${merchants.clientId} = ${place(0)}::uuid
    and ${merchants.id} = ${place(1)}::uuid and ${merchants.deletedAt} is null and ${gate} for key share`,
});

export async function findMerchantView(ctx: Context, id: string): Promise<MerchantView | undefined> {
  const merchant = await findMerchant(ctx, id);
  return merchant && (await withDetails(ctx, [merchant]))[0];
}

export async function listMerchants(ctx: Context, filters: MerchantFilters): Promise<Paged<MerchantView>> {
  const order = directionOf(filters) === "asc" ? asc : desc;
  const wanted = and(
    live(ctx),
    filters.status &&
      inArray(
        merchants.status,
        filters.status.map((status) => status === "true"),
      ),
  );
  const rows = await ctx.db
    .select({ merchant: merchants, totalItems: sql`count(*) over ()`.mapWith(Number) })
    .from(merchants)
    .where(wanted)
    .orderBy(order(merchants.createdAt), order(merchants.id))
    .limit(filters.limit)
    .offset(offsetOf(filters));
  const items = await withDetails(
    ctx,
    rows.map(({ merchant }) => merchant),
  );
  return { items, totalItems: rows[0]?.totalItems ?? (await countMerchants(ctx, wanted)) };
}

/** A page past the end carries no row that could tell the total. */
async function countMerchants(ctx: Context, wanted: SQL | undefined): Promise<number> {
  const [row] = await ctx.db.select({ total: count() }).from(merchants).where(wanted);
  return row?.total ?? 0;
}

async function withDetails(ctx: Context, rows: MerchantRow[]): Promise<MerchantView[]> {
  const ids = rows.map(({ id }) => id);
  const [theirs, rules] = [await providersOfMerchants(ctx, ids), await feeRulesOf(ctx, ids)];
  return rows.map((merchant) => ({
    merchant,
    providers: theirs.filter(({ merchantId }) => merchantId === merchant.id),
    feeRules: rules.filter(({ merchantId }) => merchantId === merchant.id),
  }));
}

/** Live providers by priority; equal ones older first (spec/contract.md 11.2). */
export async function providersOfMerchants(ctx: Context, merchantIds: readonly string[]): Promise<ProviderRow[]> {
  if (merchantIds.length === 0) return [];
  return ctx.db
    .select()
    .from(providers)
    .where(
      and(
        eq(providers.clientId, ctx.account.id),
        inArray(providers.merchantId, [...merchantIds]),
        isNull(providers.deletedAt),
      ),
    )
    .orderBy(asc(providers.priority), asc(providers.createdAt), asc(providers.id));
}

/** A provider that exists, locked until the transaction ends. */
export async function lockProvider(ctx: Context, id: string): Promise<ProviderRow | undefined> {
  const [row] = await ctx.db
    .select()
    .from(providers)
    .where(and(eq(providers.clientId, ctx.account.id), eq(providers.id, id), isNull(providers.deletedAt)))
    .for("update");
  return row;
}

/** Whether money of the merchant is still open: a payment to come, or a hold. Slots of purchases are charges too. */
export async function hasOpenCharges(ctx: Context, merchantId: string): Promise<boolean> {
  const owed = ctx.db
    .select({ one: sql`1` })
    .from(charges)
    .where(
      and(
        eq(charges.clientId, ctx.account.id),
        eq(charges.merchantId, merchantId),
        isOneOf(charges.status, ["pending", "pre_authorized"]),
      ),
    );
  const unfinished = ctx.db
    .select({ one: sql`1` })
    .from(purchases)
    .where(
      and(
        eq(purchases.clientId, ctx.account.id),
        eq(purchases.merchantId, merchantId),
        equalsLiteral(purchases.status, "pending"),
      ),
    );
  const [row] = await ctx.db
    .select({ found: sql<boolean>`${exists(owed)} or ${exists(unfinished)}` })
    .from(sql`(select 1) as once`);
  return row?.found ?? false;
}
