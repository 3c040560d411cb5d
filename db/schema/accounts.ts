import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { bytes, clientId, createdAt, id, instant } from "@/db/schema/columns";

export const clients = pgTable(
  "clients",
  {
    id: id(),
    name: text().notNull(),
    mode: text({ enum: ["sandbox", "live"] }).notNull(),
    status: text({ enum: ["active", "disabled", "closed"] })
      .notNull()
      .default("active"),
    /** By its owners, who may open it again for a while. */
    closedAt: instant(),
    /** Of its pages, for people who chose none of their own; null is São Paulo's. */
    timeZone: text(),
    /** Of the documents that it issues. */
    locale: text({ enum: ["pt-BR", "en"] })
      .notNull()
      .default("pt-BR"),
    /** Addresses and networks the dashboard opens this account from; none is anywhere. */
    allowedAddresses: text().array().notNull().default(sql`'{}'`),
    clockOffsetSeconds: bigint({ mode: "number" }).notNull().default(0),
    clockFrozenAt: instant(),
    autoSettleSeconds: integer(),
    /** Receivables paid early; null: as a sandbox account has it, and a live one has not. */
    isPrepaymentOn: boolean(),
    /** What one person decides on alone: reviews, and refunds of one payment. */
    reviewsAloneUpTo: bigint({ mode: "number" }).notNull().default(1_000_00),
    refundsAloneUpTo: bigint({ mode: "number" }).notNull().default(10_000_00),
    createdAt: createdAt(),
  },
  (t) => [
    check("clients_alone", sql`least(${t.reviewsAloneUpTo}, ${t.refundsAloneUpTo}) >= 0`),
    check("clients_locale", sql`${t.locale} in ('pt-BR', 'en')`),
    check("clients_mode", sql`${t.mode} in ('sandbox', 'live')`),
    check("clients_status", sql`${t.status} in ('active', 'disabled', 'closed')`),
    check("clients_closed", sql`(${t.status} = 'closed') = (${t.closedAt} is not null)`),
    check(
      "clients_live_on_real_time",
      sql`${t.mode} = 'sandbox' or (${t.clockOffsetSeconds} = 0 and ${t.clockFrozenAt} is null)`,
    ),
  ],
);

export const apiKeys = pgTable(
  "api_keys",
  {
    id: id(),
    clientId: clientId().references(() => clients.id),
    /** SHA-256 of the secret key; the key itself is shown once. */
    digest: bytes().notNull().unique(),
    /** First characters, so that people can tell keys apart. */
    hint: text().notNull(),
    /** In the words of whoever made it; null for the key an account begins with. */
    name: text(),
    /** What a restricted key may do, by the first segment of a path after /v1; null is everything. */
    rights: jsonb().$type<Record<string, "read" | "write">>(),
    /** Addresses and networks it is taken from; none is anywhere. */
    allowedAddresses: text().array().notNull().default(sql`'{}'`),
    createdAt: createdAt(),
    expiresAt: instant(),
    revokedAt: instant(),
    /** Of a call that was taken, to the minute. */
    lastUsedAt: instant(),
    lastUsedFrom: text(),
  },
  (t) => [index().on(t.clientId)],
);

export const publicKeys = pgTable(
  "public_keys",
  {
    publicKey: uuid().primaryKey(),
    clientId: clientId().references(() => clients.id),
    scope: text().array().notNull(),
    /** Its reports may hold columns of people; a secret key said so. */
    reportsPersonal: boolean().notNull().default(false),
    /** Set for the key of a session: it may do nothing outside that session. */
    sessionId: uuid(),
    /** The public key it comes from, the first of the chain: both are counted together. Null when a secret key made it. */
    root: uuid(),
    expires: bigint({ mode: "number" }).notNull(),
    createdAt: createdAt(),
    expiresAt: instant(),
    lastUsedAt: instant(),
    revokedAt: instant(),
  },
  (t) => [index().on(t.clientId, t.createdAt)],
);

/** Token buckets; UNLOGGED by db/policies, since losing them on a crash harms nobody. */
export const rateBuckets = pgTable("rate_buckets", {
  key: text().primaryKey(),
  tokens: doublePrecision().notNull(),
  updatedAt: instant().notNull(),
});

