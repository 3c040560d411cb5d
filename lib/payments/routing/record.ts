import { routingDecisions } from "@/db/schema/charges";
import { findRows, insertRows } from "@/db/statements";
import { type Context, now } from "@/lib/context";
import { decideRoute, type RouteDecision } from "@/lib/payments/routing/decide";
import type { PaymentNeeds, RoutingFacts } from "@/lib/payments/routing/facts";
import {
  type ProviderRow,
  presentProviders,
  providerById,
  providersOf,
  type RoutedProvider,
  toRouted,
} from "@/lib/payments/routing/provider";

/** Where a payment goes, as decided when it was made. */
export interface Route {
  /** In the order they are tried. */
  providers: readonly RoutedProvider[];
  fraudProvider: RoutedProvider | undefined;
}

/** The decision with the rows it was made from. */
export function routeAmong(rows: readonly ProviderRow[], { providers, fraudProvider }: RouteDecision): Route {
  const byId = (id: string): RoutedProvider[] => rows.filter((row) => row.id === id).map(toRouted);
  return { providers: providers.flatMap(byId), fraudProvider: byId(fraudProvider ?? "")[0] };
}

/** In the transaction that makes the charge, after its row; never changed, and kept as long as the charge. */
export const recordRoute = (
  ctx: Context,
  chargeId: string,
  facts: RoutingFacts,
  { path, providers, skipped, fraudProvider }: RouteDecision,
): Promise<void> =>
  insertRows(ctx.db, routingDecisions, [
    {
      chargeId,
      clientId: ctx.account.id,
      facts: { ...facts },
      path,
      providers,
      skipped,
      fraudProvider,
      createdAt: now(ctx),
    },
  ]);

/** For whoever takes a charge over: the route decided for it, less what the merchant removed since. */
export async function recordedRoute(ctx: Context, chargeId: string): Promise<Route> {
  const [record] = await findRows(ctx.db, routingDecisions, { chargeId });
  if (!record) throw new Error("a charge without its routing decision");
  const providers = await presentProviders(ctx, record.providers);
  const fraudProvider = record.fraudProvider ? await providerById(ctx, record.fraudProvider) : undefined;
  return { providers, fraudProvider };
}

/**
 * Before there is a payment: who could take it now, first choice first, also beyond the three that one payment is tried
 * at. Nobody is no refusal here.
 */
export async function ableProviders(ctx: Context, merchantId: string, needs: PaymentNeeds): Promise<RoutedProvider[]> {
  const rows = await providersOf(ctx, merchantId);
  const decision = decideRoute(needs, rows);
  const beyond = decision.skipped.filter(({ why }) => why === "beyond_three").map(({ id }) => id);
  return [...routeAmong(rows, { ...decision, providers: [...decision.providers, ...beyond] }).providers];
}
