import { and, arrayContains, asc, desc, eq, inArray, sql } from "drizzle-orm";
import { activeFlows, type FlowMethod, type FlowStatus, flowChanges, flows } from "@/db/schema/flows";
import { providers } from "@/db/schema/merchants";
import { findRows } from "@/db/statements";
import type { Context } from "@/lib/context";
import { notFound } from "@/lib/errors";
import type { FlowNode } from "@/lib/flows/rules/nodes";
import { directionOf, offsetOf, type Page, type Paged } from "@/lib/http/pagination";

export type FlowRow = typeof flows.$inferSelect;
export type FlowChangeRow = typeof flowChanges.$inferSelect;

export const versionOf = ({ major, patch }: Pick<FlowRow, "major" | "patch">): string => `${major}.0.${patch}`;

// Guarantee: rows are written from flows that were read and checked, and by nobody else.
export const rootOf = ({ root }: Pick<FlowRow, "root">): FlowNode[] => root as FlowNode[];

export interface FlowFilters extends Page {
  merchantId?: string | undefined;
  paymentMethod?: FlowMethod | undefined;
  status?: FlowStatus | undefined;
}

export async function listFlows(ctx: Context, filters: FlowFilters): Promise<Paged<FlowRow>> {
  const order = directionOf(filters) === "asc" ? asc : desc;
  const wanted = and(
    eq(flows.clientId, ctx.account.id),
    filters.merchantId ? arrayContains(flows.merchantIds, [filters.merchantId]) : undefined,
    filters.paymentMethod ? eq(flows.paymentMethod, filters.paymentMethod) : undefined,
    filters.status ? eq(flows.status, filters.status) : undefined,
  );
  const items = await ctx.db
    .select()
    .from(flows)
    .where(wanted)
    .orderBy(order(flows.createdAt), order(flows.id))
    .limit(filters.limit)
    .offset(offsetOf(filters));
  return { items, totalItems: await ctx.db.$count(flows, wanted) };
}

/** Unknown and another client's are answered alike. */
export async function getFlow(ctx: Context, id: string): Promise<FlowRow> {
  const found = await findFlow(ctx, id);
  if (!found) throw notFound("flow");
  return found;
}

export async function findFlow(ctx: Context, id: string): Promise<FlowRow | undefined> {
  const [row] = await findRows(ctx.db, flows, { clientId: ctx.account.id, id });
  return row;
}

/** Newest first: what was done to any version of the family. */
export async function listChanges(ctx: Context, id: string, page: Page): Promise<Paged<FlowChangeRow>> {
  const { familyId } = await getFlow(ctx, id);
  const order = directionOf(page) === "asc" ? asc : desc;
  const wanted = and(eq(flowChanges.clientId, ctx.account.id), eq(flowChanges.familyId, familyId));
  const items = await ctx.db
    .select()
    .from(flowChanges)
    .where(wanted)
    .orderBy(order(flowChanges.at), order(flowChanges.id))
    .limit(page.limit)
    .offset(offsetOf(page));
  return { items, totalItems: await ctx.db.$count(flowChanges, wanted) };
}

export async function lastMajor(ctx: Context, familyId: string): Promise<number> {
  const [row] = await ctx.db
    .select({ major: sql<number>`max(${flows.major})` })
    .from(flows)
    .where(eq(flows.familyId, familyId));
  return row?.major ?? 0;
}

const decidingFor = (ctx: Context, merchantIds: readonly string[], method: FlowMethod) =>
  and(
    eq(activeFlows.clientId, ctx.account.id),
    inArray(activeFlows.merchantId, [...merchantIds]),
    eq(activeFlows.paymentMethod, method),
  );

/** The flows that decide for these merchants now, by this method. */
export const activeOf = (ctx: Context, merchantIds: readonly string[], method: FlowMethod) =>
  ctx.db
    .select({ merchantId: activeFlows.merchantId, flow: flows })
    .from(activeFlows)
    .innerJoin(flows, eq(flows.id, activeFlows.flowId))
    .where(decidingFor(ctx, merchantIds, method));

/** The same in one text, for whoever was shown it: another one may have been activated since. */
export async function decidersOf(
  ctx: Context,
  { merchantIds, paymentMethod }: Pick<FlowRow, "merchantIds" | "paymentMethod">,
): Promise<string> {
  const rows = await ctx.db
    .select()
    .from(activeFlows)
    .where(decidingFor(ctx, merchantIds, paymentMethod));
  return rows
    .map(({ merchantId, flowId }) => `${merchantId}:${flowId}`)
    .toSorted()
    .join(" ");
}

/** Those a flow names, removed ones apart. */
export async function providersNamed(ctx: Context, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return ctx.db
    .select()
    .from(providers)
    .where(
      and(eq(providers.clientId, ctx.account.id), inArray(providers.id, [...ids]), sql`${providers.deletedAt} is null`),
    );
}
