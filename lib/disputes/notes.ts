import { and, asc, desc, eq, isNotNull } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { type DISPUTE_MARKS, disputeNotes } from "@/db/schema/disputes";
import { audit } from "@/lib/audit";
import { oneAtATime } from "@/lib/charges/given-back";
import { type Context, inTransaction, now } from "@/lib/context";
import { findDispute } from "@/lib/disputes/queries";
import { notFound } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { namesOf } from "@/lib/operators/names";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

export const LONGEST_NOTE = 2_000;

type DisputeMark = (typeof DISPUTE_MARKS)[number];

export interface DisputeNote {
  id: string;
  /** What was done instead of writing; null is a note. */
  mark: DisputeMark | null;
  author: string | undefined;
  text: string;
  at: Date;
}

/** In the order they were written; the dispute was already found to be the account's. */
export async function notesOf(ctx: Context, disputeId: string): Promise<DisputeNote[]> {
  const rows = await inTransaction(ctx, ({ db, account }) =>
    db
      .select()
      .from(disputeNotes)
      .where(and(eq(disputeNotes.clientId, account.id), eq(disputeNotes.disputeId, disputeId)))
      .orderBy(asc(disputeNotes.createdAt), asc(disputeNotes.id)),
  );
  const names = await namesOf(systemDb(), ctx.account.id, [...new Set(rows.map(({ operatorId }) => operatorId))]);
  return rows.map(({ id, mark, operatorId, text, createdAt }) => ({
    id,
    mark,
    author: names.get(operatorId),
    text,
    at: createdAt,
  }));
}

/** Kept for good, under its author's name. The audit log says that it was written, not what: it may name a buyer. */
export const addNote = (ctx: Context, role: OperatorRole, disputeId: string, text: string): Promise<void> =>
  write(ctx, role, disputeId, { text: text.slice(0, LONGEST_NOTE), mark: null });

/** From here on it waits for nobody, or for somebody again. Said twice, it is written once. */
export const markDispute = (ctx: Context, role: OperatorRole, disputeId: string, mark: DisputeMark): Promise<void> =>
  write(ctx, role, disputeId, { text: "", mark });

async function write(
  ctx: Context,
  role: OperatorRole,
  disputeId: string,
  { text, mark }: { text: string; mark: DisputeMark | null },
): Promise<void> {
  demand(role, "disputes.note");
  const { principal } = ctx;
  if (principal.kind !== "operator") throw notFound("dispute");
  const dispute = await findDispute(ctx, role, disputeId);
  await inTransaction(ctx, async (inside) => {
    if (mark) {
      await oneAtATime(inside, dispute.chargeId);
      if ((mark === "handled") === (await isCalledHandled(inside, dispute.id))) return;
    }
    const id = newId();
    await inside.db.insert(disputeNotes).values({
      id,
      clientId: ctx.account.id,
      disputeId: dispute.id,
      chargeId: dispute.chargeId,
      operatorId: principal.operatorId,
      mark,
      text,
      createdAt: now(ctx),
    });
    await audit(inside, {
      action: `dispute.${mark ?? "note"}`,
      object: "charge",
      objectId: dispute.chargeId,
      after: { dispute: dispute.id, note: id },
    });
  });
}

async function isCalledHandled({ db, account }: Context, disputeId: string): Promise<boolean> {
  const [last] = await db
    .select({ mark: disputeNotes.mark })
    .from(disputeNotes)
    .where(
      and(eq(disputeNotes.clientId, account.id), eq(disputeNotes.disputeId, disputeId), isNotNull(disputeNotes.mark)),
    )
    .orderBy(desc(disputeNotes.createdAt), desc(disputeNotes.id))
    .limit(1);
  return last?.mark === "handled";
}
