import { and, asc, eq, isNull } from "drizzle-orm";
import { providers } from "@/db/schema/merchants";
import type { Context } from "@/lib/context";
import { providerById, type RoutedProvider } from "@/lib/payments/routing";
import { isAntifraudKind } from "@/lib/providers/kinds";

/** The analyst of a merchant: its first anti-fraud provider that this installation can reach. */
export async function analystOf(ctx: Context, merchantId: string): Promise<RoutedProvider | undefined> {
  const rows = await ctx.db
    .select({ id: providers.id, kind: providers.kind })
    .from(providers)
    .where(
      and(
        eq(providers.clientId, ctx.account.id),
        eq(providers.merchantId, merchantId),
        eq(providers.routable, true),
        isNull(providers.deletedAt),
      ),
    )
    .orderBy(asc(providers.priority), asc(providers.createdAt), asc(providers.id));
  const analyst = rows.find(({ kind }) => isAntifraudKind(kind));
  return analyst && providerById(ctx, analyst.id);
}
