import { randomUUID } from "node:crypto";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { IDENTIFIER, type Recording, type Statement, textOf } from "@/bench/charges/recording";

/** Values of one repetition, by their number in the recording. */
type Values = readonly string[];
type Make = (values: Values) => unknown;

interface Prepared {
  pool: string;
  connection: number;
  text: string;
  parameters: Make[];
}

export interface Replay {
  /** Sends what one request sent, with other identifiers than it named; answers what was answered. */
  run(named: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

/** Ids are undashed hex in `fresh`; each becomes another one in every repetition. */
export function replayOf(recording: Recording, url: string): Replay {
  const order = recording.named.map((id) => id.replaceAll("-", ""));
  const fresh = [...order, ...recording.fresh.filter((id) => !order.includes(id))];
  const flights = recording.flights.map((flight) => flight.map((statement) => prepare(statement, fresh)));
  const answer = template(recording.answer, fresh);
  const pools = openPools(recording, url);
  return {
    async run(named) {
      const values = [...named, ...fresh.slice(order.length).map(() => randomUUID())];
      await sendAll(flights, values, pools);
      return answer(values);
    },
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.end({ timeout: 5 })));
    },
  };
}

async function sendAll(flights: Prepared[][], values: Values, pools: Map<string, postgres.Sql>): Promise<void> {
  /** Connections in a transaction, by their number in the recording. */
  const open = new Map<number, postgres.ReservedSql>();
  try {
    for (const flight of flights) {
      const connections = new Set(flight.map(({ connection }) => connection));
      await Promise.all(
        [...connections].map((connection) =>
          sendOn(
            connection,
            flight.filter((statement) => statement.connection === connection),
            values,
            pools,
            open,
          ),
        ),
      );
    }
  } finally {
    for (const connection of open.values()) connection.release();
  }
}

async function sendOn(
  number: number,
  statements: Prepared[],
  values: Values,
  pools: Map<string, postgres.Sql>,
  open: Map<number, postgres.ReservedSql>,
): Promise<void> {
  const shared = pools.get(statements[0]?.pool ?? "");
  if (!shared) throw new Error("a statement of no pool");
  if (statements.some(({ text }) => text.startsWith("begin"))) open.set(number, await shared.reserve());
  const connection = open.get(number) ?? shared;
  await Promise.all(
    statements.map(({ text, parameters }) =>
      // Guarantee: they were taken from the driver as it sent them.
      connection.unsafe(text, parameters.map((make) => make(values)) as postgres.ParameterOrJSON<never>[], {
        prepare: parameters.length > 0,
      }),
    ),
  );
  if (!statements.some(({ text }) => text === "commit")) return;
  open.get(number)?.release();
  open.delete(number);
}

function prepare({ parameters, ...statement }: Statement, fresh: string[]): Prepared {
  return { ...statement, parameters: parameters.map((value) => make(value, fresh)) };
}

function make(value: unknown, fresh: string[]): Make {
  const text = template(textOf(value), fresh);
  if (typeof value === "string") return text;
  // One byte a character both ways, so that the bytes around an identifier stay what they were.
  if (Buffer.isBuffer(value)) return (values) => Buffer.from(text(values), "latin1");
  if (value instanceof Date || typeof value !== "object" || value === null) return () => value;
  return (values) => JSON.parse(text(values)) as unknown;
}

function template(text: string, fresh: readonly string[]): (values: Values) => string {
  const pieces: (string | { at: number; isDashed: boolean })[] = [];
  let end = 0;
  for (const found of text.matchAll(IDENTIFIER)) {
    const at = fresh.indexOf(found[0].replaceAll("-", ""));
    if (at < 0) continue;
    pieces.push(text.slice(end, found.index), { at, isDashed: found[0].includes("-") });
    end = found.index + found[0].length;
  }
  if (pieces.length === 0) return () => text;
  pieces.push(text.slice(end));
  return (values) => {
    let made = "";
    for (const piece of pieces) {
      if (typeof piece === "string") made += piece;
      else made += piece.isDashed ? values[piece.at] : values[piece.at]?.replaceAll("-", "");
    }
    return made;
  };
}

/** As many connections, with the same roles and the same reading of values, as the product has. */
function openPools({ flights }: Recording, url: string): Map<string, postgres.Sql> {
  const SIZE: Record<string, number> = { trilho_app: 16, trilho_system: 6, trilho_vault: 4 };
  const pools = new Map<string, postgres.Sql>();
  for (const { pool } of flights.flat()) {
    if (pools.has(pool)) continue;
    const [role = "", kind] = pool.split(":");
    const client = postgres(url, {
      max: SIZE[role] ?? 1,
      onnotice: () => undefined,
      // Guarantee: `role` is a server setting; the driver's type lists only some.
      connection: { application_name: role, role } as { application_name: string },
    });
    if (kind === "drizzle") drizzle({ client });
    pools.set(pool, client);
  }
  return pools;
}
