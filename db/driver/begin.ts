import type postgres from "postgres";

/** Has `around` run each transaction of a client: it is given what begins it. */
export function aroundBegin(
  client: postgres.Sql,
  around: (begin: () => Promise<unknown>) => Promise<unknown>,
): postgres.Sql {
  const begin = client.begin.bind(client) as (...given: unknown[]) => Promise<unknown>;
  const patched = (...given: unknown[]): Promise<unknown> => around(() => begin(...given));
  // Guarantee: what is given is handed on as it came.
  client.begin = patched as unknown as typeof client.begin;
  return client;
}
