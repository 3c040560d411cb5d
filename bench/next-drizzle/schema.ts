import {
  bigint,
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  unique,
  uuid,
} from "drizzle-orm/pg-core";

const id = () => uuid().primaryKey().defaultRandom();
const at = () => timestamp({ withTimezone: true }).notNull().defaultNow();
const cents = () => bigint({ mode: "number" }).notNull();

export const accounts = pgTable("accounts", { id: id(), name: text().notNull(), createdAt: at() });

export const apiKeys = pgTable("api_keys", {
  id: id(),
  accountId: uuid()
    .notNull()
    .references(() => accounts.id),
  digest: text().notNull().unique(),
  revokedAt: timestamp({ withTimezone: true }),
});

export const merchants = pgTable("merchants", {
  id: id(),
  accountId: uuid()
    .notNull()
    .references(() => accounts.id),
  name: text().notNull(),
});

export const providers = pgTable("providers", {
  id: id(),
  merchantId: uuid()
    .notNull()
    .references(() => merchants.id),
  priority: integer().notNull(),
  type: text().notNull(),
});

/** Number, holder, date and code, sealed with AES-256-GCM. */
export const cardTokens = pgTable("card_tokens", {
  id: id(),
  accountId: uuid()
    .notNull()
    .references(() => accounts.id),
  sealed: text().notNull(),
  brand: text().notNull(),
  last4: text().notNull(),
  usedAt: timestamp({ withTimezone: true }),
});

export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    id: id(),
    accountId: uuid()
      .notNull()
      .references(() => accounts.id),
    key: text().notNull(),
    fingerprint: text().notNull(),
    status: integer(),
    body: text(),
    createdAt: at(),
  },
  (t) => [unique().on(t.accountId, t.key)],
);

export const charges = pgTable(
  "charges",
  {
    id: id(),
    accountId: uuid()
      .notNull()
      .references(() => accounts.id),
    merchantId: uuid()
      .notNull()
      .references(() => merchants.id),
    providerId: uuid().references(() => providers.id),
    tokenId: uuid().references(() => cardTokens.id),
    status: text().notNull(),
    amount: cents(),
    capturedAmount: cents().default(0),
    currency: text().notNull().default("BRL"),
    capture: boolean().notNull(),
    orderId: text(),
    paymentMethod: jsonb().notNull(),
    providerTransactionId: text(),
    createdAt: at(),
    updatedAt: at(),
  },
  (t) => [
    index().on(t.accountId, t.createdAt),
    index().on(t.accountId, t.status, t.createdAt),
    index().on(t.merchantId, t.createdAt),
    index().on(t.accountId, t.orderId),
  ],
);

/** One call of a provider: written before it is made. */
export const attempts = pgTable(
  "attempts",
  {
    id: id(),
    chargeId: uuid()
      .notNull()
      .references(() => charges.id),
    providerId: uuid()
      .notNull()
      .references(() => providers.id),
    kind: text().notNull(),
    state: text().notNull(),
    reference: text().notNull().unique(),
    amount: cents(),
    authorizationCode: text(),
    raw: jsonb(),
    createdAt: at(),
    updatedAt: at(),
  },
  (t) => [index().on(t.chargeId)],
);

export const events = pgTable(
  "events",
  {
    id: id(),
    accountId: uuid()
      .notNull()
      .references(() => accounts.id),
    chargeId: uuid()
      .notNull()
      .references(() => charges.id),
    type: text().notNull(),
    data: jsonb().notNull(),
    createdAt: at(),
    sentAt: timestamp({ withTimezone: true }),
  },
  (t) => [index().on(t.accountId, t.createdAt)],
);

export const outbox = pgTable("outbox", {
  id: id(),
  name: text().notNull(),
  data: jsonb().notNull(),
  createdAt: at(),
  relayedAt: timestamp({ withTimezone: true }),
});

export const journals = pgTable(
  "journals",
  {
    id: id(),
    accountId: uuid()
      .notNull()
      .references(() => accounts.id),
    chargeId: uuid()
      .notNull()
      .references(() => charges.id),
    eventType: text().notNull(),
    evidence: text().notNull(),
    createdAt: at(),
  },
  (t) => [unique().on(t.eventType, t.evidence)],
);

export const postings = pgTable(
  "postings",
  {
    id: id(),
    journalId: uuid()
      .notNull()
      .references(() => journals.id),
    ledgerAccount: text().notNull(),
    amount: cents(),
  },
  (t) => [index().on(t.ledgerAccount), index().on(t.journalId)],
);

export const receivables = pgTable(
  "receivables",
  {
    id: id(),
    merchantId: uuid()
      .notNull()
      .references(() => merchants.id),
    chargeId: uuid()
      .notNull()
      .references(() => charges.id),
    installment: integer().notNull(),
    amount: cents(),
    paymentDate: date().notNull(),
  },
  (t) => [unique().on(t.chargeId, t.installment)],
);

/** The simulated acquirer's own books. */
export const acquirerTransactions = pgTable("acquirer_transactions", {
  id: id(),
  reference: text().notNull().unique(),
  state: text().notNull(),
  amount: cents(),
  createdAt: at(),
});

export const requestLogs = pgTable("request_logs", {
  id: id(),
  accountId: uuid().notNull(),
  method: text().notNull(),
  path: text().notNull(),
  status: integer().notNull(),
  durationMs: integer().notNull(),
  createdAt: at(),
});
