import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { literals } from "@/db/literals";
import { clients } from "@/db/schema/accounts";
import { clientId, createdAt, id, instant, updatedAt } from "@/db/schema/columns";
import { merchants } from "@/db/schema/merchants";

export const FLOW_STATUSES = ["draft", "active", "archived"] as const;
export type FlowStatus = (typeof FLOW_STATUSES)[number];

export const FLOW_METHODS = ["credit", "debit", "voucher", "pix", "boleto"] as const;
export type FlowMethod = (typeof FLOW_METHODS)[number];

/** One row for each major version; what a version decides never changes once it was active. */
export const flows = pgTable(
  "flows",
  {
    id: id(),
    clientId: clientId().references(() => clients.id),
    /** That of the first version: shares are drawn for it, so that a new version moves nobody. */
    familyId: uuid().notNull(),
    parentId: uuid(),
    restoredFrom: uuid(),
    name: text().notNull(),
    paymentMethod: text({ enum: FLOW_METHODS }).notNull(),
    status: text({ enum: FLOW_STATUSES }).notNull(),
    /** Of an archived one, those it last had. */
    merchantIds: uuid().array().notNull(),
    major: integer().notNull(),
    patch: integer().notNull().default(0),
    root: jsonb().$type<unknown[]>().notNull(),
    eventVersion: integer().notNull().default(0),
    lastEventAt: instant(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    activatedAt: instant(),
    archivedAt: instant(),
  },
  (t) => [
    index("flows_listed").on(t.clientId, t.createdAt, t.id),
    uniqueIndex("flows_version").on(t.familyId, t.major),
    index("flows_merchants").using("gin", t.merchantIds),
    check("flows_status", sql`${t.status} in ${literals(FLOW_STATUSES)}`),
    check("flows_method", sql`${t.paymentMethod} in ${literals(FLOW_METHODS)}`),
    check("flows_merchants", sql`cardinality(${t.merchantIds}) >= 1`),
    check("flows_activated", sql`${t.status} <> 'active' or ${t.activatedAt} is not null`),
    check("flows_archived", sql`(${t.status} = 'archived') = (${t.archivedAt} is not null)`),
  ],
);

/** Which flow decides the payments of a merchant by a method; without a row its priorities do. */
export const activeFlows = pgTable(
  "active_flows",
  {
    merchantId: uuid()
      .notNull()
      .references(() => merchants.id),
    paymentMethod: text({ enum: FLOW_METHODS }).notNull(),
    flowId: uuid()
      .notNull()
      .references(() => flows.id),
    clientId: clientId(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.paymentMethod] }), index().on(t.flowId), index().on(t.clientId)],
);

export const FLOW_ACTIONS = [
  "created",
  "changed",
  "restored",
  "activated",
  "archived",
  "merchants_left",
  "guardrail",
] as const;
export type FlowAction = (typeof FLOW_ACTIONS)[number];

/** What was done to a flow, by whom and why; append-only. */
export const flowChanges = pgTable(
  "flow_changes",
  {
    id: id(),
    clientId: clientId(),
    flowId: uuid()
      .notNull()
      .references(() => flows.id),
    familyId: uuid().notNull(),
    version: text().notNull(),
    action: text({ enum: FLOW_ACTIONS }).notNull(),
    actor: text().notNull(),
    note: text(),
    at: instant().notNull(),
  },
  (t) => [
    index("flow_changes_family").on(t.familyId, t.at, t.id),
    check("flow_changes_action", sql`${t.action} in ${literals(FLOW_ACTIONS)}`),
  ],
);

export const REPLAY_STATUSES = ["queued", "running", "done", "failed", "canceled"] as const;
export type ReplayStatus = (typeof REPLAY_STATUSES)[number];

/** A version held against payments that were decided before; kept with what was found. */
export const flowReplays = pgTable(
  "flow_replays",
  {
    id: id(),
    clientId: clientId(),
    flowId: uuid()
      .notNull()
      .references(() => flows.id),
    since: instant().notNull(),
    until: instant().notNull(),
    /** At most so many payments, the newest first. */
    sample: integer().notNull(),
    status: text({ enum: REPLAY_STATUSES }).notNull(),
    total: integer().notNull().default(0),
    done: integer().notNull().default(0),
    result: jsonb().$type<Record<string, unknown>>(),
    leaseUntil: instant(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index("flow_replays_flow").on(t.flowId, t.createdAt),
    index("flow_replays_open").on(t.createdAt).where(sql`${t.status} in ('queued', 'running')`),
    check("flow_replays_status", sql`${t.status} in ${literals(REPLAY_STATUSES)}`),
    check("flow_replays_window", sql`${t.since} < ${t.until}`),
  ],
);

/** A described payment, and what every version of its flow must make of it before it decides. */
export const flowTests = pgTable(
  "flow_tests",
  {
    id: id(),
    clientId: clientId(),
    familyId: uuid().notNull(),
    merchantId: uuid()
      .notNull()
      .references(() => merchants.id),
    name: text().notNull(),
    /** As they were described. */
    facts: jsonb().$type<Record<string, unknown>>().notNull(),
    /** What shares are drawn for, so that it sees the same sides each time. */
    unit: uuid().notNull(),
    expected: jsonb().$type<Record<string, unknown>>().notNull(),
    actor: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [index("flow_tests_family").on(t.familyId, t.createdAt, t.id), index().on(t.clientId)],
);
