import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { systemDb } from "@/db/client";
import { settlementBreaks } from "@/db/schema/settlement";
import { audit } from "@/lib/audit";
import { type Context, inTransaction, now } from "@/lib/context";
import { DomainError, invalid, notFound } from "@/lib/errors";
import { text } from "@/lib/http/fields";
import { colleaguesWho } from "@/lib/operators/held-role";
import { endProposal, propose } from "@/lib/proposals/service";

type BreakRow = typeof settlementBreaks.$inferSelect;

const LONGEST_NOTE = 2_000;
export const noteText = text(LONGEST_NOTE);

const ofAccount = (ctx: Context) => eq(settlementBreaks.clientId, ctx.account.id);

async function found(ctx: Context, id: string, lock?: "update"): Promise<BreakRow> {
  const asked = ctx.db
    .select()
    .from(settlementBreaks)
    .where(and(ofAccount(ctx), eq(settlementBreaks.id, id)));
  const [row] = await (lock ? asked.for(lock) : asked);
  if (!row) throw notFound("discrepancy");
  return row;
}

async function openOne(ctx: Context, id: string): Promise<BreakRow> {
  const row = await found(ctx, id, "update");
  if (row.closedAt) throw new DomainError("invalid_status_transition", "the discrepancy is closed");
  return row;
}

/** Whose it is to find out about: a colleague who may, or nobody (null). */
export const assignDiscrepancy = (ctx: Context, id: string, ownerId: string | null): Promise<void> =>
  inTransaction(ctx, async (inside) => {
    const { ownerId: before, merchantId } = await openOne(inside, id);
    const people = await colleaguesWho(systemDb(), inside.account.id, "finance.settle");
    const mayOwn = people.some(
      ({ operatorId, merchants }) => operatorId === ownerId && (merchants === null || merchants.includes(merchantId)),
    );
    if (ownerId !== null && !mayOwn) throw invalid("ownerId: nobody who may settle it");
    await inside.db
      .update(settlementBreaks)
      .set({ ownerId, updatedAt: now(inside) })
      .where(eq(settlementBreaks.id, id));
    const change = { before: { ownerId: before }, after: { ownerId } };
    await audit(inside, { action: "discrepancy.assign", object: "settlement_break", objectId: id, ...change });
  });

/** Replaces the note; the audit log keeps who wrote when. */
export const noteDiscrepancy = (ctx: Context, id: string, note: string): Promise<void> =>
  inTransaction(ctx, async (inside) => {
    await openOne(inside, id);
    await inside.db
      .update(settlementBreaks)
      .set({ note, updatedAt: now(inside) })
      .where(eq(settlementBreaks.id, id));
    await audit(inside, { action: "discrepancy.note", object: "settlement_break", objectId: id });
  });

/**
 * Two people say that it is settled, and why. The same two figures open it no more; others do. Money is moved by an
 * adjustment, never by closing.
 */
export const proposeClosing = (ctx: Context, id: string, reason: string): Promise<"proposed" | "done"> =>
  inTransaction(ctx, async (inside) => {
    const { merchantId, expected, found: seen } = await openOne(inside, id);
    const details = { expected, found: seen };
    return propose(inside, { kind: "break_closed", merchantId, subjectId: id, details, reason }, (acting) =>
      close(acting, id, details),
    );
  });

export const endClosing = (
  ctx: Context,
  id: string,
  proposalId: string,
  outcome: "approved" | "refused",
): Promise<void> =>
  endProposal(ctx, { id: proposalId, subjectId: id }, ["break_closed"], outcome, (inside, { details }) =>
    close(inside, id, figures.parse(details)),
  );

const figures = z.object({ expected: z.int(), found: z.int() });

/** Approved was what the first person saw: where the figures have changed since, two people look again. */
async function close(ctx: Context, id: string, seen: z.output<typeof figures>): Promise<void> {
  const row = await openOne(ctx, id);
  if (row.expected !== seen.expected || row.found !== seen.found) {
    throw new DomainError("invalid_status_transition", "the figures have changed since it was asked for");
  }
  const at = now(ctx);
  await ctx.db
    .update(settlementBreaks)
    .set({
      closedAt: at,
      closedBy: "people",
      note: sql`coalesce(${settlementBreaks.note}, ${ctx.reason ?? null})`,
      updatedAt: at,
    })
    .where(eq(settlementBreaks.id, id));
  await audit(ctx, { action: "discrepancy.close", object: "settlement_break", objectId: id, after: seen });
}
