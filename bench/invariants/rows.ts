import type postgres from "postgres";

const CHUNK = 2_000;

/** What one purchase leaves behind, and how its rows are found by the ids of it and of its charges and journals. */
const TABLES = [
  ["purchases", "id"],
  ["purchase_payments", "purchase_id"],
  ["purchase_operations", "purchase_id"],
  ["charges", "purchase_id"],
  ["transaction_requests", "charge_id"],
  ["journals", "charge_id"],
  ["transfers", "journal_id"],
  ["receivables", "charge_id"],
  ["events", "entity_id"],
] as const;

/** Whole copies of a purchase: cards, charges, attempts, journals and events, each with ids of its own, made long ago. */
export async function copyPurchase(sql: postgres.Sql, purchaseId: string, copies: number): Promise<void> {
  await sql.unsafe(`
    create temporary table model(id uuid primary key);
    insert into model select '${purchaseId}'::uuid
      union select id from purchase_payments where purchase_id = '${purchaseId}'
      union select id from purchase_operations where purchase_id = '${purchaseId}'
      union select id from charges where purchase_id = '${purchaseId}';
    insert into model select id from transaction_requests where charge_id in (select id from model)
      union select id from journals where charge_id in (select id from model)
      union select id from receivables where charge_id in (select id from model)
      union select id from events where entity_id in (select id from model);
    create function pg_temp.other(v uuid, n int) returns uuid language sql stable as $$
      select case when exists (select from model where id = v)
        then ('01800000' || substr(md5(v::text || n), 9))::uuid else v end $$;
    create function pg_temp.other(v text, n int) returns text language sql stable as $$
      select case when v ~ '^[0-9a-f]{8}-' then pg_temp.other(v::uuid, n)::text else v || ':' || n end $$`);
  for (let from = 0; from < copies; from += CHUNK) {
    const to = Math.min(from + CHUNK, copies);
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      for (const [table, key] of TABLES) {
        const columns = await tx<{ name: string; type: string }[]>`
          select attname as name, format_type(atttypid, null) as type from pg_attribute
           where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`;
        const names = columns.map(({ name }) => `"${name}"`).join(", ");
        const values = columns.map(({ name, type }) =>
          type === "uuid" || name === "event_id" || name === "reference"
            ? `pg_temp.other(m."${name}", n)`
            : `m."${name}"`,
        );
        await tx.unsafe(`
          insert into ${table} (${names}) select ${values.join(", ")}
            from generate_series(${from + 1}, ${to}) n, (select * from ${table} where ${key} in (select id from model)) m`);
      }
    });
  }
  await sql.unsafe(`vacuum analyze ${TABLES.map(([table]) => table).join(", ")}`);
}
