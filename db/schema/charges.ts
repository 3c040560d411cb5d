import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
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
import { isAmong } from "@/db/literals";
import { cents, clientId, createdAt, id, instant, updatedAt } from "@/db/schema/columns";
import { isOtherThanId, isRefunded } from "@/db/schema/conditions";
import { type CardHolder, cards, customers } from "@/db/schema/customers";

type Json = Record<string, unknown>;

interface StoredProviderError {
  message: string;
  declinedCode: string;
  retryable: boolean;
  networkDeniedReason: string | null;
  networkDeniedMessage: string | null;
}

export const CHARGE_STATUSES = [
  "pending",
  "pre_authorized",
  "authorized",
  "failed",
  "canceled",
  "voided",
  "charged_back",
  "refund_pending",
  "capture_pending",
] as const;
export type ChargeStatus = (typeof CHARGE_STATUSES)[number];

/** What a charge is in the middle of: while set, no other capture or void begins. */
export const CHARGE_OPERATIONS = ["authorize", "capture", "void", "refund"] as const;
export type ChargeOperation = (typeof CHARGE_OPERATIONS)[number];

export const charges = pgTable(
  "charges",
  {
    id: id(),
    clientId: clientId(),
    merchantId: uuid().notNull(),
    customerId: uuid().references(() => customers.id),
    sessionId: uuid(),
    purchaseId: uuid(),
    subscriptionId: uuid(),
    originalAmount: cents().notNull(),
    currency: text().notNull(),
    capture: boolean().notNull(),
    description: text(),
    statementDescriptor: text(),
    orderId: text(),
    providerReferenceKey: text(),
    paymentType: text().notNull(),
    installments: smallint(),
    /** Members of the payment method as asked, and what the provider gave for it (QR text, barcode). */
    paymentMethod: jsonb().$type<Json>().notNull(),
    sourceType: text({ enum: ["card", "token", "customer", "wallet"] }).notNull(),
    cardId: uuid().references(() => cards.id),
    tokenId: uuid(),
    sourceCustomerId: uuid().references(() => customers.id),
    paymentFlow: jsonb().$type<Json>(),
    threeDSecure2: jsonb("three_d_secure2").$type<Json>(),
    holder: jsonb().$type<CardHolder>(),
    appInfo: jsonb().$type<Json>(),
    vendor: jsonb().$type<Json>(),
    metadata: jsonb().$type<Json>(),
    hasSplit: boolean().notNull().default(false),
    platformFee: jsonb().$type<Json>(),
    /** Forwarded to the simulator with every call of this request; sandbox accounts only. */
    scenario: text(),
    requestId: text(),
    idempotencyKey: text(),
    createdByKey: uuid(),
    createdAt: createdAt(),
    // What changes stands together at the end: the log of a change holds what lies between its first and its last.
    status: text({ enum: CHARGE_STATUSES }).notNull(),
    amount: cents().notNull(),
    capturedAmount: cents().notNull().default(0),
    refundedAmount: cents().notNull().default(0),
    chargedBackAmount: cents().notNull().default(0),
    isDispute: boolean().notNull().default(false),
    /** The provider that answered last, and the transaction at it that holds the money. */
    providerId: uuid(),
    providerType: text(),
    providerTxId: text(),
    /** Where the CVV of this payment lies in the vault while its authorisation is not answered. */
    cvvTokenId: uuid(),
    fraudAnalysis: jsonb().$type<Json>(),
    /** When its money was first captured or paid, on the account's clock. */
    capturedAt: instant(),
    expiresAt: instant(),
    operation: text({ enum: CHARGE_OPERATIONS }),
    operationAmount: cents(),
    /** Who asked: a client's call, the system (expiry, compensation, anti-fraud), or the purchase it is a card of. */
    operationBy: text({ enum: ["client", "system", "purchase"] }),
    /** What the operation returns to when the provider refuses it. */
    operationFrom: text({ enum: CHARGE_STATUSES }),
    /** Lease on real time of whoever is driving the charge, and the fence of every write it makes. */
    leaseUntil: instant(),
    epoch: integer().notNull().default(0),
    idleClaims: integer().notNull().default(0),
    reviewReason: text({ enum: ["reconciliation_failed", "amount_mismatch", "claims_exhausted"] }),
    reviewSince: instant(),
    /** Why it failed, as its last attempt says; lists are narrowed by it. */
    declineCode: text(),
    eventVersion: integer().notNull().default(0),
    lastEventAt: instant(),
    updatedAt: updatedAt(),
  },
  (t) => [
    // What lists are narrowed by stands in the index itself: a rare combination is found without reading a row in vain.
    index("charges_listed").on(t.clientId, t.createdAt, t.id, t.status, t.paymentType, t.providerType, t.purchaseId),
    index().on(t.clientId, t.status, t.createdAt, t.id),
    index("charges_declined")
      .on(t.clientId, t.declineCode, t.createdAt, t.id, t.purchaseId, t.paymentType, t.providerType)
      .where(sql`${t.declineCode} is not null`),
    index("charges_connection")
      .on(t.clientId, t.providerId, t.createdAt, t.id, t.purchaseId)
      .where(sql`${t.providerId} is not null`),
    index("charges_split").on(t.clientId, t.createdAt, t.id, t.purchaseId).where(sql`${t.hasSplit}`),
    index("charges_metadata")
      .using("gin", t.clientId, t.metadata.op("jsonb_path_ops"))
      .where(sql`${t.metadata} is not null`),
    index().on(t.merchantId, t.createdAt, t.id),
    index("charges_customer").on(t.customerId, t.createdAt).where(sql`${t.customerId} is not null`),
    index("charges_order").on(t.clientId, t.orderId.op("text_pattern_ops")).where(sql`${t.orderId} is not null`),
    index("charges_session").on(t.sessionId).where(sql`${t.sessionId} is not null`),
    index("charges_purchase").on(t.purchaseId).where(sql`${t.purchaseId} is not null`),
    index("charges_of_purchases").on(t.clientId, t.providerType, t.purchaseId).where(sql`${t.purchaseId} is not null`),
    index("charges_subscription").on(t.subscriptionId).where(sql`${t.subscriptionId} is not null`),
    index("charges_created_by_key").on(t.createdByKey, t.createdAt).where(sql`${t.createdByKey} is not null`),
    index("charges_leased").on(t.leaseUntil).where(sql`${t.leaseUntil} is not null`),
    index("charges_source_customer").on(t.sourceCustomerId, t.createdAt).where(sql`${t.sourceCustomerId} is not null`),
    index("charges_card").on(t.cardId).where(sql`${t.cardId} is not null`),
    index("charges_original_amount").on(t.clientId, t.originalAmount, t.createdAt),
    index("charges_refunded").on(t.clientId, t.createdAt, t.id, t.purchaseId).where(isRefunded(t)),
    index("charges_disputed").on(t.clientId, t.id).where(sql`${t.isDispute}`),
    index("charges_in_review").on(t.clientId, t.reviewSince).where(sql`${t.reviewReason} is not null`),
    check("charges_status", isAmong(t.status, CHARGE_STATUSES)),
    check("charges_amounts", sql`${t.amount} >= 0 and ${t.originalAmount} >= 1 and ${t.capturedAmount} >= 0`),
    check("charges_refunds", sql`${t.refundedAmount} >= 0 and ${t.refundedAmount} <= ${t.capturedAmount}`),
  ],
);

