import { audit } from "@/lib/audit";
import { type Context, inTransaction, now } from "@/lib/context";
import { schedule, unschedule } from "@/lib/due-jobs/schedule";
import { DomainError } from "@/lib/errors";
import { log } from "@/lib/log";
import { closePayment } from "@/lib/session-payments/close";
import { chargesHolding } from "@/lib/session-payments/queries";
import { announceSession } from "@/lib/sessions/announce";
import { recordSessionChange } from "@/lib/sessions/history";
import { sessionMachine } from "@/lib/sessions/machine";
import { activeChange, changeOfferedSession } from "@/lib/sessions/places";
import { lockSession } from "@/lib/sessions/queries";
import type { SessionRow } from "@/lib/sessions/state";

/**
 * Ends the session in the caller's transaction. What waits for its buyer is closed, and what is held released, by
 * `closeCanceled` after it, or else by a job (spec/contract.md 9.4).
 */
export async function cancelSession(ctx: Context, id: string): Promise<SessionRow> {
  const from = await lockSession(ctx, id);
  if (!sessionMachine.can(from.status, "canceled")) {
    throw new DomainError("session_not_cancelable", `a ${from.status} session cannot be canceled`);
  }
  const to = await changeOfferedSession(ctx, id, {
    status: sessionMachine.next(from.status, "canceled"),
    isActive: false,
  });
  await recordSessionChange(ctx, to, {
    actions: ["statusChanged", ...(from.isActive ? (["isActiveChanged"] as const) : [])],
    changes: { status: { from: from.status, to: to.status }, ...activeChange(from, to) },
  });
  await unschedule(ctx, "session.expires", id);
  // What cannot be closed while the caller waits is closed by this job.
  await schedule(ctx, "session.close", id, now(ctx));
  await audit(ctx, { action: "session.cancel", object: "session", objectId: id, before: { status: from.status } });
  return announceSession(ctx, to, "canceled");
}

/** While the caller waits. */
export async function closeCanceled(ctx: Context, sessionId: string): Promise<void> {
  const holding = await inTransaction(ctx, (inside) => chargesHolding(inside, sessionId));
  for (const { id } of holding) {
    try {
      await closePayment(ctx, id);
    } catch (error) {
      log.warn({ requestId: ctx.requestId, chargeId: id, error }, "a payment is left to the job that closes it");
    }
  }
}
