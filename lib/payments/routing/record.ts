import { routingDecisions } from "@/db/schema/charges";
import { findRows } from "@/db/statements";
import { insertion, type Write } from "@/db/writes";
import { type Context, now } from "@/lib/context";
import type { Step } from "@/lib/flows/rules/evaluate";
import type { ChallengeMode } from "@/lib/flows/rules/nodes";
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
  /** What follows declines that a flow names, where it names any. */
  steps?: readonly Step[];
  /** What the flow asks of the buyer before an acquirer hears of the payment. */
  challenge?: ChallengeMode;
}

/** The decision with the rows it was made from. */
export function routeAmong(rows: readonly ProviderRow[], decision: RouteDecision): Route {
  const byId = (id: string): RoutedProvider[] => rows.filter((row) => row.id === id).map(toRouted);
  const steps = branching(decision);
  return {
    providers: idsOf(decision.providers, steps).flatMap(byId),
    fraudProvider: byId(decision.fraudProvider ?? "")[0],
    ...(steps ? { steps } : {}),
    ...(decision.challenge ? { challenge: decision.challenge } : {}),
  };
}

const branching = ({ steps }: Pick<RouteDecision, "steps">): readonly Step[] | undefined =>
  steps?.some(({ on }) => on) ? steps : undefined;

/** Those in their order, then those that only follow a decline. */
const idsOf = (providers: readonly string[], steps: readonly Step[] | undefined): string[] => [
  ...new Set([...providers, ...named(steps ?? [])]),
];

const named = (steps: readonly Step[]): string[] =>
  steps.flatMap(({ id, on }) => [id, ...Object.values(on ?? {}).flatMap(named)]);

/** As the charge shows which flow decided, with the metadata it was asked with. */
export const flowShown = (
  { flow }: Pick<RouteDecision, "flow">,
  given: { metadata: Record<string, unknown> } | undefined,
): Record<string, unknown> | null => (flow ? { ...flow, metadata: given?.metadata ?? {} } : (given ?? null));

/** In the statement that makes the charge; never changed, and kept as long as the charge. */
export const routeRecorded = (
  ctx: Context,
  chargeId: string,
  facts: RoutingFacts,
  { flow, path, providers, steps, skipped, fraudProvider, challenge, bucket, measures }: RouteDecision,
): Write =>
  insertion(routingDecisions, {
    chargeId,
    clientId: ctx.account.id,
    facts: { ...facts },
    path,
    providers,
    skipped,
    fraudProvider,
    createdAt: now(ctx),
    ...(flow
      ? {
          flowId: flow.id,
          flowVersion: flow.version,
          steps: branching({ steps })?.map((step) => ({ ...step })) ?? null,
          challenge: challenge ?? null,
          bucket: bucket ?? null,
          measures: Object.keys(measures ?? {}).length > 0 ? { ...measures } : null,
        }
      : {}),
  });

/** For whoever takes a charge over: the route decided for it, less what the merchant removed since. */
export async function recordedRoute(ctx: Context, chargeId: string): Promise<Route> {
  const [record] = await findRows(ctx.db, routingDecisions, { chargeId });
  if (!record) throw new Error("a charge without its routing decision");
  // Guarantee: written from a decision's own steps.
  const steps = (record.steps ?? undefined) as readonly Step[] | undefined;
  const providers = await presentProviders(ctx, idsOf(record.providers, steps));
  const fraudProvider = record.fraudProvider ? await providerById(ctx, record.fraudProvider) : undefined;
  const { challenge } = record;
  return { providers, fraudProvider, ...(steps ? { steps } : {}), ...(challenge ? { challenge } : {}) };
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