export const ATTEMPT_STATES = [
  "sent",
  "undetermined",
  "approved",
  "declined",
  "not_sent",
  "rejected",
  "mismatch",
  "absent",
  "reversed",
] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

export const ATTEMPT_KINDS = [
  "authorize",
  "capture",
  "void",
  "refund",
  "pix",
  "boleto",
  "wallet",
  "cancel_open",
  "zero_dollar",
  "notice",
] as const;
export type AttemptKind = (typeof ATTEMPT_KINDS)[number];

/** One network attempt at one provider: committed before the first byte is sent. */
export const transactionRequests = pgTable(
  "transaction_requests",
  {
    id: id(),
    clientId: clientId(),
    chargeId: uuid().references(() => charges.id),
    /** For the zero-amount check of a card. */
    cardId: uuid(),
    kind: text({ enum: ATTEMPT_KINDS }).notNull(),
    /** 1, 2, 3 … among the attempts of one kind of the charge. */
    sequence: integer().notNull(),
    providerId: uuid(),
    providerType: text().notNull(),
    /** What the provider knows the attempt by; never changes. */
    reference: text().notNull(),
    amount: cents().notNull(),
    createdAt: createdAt(),
    // What changes, as in `charges`.
    state: text({ enum: ATTEMPT_STATES }).notNull(),
    requestType: text().notNull(),
    requestStatus: text().notNull(),
    requestStatusReason: text(),
    transactionId: text(),
    authorizationCode: text(),
    authorizationNsu: text(),
    providerError: jsonb().$type<StoredProviderError>(),
    providerAuthorization: jsonb().$type<Json>(),
    /** Data of the method: pix, boleto, fraudAnalysis, threeds. */
    details: jsonb().$type<Json>(),
    raw: jsonb().$type<Json>(),
    responseMs: integer(),
    /** The last time; a replay under the same key renews it before it is sent. */
    sentAt: instant(),
    /** Position in the query schedule, and when a definitive "not found" or "still open" was first answered. */
    queries: integer().notNull().default(0),
    absentSince: instant(),
    resent: boolean().notNull().default(false),
    updatedAt: updatedAt(),
  },
  (t) => [
    index().on(t.chargeId),
    // What a provider did last, for flows that order by it.
    index("transaction_requests_measured").on(t.providerId, t.createdAt).where(sql`${t.kind} = 'authorize'`),
    index("transaction_requests_card").on(t.cardId).where(sql`${t.cardId} is not null`),
    // Most references are the attempt's id, which is unique by itself.
    uniqueIndex("transaction_requests_reference").on(t.providerId, t.reference).where(isOtherThanId(t)),
    uniqueIndex("transaction_requests_one_live_authorization")
      .on(t.chargeId)
      .where(sql`${t.kind} = 'authorize' and ${t.state} in ('sent', 'undetermined', 'approved', 'mismatch')`),
    uniqueIndex("transaction_requests_one_open")
      .on(t.chargeId)
      .where(sql`${t.state} in ('sent', 'undetermined') and ${t.kind} <> 'notice'`),
    index("transaction_requests_transaction")
      .on(t.clientId, t.transactionId.op("text_pattern_ops"))
      .where(sql`${t.transactionId} is not null`),
    index("transaction_requests_nsu").on(t.clientId, t.authorizationNsu).where(sql`${t.authorizationNsu} is not null`),
    index("transaction_requests_code")
      .on(t.clientId, t.authorizationCode)
      .where(sql`${t.authorizationCode} is not null`),
    // Returns of money that came on top of a payment.
    index("transaction_requests_on_top")
      .on(t.clientId)
      .where(sql`${t.kind} in ('refund', 'notice') and ${t.details} ? 'surplus'`),
    // Money that came after the payment was closed.
    index("transaction_requests_late").on(t.clientId).where(sql`${t.requestStatusReason} = 'paid_after_cancellation'`),
    index("transaction_requests_disputes")
      .on(t.clientId, t.createdAt, t.id)
      .where(sql`${t.requestType} = 'charge_back' or ${t.requestStatusReason} = 'forced_by_payer_bank'`),
    check("transaction_requests_kind", isAmong(t.kind, ATTEMPT_KINDS)),
    check("transaction_requests_state", isAmong(t.state, ATTEMPT_STATES)),
  ],
);

