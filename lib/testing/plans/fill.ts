import type postgres from "postgres";

/** Enough for a sequential scan to cost more than any index. */
export const FILLED_ROWS = 20_000;

/** An account has few of these, or one row for each: reading them whole is right. */
const SMALL = new Set([
  "audit_chain",
  "audit_waiting",
  "captcha_spent",
  // Deleted as they are rolled up into the counts.
  "charge_changes",
  "charge_counts",
  "engine_crons",
  "engine_link",
  "engine_servers",
  "ledger_accounts",
  "legal_transitions",
  "migrations",
  "rate_buckets",
  "schema_versions",
  "secret_checks",
  "worker_beats",
]);

/** On one of a thousand days. */
const LONG_AGO = "'2020-01-01'::date + n::int % 1000";

/** What is over makes most of a table: rows that still wait are few, and partial indexes hold them alone. */
const OVER: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  idempotency_keys: { state: "'done'" },
  events: { fanned_out_at: "now()" },
  outbox: { relayed_at: "now()" },
  due_jobs: { wake_at: "now() + interval '30 days'", queue: "null", lease_until: "null" },
  webhook_deliveries: { status: "'delivered'", ready_at: "null", next_attempt_at: "null" },
  purchase_operations: { status: "'completed'", lease_until: "null" },
  engine_runs: { status: "'completed'", lease_until: "null", owner: "null" },
  emails: { status: "'sent'", data: "null" },
  receivables: {
    batch_id: "gen_random_uuid()",
    payment_date: LONG_AGO,
    original_payment_date: LONG_AGO,
  },
  statement_lines: { settled_on: LONG_AGO },
  payout_batches: { payment_date: LONG_AGO, payout_date: "null" },
  payout_transfers: { sent_on: LONG_AGO, file_number: "null" },
  // Copies belong to other accounts: this one would call them.
  ...Object.fromEntries(
    ["api_keys", "merchants", "providers", "webhooks", "public_keys", "sandbox_scenarios"].map((table) => [
      table,
      { client_id: "gen_random_uuid()", merchant_id: "gen_random_uuid()" },
    ]),
  ),
  charges: { status: "'authorized'", lease_until: "null" },
};

/** A row to copy that is over by itself, where its columns hang together. */
const MODEL: Readonly<Record<string, string>> = {
  receivables: "status = 'paid' and type = 'credit'",
  payout_batches: "status = 'paid'",
  payout_transfers: "status = 'settled' and file_id is null",
  prepayments: "status = 'paid'",
  settlement_breaks: "closed_at is not null",
};

/** One owner has all of it, as the largest account of an installation. */
const KEPT = new Set(["client_id", "merchant_id", "provider_id", "webhook_id", "operator_id"]);

interface Column {
  name: string;
  type: string;
  isUnique: boolean;
}

/** Copies a row of every table that has one, or of those named, until the table is large; answers the tables that are. */
export async function fillTables(sql: postgres.Sql, only?: readonly string[]): Promise<string[]> {
  const tables = await sql<{ name: string; columns: Column[]; keys: string[][] }[]>`
    select c.relname as name,
           (select jsonb_agg(jsonb_build_object('name', a.attname, 'type', t.typname) order by a.attnum)
              from pg_attribute a join pg_type t on t.oid = a.atttypid
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
               and a.attgenerated = '' and a.attidentity = '') as columns,
           coalesce((select jsonb_agg((select jsonb_agg(a.attname order by a.attnum) from pg_attribute a
                                        where a.attrelid = c.oid and a.attnum = any(i.indkey::int2[])))
                       from pg_index i where i.indrelid = c.oid and i.indisunique), '[]') as keys
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind = 'r' order by c.relname`;
  const filled: string[] = [];
  for (const table of tables) {
    if (only ? !only.includes(table.name) : SMALL.has(table.name)) continue;
    const over = OVER[table.name] ?? {};
    const columns = table.columns.map((column) => ({ ...column, isUnique: false }));
    for (const key of table.keys ?? []) makeUnique(columns, key);
    const values = columns.map((column) => over[column.name] ?? valueFor(column));
    const made = await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      return tx.unsafe(
        `insert into "${table.name}" (${columns.map(({ name }) => `"${name}"`).join(", ")})
         select ${values.join(", ")}
           from (select * from "${table.name}" where ${MODEL[table.name] ?? "true"} limit 1) model, generate_series(1, ${FILLED_ROWS}) n`,
      );
    });
    if (made.count > 0) filled.push(table.name);
  }
  await sql`analyze`;
  return filled;
}

const UNIQUE_TYPES = ["uuid", "text", "bytea", "int8", "int4", "timestamptz", "date"];

/** One column of each unique index differs from row to row. */
function makeUnique(columns: Column[], key: readonly string[] | null): void {
  const own = columns.filter(({ name }) => key?.includes(name));
  if (own.some(({ isUnique, type, name }) => isUnique || (type === "uuid" && !KEPT.has(name)))) {
    for (const column of own) if (column.type === "uuid" && !KEPT.has(column.name)) column.isUnique = true;
    return;
  }
  const rank = ({ type, name }: Column) => UNIQUE_TYPES.indexOf(type) + (KEPT.has(name) ? UNIQUE_TYPES.length : 0);
  const [first] = own.filter(({ type }) => UNIQUE_TYPES.includes(type)).sort((a, b) => rank(a) - rank(b));
  if (first) first.isUnique = true;
}

function valueFor({ name, type, isUnique }: Column): string {
  const model = `model."${name}"`;
  if (type === "uuid" && (isUnique || !KEPT.has(name))) {
    return isUnique ? "gen_random_uuid()" : `case when ${model} is not null then gen_random_uuid() end`;
  }
  if (!isUnique) {
    return type === "timestamptz" && name === "created_at" ? `${model} - n * interval '1 second'` : model;
  }
  switch (type) {
    case "bytea":
      return "decode(md5(n::text), 'hex')";
    case "text":
      return "md5(n::text)";
    case "timestamptz":
    case "date":
      return `(${model} - n * interval '1 day')::${type}`;
    default:
      return `1000000 + n`;
  }
}
