import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  char,
  check,
  customType,
  date,
  foreignKey,
  index,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { clientId, createdAt, id } from "@/db/schema/columns";

const xid8 = customType<{ data: string }>({ dataType: () => "xid8" });

/** spec/money.md sections 10 and 11. Debit +, credit −; a journal sums to 0. */
export const ledgerAccounts = pgTable(
  "ledger_accounts",
  {
    id: id(),
    clientId: clientId(),
    merchantId: uuid().notNull(),
    kind: text().notNull(),
    sellerId: uuid(),
    arrangement: text(),
    currency: char({ length: 3 }).notNull().default("BRL"),
    memo: boolean().notNull().default(false),
  },
  (t) => [
    unique("ledger_accounts_dimensions")
      .on(t.merchantId, t.kind, t.sellerId, t.arrangement, t.currency)
      .nullsNotDistinct(),
    unique("ledger_accounts_walls").on(t.id, t.merchantId, t.currency, t.memo),
  ],
);

export const journals = pgTable(
  "journals",
  {
    id: id(),
    clientId: clientId(),
    merchantId: uuid().notNull(),
    eventType: text().notNull(),
    eventId: text().notNull(),
    currency: char({ length: 3 }).notNull().default("BRL"),
    memo: boolean().notNull().default(false),
    reverses: uuid().unique(),
    civilDate: date().notNull(),
    chargeId: uuid(),
    createdAt: createdAt(),
    tx: xid8().notNull().default(sql`pg_current_xact_id()`),
  },
  (t) => [
    unique("journals_one_per_evidence").on(t.eventType, t.eventId),
    unique("journals_walls").on(t.id, t.merchantId, t.currency, t.memo),
    index("journals_charge").on(t.chargeId),
    foreignKey({ columns: [t.reverses], foreignColumns: [t.id] }),
  ],
);

export const postings = pgTable(
  "postings",
  {
    journalId: uuid().notNull(),
    line: smallint().notNull(),
    clientId: clientId(),
    accountId: uuid().notNull(),
    merchantId: uuid().notNull(),
    currency: char({ length: 3 }).notNull(),
    memo: boolean().notNull(),
    amount: bigint({ mode: "number" }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.journalId, t.line] }),
    foreignKey({
      columns: [t.journalId, t.merchantId, t.currency, t.memo],
      foreignColumns: [journals.id, journals.merchantId, journals.currency, journals.memo],
    }),
    foreignKey({
      columns: [t.accountId, t.merchantId, t.currency, t.memo],
      foreignColumns: [ledgerAccounts.id, ledgerAccounts.merchantId, ledgerAccounts.currency, ledgerAccounts.memo],
    }),
    index().on(t.accountId, t.journalId),
    check("postings_amount", sql`${t.amount} <> 0`),
  ],
);
