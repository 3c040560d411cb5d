/**
 * How many days what does not stay is kept. The sweeps delete by these numbers and the page about them shows these, so
 * that neither says anything of its own.
 */
export const KEPT_DAYS = {
  /** A day longer than a client may repeat a request (spec/contract.md 1.5). */
  idempotencyKeys: 31,
  requestLogs: 30,
  /** spec/contract.md 20.1. */
  events: 90,
  webhookDeliveries: 90,
  webhookAttempts: 30,
  notices: 90,
  emails: 90,
  /** No limit looks back further than a day; people who look into an attack do. */
  cardTries: 30,
  signInAttempts: 90,
  /** Since their last sign-in; until then they pass the limits of the sign-in. */
  knownDevices: 90,
  /** Of the engine: long enough to look at what happened, and for an event id to be known when a relay sends it again. */
  completedRuns: 7,
  failedRuns: 30,
  engineEvents: 7,
  relayedEvents: 7,
} as const;

export type KeptFor = keyof typeof KEPT_DAYS;
