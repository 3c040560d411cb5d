import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { bytes, cents, clientId, createdAt, id, instant } from "@/db/schema/columns";

/** What the simulated acquirer knows of a payment. Later facts are computed from its instants when it is asked. */
export const sandboxTransactions = pgTable(
  "sandbox_transactions",
  {
    id: id(),
    clientId: clientId(),
    providerId: uuid().notNull(),
    chargeId: uuid().notNull(),
    reference: text().notNull(),
    /** 1 = the second transaction that outcome 217 makes of a repeated reference. */
    copy: smallint().notNull().default(0),
    method: text().notNull(),
    /** Three-digit outcome that decides every later answer about this transaction. */
    outcome: text().notNull(),
    declinedCode: text(),
    brand: text(),
    /** Keyed: tells equal cards apart from different ones, never the number. */
    cardFingerprint: bytes(),
    state: text({ enum: ["pending", "held", "captured", "declined", "voided", "canceled", "expired"] }).notNull(),
    /** True while every later call follows the ordinary rules; those are decided by one statement. */
    plain: boolean().notNull(),
    currency: text().notNull().default("BRL"),
    amount: cents().notNull(),
    authorized: cents().notNull(),
    captured: cents().notNull().default(0),
    /** Upper bound of what refunds have taken. */
    refunded: cents().notNull().default(0),
    installments: smallint().notNull().default(1),
    capturedAt: instant(),
    endedAt: instant(),
    /** A pending transaction turns into `resolvesTo` then. */
    resolvesAt: instant(),
    resolvesTo: text({ enum: ["held", "captured", "declined"] }),
    expiresAt: instant(),
    delaySeconds: integer().notNull().default(5),
    scenario: text(),
    details: jsonb().$type<Record<string, unknown>>(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("sandbox_transactions_reference").on(t.clientId, t.providerId, t.reference, t.copy),
    index("sandbox_transactions_charge").on(t.clientId, t.chargeId),
    check("sandbox_transactions_money", sql`${t.captured} <= ${t.authorized} and ${t.refunded} >= 0`),
  ],
);

/** The simulator's own ledger. A row whose instant has not come yet is a thing that is going to happen. */
export const sandboxMovements = pgTable(
  "sandbox_movements",
  {
    id: id(),
    clientId: clientId(),
    transactionId: uuid()
      .notNull()
      .references(() => sandboxTransactions.id),
    kind: text({
      enum: ["capture", "payment", "refund", "refund_failed", "refund_undone", "chargeback", "reversal"],
    }).notNull(),
    amount: cents().notNull(),
    /** What the acquirer charges us for it. */
    cost: cents().notNull().default(0),
    /** Effective on the account's clock. */
    at: instant().notNull(),
    requestedAt: instant().notNull(),
    /** Reference of our attempt, or the bank's end-to-end identifier. */
    reference: text().notNull(),
    /** The Pix payment a refund belongs to. */
    paymentId: text(),
    /** Of a dispute, where its bank gave one. */
    reason: text(),
  },
  (t) => [
    uniqueIndex("sandbox_movements_reference").on(t.transactionId, t.kind, t.reference),
    index("sandbox_movements_day").on(t.clientId, t.at),
    check("sandbox_movements_amount", sql`${t.amount} > 0`),
  ],
);

/** What the simulator received and answered, redacted; kept rows are its idempotency store. */
export const sandboxCalls = pgTable(
  "sandbox_calls",
  {
    id: id(),
    clientId: clientId(),
    providerId: uuid().notNull(),
    chargeId: uuid().notNull(),
    operation: text().notNull(),
    reference: text().notNull(),
    idempotencyKey: text(),
    /** Keyed digest of the request: the same key with another request is a conflict. */
    fingerprint: bytes(),
    /** First of its key: repeats get these bytes. */
    kept: boolean().notNull(),
    request: jsonb().$type<Record<string, unknown>>().notNull(),
    status: smallint(),
    response: text(),
    durationMs: integer().notNull().default(0),
    at: instant().notNull(),
  },
  (t) => [
    uniqueIndex("sandbox_calls_key").on(t.clientId, t.providerId, t.idempotencyKey).where(sql`${t.kept}`),
    index("sandbox_calls_charge").on(t.clientId, t.chargeId),
  ],
);

/** How often something has applied: sends of a reference, uses of a scenario. */
export const sandboxCounters = pgTable(
  "sandbox_counters",
  {
    clientId: clientId(),
    scope: text().notNull(),
    used: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.clientId, t.scope] })],
);

export const sandboxScenarios = pgTable(
  "sandbox_scenarios",
  {
    id: id(),
    clientId: clientId(),
    targetKind: text({ enum: ["card", "customer", "merchant"] }).notNull(),
    targetId: uuid().notNull(),
    scenario: text().notNull(),
    /** 0 = always. */
    times: integer().notNull(),
    used: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    index("sandbox_scenarios_target").on(t.clientId, t.targetId),
    check("sandbox_scenarios_used", sql`${t.times} = 0 or ${t.used} <= ${t.times}`),
  ],
);

