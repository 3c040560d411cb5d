import { sql } from "drizzle-orm";
import { boolean, check, foreignKey, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, id, instant } from "@/db/schema/columns";

/**
 * The embedded engine's own state. It only wakes work up: every table may be emptied and the product's sweeps
 * start the work again. JSON is kept as text, because jsonb would reorder keys and refuse NUL characters.
 */

/** Ids of the events already taken, so that the same event starts nothing twice. */
export const engineEvents = pgTable(
  "engine_events",
  { id: text().primaryKey(), name: text().notNull(), receivedAt: createdAt() },
  (t) => [index("engine_events_received").on(t.receivedAt)],
);

export const engineRuns = pgTable(
  "engine_runs",
  {
    id: id(),
    workflow: text().notNull(),
    event: text().notNull(),
    /** Null without a concurrency limit, so that the claim never counts for it. */
    concurrencyKey: text(),
    status: text({ enum: ["active", "completed", "failed"] })
      .notNull()
      .default("active"),
    /** Earliest moment, on the engine's clock, at which somebody may claim the run. */
    wakeAt: instant().notNull(),
    /** A fresh value for every claim: each write of the claimer names it. */
    owner: uuid(),
    /** On the database's clock, unlike wakeAt. */
    leaseUntil: instant(),
    /** Function-level failures so far. */
    attempt: integer().notNull().default(0),
    /** Claims since something was last written: a run that kills its process is given up. */
    idleClaims: integer().notNull().default(0),
    /** Raised by whoever makes an awaited step ready: parking compares it, so no wake-up is lost. */
    signals: integer().notNull().default(0),
    output: text(),
    error: text(),
    createdAt: createdAt(),
    finishedAt: instant(),
  },
  (t) => [
    index("engine_runs_due").on(t.wakeAt).where(sql`${t.status} = 'active'`),
    index("engine_runs_leased").on(t.workflow, t.concurrencyKey).where(sql`${t.leaseUntil} is not null`),
    index("engine_runs_finished").on(t.finishedAt).where(sql`${t.status} <> 'active'`),
  ],
);

export const engineSteps = pgTable(
  "engine_steps",
  {
    runId: uuid()
      .notNull()
      .references(() => engineRuns.id, { onDelete: "cascade" }),
    stepId: text().notNull(),
    status: text({ enum: ["ok", "error", "retry", "sleep", "wait"] }).notNull(),
    attempt: integer().notNull().default(0),
    /** Of retry, sleep and wait: when the step goes on by itself. */
    wakeAt: instant(),
    output: text(),
    error: text(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.stepId] })],
);

/** One row per step that waits for an event whose `path` holds `value`. */
export const engineWaits = pgTable(
  "engine_waits",
  {
    runId: uuid().notNull(),
    stepId: text().notNull(),
    event: text().notNull(),
    path: text().notNull(),
    value: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.stepId] }),
    foreignKey({ columns: [t.runId, t.stepId], foreignColumns: [engineSteps.runId, engineSteps.stepId] }).onDelete(
      "cascade",
    ),
    index("engine_waits_awaited").on(t.event, t.path, t.value),
  ],
);

export const engineCrons = pgTable("engine_crons", {
  id: text().primaryKey(),
  workflow: text().notNull(),
  nextAt: instant().notNull(),
});

/** Every process that takes Inngest's calls, with the address it takes them at. Older than its lease, it is dead. */
export const engineServers = pgTable("engine_servers", {
  id: id(),
  role: text({ enum: ["web", "worker"] }).notNull(),
  address: text().notNull(),
  seenAt: instant().notNull(),
});

/** How this installation and its Inngest server stand: one row, none with the embedded engine. */
export const engineLink = pgTable(
  "engine_link",
  {
    id: integer().primaryKey(),
    /** Address of the Inngest server all of this is about. */
    server: text().notNull(),
    /** From when on calls were to be expected. */
    since: instant().notNull(),
    /** When a worker last looked: a gap means that nobody was there to be called. */
    watchedAt: instant().notNull(),
    /** Of the processes that take calls, the one that registers. */
    registrar: uuid(),
    registrarSeenAt: instant(),
    registeredAt: instant(),
    registeredAddress: text(),
    /** Set where the server may have forgotten the functions. */
    isForgotten: boolean().notNull().default(false),
    /** Why the last registration was not taken. */
    registrationFault: text(),
    /** Why the last events were not taken. */
    eventsFault: text(),
    /** The last call with a right signature. */
    calledAt: instant(),
    /** The fault that was logged last, null when all was well again. */
    toldFault: text(),
    toldAt: instant(),
    /** Set while the people of the accounts know of it. */
    noticedAt: instant(),
  },
  (t) => [check("engine_link_one", sql`${t.id} = 1`)],
);

/** Workers that are alive, of either engine: each says so every few seconds. */
export const workerBeats = pgTable("worker_beats", { id: id(), beatAt: instant().notNull() });