/** Where a charge was sent and why, decided once when it was made; append-only. */
export const routingDecisions = pgTable(
  "routing_decisions",
  {
    chargeId: uuid()
      .primaryKey()
      .references(() => charges.id),
    clientId: clientId(),
    /** What was known of the payment; of a card nothing beyond its BIN. */
    facts: jsonb().$type<Json>().notNull(),
    path: text().array().notNull(),
    /** In the order they are tried. */
    providers: uuid().array().notNull(),
    skipped: jsonb().$type<{ id: string; why: string }[]>().notNull(),
    fraudProvider: uuid(),
    /** The flow that decided, and its version then; null where the merchant's priorities did. */
    flowId: uuid(),
    flowVersion: text(),
    /** Alternatives after declines, where the flow has any. */
    steps: jsonb().$type<unknown[]>(),
    /** Asked of the buyer before an acquirer hears of the payment. */
    challenge: text({ enum: ["required", "data_only"] }),
    /** Drawn for the buyer, where the flow asked for it. */
    bucket: smallint(),
    /** What an order by approval, cost or latency was made of. */
    measures: jsonb().$type<Json>(),
    createdAt: createdAt(),
  },
  (t) => [
    index("routing_decisions_flow").on(t.flowId, t.createdAt).where(sql`${t.flowId} is not null`),
    index("routing_decisions_replayed").on(t.clientId, t.createdAt, t.chargeId),
  ],
);

