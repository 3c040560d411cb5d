import { sql } from "drizzle-orm";
import { check, date, index, jsonb, pgTable, smallint, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { charges } from "@/db/schema/charges";
import { cents, clientId, createdAt, id, instant, updatedAt } from "@/db/schema/columns";
import { merchants, providers } from "@/db/schema/merchants";

export const STATEMENT_KINDS = ["settlement", "refund", "chargeback", "reversal", "adjustment"] as const;
export const BREAK_KINDS = [
  "settlement_missing",
  "settlement_mismatch",
  /** Money of a statement that belongs to nothing we know. */
  "settlement_unowned",
  /** A bank that does not say what became of a transfer. */
  "transfer_unknown",
  /** A bank that says another thing of a transfer than people said. */
  "transfer_contradicted",
  "identity",
] as const;

const among = (values: readonly string[]) => sql.raw(`('${values.join("','")}')`);

/** What an acquirer says it paid or took (spec/settlement.md section 1): each line once, as it was said. */
export const statementLines = pgTable(
  "statement_lines",
  {
    /** Made from the provider and its own name of the line: a statement read again is the same rows. */
    id: id(),
    clientId: clientId(),
    merchantId: uuid().notNull(),
    providerId: uuid()
      .notNull()
      .references(() => providers.id),
    externalId: text().notNull(),
    providerTxId: text(),
    /** Null: of nothing that we know. */
    chargeId: uuid().references(() => charges.id),
    kind: text({ enum: STATEMENT_KINDS }).notNull(),
    installment: smallint().notNull(),
    /** Net of the cost; negative for what was taken. */
    amount: cents().notNull(),
    cost: cents().notNull(),
    settledOn: date().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("statement_lines_external").on(t.providerId, t.externalId),
    index("statement_lines_charge").on(t.chargeId, t.installment).where(sql`${t.chargeId} is not null`),
    index("statement_lines_day").on(t.merchantId, t.settledOn),
    check("statement_lines_kind", sql`${t.kind} in ${among(STATEMENT_KINDS)}`),
    check("statement_lines_installment", sql`${t.installment} >= 1`),
  ],
);

/** What becomes of a line that people bring; with any of the refused ones in it, nothing of the file is taken. */
export const VERDICTS = [
  "new",
  "known",
  "foreign",
  "malformed",
  "wrong_sum",
  "doubled",
  "changed",
  "not_over",
] as const;
export type LineVerdict = (typeof VERDICTS)[number];

/** A statement that people bring: kept as it came, looked at, and taken whole by somebody, or never. */
export const statementFiles = pgTable(
  "statement_files",
  {
    id: id(),
    clientId: clientId(),
    merchantId: uuid().notNull(),
    providerId: uuid()
      .notNull()
      .references(() => providers.id),
    name: text().notNull(),
    /** Of the content: the same file of a provider is the same row. */
    digest: text().notNull(),
    content: text().notNull(),
    /** Lines of each verdict, and cents that are or would be booked, as they were last looked at. */
    verdicts: jsonb().$type<Partial<Record<LineVerdict, number>>>().notNull(),
    net: cents().notNull(),
    uploadedBy: uuid().notNull(),
    takenBy: uuid(),
    takenAt: instant(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("statement_files_once").on(t.providerId, t.digest),
    index("statement_files_client").on(t.clientId, t.createdAt, t.id),
    check("statement_files_taken", sql`(${t.takenAt} is null) = (${t.takenBy} is null)`),
  ],
);

/** How far a merchant's bank days have come: a late run does what was left out, and nothing again. */
export const merchantDays = pgTable(
  "merchant_days",
  {
    merchantId: uuid()
      .primaryKey()
      .references(() => merchants.id),
    clientId: clientId(),
    /** The last day that every statement was read of. */
    statementsThrough: date(),
    /** The last bank day that batches were cut on. */
    cutOn: date(),
    /** The last bank day that receivables were paid early on by their sellers' policies. */
    anticipatedOn: date(),
    /** The last day that the identities were checked on. */
    checkedOn: date(),
  },
  (t) => [index("merchant_days_client").on(t.clientId)],
);

/** Where the books and what they are compared with differ: a row with an owner, never silence. */
export const settlementBreaks = pgTable(
  "settlement_breaks",
  {
    id: id(),
    clientId: clientId(),
    merchantId: uuid().notNull(),
    kind: text({ enum: BREAK_KINDS }).notNull(),
    /** What differs: a charge's instalment, a charge, or the name of an identity and whom it is about. */
    subject: text().notNull(),
    chargeId: uuid(),
    day: date().notNull(),
    expected: cents().notNull(),
    found: cents().notNull(),
    ownerId: uuid(),
    note: text(),
    openedAt: instant().notNull(),
    closedAt: instant(),
    /** It agrees again by itself, or two people say that it is settled. */
    closedBy: text({ enum: ["agreement", "people"] }),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex("settlement_breaks_open").on(t.merchantId, t.kind, t.subject).where(sql`${t.closedAt} is null`),
    index("settlement_breaks_client").on(t.clientId, t.openedAt, t.id),
    index("settlement_breaks_waiting").on(t.clientId).where(sql`${t.closedAt} is null`),
    check("settlement_breaks_kind", sql`${t.kind} in ${among(BREAK_KINDS)}`),
    check("settlement_breaks_closed", sql`(${t.closedAt} is null) = (${t.closedBy} is null)`),
  ],
);
