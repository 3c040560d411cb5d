import { audit } from "@/lib/audit";
import { type Context, inTransaction, now } from "@/lib/context";
import { schedule, unschedule } from "@/lib/due-jobs/schedule";
import { DomainError } from "@/lib/errors";
import { log } from "@/lib/log";
import { closePayment } from "@/lib/session-payments/close";
import { chargesHolding } from "@/lib/session-payments/queries";
import { announce } from "@/lib/sessions/announce";
import { record } from "@/lib/sessions/history";
import { sessionMachine } from "@/lib/sessions/machine";
import { activeChange, change } from "@/lib/sessions/places";
import { lockSession } from "@/lib/sessions/queries";
import type { SessionRow } from "@/lib/sessions/state";

/**
 * Ends the session, then closes what waits for its buyer and releases what is held (spec/contract.md 9.4). `commit` is the
 * transaction that the caller's answer is kept in.
 */
export async function cancelSession<T>(
  ctx: Context,
  id: string,
  commit: (work: (ctx: Context) => Promise<SessionRow>) => Promise<T>,
): Promise<T> {
  const canceled = await commit((inside) => cancel(inside, id));
  await closeNow(ctx, id);
  return canceled;
}

async function cancel(ctx: Context, id: string): Promise<SessionRow> {
  const from = await lockSession(ctx, id);
  if (!sessionMachine.can(from.status, "canceled")) {
    throw new DomainError("session_not_cancelable", `a ${from.status} session cannot be canceled`);
  }
  const to = await change(ctx, id, { status: sessionMachine.next(from.status, "canceled"), isActive: false });
  await record(ctx, to, {
    actions: ["statusChanged", ...(from.isActive ? (["isActiveChanged"] as const) : [])],
    changes: { status: { from: from.status, to: to.status }, ...activeChange(from, to) },
  });
  await unschedule(ctx, "session.expires", id);
  // What cannot be closed while the caller waits is closed by this job.
  await schedule(ctx, "session.close", id, now(ctx));
  await audit(ctx, { action: "session.cancel", object: "session", objectId: id, before: { status: from.status } });
  return announce(ctx, to, "canceled");
}

async function closeNow(ctx: Context, sessionId: string): Promise<void> {
  const holding = await inTransaction(ctx, (inside) => chargesHolding(inside, sessionId));
  for (const { id } of holding) {
    try {
      await closePayment(ctx, id);
    } catch (error) {
      log.warn({ requestId: ctx.requestId, chargeId: id, error }, "a payment is left to the job that closes it");
    }
  }
}
