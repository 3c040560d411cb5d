import type postgres from "postgres";

/**
 * The driver (postgres.js 3.4) sends `begin` and waits for its answer before the work of a transaction may send anything:
 * a round trip in which nobody decides anything. Here the first statements leave together with `begin`. Answers a function
 * that tells, right after `client.begin`, how the `begin` of that transaction ends.
 *
 * Only for a pool whose statements do nothing outside of a transaction. Should `begin` itself fail, what left with it runs
 * by itself: row security shows it no rows, since the client is named until the end of a transaction (lib/context).
 * Nothing else of such a transaction may be sent (`lost-connection.ts`).
 */
export function beginAhead(client: postgres.Sql): () => Promise<unknown> {
  // Guarantee: the driver begins by its own `unsafe`, with `onexecute`, and calls `execute` alone on what that answers.
  const unsafe = client.unsafe.bind(client) as unknown as Unsafe;
  let last: Promise<unknown> = Promise.resolve();
  const sending: Unsafe = (text, parameters, options) => {
    const onexecute = options?.onexecute;
    if (!onexecute) return unsafe(text, parameters, options);
    const { promise: sent, resolve } = withResolvers<Connection>();
    const query = unsafe(text, parameters, {
      ...options,
      onexecute(connection) {
        onexecute(connection);
        resolve(connection);
      },
    });
    const begun = query.execute();
    last = begun;
    // The driver takes a connection to be full from `begin` to its answer: here it takes the statements that follow.
    const isReady = sent.then((connection) => connection.reserved?.());
    return { execute: () => Promise.race([isReady, begun]) };
  };
  client.unsafe = sending as unknown as typeof client.unsafe;
  return () => last;
}

/** A connection, as far as the driver shows it to `onexecute`: `reserved` sends what waits, or says that nothing does. */
interface Connection {
  reserved?: (() => unknown) | null;
}
interface Options {
  onexecute?: (connection: Connection) => unknown;
}
type Unsafe = (text: string, parameters?: unknown[], options?: Options) => { execute(): Promise<unknown> };

function withResolvers<T>() {
  let resolve = (_value: T): void => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
