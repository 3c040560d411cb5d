import type postgres from "postgres";

/** Longer statements vary with the number of their rows: keeping each of them would fill the server's memory. */
const MOST_KEPT_PARAMETERS = 200;

/**
 * Drizzle tells the driver to forget each statement. Kept ones need one round trip instead of two, and are neither
 * parsed nor planned again.
 */
export function keepingStatements(client: postgres.Sql): postgres.Sql {
  const kept = keepingThem(client);
  const begin = kept.begin.bind(kept);
  // Guarantee: Drizzle begins with a function alone, never with options in front of it.
  kept.begin = ((run: (sql: postgres.TransactionSql) => Promise<unknown>) =>
    begin((sql) => run(keepingThem(sql)))) as typeof kept.begin;
  return kept;
}

function keepingThem<S extends postgres.ISql>(sql: S): S {
  const send = sql.unsafe.bind(sql);
  sql.unsafe = (text, parameters = [], options = {}) =>
    send(text, parameters, { ...options, prepare: parameters.length > 0 && parameters.length <= MOST_KEPT_PARAMETERS });
  return sql;
}
