/** Provider calls take as long as somebody else's machine; what is only written down never waits behind them. */
export const LANES = ["provider", "bookkeeping"] as const;
export type Lane = (typeof LANES)[number];

/** Everything that happens later, by what it does; each kind has one handler in lib/scheduler/handlers.ts. */
export const JOB_LANES = {
  "attempt.query": "provider",
  "charge.expire": "provider",
  "charge.hold_ends": "provider",
  "orphan.watch": "provider",
  "charge.watch": "provider",
  "analysis.query": "provider",
  "analysis.feed": "provider",
  "webhook.attempt": "bookkeeping",
  "webhook.failing": "bookkeeping",
  "webhook.pause": "bookkeeping",
  "webhook.probe": "bookkeeping",
  "session.expires": "bookkeeping",
  "session.close": "provider",
  "buyer.confirming": "bookkeeping",
  "buyer.reminder": "bookkeeping",
  "merchant.day": "bookkeeping",
  "prepayment.expire": "bookkeeping",
  "transfer.query": "provider",
  "merchant.sellers": "bookkeeping",
  "registration.query": "provider",
  "review.deadline": "bookkeeping",
  "subscription.start": "bookkeeping",
  "subscription.due": "provider",
  "subscription.retry": "provider",
  "subscription.outcome": "bookkeeping",
  "subscription.cancel": "bookkeeping",
  "subscription.last_try": "bookkeeping",
  "subscription.card_expiry": "bookkeeping",
  "mandate.query": "provider",
  "trial.ends": "bookkeeping",
  "trial.reminder": "bookkeeping",
  "report.expire": "bookkeeping",
  "report.schedule": "bookkeeping",
} as const satisfies Record<string, Lane>;
export type JobKind = keyof typeof JOB_LANES;

/** Told to the engine when something falls due before the next minute's drain would see it. */
export const DUE_SOON: Record<Lane, string> = { provider: "jobs/due.soon", bookkeeping: "bookkeeping/due.soon" };
