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
  pgView,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { isAmong } from "@/db/literals";
import { cents, clientId, createdAt, id } from "@/db/schema/columns";

const xid8 = customType<{ data: string }>({ dataType: () => "xid8" });

/** The chart of accounts (spec/settlement.md section 1), and what tells accounts of one kind apart. */
export const ACCOUNT_KINDS = {
  bank: null,
  provider_receivable: "arrangement",
  seller_pending: "seller",
  seller_available: "seller",
  payout_in_transit: "seller",
  merchant_pending: null,
  merchant_available: null,
  "revenue:platform_fee": null,
  "revenue:fares": null,
  "revenue:withdrawal_fee": null,
  "revenue:prepayment": null,
  "expense:provider_cost": null,
  "expense:seller_loss": null,
  suspense: null,
  "memo:hold": null,
  "memo:hold_contra": null,
} as const;
export type AccountKind = keyof typeof ACCOUNT_KINDS;

const kindsWith = (dimension: "seller" | "arrangement"): string[] =>
  Object.entries(ACCOUNT_KINDS).flatMap(([kind, own]) => (own === dimension ? [kind] : []));

/** What an account is: its id is made from these, and no two accounts are equal in all of them. */
export const ACCOUNT_DIMENSIONS = ["merchantId", "kind", "sellerId", "arrangement", "currency"] as const;

/** Debit +, credit −. */
export const ledgerAccounts = pgTable(
  "ledger_accounts",
  {
    id: id(),
    clientId: clientId(),
    merchantId: uuid().notNull(),
    kind: text().$type<AccountKind>().notNull(),
    sellerId: uuid(),
    arrangement: text(),
    currency: char({ length: 3 }).notNull().default("BRL"),
    memo: boolean().notNull().default(false),
  },
  (t) => {
    const [first, ...others] = ACCOUNT_DIMENSIONS;
    return [
      unique("ledger_accounts_dimensions")
        .on(t[first], ...others.map((dimension) => t[dimension]))
        .nullsNotDistinct(),
      check("ledger_accounts_kind", isAmong(t.kind, Object.keys(ACCOUNT_KINDS))),
      check("ledger_accounts_memo", sql`${t.memo} = starts_with(${t.kind}, 'memo:')`),
      check(
        "ledger_accounts_of",
        sql`(${t.sellerId} is not null) = (${isAmong(t.kind, kindsWith("seller"))})
          and (${t.arrangement} is null or ${isAmong(t.kind, kindsWith("arrangement"))})`,
      ),
    ];
  },
);

/** All transfers that one piece of evidence caused (spec/money.md section 10). */
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
    /** How many transfers it was written with. */
    lines: smallint().notNull(),
    reverses: uuid(),
    civilDate: date().notNull(),
    /** The charge it is about, if it is about one. */
    chargeId: uuid(),
    createdAt: createdAt(),
    /** Nobody but the database gives it. */
    tx: xid8().notNull().default(sql`pg_current_xact_id()`),
  },
  (t) => [
    unique("journals_one_per_evidence").on(t.eventId, t.eventType),
    uniqueIndex("journals_reversed_once").on(t.reverses).where(sql`${t.reverses} is not null`),
    index("journals_charge").on(t.chargeId).where(sql`${t.chargeId} is not null`),
    foreignKey({ columns: [t.reverses], foreignColumns: [t.id] }),
    check("journals_lines", sql`${t.lines} > 0`),
  ],
);

/**
 * A movement from one account to another: balanced by itself. Its trigger (db/policies) keeps it inside one merchant,
 * one currency and one side of the memo line, and inside the transaction that wrote its journal.
 */
export const transfers = pgTable(
  "transfers",
  {
    journalId: uuid().notNull(),
    line: smallint().notNull(),
    clientId: clientId(),
    merchantId: uuid().notNull(),
    currency: char({ length: 3 }).notNull(),
    memo: boolean().notNull(),
    debitAccount: uuid().notNull(),
    creditAccount: uuid().notNull(),
    amount: cents().notNull(),
    /** As on the journal; checkpoints count by it. */
    tx: xid8().notNull().default(sql`pg_current_xact_id()`),
  },
  (t) => [
    primaryKey({ columns: [t.journalId, t.line] }),
    index("transfers_debits").on(t.debitAccount, t.tx),
    index("transfers_credits").on(t.creditAccount, t.tx),
    check("transfers_amount", sql`${t.amount} > 0 and ${t.debitAccount} <> ${t.creditAccount} and ${t.line} > 0`),
  ],
);

/** Each transfer as its two signed sides, for reading; db/policies makes it. */
export const postings = pgView("postings", {
  journalId: uuid().notNull(),
  line: smallint().notNull(),
  clientId: uuid().notNull(),
  accountId: uuid().notNull(),
  merchantId: uuid().notNull(),
  currency: char({ length: 3 }).notNull(),
  memo: boolean().notNull(),
  amount: bigint({ mode: "number" }).notNull(),
}).existing();

/** The balance of an account over every transfer of a transaction before `upTo`: none of those can still appear. */
export const ledgerCheckpoints = pgTable(
  "ledger_checkpoints",
  {
    id: id(),
    clientId: clientId(),
    merchantId: uuid().notNull(),
    accountId: uuid()
      .notNull()
      .references(() => ledgerAccounts.id),
    upTo: xid8().notNull(),
    balance: cents().notNull(),
    createdAt: createdAt(),
  },
  (t) => [unique("ledger_checkpoints_position").on(t.accountId, t.upTo)],
);
