import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { bytes, clientId, createdAt, id, instant } from "@/db/schema/columns";

/** What the engine must hear of: written in the transaction of its cause, relayed afterwards. */
export const outbox = pgTable(
  "outbox",
  {
    id: id(),
    clientId: clientId(),
    name: text().notNull(),
    data: jsonb().notNull(),
    createdAt: createdAt(),
    relayedAt: instant(),
  },
  (t) => [index("outbox_waiting").on(t.id).where(sql`${t.relayedAt} is null`)],
);

/** What clients are told: body bytes frozen in the transaction of the change (spec/contract.md 20.2). */
export const events = pgTable(
  "events",
  {
    id: id(),
    clientId: clientId(),
    object: text().notNull(),
    event: text().notNull(),
    entityId: uuid().notNull(),
    entityVersion: integer().notNull(),
    body: bytes().notNull(),
    createdAt: createdAt(),
    fannedOutAt: instant(),
  },
  (t) => [
    unique("events_entity_version").on(t.entityId, t.entityVersion),
    index().on(t.clientId, t.createdAt, t.id),
    index("events_waiting").on(t.id).where(sql`${t.fannedOutAt} is null`),
  ],
);

/**
 * Everything that happens later: one row on its account's clock; `wakeAt` is the same moment in real time (null while
 * the clock is frozen before it). What has fallen due stands in a queue, its provider's or its account's; whoever takes
 * it, or sets another date, moves the epoch on.
 */
export const dueJobs = pgTable(
  "due_jobs",
  {
    id: id(),
    clientId: clientId(),
    kind: text().notNull(),
    refId: uuid().notNull(),
    dueAt: instant().notNull(),
    lane: text().notNull().default("bookkeeping"),
    wakeAt: instant(),
    queue: uuid(),
    attempts: integer().notNull().default(0),
    epoch: integer().notNull().default(0),
    leaseUntil: instant(),
    createdAt: createdAt(),
  },
  (t) => [
    unique("due_jobs_one_per_object").on(t.kind, t.refId),
    index("due_jobs_wake").on(t.lane, t.wakeAt).where(sql`${t.queue} is null`),
    index("due_jobs_ready").on(t.lane, t.queue, t.wakeAt, t.id).where(sql`${t.queue} is not null`),
    index("due_jobs_running").on(t.lane, t.leaseUntil).where(sql`${t.leaseUntil} is not null`),
    index("due_jobs_of_account").on(t.clientId, t.dueAt),
  ],
);
