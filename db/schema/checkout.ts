import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytes, clientId, createdAt, instant } from "@/db/schema/columns";

export const CHECKOUT_ATTEMPT_STATES = ["sent", "approved", "declined", "expired"] as const;
export type CheckoutAttemptState = (typeof CHECKOUT_ATTEMPT_STATES)[number];

/**
 * One press of Pay: written in the transaction that takes the link's place and makes the payment. The key is made from
 * the visit and how often it has paid before, so it needs no row until then and every tab of a visit holds the same.
 */
export const checkoutAttempts = pgTable(
  "checkout_attempts",
  {
    key: uuid().primaryKey(),
    clientId: clientId(),
    sessionId: uuid().notNull(),
    visitHash: bytes().notNull(),
    method: text().notNull(),
    /** Keyed digest of the payer's CPF or CNPJ, against paying twice; null where none was asked. */
    buyer: bytes(),
    state: text({ enum: CHECKOUT_ATTEMPT_STATES }).notNull().default("sent"),
    chargeId: uuid(),
    purchaseId: uuid(),
    /** A subscription that begins with a trial: no payment is made yet. */
    startId: uuid(),
    createdAt: createdAt(),
    endedAt: instant(),
  },
  (t) => [
    uniqueIndex("checkout_attempts_one_open").on(t.sessionId, t.visitHash).where(sql`${t.state} = 'sent'`),
    index("checkout_attempts_visit").on(t.sessionId, t.visitHash, t.createdAt),
    index("checkout_attempts_buyer").on(t.clientId, t.buyer).where(sql`${t.buyer} is not null`),
    index("checkout_attempts_charge").on(t.chargeId).where(sql`${t.chargeId} is not null`),
    check("checkout_attempts_state", sql`${t.state} in ('sent', 'approved', 'declined', 'expired')`),
    check("checkout_attempts_payment", sql`num_nonnulls(${t.chargeId}, ${t.purchaseId}, ${t.startId}) = 1`),
    check("checkout_attempts_ended", sql`(${t.state} = 'sent') = (${t.endedAt} is null)`),
  ],
);

/** Who opened a link, once each: what its conversion is counted against. */
export const linkVisits = pgTable(
  "link_visits",
  {
    sessionId: uuid().notNull(),
    visitHash: bytes().notNull(),
    clientId: clientId(),
    at: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.sessionId, t.visitHash] })],
);

/** What buyers asked a shop for when its link could not be paid any more. */
export const linkRequests = pgTable(
  "link_requests",
  {
    id: uuid().primaryKey(),
    clientId: clientId(),
    sessionId: uuid().notNull(),
    visitHash: bytes().notNull(),
    name: text(),
    email: text(),
    locale: text().notNull(),
    createdAt: createdAt(),
    answeredAt: instant(),
    /** The link that was sent. */
    answeredWith: uuid(),
  },
  (t) => [
    index("link_requests_session").on(t.clientId, t.sessionId, t.createdAt),
    index("link_requests_visit").on(t.sessionId, t.visitHash, t.createdAt),
  ],
);

export const LINK_FAILURES = ["no_method", "unavailable", "invalid_merchant"] as const;
export type LinkFailure = (typeof LINK_FAILURES)[number];

/** Links that buyers could not pay for a reason of the shop's: one row each, touched once an hour at most. */
export const linkFailures = pgTable(
  "link_failures",
  {
    sessionId: uuid().notNull(),
    cause: text({ enum: LINK_FAILURES }).notNull(),
    clientId: clientId(),
    merchantId: uuid().notNull(),
    firstAt: instant().notNull(),
    lastAt: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.sessionId, t.cause] }),
    index("link_failures_last").on(t.clientId, t.lastAt),
    check("link_failures_cause", sql`${t.cause} in ('no_method', 'unavailable', 'invalid_merchant')`),
  ],
);
