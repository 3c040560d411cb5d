import { and, eq, inArray } from "drizzle-orm";
import { activeFlows, type FlowAction, flowChanges, flows } from "@/db/schema/flows";
import { actorOf, audit } from "@/lib/audit";
import { type Context, now } from "@/lib/context";
import { emit } from "@/lib/events";
import { FLOW_EVENTS, flowMachine } from "@/lib/flows/machine";
import { activeOf, type FlowRow, versionOf } from "@/lib/flows/queries";
import { flowBody } from "@/lib/flows/schema";
import { serializeFlow } from "@/lib/flows/serializer";
import { newId } from "@/lib/ids";
import { tell } from "@/lib/tell";

export interface Why {
  note?: string | undefined;
}

/**
 * Decides for all of its merchants from now on: they leave the flow they had, which is archived when nobody is left in
 * it. Payments that were made stay with what was decided for them. Its rules were accepted, or decide already.
 */
export async function activate(ctx: Context, given: FlowRow, why: Why): Promise<FlowRow> {
  const { id, paymentMethod, merchantIds } = given;
  const former = await activeOf(ctx, merchantIds, paymentMethod);
  await leave(
    ctx,
    former.filter(({ flow }) => flow.id !== id),
  );
  await ctx.db.delete(activeFlows).where(and(eq(activeFlows.clientId, ctx.account.id), eq(activeFlows.flowId, id)));
  await ctx.db
    .insert(activeFlows)
    .values(merchantIds.map((merchantId) => ({ merchantId, paymentMethod, flowId: id, clientId: ctx.account.id })));
  if (given.status === "active") return given;
  const row = await move(ctx, given, "activated");
  await recordFlowChange(ctx, row, "activated", why);
  await tell(ctx.db, {
    clientId: ctx.account.id,
    kind: "flow_activated",
    path: `/dashboard/flows/${row.id}`,
    at: now(ctx),
    name: row.name,
  });
  return row;
}

/** Its merchants go back to their priorities. */
export async function archive(ctx: Context, given: FlowRow, why: Why): Promise<FlowRow> {
  await ctx.db
    .delete(activeFlows)
    .where(and(eq(activeFlows.clientId, ctx.account.id), eq(activeFlows.flowId, given.id)));
  const row = await move(ctx, given, "archived");
  await recordFlowChange(ctx, row, "archived", why);
  return row;
}

type Former = Awaited<ReturnType<typeof activeOf>>[number];

async function leave(ctx: Context, former: readonly Former[]): Promise<void> {
  const left = [...new Map(former.map(({ flow }) => [flow.id, flow])).values()];
  for (const flow of left) {
    const leaving = former.filter((one) => one.flow.id === flow.id).map(({ merchantId }) => merchantId);
    const staying = flow.merchantIds.filter((merchantId) => !leaving.includes(merchantId));
    if (staying.length === 0) {
      await archive(ctx, flow, {});
      continue;
    }
    await ctx.db
      .delete(activeFlows)
      .where(and(eq(activeFlows.flowId, flow.id), inArray(activeFlows.merchantId, leaving)));
    const [changed] = await ctx.db
      .update(flows)
      .set({ merchantIds: staying, patch: flow.patch + 1, updatedAt: now(ctx) })
      .where(eq(flows.id, flow.id))
      .returning();
    if (changed) await recordFlowChange(ctx, changed, "merchants_left", {});
  }
}

/** Along the machine, and told to webhooks. */
async function move(ctx: Context, given: FlowRow, fact: "activated" | "archived"): Promise<FlowRow> {
  const at = now(ctx);
  const [row] = await ctx.db
    .update(flows)
    .set({
      status: flowMachine.next(given.status, fact),
      updatedAt: at,
      ...(fact === "activated" ? { activatedAt: at } : { archivedAt: at }),
    })
    .where(and(eq(flows.id, given.id), eq(flows.status, given.status)))
    .returning();
  if (!row) throw new Error("a flow moved while its account's turn was held");
  const told = await emit(ctx, {
    object: "flow",
    event: FLOW_EVENTS[fact] ?? fact,
    entityId: row.id,
    data: flowBody.parse(serializeFlow(row)),
    previous: { version: row.eventVersion, at: row.lastEventAt },
  });
  await ctx.db.update(flows).set({ eventVersion: told.version, lastEventAt: told.at }).where(eq(flows.id, row.id));
  return { ...row, eventVersion: told.version, lastEventAt: told.at };
}

/** Who did what to a version and why: in the history of the flow, and in the log of the account. */
export async function recordFlowChange(ctx: Context, row: FlowRow, action: FlowAction, { note }: Why): Promise<void> {
  const version = versionOf(row);
  await ctx.db.insert(flowChanges).values({
    id: newId(),
    clientId: ctx.account.id,
    flowId: row.id,
    familyId: row.familyId,
    version,
    action,
    actor: actorOf(ctx),
    note: note ?? null,
    at: now(ctx),
  });
  await audit(ctx, {
    action: `flow.${action}`,
    object: "flow",
    objectId: row.id,
    after: { name: row.name, version, paymentMethod: row.paymentMethod, merchants: row.merchantIds },
    reason: note,
  });
}
