import { confirmingDue, reminderDue } from "@/lib/buyer-mails/due";
import { verdictDue } from "@/lib/charges/antifraud";
import { expire, watchOrphan } from "@/lib/charges/engine/deadlines";
import { ORPHAN_STEP_SECONDS } from "@/lib/charges/engine/inquire";
import { type Context, inTransaction } from "@/lib/context";
import { type JobKind, schedule } from "@/lib/due-jobs/schedule";
import { closeSessionPayments } from "@/lib/purchases/close-session";
import { holdEnds, lookDue, queryDue } from "@/lib/purchases/due";
import { expireSession } from "@/lib/sessions/service";
import { attemptDue, pauseDue, probeDue } from "@/lib/webhooks/jobs";

/** A hold of the slowest brand is gone after this; an orphan is looked for no longer. */
const ORPHAN_DAYS = 28;

/** What each kind of due moment does. Every handler is idempotent: it asks for the present state first. */
export const HANDLERS: Record<JobKind, (ctx: Context, refId: string) => Promise<void>> = {
  "attempt.query": queryDue,
  "charge.watch": lookDue,
  "charge.expire": expire,
  "charge.hold_ends": holdEnds,
  "antifraud.verdict": verdictDue,
  "orphan.watch": (ctx, chargeId) =>
    watchOrphan(
      ctx,
      chargeId,
      (at) => inTransaction(ctx, (inside) => schedule(inside, "orphan.watch", chargeId, at)),
      ORPHAN_STEP_SECONDS,
      ORPHAN_DAYS,
    ),
  "webhook.attempt": attemptDue,
  "webhook.pause": pauseDue,
  "webhook.probe": probeDue,
  "session.expires": (ctx, sessionId) => inTransaction(ctx, (inside) => expireSession(inside, sessionId)),
  "session.close": closeSessionPayments,
  "buyer.confirming": confirmingDue,
  "buyer.reminder": reminderDue,
};
