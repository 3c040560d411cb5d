import { AsyncLocalStorage } from "node:async_hooks";
import type postgres from "postgres";
import type { PaymentProvider } from "@/lib/providers/provider";
import type { Actor } from "@/lib/testing/simulator/actors";

/** What the seams of a simulated process (seams.ts) reach for; the product knows nothing of it. */
export interface Virtual {
  now(): Date;
  monotonicMs(): number;
  bytes(size: number): Buffer;
  pause(ms: number): Promise<void>;
  provider(): PaymentProvider;
  /** A pool whose transactions are points at which an actor may be held up or die. */
  gate(client: postgres.Sql): void;
  /** A pool that serves no actor that has died. */
  guard(client: postgres.Sql): postgres.Sql;
  logged(level: string, fields: Record<string, unknown>, message: string): void;
  /** A row of a transition table was taken. */
  moved(machine: string, from: string, fact: string): void;
}

/** The process of this actor is gone: nothing it still does has any effect. */
export class Crashed extends Error {}

export const acting = new AsyncLocalStorage<Actor>();

const START = Date.UTC(2026, 2, 2, 12, 0, 0);

/** The one clock of a simulated run: leases, deadlines and what the account sees all go by it. */
export const clock = { atMs: START };
export const START_MS = START;

export function gate(client: postgres.Sql): void {
  const begin = client.begin.bind(client) as (run: (sql: postgres.TransactionSql) => unknown) => Promise<unknown>;
  const gated = async (run: (sql: postgres.TransactionSql) => unknown): Promise<unknown> => {
    const actor = acting.getStore();
    if (!actor) return begin(run);
    await actor.reaches("transaction");
    const result = await begin(async (sql) => {
      const asked: Promise<void>[] = [];
      const done = await run(byStatement.isOn ? statementByStatement(sql, actor, asked) : sql);
      // As the driver sends them: a commit stands behind every statement that was asked for before it.
      await Promise.allSettled(asked);
      actor.mayDie("commit");
      return done;
    });
    actor.mayDie("committed");
    return result;
  };
  // Guarantee: Drizzle begins with a function alone, never with options in front of it.
  client.begin = gated as typeof client.begin;
  // A statement that names its client itself is a transaction.
  const unsafe = client.unsafe.bind(client);
  const alone = (given: Parameters<typeof unsafe>, isValues: boolean): Awaited => {
    let sent: Promise<unknown> | undefined;
    const send = async (actor: Actor): Promise<unknown> => {
      await actor.reaches("transaction");
      actor.mayDie("commit");
      const rows = await (isValues ? unsafe(...given).values() : unsafe(...given));
      actor.mayDie("committed");
      return rows;
    };
    const once = (): Promise<unknown> => {
      const actor = acting.getStore();
      sent ??= actor ? send(actor) : Promise.resolve(isValues ? unsafe(...given).values() : unsafe(...given));
      return sent;
    };
    return queryOf(once, () => alone(given, true));
  };
  // Guarantee: Drizzle waits for a query, or for its values, and asks nothing else of it.
  client.unsafe = ((...given: Parameters<typeof unsafe>) =>
    isTransaction(given) ? alone(given, false) : unsafe(...given)) as unknown as typeof client.unsafe;
}

/** Whether this schedule holds actors up between the statements of a transaction as well. */
export const byStatement = { isOn: false };

/** A statement of several writes that is sent by itself (db/writes). */
export const isTransaction = ([text]: readonly unknown[]): boolean =>
  typeof text === "string" && text.startsWith('with "named_client"');

interface Awaited {
  then: Promise<unknown>["then"];
  catch: Promise<unknown>["catch"];
  finally: Promise<unknown>["finally"];
  values(): Awaited;
}

const queryOf = (send: () => Promise<unknown>, values: () => Awaited): Awaited => ({
  // biome-ignore lint/suspicious/noThenProperty: it stands for the driver's query, which is awaited.
  then: (...on) => send().then(...on),
  catch: (...on) => send().catch(...on),
  finally: (...on) => send().finally(...on),
  values,
});

/** Each statement waits for its turn: another actor may come between any two of one transaction. */
function statementByStatement(
  sql: postgres.TransactionSql,
  actor: Actor,
  /** When each that was asked for is sent. */
  asked: Promise<void>[],
): postgres.TransactionSql {
  const unsafe = sql.unsafe.bind(sql);
  const later = (given: Parameters<typeof unsafe>, read: "rows" | "values"): Awaited => {
    let sent: Promise<unknown> | undefined;
    // A query is sent when it is first waited for, as the driver does it.
    const send = (): Promise<unknown> => {
      if (!sent) {
        const turn = actor.reaches("statement");
        asked.push(turn);
        sent = turn.then(() => (read === "values" ? unsafe(...given).values() : unsafe(...given)));
      }
      return sent;
    };
    return queryOf(send, () => later(given, "values"));
  };
  return new Proxy(sql, {
    get: (target, name, receiver) =>
      name === "unsafe"
        ? (...given: Parameters<typeof unsafe>) => later(given, "rows")
        : Reflect.get(target, name, receiver),
  });
}

export const guard = (client: postgres.Sql): postgres.Sql =>
  new Proxy(client, {
    apply(target, self, given) {
      acting.getStore()?.mustLive();
      return Reflect.apply(target, self, given);
    },
    get(target, name, receiver) {
      if (name === "begin" || name === "unsafe") acting.getStore()?.mustLive();
      return Reflect.get(target, name, receiver);
    },
  });
