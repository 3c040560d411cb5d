import { sql } from "drizzle-orm";
import { boolean, check, doublePrecision, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { clients } from "@/db/schema/accounts";
import { clientId, createdAt, id, instant, updatedAt } from "@/db/schema/columns";

export const MONITOR_METRICS = [
  "approval",
  "declines",
  "latency",
  "unknowns",
  "webhooks",
  "refunds",
  "card_testing",
  "flow_approval",
] as const;
export type MonitorMetric = (typeof MONITOR_METRICS)[number];

/** Against a number, or against the same hour of the four weeks before. */
export const MONITOR_KINDS = ["fixed", "anomaly"] as const;
export type MonitorKind = (typeof MONITOR_KINDS)[number];

/** What an account wants to be told of. Its windows are of the account's clock, its rounds of real time. */
export const monitors = pgTable(
  "monitors",
  {
    id: id(),
    clientId: clientId().references(() => clients.id),
    name: text().notNull(),
    metric: text({ enum: MONITOR_METRICS }).notNull(),
    kind: text({ enum: MONITOR_KINDS }).notNull(),
    /** Per cent, milliseconds or a number, as the metric is; of an anomaly, how far it may differ. */
    threshold: doublePrecision().notNull(),
    windowMinutes: integer().notNull(),
    /** The notice on the dashboard is always there: a monitor that tells nobody is none. */
    byEmail: boolean().notNull(),
    /** As an event of the account, to the webhooks that ask for it. */
    byWebhook: boolean().notNull().default(false),
    state: text({ enum: ["quiet", "firing"] })
      .notNull()
      .default("quiet"),
    /** When the state last changed. */
    since: instant(),
    mutedUntil: instant(),
    /** The minute of real time that was looked at last: each is looked at once. */
    lookedAt: instant(),
    /** What was found then; null when there was too little to tell. */
    value: doublePrecision(),
    samples: integer(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: instant(),
  },
  (t) => [
    index("monitors_of_account").on(t.clientId, t.createdAt).where(sql`${t.deletedAt} is null`),
    index("monitors_due").on(t.lookedAt).where(sql`${t.deletedAt} is null`),
    uniqueIndex("monitors_owner").on(t.clientId, t.id),
    check("monitors_name", sql`length(btrim(${t.name})) between 1 and 80`),
    check("monitors_metric", sql`${t.metric} in ${sql.raw(`('${MONITOR_METRICS.join("','")}')`)}`),
    check("monitors_window", sql`${t.windowMinutes} between 5 and 1440`),
    check("monitors_anomaly", sql`${t.kind} = 'fixed' or ${t.windowMinutes} = 60`),
    check("monitors_threshold", sql`${t.threshold} > 0`),
  ],
);

/** Each time a monitor fired or was well again; nobody rewrites it. */
export const monitorEvents = pgTable(
  "monitor_events",
  {
    id: id(),
    clientId: clientId(),
    monitorId: uuid().notNull(),
    kind: text({ enum: ["fired", "recovered"] }).notNull(),
    value: doublePrecision().notNull(),
    /** The number that it was held against. */
    limitValue: doublePrecision().notNull(),
    samples: integer().notNull(),
    /** The window, on the account's clock. */
    windowFrom: instant().notNull(),
    windowUntil: instant().notNull(),
    /** The round that found it: one change in each, whoever looks. */
    round: instant().notNull(),
  },
  (t) => [
    index().on(t.clientId, t.monitorId, t.windowUntil),
    uniqueIndex("monitor_events_once").on(t.monitorId, t.round),
    check("monitor_events_kind", sql`${t.kind} in ('fired', 'recovered')`),
  ],
);
