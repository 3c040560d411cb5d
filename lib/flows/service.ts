import { eq, sql } from "drizzle-orm";
import { flows } from "@/db/schema/flows";
import { findRows } from "@/db/statements";
import { canonicalJson } from "@/lib/canonical-json";
import { type Context, inTransaction, now } from "@/lib/context";
import { DomainError, invalid, notFound } from "@/lib/errors";
import { acceptRoot } from "@/lib/flows/accept";
import { activate, archive, recordFlowChange, type Why } from "@/lib/flows/activation";
import { decidersOf, type FlowRow, findFlow, lastMajor, rootOf, versionOf } from "@/lib/flows/queries";
import { holdAgainstTests } from "@/lib/flows/saved-tests";
import type { FlowChanges, NewFlow } from "@/lib/flows/schema";
import { withoutSide } from "@/lib/flows/trials/sides";
import { newId } from "@/lib/ids";
import { findMerchant } from "@/lib/merchants/queries";
import { tell } from "@/lib/tell";

/** Changes of an account's flows come one after the other: which flow a merchant leaves is known then. */
const takeTurn = (ctx: Context): Promise<unknown> =>
  ctx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`flows ${ctx.account.id}`}, 0))`);

export async function createFlow(ctx: Context, input: NewFlow): Promise<FlowRow> {
  return inTransaction(ctx, async (inside) => {
    await takeTurn(inside);
    const given = input.merchants?.map(({ merchantId }) => merchantId) ?? [input.merchantId ?? ""];
    const merchantIds = await existing(inside, given);
    const parent = input.parentId === undefined ? undefined : await parentOf(inside, input.parentId);
    if (parent && parent.paymentMethod !== input.paymentMethod) {
      throw invalid("paymentMethod: must be that of the version it goes on from");
    }
    const { paymentMethod } = input;
    const root = await acceptRoot(inside, input.flow.root, { paymentMethod, merchantIds });
    const made = await insertFlow(inside, { name: input.name, paymentMethod, merchantIds, root, parent });
    const why = { note: input.note };
    await recordFlowChange(inside, made, "created", why);
    return input.status === "active" ? decideFromNow(inside, made, why) : made;
  });
}

/**
 * A draft changes in place; of an active flow another order of providers is the draft of its next version. `deciders` are
 * the flows that an activation was said to take the place of; `isDraft`: whoever changes it may change nothing else.
 */
export async function updateFlow(
  ctx: Context,
  id: string,
  changes: FlowChanges,
  { deciders, isDraft = false }: { deciders?: string | undefined; isDraft?: boolean } = {},
): Promise<FlowRow> {
  const { version, status, note } = changes;
  if (version === undefined) throw invalid("version: required, as it was read");
  return inTransaction(ctx, async (inside) => {
    await takeTurn(inside);
    const stored = await lockFlow(inside, id);
    if (stored.status === "archived") throw new DomainError("flow_not_draft", "an archived version does not change");
    if (versionOf(stored) !== version) {
      throw new DomainError("flow_changed", `the flow is at version ${versionOf(stored)} now`);
    }
    if (isDraft && stored.status !== "draft") throw new DomainError("flow_changed", "the flow decides by now");
    const isRedrawn = changes.flow !== undefined && canonicalJson(changes.flow.root) !== canonicalJson(stored.root);
    if (stored.status === "active" && isRedrawn) return redraw(inside, stored, changes);
    const changed = await changeInPlace(inside, stored, changes);
    if (status === "archived") return archive(inside, changed, { note });
    if (status !== "active" || changed.status !== "draft") return changed;
    if (deciders !== undefined && deciders !== (await decidersOf(inside, changed))) {
      throw new DomainError("flow_changed", "another flow decides for these merchants now");
    }
    await acceptRoot(inside, changed.root, changed);
    return decideFromNow(inside, changed, { note });
  });
}

/** As somebody asks for it: not without the tests of the flow. A guardrail waits for none. */
async function decideFromNow(ctx: Context, version: FlowRow, why: Why): Promise<FlowRow> {
  await holdAgainstTests(ctx, version);
  return activate(ctx, version, why);
}

/** The next version of an active flow, which stays as it is. */
async function redraw(ctx: Context, active: FlowRow, { name, merchants, flow, status, note }: FlowChanges) {
  if (status === "archived") throw invalid("status: a flow is archived without another change");
  const { paymentMethod } = active;
  const merchantIds = merchants
    ? await existing(
        ctx,
        merchants.map(({ merchantId }) => merchantId),
      )
    : active.merchantIds;
  const root = await acceptRoot(ctx, flow?.root, { paymentMethod, merchantIds });
  const made = await insertFlow(ctx, { name: name ?? active.name, paymentMethod, merchantIds, root, parent: active });
  await recordFlowChange(ctx, made, "created", { note });
  return status === "active" ? decideFromNow(ctx, made, { note }) : made;
}

async function changeInPlace(ctx: Context, stored: FlowRow, { name, merchants, flow, note }: FlowChanges) {
  if (name === undefined && merchants === undefined && flow === undefined) return stored;
  const { paymentMethod } = stored;
  const merchantIds = merchants
    ? await existing(
        ctx,
        merchants.map(({ merchantId }) => merchantId),
      )
    : stored.merchantIds;
  const isChecked = flow !== undefined || merchants !== undefined;
  const root = isChecked
    ? await acceptRoot(ctx, flow?.root ?? stored.root, { paymentMethod, merchantIds })
    : stored.root;
  const [changed] = await ctx.db
    .update(flows)
    .set({
      name: name ?? stored.name,
      merchantIds,
      ...(stored.status === "draft" ? { root } : {}),
      patch: stored.patch + 1,
      updatedAt: now(ctx),
    })
    .where(eq(flows.id, stored.id))
    .returning();
  if (!changed) throw new Error("a locked row is there to be changed");
  await recordFlowChange(ctx, changed, "changed", { note });
  return stored.status === "active" && merchants ? decideFromNow(ctx, changed, { note }) : changed;
}

/**
 * The next version of an active flow, without a side of a share, active at once. Nothing happens when the flow is no
 * longer active: somebody else decided meanwhile.
 */
export async function turnOffSide(
  ctx: Context,
  id: string,
  { share, side, note }: { share: string; side: number; note: string },
): Promise<boolean> {
  return inTransaction(ctx, async (inside) => {
    await takeTurn(inside);
    const stored = await lockFlow(inside, id);
    if (stored.status !== "active") return false;
    const { name, paymentMethod, merchantIds } = stored;
    const root = withoutSide(rootOf(stored), share, side);
    const made = await insertFlow(inside, { name, paymentMethod, merchantIds, root, parent: stored });
    await recordFlowChange(inside, made, "guardrail", { note });
    const active = await activate(inside, made, { note });
    await tell(inside.db, {
      clientId: inside.account.id,
      kind: "flow_guardrail",
      path: `/dashboard/flows/${active.id}`,
      at: now(inside),
      name,
    });
    return true;
  });
}

/** A draft with the rules of an earlier version, for one merchant. */
export async function restoreFlow(ctx: Context, id: string, merchantId: string, why: Why = {}): Promise<FlowRow> {
  return inTransaction(ctx, async (inside) => {
    await takeTurn(inside);
    const restored = await findFlow(inside, id);
    if (!restored) throw notFound("flow");
    const { name, paymentMethod } = restored;
    const merchantIds = await existing(inside, [merchantId]);
    const root = await acceptRoot(inside, restored.root, { paymentMethod, merchantIds });
    const made = await insertFlow(inside, { name, paymentMethod, merchantIds, root, parent: restored, restored });
    await recordFlowChange(inside, made, "restored", why);
    return made;
  });
}

interface NewVersion extends Pick<FlowRow, "name" | "paymentMethod" | "merchantIds" | "root"> {
  parent: FlowRow | undefined;
  restored?: FlowRow;
}

async function insertFlow(ctx: Context, { parent, restored, ...given }: NewVersion): Promise<FlowRow> {
  const [id, at] = [newId(), now(ctx)];
  const familyId = parent?.familyId ?? id;
  const [made] = await ctx.db
    .insert(flows)
    .values({
      id,
      clientId: ctx.account.id,
      familyId,
      parentId: parent?.id ?? null,
      restoredFrom: restored?.id ?? null,
      ...given,
      status: "draft",
      major: parent ? (await lastMajor(ctx, familyId)) + 1 : 1,
      createdAt: at,
      updatedAt: at,
    })
    .returning();
  if (!made) throw new Error("an insert answers its row");
  return made;
}

export async function lockFlow(ctx: Context, id: string): Promise<FlowRow> {
  const [row] = await findRows(ctx.db, flows, { clientId: ctx.account.id, id }, { lock: "update" });
  if (!row) throw notFound("flow");
  return row;
}

async function parentOf(ctx: Context, id: string): Promise<FlowRow> {
  const parent = await findFlow(ctx, id);
  if (!parent) throw new DomainError("flow_not_found", "the version it goes on from does not exist");
  return parent;
}

/** Each once, held until the transaction ends. */
async function existing(ctx: Context, ids: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(ids)];
  for (const id of wanted.toSorted()) {
    if (!(await findMerchant(ctx, id, "key share"))) {
      throw new DomainError("merchant_not_found", "the merchant does not exist");
    }
  }
  return wanted;
}