/** What the simulated fraud provider was asked and said; a pending analysis turns into `resolvesTo` by itself. */
export const sandboxAnalyses = pgTable(
  "sandbox_analyses",
  {
    id: id(),
    clientId: clientId(),
    providerId: uuid().notNull(),
    chargeId: uuid().notNull(),
    reference: text().notNull(),
    status: text({ enum: ["pending", "approved", "reproved", "failed"] }).notNull(),
    score: smallint(),
    failure: text({ enum: ["timeout", "processing_error"] }),
    resolvesAt: instant(),
    resolvesTo: text({ enum: ["approved", "reproved", "failed"] }),
    /** What it was told at the end, newest last. */
    fed: text().array().notNull().default([]),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("sandbox_analyses_reference").on(t.clientId, t.providerId, t.reference)],
);

/** Sellers that the simulated acquirer knows; later states are computed from its instants when it is asked. */
export const sandboxRecipients = pgTable(
  "sandbox_recipients",
  {
    id: id(),
    clientId: clientId(),
    providerId: uuid().notNull(),
    /** Tells apart the providers of one merchant; null where the caller did not say. */
    merchantId: uuid(),
    /** Of our registration. */
    reference: text().notNull(),
    /** Keyed digest of what was registered: the same reference with another seller is a conflict. */
    fingerprint: bytes().notNull(),
    /** Keyed digest of the seller's document. */
    documentKey: bytes().notNull(),
    /** What `pending` turns into at `resolvesAt`. */
    resolvesTo: text({ enum: ["active", "refused"] }).notNull(),
    resolvesAt: instant().notNull(),
    delaySeconds: integer().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("sandbox_recipients_reference").on(t.clientId, t.providerId, t.reference),
    index("sandbox_recipients_document").on(t.clientId, t.documentKey),
  ],
);

/** Reviews of a seller that the simulated acquirer asked for; one that lies ahead has `openedAt` in the future. */
export const sandboxRecipientReviews = pgTable(
  "sandbox_recipient_reviews",
  {
    id: id(),
    clientId: clientId(),
    recipientId: uuid()
      .notNull()
      .references(() => sandboxRecipients.id),
    requestedFields: text().array().notNull(),
    reason: text(),
    openedAt: instant().notNull(),
    deadline: instant().notNull(),
    submittedAt: instant(),
    /** When what was submitted is answered. */
    answeredAt: instant(),
    /** The answer to the next submission. */
    verdict: text({ enum: ["approved", "rejected", "more"] }).notNull(),
  },
  (t) => [index("sandbox_recipient_reviews_recipient").on(t.recipientId)],
);

/** Mandates that the simulated bank keeps (Pix Automático); later states are computed from its instants when it is asked. */
export const sandboxMandates = pgTable(
  "sandbox_mandates",
  {
    id: id(),
    clientId: clientId(),
    providerId: uuid().notNull(),
    reference: text().notNull(),
    /** Keyed digest of what was asked: the same reference with another mandate is a conflict. */
    fingerprint: bytes().notNull(),
    amount: cents().notNull(),
    /** Reference of the Pix that authorizes it by being paid. */
    firstPayment: text(),
    /** What `created` turns into at `resolvesAt`; null: the buyer never answers, or pays first. */
    resolvesTo: text({ enum: ["approved", "rejected"] }),
    resolvesAt: instant(),
    expiresAt: instant().notNull(),
    /** From then on it is over, by `endedBy`. */
    endsAt: instant(),
    endedBy: text({ enum: ["payer", "receiver"] }),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("sandbox_mandates_reference").on(t.clientId, t.providerId, t.reference)],
);

/** Notifications the simulated acquirer will send; signed when they are taken, so no secret is kept here. */
export const sandboxNotifications = pgTable(
  "sandbox_notifications",
  {
    id: id(),
    clientId: clientId(),
    providerId: uuid().notNull(),
    transactionId: uuid().notNull(),
    reference: text().notNull(),
    type: text().notNull(),
    /** Faults of the scenario that apply to this one. */
    fault: text({ enum: ["duplicate_webhook", "reorder_webhook", "bad_signature", "clock_skew"] }),
    dueAt: instant().notNull(),
    sentAt: instant(),
  },
  (t) => [
    uniqueIndex("sandbox_notifications_once").on(t.transactionId, t.type, t.dueAt),
    index("sandbox_notifications_due").on(t.clientId, t.dueAt).where(sql`${t.sentAt} is null`),
  ],
);

/** Transfers that the simulated bank was told of, each once; what becomes of one its account number decides. */
export const sandboxTransfers = pgTable(
  "sandbox_transfers",
  {
    id: id(),
    clientId: clientId(),
    reference: text().notNull(),
    fingerprint: bytes().notNull(),
    amount: cents().notNull(),
    /** From then on it is `resolvesTo`. */
    resolvesAt: instant().notNull(),
    resolvesTo: text({ enum: ["settled", "failed"] }).notNull(),
    reason: text(),
    /** The bank gives it back then. */
    returnsAt: instant(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("sandbox_transfers_reference").on(t.clientId, t.reference)],
);

/** Instalments that the simulated acquirer pays before their day, for a price. */
export const sandboxAnticipations = pgTable(
  "sandbox_anticipations",
  {
    clientId: clientId(),
    transactionId: uuid()
      .notNull()
      .references(() => sandboxTransactions.id),
    installment: smallint().notNull(),
    amount: cents().notNull(),
    paidOn: date().notNull(),
    cost: cents().notNull(),
  },
  (t) => [primaryKey({ columns: [t.transactionId, t.installment] })],
);
