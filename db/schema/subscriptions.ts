import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
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
import { literals } from "@/db/literals";
import { clients } from "@/db/schema/accounts";
import { charges } from "@/db/schema/charges";
import { cents, clientId, createdAt, id, instant, updatedAt } from "@/db/schema/columns";
import { cards, customers } from "@/db/schema/customers";
import { merchants, providers } from "@/db/schema/merchants";

type Json = Record<string, unknown>;

export const SUBSCRIPTION_STATUSES = [
  "created",
  "trialing",
  "active",
  "paused",
  "unpaid",
  "expired",
  "canceled",
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

export const CYCLE_STATUSES = ["scheduled", "pending", "authorized", "retrying", "failed", "canceled"] as const;
export type CycleStatus = (typeof CYCLE_STATUSES)[number];

export const INTERVALS = ["weekly", "monthly", "quarterly", "yearly", "biennial", "triennial"] as const;
export type Interval = (typeof INTERVALS)[number];

export const TRY_STATUSES = ["pending", "authorized", "failed"] as const;
/** `first` is the cycle's own, `retry` one of the policy's dates, `immediate` the one an issuer asks for at once. */
export const TRY_KINDS = ["first", "retry", "immediate", "manual"] as const;
export type TryKind = (typeof TRY_KINDS)[number];

/** What pays: a card that is charged, or the buyer's bank by a mandate (Pix Automático). */
export const SUBSCRIPTION_METHODS = ["credit", "pix_automatic"] as const;

export const MANDATE_STATUSES = ["created", "approved", "rejected", "expired", "canceled"] as const;
export type MandateStatus = (typeof MANDATE_STATUSES)[number];
/** How the buyer authorizes: by a code alone, or by the code that pays the first cycle. */
export const MANDATE_JOURNEYS = ["qr", "qr_with_first_payment"] as const;
export type MandateJourney = (typeof MANDATE_JOURNEYS)[number];
/** Whether the buyer's bank may be asked again when a cycle was not paid on its day. */
export const MANDATE_RETRIES = ["none", "three_in_seven_days"] as const;
export type MandateRetry = (typeof MANDATE_RETRIES)[number];
/** What is known of its making at the provider. */
export const MANDATE_CALLS = ["planned", "sent", "undetermined", "known"] as const;

const day = () => date({ mode: "string" });

export const subscriptions = pgTable(
  "subscriptions",
  {
    id: id(),
    clientId: clientId().references(() => clients.id),
    merchantId: uuid()
      .notNull()
      .references(() => merchants.id),
    customerId: uuid()
      .notNull()
      .references(() => customers.id),
    name: text().notNull(),
    referenceKey: text(),
    currency: text().notNull(),
    items: jsonb().$type<Json[]>().notNull(),
    /** Of one cycle: the sum of its items. */
    amount: cents().notNull(),
    interval: text({ enum: INTERVALS }).notNull(),
    /** How many cycles count at most; null is endless. */
    cycles: integer(),
    startAt: day().notNull(),
    trialEndAt: day(),
    method: text({ enum: SUBSCRIPTION_METHODS }).notNull(),
    /** Of the method `credit` alone. */
    cardId: uuid().references(() => cards.id),
    installments: smallint().notNull(),
    splitRules: jsonb().$type<Json[]>().notNull(),
    status: text({ enum: SUBSCRIPTION_STATUSES }).notNull(),
    /** When the next cycle falls due that has no row yet; null when none will. */
    nextDueOn: day(),
    cancelAtPeriodEnd: boolean().notNull().default(false),
    scheduledCancellationAt: day(),
    scheduledCancellationReason: text(),
    /** 00:00 UTC of this day ends it, whichever of the two said so. */
    cancelOn: day(),
    /** Before its first approved charge the network is told that the agreement begins. */
    isAgreed: boolean().notNull().default(false),
    /** Counts its changes of status and its tries: one order of both. */
    revision: integer().notNull().default(0),
    eventVersion: integer().notNull().default(0),
    lastEventAt: instant(),
    /** What its buyer reads: the account's, until the buyer reads its page in another. */
    locale: text({ enum: ["pt-BR", "en"] })
      .notNull()
      .default("pt-BR"),
    /** The payment link that started it. */
    sessionId: uuid(),
    createdByKey: uuid(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index("subscriptions_session").on(t.sessionId, t.createdAt).where(sql`${t.sessionId} is not null`),
    index("subscriptions_listed").on(t.clientId, t.createdAt, t.id, t.status),
    index("subscriptions_by_status").on(t.clientId, t.status, t.createdAt, t.id),
    index("subscriptions_next").on(t.clientId, t.nextDueOn, t.id).where(sql`${t.nextDueOn} is not null`),
    index("subscriptions_merchant").on(t.merchantId, t.clientId, t.createdAt, t.id),
    // Few different entries: what counts and sums a large account reads this alone.
    index("subscriptions_sums").on(t.clientId, t.status, t.interval, t.amount),
    index("subscriptions_merchant_counts").on(t.merchantId, t.clientId, t.status),
    index("subscriptions_customer").on(t.customerId, t.createdAt),
    index("subscriptions_card").on(t.cardId),
    index("subscriptions_reference").on(t.clientId, t.referenceKey).where(sql`${t.referenceKey} is not null`),
    index("subscriptions_created_by_key").on(t.createdByKey, t.createdAt).where(sql`${t.createdByKey} is not null`),
    check("subscriptions_status", sql`${t.status} in ${literals(SUBSCRIPTION_STATUSES)}`),
    check("subscriptions_method", sql`${t.method} in ${literals(SUBSCRIPTION_METHODS)}`),
    check("subscriptions_card_paid", sql`(${t.method} = 'credit') = (${t.cardId} is not null)`),
    check("subscriptions_interval", sql`${t.interval} in ${literals(INTERVALS)}`),
    check("subscriptions_amount", sql`${t.amount} >= 1 and ${t.installments} between 1 and 24`),
    check("subscriptions_cycles", sql`${t.cycles} is null or ${t.cycles} >= 1`),
    check("subscriptions_trial", sql`${t.trialEndAt} is null or ${t.startAt} >= ${t.trialEndAt}`),
  ],
);

/** Cycle k is due its whole number of intervals after the start of the last anchor that is not later than k. */
export const subscriptionAnchors = pgTable(
  "subscription_anchors",
  {
    clientId: clientId(),
    subscriptionId: uuid()
      .notNull()
      .references(() => subscriptions.id),
    fromCycle: integer().notNull(),
    startOn: day().notNull(),
    interval: text({ enum: INTERVALS }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.fromCycle] }),
    check("subscription_anchors_interval", sql`${t.interval} in ${literals(INTERVALS)} and ${t.fromCycle} >= 1`),
  ],
);

