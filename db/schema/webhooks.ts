import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { clients } from "@/db/schema/accounts";
import { bytes, clientId, createdAt, id, instant, updatedAt } from "@/db/schema/columns";

export const WEBHOOK_HEALTHS = ["healthy", "failing", "paused"] as const;
export const DISABLED_REASONS = ["delivery_failures", "gone", "client"] as const;
export const DELIVERY_STATUSES = ["scheduled", "sending", "delivered", "exhausted", "held", "dropped"] as const;
export const ATTEMPT_ERRORS = ["timeout", "connection", "tls", "dns", "redirect", "blocked_address"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
export type AttemptError = (typeof ATTEMPT_ERRORS)[number];

/** Where a client is told of events (spec/contract.md 20.1). Moments are of the account's clock. */
export const webhooks = pgTable(
  "webhooks",
  {
    id: id(),
    clientId: clientId().references(() => clients.id),
    /** `transaction.authorized`, `transaction.*` or `*`. */
    event: text().notNull(),
    /** As given. */
    endpoint: text().notNull(),
    /** The same in one spelling: unique in the account, and what is connected to. */
    address: text().notNull(),
    version: doublePrecision().notNull(),
    status: boolean().notNull(),
    health: text({ enum: WEBHOOK_HEALTHS }).notNull().default("healthy"),
    /** Events from here on are sent; what happened before is left to replay. */
    activeSince: instant().notNull(),
    disabledAt: instant(),
    disabledReason: text({ enum: DISABLED_REASONS }),
    /** Failures since the last success, and when the first and the last of them were. */
    failures: integer().notNull().default(0),
    firstFailureAt: instant(),
    lastFailureAt: instant(),
    publicKey: text().notNull(),
    privateKey: bytes().notNull(),
    previousPublicKey: text(),
    previousPrivateKey: bytes(),
    previousKeyExpiresAt: instant(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: instant(),
  },
  (t) => [
    index().on(t.clientId, t.createdAt, t.id),
    uniqueIndex("webhooks_endpoint").on(t.clientId, t.address).where(sql`${t.deletedAt} is null`),
    check("webhooks_disabled", sql`${t.status} = (${t.disabledAt} is null)`),
  ],
);

/** One event on its way to one webhook; a resend or a replay is a delivery of its own. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: id(),
    clientId: clientId(),
    webhookId: uuid().notNull(),
    eventId: uuid().notNull(),
    /** `transaction.authorized` */
    event: text().notNull(),
    entityId: uuid().notNull(),
    entityVersion: integer().notNull(),
    eventCreatedAt: instant().notNull(),
    origin: text({ enum: ["event", "resend", "replay"] }).notNull(),
    status: text({ enum: DELIVERY_STATUSES }).notNull(),
    /** Why it was dropped. */
    reason: text(),
    /** Attempts made, and those of them that count on the schedule. */
    attempts: integer().notNull().default(0),
    counted: integer().notNull().default(0),
    /** The schedule counts from here. */
    firstAttemptAt: instant(),
    nextAttemptAt: instant(),
    deliveredAt: instant(),
    exhaustedAt: instant(),
    /** Until then it waits for earlier events of its entity; null waits for none. */
    waitsUntil: instant(),
    /** Real time: from here on a worker may take it; while it is sent, the end of the lease. Null waits for the account's clock, or for nothing. */
    readyAt: instant(),
    /** Grows with each claim: a worker whose lease ran out writes nothing. */
    epoch: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("webhook_deliveries_one_per_event").on(t.eventId, t.webhookId).where(sql`${t.origin} = 'event'`),
    index("webhook_deliveries_listed").on(t.webhookId, t.createdAt, t.id),
    index("webhook_deliveries_ready").on(t.webhookId, t.readyAt, t.eventCreatedAt).where(sql`${t.readyAt} is not null`),
    index("webhook_deliveries_sending").on(t.clientId, t.webhookId).where(sql`${t.status} = 'sending'`),
    index("webhook_deliveries_open")
      .on(t.webhookId, t.entityId, t.entityVersion)
      .where(sql`${t.status} in ('scheduled', 'sending', 'held')`),
    index("webhook_deliveries_created").using("brin", t.createdAt),
    check(
      "webhook_deliveries_over",
      sql`${t.status} in ('scheduled', 'sending', 'held') or (${t.readyAt} is null and ${t.nextAttemptAt} is null)`,
    ),
  ],
);

/** What was sent and what came back; the request's body is the event's. Kept for thirty days. */
export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    /** The id of the request, also in the log. */
    id: id(),
    clientId: clientId(),
    /** Written in the statement that ends the delivery's attempt, so it is there: no foreign key looks once more. */
    deliveryId: uuid().notNull(),
    number: integer().notNull(),
    at: instant().notNull(),
    durationMs: integer().notNull(),
    statusCode: integer(),
    error: text({ enum: ATTEMPT_ERRORS }),
    requestHeaders: jsonb().$type<Record<string, string>>().notNull(),
    responseHeaders: jsonb().$type<Record<string, string>>(),
    responseBody: bytes(),
    /** Real time, for the retention. */
    recordedAt: instant().notNull(),
  },
  (t) => [
    uniqueIndex("webhook_attempts_number").on(t.deliveryId, t.number),
    index("webhook_attempts_recorded").using("brin", t.recordedAt),
  ],
);
