import type postgres from "postgres";
import { copy } from "@/bench/lists/rows";

const CHUNK = 50_000;

export interface Model {
  chargeId: string;
  sellerId: string;
}

/** How a copied receivable stands: SQL over `made` (its number `n`, and the id of its sale). */
export interface Standing {
  /** Column to SQL. */
  columns: Record<string, string>;
  rows: number;
}

/**
 * Copies of a sale in one instalment of one seller, with ids in the order of their making, as the product gives them.
 * Triggers are passed by: what is in the books of it is not.
 */
export async function fillSales(
  sql: postgres.Sql,
  { chargeId, sellerId }: Model,
  { columns, rows }: Standing,
): Promise<void> {
  for (let from = 0; from < rows; from += CHUNK) {
    const until = Math.min(from + CHUNK, rows);
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`create temporary table made on commit drop as
        select uuidv7() as id, n from generate_series(${from}::int, ${until - 1}::int) n`;
      await copy(tx, "charges", chargeId, {
        id: "made.id",
        idempotency_key: "null",
        created_at: `model."created_at" + make_interval(secs => made.n * 0.001)`,
      });
      await copy(tx, "receivables", chargeId, {
        id: "uuidv7()",
        charge_id: "made.id",
        seller_id: `'${sellerId}'`,
        ...columns,
      });
    });
  }
  await sql`vacuum analyze charges, receivables`;
}

/** Copies of a seller, with a sale of each that is released and stands in no batch. */
export async function fillSellers(sql: postgres.Sql, model: Model, rows: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`create temporary table made on commit drop as
      select gen_random_uuid() as id, gen_random_uuid() as seller_id, n from generate_series(1, ${rows}::int) n`;
    await copy(
      tx,
      "sellers",
      model.sellerId,
      { id: "made.seller_id", document_key: "'bench ' || made.n", created_at: "now()" },
      { key: "id" },
    );
    await copy(tx, "charges", model.chargeId, { id: "made.id", idempotency_key: "null" });
    await copy(tx, "receivables", model.chargeId, {
      id: "gen_random_uuid()",
      charge_id: "made.id",
      seller_id: "made.seller_id",
      status: "'paid'",
      available_at: "now()",
    });
  });
  await sql`vacuum analyze charges, receivables, sellers`;
}
