import type postgres from "postgres";
import { writingKek } from "@/lib/kek";
import { asOwner, keyIdIn, SEALED_COLUMNS, type SealedColumn } from "@/lib/keys/columns";
import { rewrap } from "@/lib/secrets";

const BATCH = 200;
const DEADLOCK = "40P01";

export interface Rewrapped {
  /** Rows that are under the first key of TRILHO_KEK now. */
  rows: number;
  /** Rows that no given key opens. */
  unopened: number;
}

/**
 * Puts everything that is kept under the first key of TRILHO_KEK, a few rows at a time, beside the work of others: a row
 * that changes meanwhile is left to the next pass. Killed and begun again it goes on with what is left.
 */
export async function rewrapAll(
  sql: postgres.Sql,
  onBatch: (column: SealedColumn, rows: number) => void = () => undefined,
): Promise<Rewrapped> {
  let rows = 0;
  for (;;) {
    let pass = 0;
    let unopened = 0;
    for (const column of SEALED_COLUMNS) {
      for await (const batch of batches(sql, column)) {
        pass += batch.rows;
        unopened += batch.unopened;
        onBatch(column, batch.rows);
      }
    }
    rows += pass;
    if (pass === 0) return { rows, unopened };
  }
}

interface Row {
  id: string;
  sealed: Buffer;
  bound: string;
}

async function* batches(sql: postgres.Sql, column: SealedColumn): AsyncGenerator<Rewrapped> {
  let after: string | null = null;
  for (;;) {
    const found: Row[] = await next(sql, column, after);
    const last = found.at(-1);
    if (!last) return;
    yield await put(sql, column, found);
    after = last.id;
  }
}

function next(sql: postgres.Sql, column: SealedColumn, after: string | null): Promise<Row[]> {
  const { table, id, idType, bound } = column;
  return asOwner(sql, column.owner, async (transaction) => [
    ...(await transaction.unsafe<Row[]>(
      `select ${id}::text as id, ${column.column} as sealed, ${bound} as bound from ${table}
        where ${keyIdIn(column)} <> $1 and ($2::${idType} is null or ${id} > $2::${idType})
        order by ${table}.${id} limit ${BATCH}`,
      [writingKek().id, after],
    )),
  ]);
}

async function put(sql: postgres.Sql, column: SealedColumn, found: readonly Row[]): Promise<Rewrapped> {
  const opened = found.flatMap((row) => {
    const again = opening(column, row);
    return again ? [{ id: row.id, was: row.sealed.toString("hex"), is: again.toString("hex") }] : [];
  });
  const rows = await write(sql, column, opened);
  return { rows, unopened: found.length - opened.length };
}

function opening({ purpose }: SealedColumn, { sealed, bound }: Row): Buffer | undefined {
  try {
    return rewrap(purpose, sealed, bound);
  } catch {
    return undefined;
  }
}

async function write(
  sql: postgres.Sql,
  sealed: SealedColumn,
  rows: readonly { id: string; was: string; is: string }[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const { owner, table, id, idType, column } = sealed;
  const values = [rows.map((row) => row.id), rows.map(({ was }) => was), rows.map((row) => row.is)];
  const statement = `
    update ${table} set ${column} = decode(given.sealed, 'hex')
      from unnest($1::text[], $2::text[], $3::text[]) as given (id, was, sealed)
     where ${table}.${id} = given.id::${idType} and ${table}.${column} = decode(given.was, 'hex')`;
  try {
    return await asOwner(sql, owner, async (transaction) => (await transaction.unsafe(statement, values)).count);
  } catch (thrown) {
    // Of two that wait for each other this one gave way.
    if (thrown instanceof Error && "code" in thrown && thrown.code === DEADLOCK) return write(sql, sealed, rows);
    throw thrown;
  }
}
