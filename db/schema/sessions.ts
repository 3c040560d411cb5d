import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { foldedSql } from "@/db/folded";
import { literals } from "@/db/literals";
import { cents, clientId, createdAt, id, instant, updatedAt } from "@/db/schema/columns";
import { customers } from "@/db/schema/customers";
import type { Interval } from "@/db/schema/subscriptions";

type Json = Record<string, unknown>;

export const SESSION_STATUSES = ["created", "paid", "canceled", "voided"] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

export const SESSION_ACTIONS = [
  "statusChanged",
  "amountChanged",
  "isActiveChanged",
  "dueDateChanged",
  "maxPaymentsChanged",
  "paymentSucceeded",
  "paymentPending",
  "paymentFailed",
  "paymentExpired",
  "sessionExpiredByDueDate",
  "sessionExpiredByMaxPayments",
  "splitRulesChanged",
] as const;
export type SessionAction = (typeof SESSION_ACTIONS)[number];

export interface StoredItem {
  id: string;
  name: string;
  description: string | null;
  unitPrice: number;
  quantity: number;
  tangible: boolean | null;
  categoryId: string | null;
}

/** As it was asked, and as it is answered: the link pays with these rules, they are not sent again. */
export interface StoredSessionRule {
  id: string;
  sellerId: string;
  percentage?: number | undefined;
  amount?: number | undefined;
  processingFee: boolean;
  liable: boolean;
  chargeEntireFee: boolean;
  chargeRemainderFee: boolean;
  transactionOwner: boolean;
  fares?: { mdr?: number | undefined; fee?: number | undefined } | undefined;
}

/** What the buyer of a link agrees to; the days count from the day of the agreement. */
export interface SessionSubscription {
  interval: Interval;
  /** Null: until it is canceled. */
  cycles: number | null;
  trial: { days: number } | null;
}

export interface StoredMethod extends Json {
  paymentType: string;
}

export const sessions = pgTable(
  "sessions",
  {
    id: id(),
    clientId: clientId(),
    merchantId: uuid().notNull(),
    customerId: uuid().references(() => customers.id),
    status: text({ enum: SESSION_STATUSES }).notNull().default("created"),
    isActive: boolean().notNull(),
    captchaEnabled: boolean().notNull(),
    hasLink: boolean().notNull(),
    name: text(),
    description: text(),
    orderId: text(),
    amount: cents().notNull(),
    currency: text().notNull(),
    capture: boolean().notNull(),
    statementDescriptor: text(),
    providerReferenceKey: text(),
    /** The instant from which it is no longer paid. */
    dueAt: instant(),
    paymentMethods: jsonb().$type<StoredMethod[]>().notNull(),
    items: jsonb().$type<StoredItem[]>().notNull(),
    splitRules: jsonb().$type<StoredSessionRule[]>().notNull(),
    vendor: jsonb().$type<{ id: string; paymentFacilitatorId: string | null }>(),
    publicKey: uuid().notNull().unique(),
    /** Null: paid once, and its payment may be replaced while it waits; -1: any number of times. */
    maxPayments: integer(),
    /** Its payment starts a subscription; null for what is paid once. */
    subscription: jsonb().$type<SessionSubscription>(),
    /** Payments that reached authorized, and places taken by payments that may still reach it. */
    paymentCount: integer().notNull().default(0),
    pendingCount: integer().notNull().default(0),
    eventVersion: integer().notNull().default(0),
    lastEventAt: instant(),
    createdByKey: uuid(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index().on(t.clientId, t.createdAt, t.id),
    index().on(t.clientId, t.status, t.createdAt, t.id),
    index().on(t.merchantId, t.createdAt, t.id),
    index("sessions_order").on(t.clientId, t.orderId).where(sql`${t.orderId} is not null`),
    // Any part of what a link is called or says (pg_trgm), within one account (btree_gin).
    index("sessions_words")
      .using(
        "gin",
        t.clientId,
        sql`${foldedSql(sql`coalesce(${t.name}, '') || ' ' || coalesce(${t.description}, '')`)} gin_trgm_ops`,
      )
      .where(sql`${t.hasLink}`),
    index("sessions_customer").on(t.customerId).where(sql`${t.customerId} is not null`),
    index("sessions_created_by_key").on(t.createdByKey, t.createdAt).where(sql`${t.createdByKey} is not null`),
    check("sessions_status", sql`${t.status} in ${literals(SESSION_STATUSES)}`),
    check("sessions_amount", sql`${t.amount} >= 0`),
    check("sessions_max_payments", sql`${t.maxPayments} = -1 or ${t.maxPayments} between 1 and 99999`),
    check("sessions_counts", sql`${t.paymentCount} >= 0 and ${t.pendingCount} >= 0`),
    // However a payment comes to be, no link is paid more often than it allows.
    check(
      "sessions_capacity",
      sql`coalesce(${t.maxPayments}, 1) = -1 or ${t.paymentCount} + ${t.pendingCount} <= coalesce(${t.maxPayments}, 1)`,
    ),
  ],
);

export const sessionHistory = pgTable(
  "session_history",
  {
    id: id(),
    clientId: clientId(),
    sessionId: uuid()
      .notNull()
      .references(() => sessions.id),
    merchantId: uuid().notNull(),
    /** Written under the session's row lock, so it grows in the order of the changes. */
    sequence: bigint({ mode: "number" }).generatedAlwaysAsIdentity(),
    status: text({ enum: [...SESSION_STATUSES, "disabled"] }).notNull(),
    actions: text({ enum: SESSION_ACTIONS }).array().notNull(),
    diff: jsonb().$type<Json>(),
    /** As in the audit log. */
    actor: text().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [unique("session_history_sequence").on(t.sessionId, t.sequence)],
);
