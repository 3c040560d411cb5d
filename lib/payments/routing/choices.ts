import { and, eq, inArray, sql } from "drizzle-orm";
import { activeFlows, FLOW_METHODS, type FlowMethod, flows } from "@/db/schema/flows";
import { providers } from "@/db/schema/merchants";
import { findRows } from "@/db/statements";
import type { Context } from "@/lib/context";
import { namedIn } from "@/lib/flows/rules/named";
import type { FlowNode } from "@/lib/flows/rules/nodes";
import type { PaymentNeeds } from "@/lib/payments/routing/facts";
import { type ProviderRow, providersOf } from "@/lib/payments/routing/provider";
import { pipelined } from "@/lib/pipeline";

/** The flow that decides, as it is now. */
export interface DecidingFlow {
  id: string;
  version: string;
  family: string;
  root: readonly FlowNode[];
}

/** What a decision is made from, besides the payment: read once, before it. */
export interface Choices {
  rows: readonly ProviderRow[];
  flow: DecidingFlow | undefined;
  /** Of providers that the flow names and the merchant has not. */
  elsewhere: ReadonlyMap<string, "deleted" | "other_merchant">;
}

const METHODS: ReadonlySet<string> = new Set(FLOW_METHODS);
export const isFlowMethod = (method: string): method is FlowMethod => METHODS.has(method);

/** With `tried`, as if that flow decided. */
export async function routeChoicesOf(
  ctx: Context,
  merchantId: string,
  method: PaymentNeeds["method"],
  tried?: DecidingFlow,
): Promise<Choices> {
  const [rows, [active]] = await pipelined([
    providersOf(ctx, merchantId),
    isFlowMethod(method) && !tried
      ? findRows(ctx.db, activeFlows, { clientId: ctx.account.id, merchantId, paymentMethod: method })
      : [],
  ]);
  if (tried) return { rows, flow: tried, elsewhere: await elsewhereOf(ctx, rows, tried.root) };
  if (!active) return { rows, flow: undefined, elsewhere: new Map() };
  const [row] = await findRows(ctx.db, flows, { id: active.flowId });
  if (!row) throw new Error("a merchant's active flow is missing");
  // Guarantee: rows are written from flows that were read and checked, and by nobody else.
  const root = row.root as FlowNode[];
  const flow = { id: row.id, version: `${row.major}.0.${row.patch}`, family: row.familyId, root };
  return { rows, flow, elsewhere: await elsewhereOf(ctx, rows, root) };
}

async function elsewhereOf(ctx: Context, rows: readonly ProviderRow[], root: readonly FlowNode[]) {
  const missing = namedIn(root).filter((id) => !rows.some((row) => row.id === id));
  if (missing.length === 0) return new Map<string, "deleted" | "other_merchant">();
  const found = await ctx.db
    .select({ id: providers.id, deletedAt: providers.deletedAt })
    .from(providers)
    .where(and(eq(providers.clientId, ctx.account.id), inArray(providers.id, missing)));
  return new Map(found.map(({ id, deletedAt }) => [id, deletedAt ? "deleted" : "other_merchant"] as const));
}

/** The active flows that name a provider. */
export async function flowsNaming(ctx: Context, providerId: string): Promise<{ id: string; name: string }[]> {
  const rows = await ctx.db
    .select({ id: flows.id, name: flows.name, root: flows.root })
    .from(flows)
    .where(and(eq(flows.clientId, ctx.account.id), sql`${flows.status} = 'active'`));
  // Guarantee: as above.
  return rows.filter(({ root }) => namedIn(root as FlowNode[]).includes(providerId));
}
