import { and, desc, eq, inArray, isNull, max, or, type SQL, sql } from "drizzle-orm";
import { type AttemptKind, type AttemptState, transactionRequests } from "@/db/schema/charges";
import { isOtherThanId } from "@/db/schema/conditions";
import { findRows, updateReturning } from "@/db/statements";
import { storedRow, withoutNulls } from "@/db/stored";
import { insertion, type Write, writeTogether } from "@/db/writes";
import { type Context, inTransaction, now } from "@/lib/context";
import { derivedBeside } from "@/lib/ids";
import type { Cents } from "@/lib/money";
import { AttemptClosed, type AttemptRef, type ProviderOperation } from "@/lib/providers/provider";
import { providerFor } from "@/lib/providers/registry";

export type AttemptRow = typeof transactionRequests.$inferSelect;
export const OPEN_STATES: readonly AttemptState[] = ["sent", "undetermined"];
export const isOpen = (attempt: AttemptRow): boolean => OPEN_STATES.includes(attempt.state);

/** How an attempt of each kind shows on the wire while it is open: spec/contract.md 8.4. */
const REQUEST_TYPE: Record<AttemptKind, string> = {
  authorize: "pre_authorization",
  capture: "capture",
  void: "void",
  refund: "void",
  pix: "pending",
  boleto: "pending",
  wallet: "pending",
  cancel_open: "void",
  zero_dollar: "zero_dollar",
  notice: "probe",
};

export interface NewAttempt {
  chargeId: string;
  kind: Exclude<AttemptKind, "notice">;
  amount: Cents;
  provider: { id: string; kind: string };
  /** The provider transaction it acts on. */
  transactionId?: string | null;
  /** What it was asked with besides. */
  details?: AttemptRow["details"];
}

/**
 * Records the intent before anything is sent. The id is derived from charge, kind and number, so a repeated step
 * meets its own row; unique indexes refuse a second open attempt and a second live authorisation.
 */
export async function planAttempt(ctx: Context, attempt: NewAttempt): Promise<AttemptRow> {
  const { known, newest } = await historyOf(ctx, attempt.chargeId, attempt.kind);
  // Newest first is the order of the history: a clock that stands still tells its rows apart by a millisecond.
  return insertAttempt(ctx, attempt, known + 1, newest ? new Date(newest.getTime() + 1) : undefined);
}

/** As `planAttempt` when the caller holds the charge with its whole history. */
export function nextAttemptRow(ctx: Context, known: readonly AttemptRow[], attempt: NewAttempt): AttemptRow {
  const ofKind = known.filter(({ kind }) => kind === attempt.kind).length;
  const newest = Math.max(...known.map(({ createdAt }) => createdAt.getTime()));
  return attemptRow(ctx, attempt, ofKind + 1, known.length > 0 ? new Date(newest + 1) : undefined);
}

/** Its intent, as a write of the caller's statement. */
export const plannedAttempt = (row: AttemptRow): Write => insertion(transactionRequests, withoutNulls(row));

/** As `planAttempt` when the caller knows that it is the first of its kind. */
export async function insertAttempt(
  ctx: Context,
  attempt: NewAttempt,
  sequence: number,
  notBefore?: Date,
): Promise<AttemptRow> {
  const row = attemptRow(ctx, attempt, sequence, notBefore);
  await writeTogether(ctx.db, [plannedAttempt(row)]);
  return row;
}

/** As it is written, and kept. */
export function attemptRow(ctx: Context, attempt: NewAttempt, sequence: number, notBefore?: Date): AttemptRow {
  const id = derivedBeside(attempt.chargeId, "attempt", attempt.chargeId, attempt.kind, sequence);
  const present = now(ctx);
  const at = notBefore && notBefore > present ? notBefore : present;
  return storedRow(transactionRequests, {
    id,
    clientId: ctx.account.id,
    chargeId: attempt.chargeId,
    kind: attempt.kind,
    state: "sent",
    sequence,
    providerId: attempt.provider.id,
    providerType: attempt.provider.kind,
    reference: providerFor(attempt.provider.kind).attemptReference(id),
    requestType: REQUEST_TYPE[attempt.kind],
    requestStatus: "running",
    amount: attempt.amount,
    transactionId: attempt.transactionId ?? null,
    details: attempt.details ?? null,
    sentAt: at,
    createdAt: at,
    updatedAt: at,
  });
}

const HEX_DIGITS = /^[0-9a-f]{32}$/;

/** Found by the attempt's id where that is what its reference says, else by the index of all others. */
export function isReferredToBy(reference: string): SQL {
  const { id, reference: given } = transactionRequests;
  const other = sql`${given} = ${reference} and ${isOtherThanId(transactionRequests)}`;
  const hex = reference.replaceAll("-", "");
  if (!HEX_DIGITS.test(hex)) return sql`(${other})`;
  return sql`(${id} = ${hex}::uuid and ${given} = ${reference} or ${other})`;
}

