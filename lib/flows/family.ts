import { and, asc, desc, eq, inArray, isNull } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { flowChanges, flowReplays, flows } from "@/db/schema/flows";
import { merchants } from "@/db/schema/merchants";
import type { Context } from "@/lib/context";
import type { FlowRow } from "@/lib/flows/queries";
import type { ReplayRow } from "@/lib/flows/replays/service";

const MOST_SHOWN = 50;

/** Versions of one flow, the newest first. */
export const listVersions = (ctx: Context, familyId: string): Promise<FlowRow[]> =>
  ctx.db
    .select()
    .from(flows)
    .where(and(eq(flows.clientId, ctx.account.id), eq(flows.familyId, familyId)))
    .orderBy(desc(flows.major))
    .limit(MOST_SHOWN);

/** By id; of a merchant without a name, its id. */
export async function merchantNames(ctx: Context, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await ctx.db
    .select({ id: merchants.id, name: merchants.name })
    .from(merchants)
    .where(and(eq(merchants.clientId, ctx.account.id), inArray(merchants.id, [...ids])));
  return new Map(rows.map(({ id, name }) => [id, name ?? id]));
}

/** By id of a restored version: the version that its rules came from. */
export async function sourcesOf(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, Pick<FlowRow, "id" | "major" | "patch">>> {
  if (ids.length === 0) return new Map();
  const source = alias(flows, "source");
  const rows = await ctx.db
    .select({ restored: flows.id, source: { id: source.id, major: source.major, patch: source.patch } })
    .from(flows)
    .innerJoin(source, eq(source.id, flows.restoredFrom))
    .where(and(eq(flows.clientId, ctx.account.id), inArray(flows.id, [...ids])));
  return new Map(rows.map(({ restored, source: from }) => [restored, from]));
}

const MOST_CHOSEN_FROM = 1_000;

/** What a form offers, by name: those that are chosen already, however many there are, and the others. */
export async function merchantChoices(
  ctx: Context,
  chosen: readonly string[],
): Promise<{ value: string; label: string }[]> {
  const isOwn = and(eq(merchants.clientId, ctx.account.id), isNull(merchants.deletedAt));
  const others = await ctx.db
    .select({ id: merchants.id, name: merchants.name })
    .from(merchants)
    .where(isOwn)
    .orderBy(asc(merchants.name), asc(merchants.id))
    .limit(MOST_CHOSEN_FROM);
  const names = new Map([
    ...(await merchantNames(ctx, chosen)),
    ...others.map(({ id, name }): [string, string] => [id, name ?? id]),
  ]);
  return [...names].map(([value, label]) => ({ value, label }));
}

/** Of one version, the newest first. */
export const listReplays = (ctx: Context, flowId: string, limit: number): Promise<ReplayRow[]> =>
  ctx.db
    .select()
    .from(flowReplays)
    .where(and(eq(flowReplays.clientId, ctx.account.id), eq(flowReplays.flowId, flowId)))
    .orderBy(desc(flowReplays.createdAt), desc(flowReplays.id))
    .limit(limit);

/** A replay that was asked for before the version last changed speaks of what the version was. */
export async function outdatedBefore(ctx: Context, flowId: string): Promise<Date> {
  const [last] = await ctx.db
    .select({ at: flowChanges.at })
    .from(flowChanges)
    .where(
      and(eq(flowChanges.clientId, ctx.account.id), eq(flowChanges.flowId, flowId), eq(flowChanges.action, "changed")),
    )
    .orderBy(desc(flowChanges.at))
    .limit(1);
  return last?.at ?? new Date(0);
}
