import { and, eq, gt, isNull, or, sql } from "drizzle-orm";
import { type SessionAction, sessions } from "@/db/schema/sessions";
import { type Context, now } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { announceSession } from "@/lib/sessions/announce";
import { type ChangedField, recordSessionChange } from "@/lib/sessions/history";
import { sessionMachine } from "@/lib/sessions/machine";
import { getSession } from "@/lib/sessions/queries";
import { capacityOf, isFull, isOneToOne, isPastDue, type SessionRow } from "@/lib/sessions/state";

/**
 * Takes a place for a payment that is about to be made, in its transaction. One statement looks and takes, so that of
 * any number that race for the last place one gets it (spec/reliability.md 2.5); the others are told why not.
 */
export async function reserve(ctx: Context, sessionId: string): Promise<SessionRow> {
  const at = now(ctx);
  const [row] = await ctx.db
    .update(sessions)
    .set({ pendingCount: sql`${sessions.pendingCount} + 1`, updatedAt: at })
    .where(
      and(
        eq(sessions.id, sessionId),
        eq(sessions.clientId, ctx.account.id),
        eq(sessions.isActive, true),
        eq(sessions.status, "created"),
        or(isNull(sessions.dueAt), gt(sessions.dueAt, at)),
        or(
          eq(sessions.maxPayments, -1),
          sql`${sessions.paymentCount} + ${sessions.pendingCount} < coalesce(${sessions.maxPayments}, 1)`,
        ),
      ),
    )
    .returning();
  if (!row) throw whyNot(await getSession(ctx, sessionId), at);
  await recordSessionChange(ctx, row, { actions: ["paymentPending"] });
  return row;
}

/** In the order of spec/contract.md 9.5: the capacity of a finite link comes before everything else. */
export function refuseUnpayable(row: SessionRow, at: Date): void {
  if (!isOpen(row, at) || isFull(row)) throw whyNot(row, at);
}

const isOpen = (row: SessionRow, at: Date): boolean => row.status === "created" && row.isActive && !isPastDue(row, at);

/** A session that is open now was full a moment ago: a place may have become free since it was refused. */
const whyNot = (row: SessionRow, at: Date): DomainError =>
  !isOneToOne(row) && (isFull(row) || isOpen(row, at))
    ? new DomainError("multiple_payments_limit_reached", "the session has reached its limit of payments")
    : disabled();

export const disabled = (): DomainError => new DomainError("session_disabled", "the session cannot be paid now");

/** What a payment means to its session: it takes a place, it counts, it counted and was given back, or nothing. */
export type SessionPlace = "reserved" | "paid" | "returned" | "free";

/** How a payment that lost its place ended. */
export type Loss = "paymentFailed" | "paymentExpired";

/** The place becomes a payment or is given back, in the transaction that records the outcome of the payment. */
export async function settlePlace(
  ctx: Context,
  sessionId: string,
  before: SessionPlace,
  after: SessionPlace,
  loss: Loss,
): Promise<void> {
  if (before === after || before === "free") return;
  if (before === "reserved" && after !== "free") await count(ctx, sessionId);
  else if (before === "reserved") await giveBack(ctx, sessionId, loss);
  if (after === "returned") await returned(ctx, sessionId);
}

async function count(ctx: Context, sessionId: string): Promise<void> {
  const row = await changeOfferedSession(ctx, sessionId, {
    pendingCount: sql`${sessions.pendingCount} - 1`,
    paymentCount: sql`${sessions.paymentCount} + 1`,
  });
  const capacity = capacityOf(row);
  const isComplete = row.status === "created" && capacity !== null && row.paymentCount >= capacity;
  if (!isComplete) return recordSessionChange(ctx, row, { actions: ["paymentSucceeded"] });
  await complete(ctx, row, ["paymentSucceeded"]);
}

/** Row L1: everything the session allows was paid. */
export async function complete(ctx: Context, row: SessionRow, because: SessionAction[]): Promise<SessionRow> {
  const paid = await changeOfferedSession(ctx, row.id, {
    status: sessionMachine.next(row.status, "payments.complete"),
    isActive: false,
  });
  await recordSessionChange(ctx, paid, {
    actions: [
      "statusChanged",
      ...because,
      ...(row.isActive ? (["isActiveChanged"] as const) : []),
      ...(isOneToOne(row) ? [] : (["sessionExpiredByMaxPayments"] as const)),
    ],
    changes: { status: { from: row.status, to: paid.status }, ...activeChange(row, paid) },
  });
  return announceSession(ctx, paid, "paid");
}

async function giveBack(ctx: Context, sessionId: string, loss: Loss): Promise<void> {
  const row = await changeOfferedSession(ctx, sessionId, { pendingCount: sql`${sessions.pendingCount} - 1` });
  await recordSessionChange(ctx, row, { actions: [loss] });
}

/** Row L2: only the payment of a one-to-one session takes the session with it. */
async function returned(ctx: Context, sessionId: string): Promise<void> {
  const row = await changeOfferedSession(ctx, sessionId, {});
  if (!isOneToOne(row) || !sessionMachine.can(row.status, "payment.voided")) return;
  const voided = await changeOfferedSession(ctx, sessionId, {
    status: sessionMachine.next(row.status, "payment.voided"),
  });
  await recordSessionChange(ctx, voided, {
    actions: ["statusChanged"],
    changes: { status: { from: row.status, to: voided.status } },
  });
  await announceSession(ctx, voided, "voided");
}

type Changes = Parameters<ReturnType<Context["db"]["update"]>["set"]>[0];

/** Locks the session until the transaction ends. */
export async function changeOfferedSession(ctx: Context, sessionId: string, changes: Changes): Promise<SessionRow> {
  const [row] = await ctx.db
    .update(sessions)
    .set({ ...changes, updatedAt: now(ctx) })
    .where(and(eq(sessions.clientId, ctx.account.id), eq(sessions.id, sessionId)))
    .returning();
  if (!row) throw new Error("the session of a payment is missing");
  return row;
}

export const activeChange = (from: SessionRow, to: SessionRow): Record<string, ChangedField> =>
  from.isActive === to.isActive ? {} : { isActive: { from: from.isActive, to: to.isActive } };
