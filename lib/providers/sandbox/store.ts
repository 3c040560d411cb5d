import type postgres from "postgres";
import { systemSql } from "@/db/client";
import type { sandboxMovements, sandboxNotifications, sandboxTransactions } from "@/db/schema/sandbox";
import { derivedBeside } from "@/lib/ids";

export type Transaction = typeof sandboxTransactions.$inferSelect;
export type Movement = typeof sandboxMovements.$inferSelect;
export type Notification = typeof sandboxNotifications.$inferSelect;
/** The pool, or a transaction of it. */
export type Connection = postgres.Sql | postgres.TransactionSql;

export interface Call {
  id: string;
  clientId: string;
  providerId: string;
  chargeId: string;
  operation: string;
  reference: string;
  idempotencyKey: string | null;
  fingerprint: Buffer | null;
  kept: boolean;
  request: Record<string, unknown>;
  status: number | null;
  response: string | null;
  durationMs: number;
  at: Date;
}

export type NewMovement = Omit<Movement, "id" | "clientId" | "transactionId" | "reason"> & { reason?: string | null };

export const movement = (tx: Transaction, fields: NewMovement): Movement => ({
  id: derivedBeside(tx.id, "sandbox-movement", tx.id, fields.kind, fields.reference),
  clientId: tx.clientId,
  transactionId: tx.id,
  ...fields,
  reason: fields.reason ?? null,
});

const UNIQUE_VIOLATION = "23505";
export const isUniqueViolation = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "code" in error && error.code === UNIQUE_VIOLATION;

type Json = postgres.JSONValue;
/** Rows travel as one JSON parameter: one statement writes any number of them. */
const rows = (sql: Connection, list: readonly object[]) => sql.json(list as unknown as Json); // Plain data with dates, which JSON takes.

/**
 * A first payment call, written by one statement: its transaction, its answer under the idempotency key and, when
 * there are any, movements and notifications. False when the key is known; a known reference is a unique violation.
 */
export async function insertPayment(
  tx: Transaction,
  call: Call,
  movements: readonly Movement[] = [],
  notifications: readonly Notification[] = [],
): Promise<boolean> {
  const sql = systemSql();
  const extras =
    movements.length + notifications.length === 0
      ? sql``
      : sql`, moved as (${insertMovements(sql, movements, sql`where exists (select from made)`)}),
             noted as (${insertNotifications(sql, notifications, sql`where exists (select from made)`)})`;
  const [row] = await sql<{ made: boolean }[]>`
    with kept as (${insertCall(sql, call)} on conflict (client_id, provider_id, idempotency_key) where kept
                  do nothing returning 1),
    made as (
      insert into sandbox_transactions (id, client_id, provider_id, charge_id, reference, copy, method, outcome,
        declined_code, brand, card_fingerprint, state, plain, currency, amount, authorized, captured, refunded,
        installments, captured_at, ended_at, resolves_at, resolves_to, expires_at, delay_seconds, scenario, details,
        created_at)
      select ${tx.id}::uuid, ${tx.clientId}::uuid, ${tx.providerId}::uuid, ${tx.chargeId}::uuid, ${tx.reference},
        ${tx.copy}::smallint, ${tx.method}, ${tx.outcome}, ${tx.declinedCode}, ${tx.brand}, ${tx.cardFingerprint}::bytea,
        ${tx.state}, ${tx.plain}::boolean, ${tx.currency}, ${tx.amount}::bigint, ${tx.authorized}::bigint,
        ${tx.captured}::bigint, ${tx.refunded}::bigint, ${tx.installments}::smallint, ${tx.capturedAt}::timestamptz,
        ${tx.endedAt}::timestamptz, ${tx.resolvesAt}::timestamptz, ${tx.resolvesTo}, ${tx.expiresAt}::timestamptz,
        ${tx.delaySeconds}::int, ${tx.scenario}, ${tx.details ? sql.json(tx.details as Json) : null}::jsonb,
        ${tx.createdAt}::timestamptz
      where exists (select from kept)
      returning 1)
    ${extras}
    select exists (select from made) as made`;
  return row?.made ?? false;
}

export const recordCall = (sql: Connection, call: Call): Promise<unknown> => sql`${insertCall(sql, call)}`;

