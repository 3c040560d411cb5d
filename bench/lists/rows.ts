import type postgres from "postgres";
import { openShop, type Shop } from "@/bench/charges/shop";
import { countAgain } from "@/lib/testing/count-again";

/** A client with so many charges, each with one attempt. */
export interface Listed {
  shop: Shop;
  rows: number;
  failed: number;
}

const CHUNK = 100_000;
/** Of a hundred charges in a row so many have failed, spread evenly. */
const FAILED_OF_100 = 15;

/**
 * Copies one paid charge over and over, a second apart. Bulk rows skip the triggers, which would count them one by one
 * and take an hour; their counts are written as the background job leaves them, rolled up.
 */
export async function fillCharges(sql: postgres.Sql, model: string, rows: number): Promise<Listed> {
  const shop = await openShop();
  for (let from = 0; from < rows; from += CHUNK) {
    const until = Math.min(from + CHUNK, rows);
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`create temporary table made on commit drop as
        select gen_random_uuid() as id, gen_random_uuid() as attempt_id, n,
               timestamptz '2026-01-01' + make_interval(secs => n) as at,
               case when n % 100 < ${FAILED_OF_100} then 'failed' else 'pre_authorized' end as status
          from generate_series(${from}::int, ${until - 1}::int) n`;
      await copy(tx, "charges", model, {
        id: "made.id",
        client_id: `'${shop.clientId}'::uuid`,
        merchant_id: `'${shop.merchantId}'::uuid`,
        status: "made.status",
        created_at: "made.at",
      });
      await copy(tx, "transaction_requests", model, {
        id: "made.attempt_id",
        client_id: `'${shop.clientId}'::uuid`,
        charge_id: "made.id",
        reference: "made.attempt_id::text",
        created_at: "made.at",
      });
    });
  }
  await countAgain(sql, shop.clientId);
  const [failed] = await sql<{ n: number }[]>`
    select count(*)::int as n from charges where client_id = ${shop.clientId} and status = 'failed'`;
  return { shop, rows, failed: failed?.n ?? 0 };
}

/** As many copies of the model's row of a table as `made` has rows, with these columns changed. */
export async function copy(
  tx: postgres.TransactionSql,
  table: string,
  model: string,
  changed: Record<string, string>,
  { key = table === "charges" ? "id" : "charge_id", made = "made" }: { key?: string; made?: string } = {},
): Promise<void> {
  const columns = await tx<{ name: string }[]>`
    select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`;
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const values = columns.map(({ name }) => changed[name] ?? `model."${name}"`).join(", ");
  await tx.unsafe(
    `insert into ${table} (${names}) select ${values} from ${made}, (select * from ${table} where ${key} = $1 limit 1) model`,
    [model],
  );
}