export const subscriptionCycles = pgTable(
  "subscription_cycles",
  {
    id: id(),
    clientId: clientId(),
    subscriptionId: uuid()
      .notNull()
      .references(() => subscriptions.id),
    customerId: uuid().notNull(),
    merchantId: uuid().notNull(),
    cycle: integer().notNull(),
    status: text({ enum: CYCLE_STATUSES }).notNull(),
    dueOn: day().notNull(),
    /** Fixed by its first try, with the split: later changes of the subscription are of later cycles. */
    amount: cents(),
    splitRules: jsonb().$type<Json[]>(),
    attempts: integer().notNull().default(0),
    nextRetryOn: day(),
    /** Days after the last attempt, as the settings were when the first refusal became known. */
    policy: smallint().array(),
    refusedOn: day(),
    /** No date helps: the card or its data must change first. */
    waitsForCard: boolean().notNull().default(false),
    /** In a row, tries that could not even be made. */
    impossible: smallint().notNull().default(0),
    /** While a try of a person is under way: what its decline leads back to. */
    returnsTo: text({ enum: ["retrying", "failed"] }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex("subscription_cycles_number").on(t.subscriptionId, t.cycle),
    uniqueIndex("subscription_cycles_open").on(t.subscriptionId).where(sql`${t.status} in ('pending', 'retrying')`),
    index("subscription_cycles_risk")
      .on(t.clientId, t.status, t.amount, t.subscriptionId)
      .where(sql`${t.status} in ('retrying', 'failed')`),
    check("subscription_cycles_status", sql`${t.status} in ${literals(CYCLE_STATUSES)} and ${t.cycle} >= 1`),
  ],
);

/** The card that a subscription had, and what its open cycle waited for with it. */
export interface Replaced {
  cardId: string;
  waitsForCard: boolean;
  nextRetryOn: string | null;
}

export const subscriptionTries = pgTable(
  "subscription_tries",
  {
    id: id(),
    clientId: clientId(),
    subscriptionId: uuid()
      .notNull()
      .references(() => subscriptions.id),
    cycleId: uuid()
      .notNull()
      .references(() => subscriptionCycles.id),
    number: integer().notNull(),
    kind: text({ enum: TRY_KINDS }).notNull(),
    status: text({ enum: TRY_STATUSES }).notNull(),
    /** Null when no charge could be made. */
    chargeId: uuid().references(() => charges.id),
    cardId: uuid(),
    /** Of an instruction to the buyer's bank: the mandate, and the day on which that bank pays. */
    mandateId: uuid().references((): AnyPgColumn => subscriptionMandates.id),
    settleOn: day(),
    /** What a try with another card goes back to when that card is declined. */
    replaced: jsonb().$type<Replaced>(),
    error: text(),
    retryClass: text({ enum: ["never", "changed_data", "later", "now"] }),
    /** Who asked for it, as in the audit log. */
    actor: text().notNull(),
    /** Its place among the changes of the subscription. */
    revision: integer().notNull(),
    createdAt: createdAt(),
    endedAt: instant(),
  },
  (t) => [
    uniqueIndex("subscription_tries_number").on(t.cycleId, t.number),
    // A cycle is paid once: no try begins while another may have been approved.
    uniqueIndex("subscription_tries_paid").on(t.cycleId).where(sql`${t.status} in ('pending', 'authorized')`),
    uniqueIndex("subscription_tries_charge").on(t.chargeId).where(sql`${t.chargeId} is not null`),
    uniqueIndex("subscription_tries_revision").on(t.subscriptionId, t.revision),
    check("subscription_tries_status", sql`${t.status} in ${literals(TRY_STATUSES)}`),
    check("subscription_tries_kind", sql`${t.kind} in ${literals(TRY_KINDS)} and ${t.number} >= 1`),
    check("subscription_tries_settled", sql`${t.settleOn} is null or ${t.mandateId} is not null`),
    check("subscription_tries_charged", sql`${t.status} = 'failed' or ${t.chargeId} is not null`),
  ],
);

/** What was done to a subscription, by whom and why; append-only. */
export const subscriptionChanges = pgTable(
  "subscription_changes",
  {
    id: id(),
    clientId: clientId(),
    subscriptionId: uuid()
      .notNull()
      .references(() => subscriptions.id),
    revision: integer().notNull(),
    fact: text().notNull(),
    fromStatus: text({ enum: SUBSCRIPTION_STATUSES }),
    toStatus: text({ enum: SUBSCRIPTION_STATUSES }).notNull(),
    actor: text().notNull(),
    reason: text(),
    detail: jsonb().$type<Json>(),
    at: instant().notNull(),
  },
  (t) => [uniqueIndex("subscription_changes_revision").on(t.subscriptionId, t.revision)],
);

export const START_STATUSES = ["pending", "started", "failed"] as const;

/** What a start will make, as it was agreed to: never worked out again. */
export interface StartTerms {
  name: string;
  referenceKey: string | null;
  items: Json[];
  amount: number;
  interval: Interval;
  cycles: number | null;
  installments: number;
  splitRules: Json[];
}

/**
 * A buyer's agreement on a payment link, written with its first charge, or where a trial comes first with the check of
 * its card, or the mandate of its bank. Its id is that of the subscription which it becomes once that is approved.
 */
export const subscriptionStarts = pgTable(
  "subscription_starts",
  {
    id: id(),
    clientId: clientId().references(() => clients.id),
    sessionId: uuid().notNull(),
    merchantId: uuid().notNull(),
    customerId: uuid()
      .notNull()
      .references(() => customers.id),
    /** Null where the buyer's bank is to pay once the trial is over. */
    cardId: uuid(),
    /** Null where a trial comes first. */
    chargeId: uuid().references(() => charges.id),
    status: text({ enum: START_STATUSES }).notNull(),
    startAt: day().notNull(),
    trialEndAt: day(),
    terms: jsonb().$type<StartTerms>().notNull(),
    locale: text({ enum: ["pt-BR", "en"] }).notNull(),
    createdAt: createdAt(),
    endedAt: instant(),
  },
  (t) => [
    uniqueIndex("subscription_starts_charge").on(t.chargeId).where(sql`${t.chargeId} is not null`),
    index("subscription_starts_session").on(t.sessionId, t.createdAt),
    check("subscription_starts_status", sql`${t.status} in ${literals(START_STATUSES)}`),
    check("subscription_starts_ended", sql`(${t.status} = 'pending') = (${t.endedAt} is null)`),
    check("subscription_starts_first", sql`(${t.chargeId} is null) = (${t.trialEndAt} is not null)`),
    check("subscription_starts_card", sql`${t.cardId} is not null or ${t.chargeId} is null`),
  ],
);

export const subscriptionSettings = pgTable("subscription_settings", {
  clientId: clientId()
    .primaryKey()
    .references(() => clients.id),
  retryPolicy: smallint().array().notNull(),
  statementDescriptor: text(),
  cancelAfterAllRetries: boolean().notNull().default(false),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

/** The buyer's authorization at their bank to be debited each cycle (Pix Automático); one that is not over at most. */
export const subscriptionMandates = pgTable(
  "subscription_mandates",
  {
    id: id(),
    clientId: clientId(),
    subscriptionId: uuid()
      .notNull()
      .references(() => subscriptions.id),
    merchantId: uuid().notNull(),
    customerId: uuid().notNull(),
    providerId: uuid()
      .notNull()
      .references(() => providers.id),
    providerType: text().notNull(),
    journey: text({ enum: MANDATE_JOURNEYS }).notNull(),
    retry: text({ enum: MANDATE_RETRIES }).notNull(),
    /** Of each cycle: it cannot change. */
    amount: cents().notNull(),
    interval: text({ enum: INTERVALS }).notNull(),
    startOn: day().notNull(),
    status: text({ enum: MANDATE_STATUSES }).notNull(),
    call: text({ enum: MANDATE_CALLS }).notNull(),
    /** When the call that makes it was last committed to. */
    sentAt: instant(),
    /** First of two answers that the provider does not have it. */
    absentSince: instant(),
    queries: integer().notNull().default(0),
    /** Named by the provider, with what the buyer scans. */
    providerMandateId: text(),
    qrCodeData: text(),
    /** Unapproved by then, it is over. */
    expiresAt: instant().notNull(),
    approvedAt: instant(),
    endedAt: instant(),
    endReason: text(),
    /** Why we ask the provider to end it; until it says so it is not over. */
    ending: text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex("subscription_mandates_open").on(t.subscriptionId).where(sql`${t.status} in ('created', 'approved')`),
    uniqueIndex("subscription_mandates_named")
      .on(t.providerId, t.providerMandateId)
      .where(sql`${t.providerMandateId} is not null`),
    index("subscription_mandates_subscription").on(t.subscriptionId, t.createdAt),
    check("subscription_mandates_status", sql`${t.status} in ${literals(MANDATE_STATUSES)}`),
    check("subscription_mandates_call", sql`${t.call} in ${literals(MANDATE_CALLS)} and ${t.amount} >= 1`),
    check("subscription_mandates_journey", sql`${t.journey} in ${literals(MANDATE_JOURNEYS)}`),
    check("subscription_mandates_retry", sql`${t.retry} in ${literals(MANDATE_RETRIES)}`),
    check(
      "subscription_mandates_known",
      sql`(${t.call} = 'known' and ${t.providerMandateId} is not null) or ${t.status} <> 'approved'`,
    ),
    check("subscription_mandates_ended", sql`(${t.status} in ('created', 'approved')) = (${t.endedAt} is null)`),
  ],
);