const insertCall = (sql: Connection, call: Call) => sql`
  insert into sandbox_calls (id, client_id, provider_id, charge_id, operation, reference, idempotency_key, fingerprint,
    kept, request, status, response, duration_ms, at)
  values (${call.id}, ${call.clientId}, ${call.providerId}, ${call.chargeId}, ${call.operation}, ${call.reference},
    ${call.idempotencyKey}, ${call.fingerprint}, ${call.kept}, ${sql.json(call.request as Json)}, ${call.status},
    ${call.response}, ${call.durationMs}, ${call.at})`;

const nothing = (sql: Connection) => sql``;

const insertMovements = (sql: Connection, movements: readonly Movement[], where = nothing(sql)) => sql`
  insert into sandbox_movements (id, client_id, transaction_id, kind, amount, cost, at, requested_at, reference, payment_id,
    reason)
  select "id", "clientId", "transactionId", "kind", "amount", "cost", "at", "requestedAt", "reference", "paymentId",
         "reason"
    from jsonb_to_recordset(${rows(sql, movements)}::jsonb) as given("id" uuid, "clientId" uuid, "transactionId" uuid,
      "kind" text, "amount" bigint, "cost" bigint, "at" timestamptz, "requestedAt" timestamptz, "reference" text,
      "paymentId" text, "reason" text) ${where}`;

const insertNotifications = (sql: Connection, list: readonly Notification[], where = nothing(sql)) => sql`
  insert into sandbox_notifications (id, client_id, provider_id, transaction_id, reference, type, fault, due_at)
  select "id", "clientId", "providerId", "transactionId", "reference", "type", "fault", "dueAt"
    from jsonb_to_recordset(${rows(sql, list)}::jsonb) as given("id" uuid, "clientId" uuid, "providerId" uuid,
      "transactionId" uuid, "reference" text, "type" text, "fault" text, "dueAt" timestamptz) ${where}
  on conflict do nothing`;

export async function addMovements(sql: Connection, movements: readonly Movement[]): Promise<void> {
  if (movements.length > 0) await sql`${insertMovements(sql, movements)}`;
}

export async function addNotifications(sql: Connection, list: readonly Notification[]): Promise<void> {
  if (list.length > 0) await sql`${insertNotifications(sql, list)}`;
}

export interface KeptCall {
  fingerprint: Buffer | null;
  status: number;
  response: string;
  at: Date;
}

export async function keptCall(
  sql: Connection,
  { clientId, providerId, idempotencyKey }: { clientId: string; providerId: string; idempotencyKey: string },
): Promise<KeptCall | undefined> {
  const [row] = await sql<KeptCall[]>`
    select fingerprint, status, response, at from sandbox_calls
     where client_id = ${clientId} and provider_id = ${providerId} and idempotency_key = ${idempotencyKey} and kept`;
  return row;
}

/** Counts one more use and tells how many there are now; undefined when `limit` (0 = none) was reached before. */
export async function countUse(
  sql: Connection,
  clientId: string,
  scope: string,
  limit = 0,
): Promise<number | undefined> {
  const [row] = await sql<{ used: number }[]>`
    insert into sandbox_counters as counters (client_id, scope, used) values (${clientId}, ${scope}, 1)
    on conflict (client_id, scope) do update set used = counters.used + 1
      where ${limit}::int = 0 or counters.used < ${limit}::int
    returning used`;
  return row?.used;
}

type RawTransaction = Omit<Transaction, "amount" | "authorized" | "captured" | "refunded"> &
  Record<"amount" | "authorized" | "captured" | "refunded", string>;

const transactionColumns = (sql: Connection) => sql`
  id, client_id as "clientId", provider_id as "providerId", charge_id as "chargeId", reference, copy, method, outcome,
  declined_code as "declinedCode", brand, card_fingerprint as "cardFingerprint", state, plain, currency, amount,
  authorized, captured, refunded, installments, captured_at as "capturedAt", ended_at as "endedAt",
  resolves_at as "resolvesAt", resolves_to as "resolvesTo", expires_at as "expiresAt",
  delay_seconds as "delaySeconds", scenario, details, created_at as "createdAt"`;

const transactionOf = (raw: RawTransaction): Transaction => ({
  ...raw,
  amount: Number(raw.amount),
  authorized: Number(raw.authorized),
  captured: Number(raw.captured),
  refunded: Number(raw.refunded),
});

