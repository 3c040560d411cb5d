import type postgres from "postgres";
import type { CardShop } from "@/bench/purchases/shop";

const CHUNK = 50_000;

/** Copies of one paid purchase and its cards, a second apart, until the table holds so many of this client. */
export async function fillPurchases(sql: postgres.Sql, shop: CardShop, model: string, until: number): Promise<void> {
  const [have] = await sql<
    { n: number }[]
  >`select count(*)::int as n from purchases where client_id = ${shop.clientId}`;
  for (let from = have?.n ?? 0; from < until; from += CHUNK) {
    const rows = Math.min(CHUNK, until - from);
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`create temporary table made on commit drop as
        select gen_random_uuid() as id, timestamptz '2026-01-01' + make_interval(secs => ${from}::int + n) as at
          from generate_series(1, ${rows}::int) n`;
      await copy(tx, "purchases", "id", model, { id: "made.id", created_at: "made.at" });
      await copy(tx, "purchase_payments", "purchase_id", model, {
        id: "gen_random_uuid()",
        purchase_id: "made.id",
        charge_id: "null::uuid",
        created_at: "made.at",
      });
      await copy(tx, "purchase_operations", "purchase_id", model, {
        id: "gen_random_uuid()",
        purchase_id: "made.id",
        created_at: "made.at",
      });
    });
  }
  await sql`vacuum analyze purchases, purchase_payments, purchase_operations`;
  // What filling left to be written is not the measured requests' to wait for.
  await sql`checkpoint`;
}

async function copy(
  tx: postgres.TransactionSql,
  table: string,
  key: string,
  model: string,
  changed: Record<string, string>,
) {
  const columns = await tx<{ name: string }[]>`
    select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`;
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const values = columns.map(({ name }) => changed[name] ?? `model."${name}"`).join(", ");
  await tx.unsafe(
    `insert into ${table} (${names}) select ${values} from made, (select * from ${table} where ${key} = $1) model`,
    [model],
  );
}