export const splitRules = pgTable(
  "split_rules",
  {
    id: id(),
    clientId: clientId(),
    chargeId: uuid()
      .notNull()
      .references(() => charges.id),
    position: smallint().notNull(),
    sellerId: uuid().notNull(),
    percentageBps: integer(),
    amount: cents(),
    processingFee: boolean().notNull(),
    liable: boolean().notNull(),
    chargeEntireFee: boolean().notNull(),
    chargeRemainderFee: boolean().notNull(),
    transactionOwner: boolean().notNull(),
    fareMdrBps: integer(),
    fareFee: cents(),
    /** What it came to when the charge was captured: its share, what it paid of it, and what a refund gives back. */
    capturedShare: cents(),
    processing: cents(),
    processingMdr: cents(),
    processingRefundable: text({ enum: ["none", "mdr", "all"] }),
    /** The row of prices: of a sale plan, or of the merchant's platform fee. */
    rateId: uuid(),
    fares: cents(),
    faresMdr: cents(),
    faresRefundable: text({ enum: ["none", "mdr", "all"] }),
    /** What refunds gave back of its share, whoever it was taken from. */
    refundedShare: cents().notNull().default(0),
    /** The same by the evidence of each refund: one that fails in the end gives its part back. */
    refundedParts: jsonb().$type<Record<string, number>>().notNull().default({}),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex("split_rules_position").on(t.chargeId, t.position),
    check("split_rules_refunded", sql`${t.refundedShare} between 0 and coalesce(${t.capturedShare}, 0)`),
  ],
);

/** What providers told us by themselves: stored scrubbed, answered 200, then a query is triggered. */
export const providerNotifications = pgTable(
  "provider_notifications",
  {
    id: id(),
    clientId: clientId(),
    providerId: uuid().notNull(),
    eventId: text().notNull(),
    type: text().notNull(),
    reference: text(),
    transactionId: text(),
    body: jsonb().$type<Json>(),
    receivedAt: instant().notNull(),
    /** What it speaks of, where that was known when it came. */
    chargeId: uuid(),
    /** By a signature or a certificate: only then it is evidence. */
    isProved: boolean().notNull(),
  },
  (t) => [
    uniqueIndex("provider_notifications_event").on(t.providerId, t.eventId),
    index("provider_notifications_reference").on(t.providerId, t.reference).where(sql`${t.reference} is not null`),
    index("provider_notifications_transaction")
      .on(t.providerId, t.transactionId)
      .where(sql`${t.transactionId} is not null`),
    index("provider_notifications_charge").on(t.chargeId).where(sql`${t.chargeId} is not null`),
  ],
);

/** How many charges an account has in each status, as far as their changes were rolled up. */
export const chargeCounts = pgTable(
  "charge_counts",
  {
    clientId: clientId(),
    status: text().notNull(),
    charges: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.clientId, t.status] })],
);

/**
 * Changes of charges that totals and figures do not contain yet: one row for each insert or change, written by a trigger
 * in its transaction, deleted by the roll-up. `was…` is null where the charge was made.
 */
export const chargeChanges = pgTable(
  "charge_changes",
  {
    clientId: clientId(),
    /** In which the charge was made. */
    hour: instant().notNull(),
    merchantId: uuid().notNull(),
    method: text().notNull(),
    currency: text().notNull(),
    cardId: uuid(),
    amount: cents().notNull(),
    status: text().notNull(),
    provider: text().notNull(),
    declineCode: text().notNull(),
    captured: cents().notNull(),
    refunded: cents().notNull(),
    wasStatus: text(),
    wasProvider: text(),
    wasDeclineCode: text(),
    wasCaptured: bigint({ mode: "number" }),
    wasRefunded: bigint({ mode: "number" }),
  },
  (t) => [index("charge_changes_client").on(t.clientId)],
);
