import { merchantDay } from "@/lib/bank-day/merchant-day";
import { confirmingDue, reminderDue } from "@/lib/buyer-mails/due";
import { analysisDue, feedDue } from "@/lib/charges/antifraud";
import { expire } from "@/lib/charges/engine/deadlines";
import { type Context, inTransaction } from "@/lib/context";
import type { JobKind } from "@/lib/due-jobs/kinds";
import { workOnTransfers } from "@/lib/payouts/transfers";
import { expirePrepayment } from "@/lib/prepayments/service";
import { closeSessionPayments } from "@/lib/purchases/close-session";
import { danglingDue, holdEnds, queryDue, reconcileDue } from "@/lib/purchases/due";
import { reportScheduled } from "@/lib/reports/definitions";
import { reportExpires } from "@/lib/reports/expire";
import { registerAt } from "@/lib/sellers/later";
import { workOn } from "@/lib/sellers/registration";
import { reviewDue } from "@/lib/sellers/reviews";
import { expireSession } from "@/lib/sessions/service";
import { cancellationDue, cycleDue, outcomeDue, retryDue, trialDue } from "@/lib/subscriptions/due";
import { closeWaitingStarts } from "@/lib/subscriptions/link-close";
import { settleTrial } from "@/lib/subscriptions/link-start";
import { workOnMandate } from "@/lib/subscriptions/mandate-work";
import { cardExpiryDue, lastTryDue, trialReminderDue } from "@/lib/subscriptions/reminders";
import { attemptDue, failingDue, pauseDue, probeDue } from "@/lib/webhooks/jobs";

/** What each kind of due moment does. Every handler is idempotent: it asks for the present state first. */
const HANDLERS: Record<Exclude<JobKind, "merchant.day">, (ctx: Context, refId: string) => Promise<void>> = {
  "attempt.query": queryDue,
  "charge.watch": reconcileDue,
  "charge.expire": expire,
  "charge.hold_ends": holdEnds,
  "analysis.query": analysisDue,
  "analysis.feed": feedDue,
  "orphan.watch": danglingDue,
  "webhook.attempt": attemptDue,
  "webhook.failing": failingDue,
  "webhook.pause": pauseDue,
  "webhook.probe": probeDue,
  "session.expires": (ctx, sessionId) => inTransaction(ctx, (inside) => expireSession(inside, sessionId)),
  "session.close": async (ctx, sessionId) => {
    await closeWaitingStarts(ctx, sessionId);
    await closeSessionPayments(ctx, sessionId);
  },
  "buyer.confirming": confirmingDue,
  "buyer.reminder": reminderDue,
  "prepayment.expire": expirePrepayment,
  "transfer.query": workOnTransfers,
  "merchant.sellers": registerAt,
  "registration.query": workOn,
  "review.deadline": reviewDue,
  "subscription.start": settleTrial,
  "subscription.due": cycleDue,
  "subscription.retry": retryDue,
  "subscription.outcome": outcomeDue,
  "subscription.cancel": cancellationDue,
  "subscription.last_try": lastTryDue,
  "subscription.card_expiry": cardExpiryDue,
  "mandate.query": workOnMandate,
  "trial.ends": trialDue,
  "trial.reminder": trialReminderDue,
  "report.expire": reportExpires,
  "report.schedule": reportScheduled,
};

/** Answers when the same comes again, of a kind whose moments follow each other for ever. */
export async function handle(ctx: Context, kind: JobKind, refId: string): Promise<Date | undefined> {
  if (kind === "merchant.day") return merchantDay(ctx, refId);
  await HANDLERS[kind](ctx, refId);
  return undefined;
}
