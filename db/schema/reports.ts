import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { literals } from "@/db/literals";
import { bytes, clientId, createdAt, id, instant, updatedAt } from "@/db/schema/columns";

export const REPORT_STATUSES = [
  "created",
  "pending",
  "processing",
  "uploaded",
  "sent",
  "opened",
  "empty",
  "error",
  "expired",
  "canceled",
] as const;
export type ReportStatus = (typeof REPORT_STATUSES)[number];

export const REPORT_TYPES = [
  "transactions",
  "transactionsHistory",
  "purchases",
  "sessions",
  "disputes",
  "receivables",
  "payout_orders",
  "payout_batches",
  "prepayments",
  "ledger",
  "subscriptions",
  "sellers",
  "customers",
  "deliveries",
] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

export const REPORT_FORMATS = ["csv", "xlsx"] as const;
export const REPORT_LANGUAGES = ["en", "pt"] as const;
export type ReportLanguage = (typeof REPORT_LANGUAGES)[number];

/** How its files are written. */
export interface ReportOptions {
  readonly format: (typeof REPORT_FORMATS)[number];
  readonly delimiter: "comma" | "semicolon";
  readonly amounts: "cents" | "decimal";
  readonly bom: boolean;
}

/** By column and currency, in cents. */
export type ReportSums = Record<string, Record<string, number>>;

export interface ReportFile {
  /** In the file store. */
  readonly stored: string;
  readonly rows: number;
  /** Of the plain file. */
  readonly bytes: number;
  readonly sha256: string;
  readonly sums: ReportSums;
}

/** The newest journal and event that the snapshot contains. */
export interface ReportPosition {
  readonly at: string;
  readonly journalId: string | null;
  readonly eventId: string | null;
}

export const reports = pgTable(
  "reports",
  {
    id: id(),
    clientId: clientId(),
    type: text({ enum: REPORT_TYPES }).notNull(),
    status: text({ enum: REPORT_STATUSES }).notNull(),
    email: text().notNull(),
    language: text({ enum: REPORT_LANGUAGES }).notNull(),
    timezone: text().notNull(),
    /** In the order of the columns. */
    fields: text().array().notNull(),
    /** As asked for. */
    filters: jsonb().$type<Record<string, unknown>>().notNull(),
    /** The span the rows were made in, both ends included. */
    since: instant().notNull(),
    until: instant().notNull(),
    options: jsonb().$type<ReportOptions>().notNull(),
    /** The public key that asked: only what was made with it is told. */
    createdByKey: uuid(),
    /** As in the audit log. */
    actor: text().notNull(),
    definitionId: uuid(),
    total: bigint({ mode: "number" }).notNull().default(0),
    done: bigint({ mode: "number" }).notNull().default(0),
    files: jsonb().$type<ReportFile[]>(),
    sums: jsonb().$type<ReportSums>(),
    position: jsonb().$type<ReportPosition>(),
    sqlVersion: smallint(),
    /** Of the manifest that states all of this, Ed25519. */
    signature: text(),
    attempts: smallint().notNull().default(0),
    /** Lease on real time of whoever writes it, and the fence of every write it makes. */
    leaseUntil: instant(),
    epoch: integer().notNull().default(0),
    /** Its address is nobody's of the account, and was not confirmed. */
    awaitsConfirmation: boolean().notNull().default(false),
    /** When its e-mail was queued. */
    emailedAt: instant(),
    openedAt: instant(),
    expiredAt: instant().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index("reports_listed").on(t.clientId, t.createdAt, t.id),
    index("reports_open").on(t.createdAt).where(sql`${t.status} in ('created', 'pending', 'processing')`),
    index("reports_unsent").on(t.clientId, t.email).where(sql`${t.emailedAt} is null`),
    check("reports_status", sql`${t.status} in ${literals(REPORT_STATUSES)}`),
    check("reports_type", sql`${t.type} in ${literals(REPORT_TYPES)}`),
    check("reports_fields", sql`cardinality(${t.fields}) > 0`),
    check("reports_files", sql`(${t.files} is null) = (${t.signature} is null)`),
    check("reports_lease", sql`(${t.status} = 'processing') = (${t.leaseUntil} is not null)`),
  ],
);

/** Addresses outside the account that reports may be sent to, confirmed once by their link. */
export const reportAddresses = pgTable(
  "report_addresses",
  {
    id: id(),
    clientId: clientId(),
    email: text().notNull(),
    /** SHA-256 of the link's token. */
    digest: bytes().notNull().unique(),
    expiresAt: instant().notNull(),
    confirmedAt: instant(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("report_addresses_email").on(t.clientId, t.email)],
);

export const REPORT_CRONS = ["daily", "weekly", "monthly"] as const;
export type ReportCron = (typeof REPORT_CRONS)[number];

/** A report that is kept to be made again, by hand or each day, week or month. */
export const reportDefinitions = pgTable(
  "report_definitions",
  {
    id: id(),
    clientId: clientId(),
    name: text().notNull(),
    /** The body of POST /v1/reports, without its time span where it runs by itself. */
    request: jsonb().$type<Record<string, unknown>>().notNull(),
    language: text({ enum: REPORT_LANGUAGES }).notNull(),
    timezone: text().notNull(),
    /** Null is only by hand. */
    cron: text({ enum: REPORT_CRONS }),
    /** HH:MM in its zone. */
    time: text(),
    /** When it is due next: runs that were missed are made up from here on. */
    nextAt: instant(),
    actor: text().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: instant(),
  },
  (t) => [
    index("report_definitions_listed").on(t.clientId, t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    check("report_definitions_cron", sql`${t.cron} in ${literals(REPORT_CRONS)}`),
    check("report_definitions_time", sql`(${t.cron} is null) = (${t.time} is null)`),
    check("report_definitions_next", sql`(${t.cron} is null) = (${t.nextAt} is null)`),
  ],
);
