import type postgres from "postgres";

/**
 * When a connection breaks inside a transaction, the driver (postgres.js 3.4) still sends what the transaction asks for,
 * its own rollback first: to a socket that is gone, which ends the process, or to the connection that took its place,
 * outside any transaction. Here a transaction that has lost its connection asks for nothing any more: `begin` fails,
 * nothing of it was committed, and statements that come late are refused. It is the same where `begin` was not waited for
 * and fails: `begunOf` tells (`begin-ahead.ts`).
 */
export function endingWithConnection(client: postgres.Sql, begunOf = (): Promise<unknown> => BEGUN): postgres.Sql {
  // Guarantee: the driver takes an optional text and then the work, and nothing else.
  const begin = client.begin.bind(client) as unknown as Begin;
  const guarded: Begin = async (...given) => {
    const tie: Tie = { lost: undefined };
    const work = given.at(-1);
    if (typeof work !== "function") return begin(...given);
    try {
      const ended = begin(...given.slice(0, -1), (tx: postgres.TransactionSql) => unlessLost(tie, work(tied(tx, tie))));
      return await Promise.race([ended, failureOf(begunOf(), tie)]);
    } catch (thrown) {
      tie.lost ??= thrown;
      throw thrown;
    }
  };
  client.begin = guarded as unknown as typeof client.begin;
  return client;
}

const BEGUN = Promise.resolve();

/** Known before the answer of any statement that left behind it. */
const failureOf = (begun: Promise<unknown>, tie: Tie): Promise<never> =>
  new Promise((_, reject) => {
    begun.catch((thrown: unknown) => {
      tie.lost ??= thrown;
      reject(thrown);
    });
  });

type Work = (tx: postgres.TransactionSql) => unknown;
type Begin = (...given: (string | Work)[]) => Promise<unknown>;

interface Tie {
  /** Why there is no connection any more. */
  lost: unknown;
}

const LOSSES = new Set(["CONNECTION_CLOSED", "CONNECTION_DESTROYED", "ECONNRESET", "EPIPE", "ETIMEDOUT"]);
const isLoss = (thrown: unknown): boolean =>
  thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" && LOSSES.has(thrown.code);

/** Never settles once the connection is lost: the driver ends `begin` by itself then, and would only roll back here. */
function unlessLost(tie: Tie, result: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    Promise.resolve(Array.isArray(result) ? Promise.all(result) : result).then(
      (value) => tie.lost === undefined && resolve(value),
      (thrown) => {
        if (isLoss(thrown)) tie.lost ??= thrown;
        if (tie.lost === undefined) reject(thrown);
      },
    );
  });
}

/** The transaction's own handle: statements, whether tagged or given as text, and savepoints. */
function tied<S extends postgres.TransactionSql>(tx: S, tie: Tie): S {
  return new Proxy(tx, {
    apply(target, self, given) {
      const made = Reflect.apply(target, self, given);
      // Anything else is a part of a statement, such as a name.
      return Array.isArray(given[0]?.raw) ? watched(made, tie) : made;
    },
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (name === "unsafe") return (...given: unknown[]) => watched(Reflect.apply(value, target, given), tie);
      if (name === "savepoint") return (...given: unknown[]) => Reflect.apply(value, target, given.map(within(tie)));
      return value;
    },
  });
}

const within = (tie: Tie) => (given: unknown) =>
  // Guarantee: the one function among the arguments of a savepoint is its work.
  typeof given === "function"
    ? (tx: postgres.TransactionSql) => unlessLost(tie, (given as Work)(tied(tx, tie)))
    : given;

/** The first to learn that a statement lost its connection is its transaction. A part of a statement is never waited for. */
function watched<Q extends PromiseLike<unknown>>(query: Q, tie: Tie): Q {
  const then = query.then.bind(query);
  const told: typeof query.then = (onDone, onFailed) => {
    if (tie.lost !== undefined) return Promise.reject(tie.lost).then(onDone, onFailed);
    return then(onDone, (thrown) => {
      if (isLoss(thrown)) tie.lost ??= thrown;
      if (onFailed) return onFailed(thrown);
      throw thrown;
    });
  };
  // biome-ignore lint/suspicious/noThenProperty: a statement is a promise that is sent when it is first waited for.
  query.then = told;
  return query;
}