export interface Owner {
  clientId: string;
  providerId: string;
}

/** Another account's transaction, or one made with another provider's credentials, does not exist. */
export async function transactionById(
  sql: Connection,
  { clientId, providerId }: Owner,
  id: string,
  lock = false,
): Promise<Transaction | undefined> {
  const [raw] = await sql<RawTransaction[]>`
    select ${transactionColumns(sql)} from sandbox_transactions
     where id = ${id} and client_id = ${clientId} and provider_id = ${providerId} ${lock ? sql`for update` : sql``}`;
  return raw && transactionOf(raw);
}

export async function transactionsByReference(
  sql: Connection,
  { clientId, providerId }: Owner,
  reference: string,
): Promise<Transaction[]> {
  const found = await sql<RawTransaction[]>`
    select ${transactionColumns(sql)} from sandbox_transactions
     where client_id = ${clientId} and provider_id = ${providerId} and reference = ${reference} order by copy`;
  return found.map(transactionOf);
}

/** The payment of a charge that its tools act on: the newest that was not declined, else the newest. */
export async function transactionOfCharge(
  sql: Connection,
  clientId: string,
  chargeId: string,
): Promise<Transaction | undefined> {
  const [raw] = await sql<RawTransaction[]>`
    select ${transactionColumns(sql)} from sandbox_transactions
     where client_id = ${clientId} and charge_id = ${chargeId}
     order by (state = 'declined'), copy, created_at desc, id desc limit 1 for update`;
  return raw && transactionOf(raw);
}

/** What the newest card payment of a charge stands for in the table, at whichever simulated acquirer it was made. */
export async function outcomeOfCharge(
  sql: Connection,
  { clientId, chargeId }: { clientId: string; chargeId: string },
): Promise<string | undefined> {
  const [row] = await sql<{ outcome: string }[]>`
    select outcome from sandbox_transactions where client_id = ${clientId} and charge_id = ${chargeId}
     order by created_at desc, id desc limit 1`;
  return row?.outcome;
}

export async function transactionByTxid(
  sql: Connection,
  clientId: string,
  txid: string,
): Promise<Transaction | undefined> {
  const [raw] = await sql<RawTransaction[]>`
    select ${transactionColumns(sql)} from sandbox_transactions
     where client_id = ${clientId} and reference = ${txid} order by copy limit 1 for update`;
  return raw && transactionOf(raw);
}

type RawMovement = Omit<Movement, "amount" | "cost"> & Record<"amount" | "cost", string>;

export async function movementsOf(sql: Connection, transactionIds: readonly string[]): Promise<Movement[]> {
  if (transactionIds.length === 0) return [];
  const found = await sql<RawMovement[]>`
    select id, client_id as "clientId", transaction_id as "transactionId", kind, amount, cost, at,
      requested_at as "requestedAt", reference, payment_id as "paymentId", reason
      from sandbox_movements where transaction_id = any(${[...transactionIds]}::uuid[]) order by at, id`;
  return found.map((raw) => ({ ...raw, amount: Number(raw.amount), cost: Number(raw.cost) }));
}

export type TransactionChanges = Partial<
  Pick<
    Transaction,
    | "state"
    | "captured"
    | "refunded"
    | "capturedAt"
    | "endedAt"
    | "resolvesAt"
    | "resolvesTo"
    | "plain"
    | "declinedCode"
  >
>;

export async function updateTransaction(sql: Connection, tx: Transaction, changes: TransactionChanges): Promise<void> {
  const next = { ...tx, ...changes };
  await sql`
    update sandbox_transactions set state = ${next.state}, captured = ${next.captured}, refunded = ${next.refunded},
      captured_at = ${next.capturedAt}, ended_at = ${next.endedAt}, resolves_at = ${next.resolvesAt},
      resolves_to = ${next.resolvesTo}, plain = ${next.plain}, declined_code = ${next.declinedCode}
     where id = ${tx.id}`;
}

/** Things that were going to happen and now will not. */
export async function dropFutureMovements(
  sql: Connection,
  tx: Transaction,
  kinds: readonly Movement["kind"][],
  now: Date,
): Promise<void> {
  await sql`delete from sandbox_movements
             where transaction_id = ${tx.id} and at > ${now} and kind = any(${[...kinds]}::text[])`;
}