async function historyOf(ctx: Context, chargeId: string, kind: AttemptKind) {
  const [row] = await ctx.db
    .select({
      known: sql<number>`(count(*) filter (where ${transactionRequests.kind} = ${kind}))::int`,
      newest: max(transactionRequests.createdAt),
    })
    .from(transactionRequests)
    .where(eq(transactionRequests.chargeId, chargeId));
  return { known: row?.known ?? 0, newest: row?.newest ?? null };
}

export async function updateAttempt(
  ctx: Context,
  id: string,
  changes: Partial<typeof transactionRequests.$inferInsert>,
): Promise<AttemptRow> {
  const [row] = await updateReturning(ctx.db, transactionRequests, { ...changes, updatedAt: now(ctx) }, { id });
  if (!row) throw new Error("an attempt vanished");
  return row;
}

/** Keeps the provider's id of an attempt whose call is still under way; one that was settled meanwhile takes none. */
export const noteTransaction = (ctx: Context, id: string, transactionId: string): Promise<void> =>
  inTransaction(ctx, async ({ db, account }) => {
    const noted = await db
      .update(transactionRequests)
      .set({ transactionId })
      .where(
        and(
          eq(transactionRequests.clientId, account.id),
          eq(transactionRequests.id, id),
          inArray(transactionRequests.state, [...OPEN_STATES]),
          or(isNull(transactionRequests.transactionId), eq(transactionRequests.transactionId, transactionId)),
        ),
      )
      .returning({ id: transactionRequests.id });
    if (noted.length === 0) throw new AttemptClosed("the attempt was settled while its call was under way");
  });

/**
 * Records that an open attempt is sent once more under its key: what was sent last may arrive last, so the late window
 * of `not found` begins with it. Undefined when it was settled meanwhile; then nothing may be sent.
 */
export const noteResend = (ctx: Context, id: string): Promise<AttemptRow | undefined> =>
  inTransaction(ctx, async (inside) => {
    const [row] = await inside.db
      .update(transactionRequests)
      .set({ sentAt: now(inside) })
      .where(and(eq(transactionRequests.id, id), inArray(transactionRequests.state, [...OPEN_STATES])))
      .returning();
    return row;
  });

/** Moves a provably unsent attempt back to sent, by compare-and-set; an attempt in any other state stays as it is. */
export async function reopenAttempt(ctx: Context, id: string): Promise<AttemptRow | undefined> {
  const at = now(ctx);
  const [row] = await ctx.db
    .update(transactionRequests)
    .set({ state: "sent", requestStatus: "running", sentAt: at, updatedAt: at })
    .where(and(eq(transactionRequests.id, id), eq(transactionRequests.state, "not_sent")))
    .returning();
  return row;
}

/** Newest first. */
export async function attemptsOfOne(ctx: Context, chargeId: string): Promise<AttemptRow[]> {
  return (await findRows(ctx.db, transactionRequests, { chargeId })).sort(newestFirst);
}

const newestFirst = (a: AttemptRow, b: AttemptRow): number =>
  b.createdAt.getTime() - a.createdAt.getTime() || b.sequence - a.sequence || (a.id < b.id ? 1 : -1);

/** The same of several charges. */
export const attemptsOf = (ctx: Context, chargeIds: readonly string[]): Promise<AttemptRow[]> =>
  chargeIds.length === 0
    ? Promise.resolve([])
    : ctx.db
        .select()
        .from(transactionRequests)
        .where(inArray(transactionRequests.chargeId, [...chargeIds]))
        .orderBy(desc(transactionRequests.createdAt), desc(transactionRequests.sequence), desc(transactionRequests.id));

const OPERATION: Record<Exclude<AttemptKind, "notice">, ProviderOperation> = {
  authorize: "authorize",
  zero_dollar: "authorize",
  capture: "capture",
  void: "void",
  refund: "refund",
  pix: "pix",
  boleto: "boleto",
  wallet: "wallet",
  cancel_open: "cancel_open",
};

/** What the provider is told of the attempt; pure, so that every retransmission says the same. */
export function referenceOf(attempt: AttemptRow): AttemptRef {
  if (attempt.kind === "notice") throw new Error("a notice was never sent");
  const operation = OPERATION[attempt.kind];
  const ref = { attemptId: attempt.id, operation, sequence: attempt.sequence };
  const adapter = providerFor(attempt.providerType);
  const idempotencyKey = adapter.idempotencyKey(ref);
  const { idempotency } = adapter.capabilities;
  // Cut at the provider, two keys could become one.
  if (idempotency.kind === "header" && idempotencyKey.length > idempotency.maxLen) {
    throw new Error("an idempotency key is longer than its provider takes");
  }
  return { ...ref, providerReference: attempt.reference, idempotencyKey, begunAt: attempt.createdAt };
}