export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    clientId: clientId(),
    /** Whose keys these are: the account's own id for its server, else the public key (the first of those it minted) or the session's. */
    namespace: uuid().notNull(),
    key: text().notNull(),
    method: text().notNull(),
    path: text().notNull(),
    /** What was asked for, by which its answer is made. */
    kind: text().notNull(),
    fingerprint: bytes().notNull(),
    state: text({ enum: ["open", "done"] }).notNull(),
    resourceId: uuid(),
    leaseUntil: instant(),
    /** The request that holds it: another one may have taken it over since. */
    owner: uuid(),
    status: integer(),
    contentType: text(),
    /** What was answered, or how it goes on after a part of an event that says the same (lib/idempotency.ts). */
    body: bytes(),
    bodyEvent: uuid(),
    /** In bytes of the event's body. */
    bodyFrom: integer(),
    bodyLength: integer(),
    createdAt: createdAt(),
    doneAt: instant(),
    /** Real time; null: as long as what the request made. */
    keepUntil: instant(),
  },
  (t) => [
    // The insert on this key is the lock that makes concurrent twins wait.
    primaryKey({ columns: [t.clientId, t.namespace, t.key] }),
    // A bounded repetition here costs 25 times as much, twice in every payment.
    check("idempotency_keys_key", sql`length(${t.key}) between 1 and 255 and ${t.key} !~ '[^\\x21-\\x7e]'`),
    check("idempotency_keys_state", sql`${t.state} in ('open', 'done')`),
    // Of all states: an index that names what an answer changes would have every other index written again with it.
    index("idempotency_keys_resource").on(t.resourceId).where(sql`${t.resourceId} is not null`),
    index("idempotency_keys_created").on(t.createdAt),
    index("idempotency_keys_expired").using("brin", t.keepUntil),
  ],
);

export const requestLogs = pgTable(
  "request_logs",
  {
    id: id(),
    clientId: clientId(),
    requestId: text().notNull(),
    keyKind: text().notNull(),
    method: text().notNull(),
    path: text().notNull(),
    /** The declared route, for grouping. */
    route: text().notNull(),
    status: integer().notNull(),
    durationMs: integer().notNull(),
    ip: text(),
    idempotencyKey: text(),
    replayed: boolean().notNull().default(false),
    query: jsonb(),
    requestBody: jsonb(),
    responseBody: jsonb(),
    createdAt: createdAt(),
  },
  (t) => [
    index().on(t.clientId, t.createdAt, t.id),
    index("request_logs_created").using("brin", t.createdAt),
    index("request_logs_key").on(t.clientId, t.idempotencyKey).where(sql`${t.idempotencyKey} is not null`),
  ],
);

export const auditLog = pgTable(
  "audit_log",
  {
    id: id(),
    clientId: clientId(),
    actor: text().notNull(),
    action: text().notNull(),
    object: text().notNull(),
    objectId: text().notNull(),
    before: jsonb(),
    after: jsonb(),
    reason: text(),
    /** Who else agreed, where two people are asked for. */
    secondActor: text(),
    ip: text(),
    requestId: text(),
    /** Real time, and the account's own clock. */
    at: instant().notNull(),
    accountAt: instant().notNull(),
  },
  (t) => [
    index().on(t.clientId, t.at, t.id),
    index("audit_log_refunds")
      .on(t.clientId, t.objectId)
      .where(sql`${t.action} in ('charge.void', 'purchase.refund', 'charge.refund.propose')`),
  ],
);

/**
 * The chain over an account's audit rows: each link digests its row and the link before it, so that nothing can be
 * changed, left out or put in between without every later link saying so. Its id is the row's.
 */
export const auditChain = pgTable(
  "audit_chain",
  {
    id: id(),
    clientId: clientId(),
    position: bigint({ mode: "number" }).notNull(),
    hash: bytes().notNull(),
  },
  (t) => [uniqueIndex("audit_chain_position").on(t.clientId, t.position)],
);

/** Rows that no link stands for yet; written by a trigger, emptied by audit_link(). */
export const auditWaiting = pgTable("audit_waiting", {
  id: id(),
  clientId: clientId(),
});
