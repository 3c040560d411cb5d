import { and, eq, inArray, isNull } from "drizzle-orm";
import { providers } from "@/db/schema/merchants";
import { findRows } from "@/db/statements";
import type { Context } from "@/lib/context";
import { openCredentials } from "@/lib/payments/credentials";
import type { Secret } from "@/lib/providers/provider";

/** A provider of a merchant, as calls need it. */
export interface RoutedProvider {
  readonly id: string;
  readonly kind: string;
  readonly priority: number;
  readonly options: Readonly<Record<string, unknown>>;
  /** As it was read: null while calls reach it. */
  readonly circuitUntil: Date | null;
  readonly credentials: () => Secret;
}

export type ProviderRow = typeof providers.$inferSelect;

export const toRouted = (row: ProviderRow): RoutedProvider => ({
  id: row.id,
  kind: row.kind,
  priority: row.priority,
  options: row.options ?? {},
  circuitUntil: row.circuitUntil,
  credentials: () => openCredentials(row.id, row.credentials),
});

/** Also one that was removed: charges keep working for capture, void and queries afterwards. */
export async function providerById(ctx: Context, id: string): Promise<RoutedProvider> {
  const [row] = await findRows(ctx.db, providers, { id });
  if (!row) throw new Error("the provider of an attempt is missing");
  return toRouted(row);
}

/** Those a merchant has now; a decision is made from them. */
export const providersOf = (ctx: Context, merchantId: string): Promise<ProviderRow[]> =>
  findRows(ctx.db, providers, { clientId: ctx.account.id, merchantId, deletedAt: null });

/** Those of them that were not removed since, in the order given. */
export async function presentProviders(ctx: Context, ids: readonly string[]): Promise<RoutedProvider[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.db
    .select()
    .from(providers)
    .where(and(eq(providers.clientId, ctx.account.id), inArray(providers.id, [...ids]), isNull(providers.deletedAt)));
  return ids.flatMap((id) => rows.filter((row) => row.id === id).map(toRouted));
}
