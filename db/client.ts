import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { watchedSocket } from "@/db/availability";
import { aroundBegin } from "@/db/driver/begin";
import { beginAhead } from "@/db/driver/begin-ahead";
import { STARTUP_PADDING } from "@/db/driver/gathering-socket";
import { keepingStatements } from "@/db/driver/kept-statements";
import { endingWithConnection } from "@/db/driver/lost-connection";

/** Drizzle, connected or inside a transaction. */
export type Database = Omit<PostgresJsDatabase, "$client">;

/**
 * Three roles, each with its own pools (db/policies):
 * app sees the rows of one client inside `asClient` and nothing outside it; system claims work across clients;
 * vault alone reads card data. Drizzle changes its client's parsers, so raw SQL has pools of its own.
 */
type Role = "trilho_app" | "trilho_system" | "trilho_vault";

const POOL_SIZE: Record<Role, number> = { trilho_app: 16, trilho_system: 6, trilho_vault: 4 };
/** A new connection plans each statement of a payment several times: it is kept over the pauses between bursts. */
const IDLE_SECONDS = 300;
const USUAL_PORT = 5432;
/** Of connections that the driver makes by itself; the others are watched. */
const CONNECT_SECONDS = 2;
/** A connection that is gone without a word is found out by the system in this time and ten seconds. */
const KEEP_ALIVE_SECONDS = 10;

interface Pools {
  drizzle: Map<Role, { client: postgres.Sql; database: Database }>;
  raw: Map<Role, postgres.Sql>;
  /** Transactions that hold or wait for a connection, by pool. */
  begun: Map<string, { size: number; begun: number }>;
}

/** Guarantee: only this module writes the property. */
const holder = globalThis as typeof globalThis & { trilhoPools?: Pools; trilhoObserver?: Observer };
const pools = (): Pools => {
  holder.trilhoPools ??= { drizzle: new Map(), raw: new Map(), begun: new Map() };
  return holder.trilhoPools;
};

export interface SentStatement {
  pool: `${Role}:${"drizzle" | "raw"}`;
  connection: number;
  text: string;
  parameters: readonly unknown[];
}
type Observer = (statement: SentStatement) => void;

/** Told of each statement as it is sent, by pools opened afterwards: for measurements that count or repeat them. */
export function observeStatements(told: Observer): void {
  holder.trilhoObserver = told;
}

function connect(role: Role, kind: "drizzle" | "raw"): postgres.Sql {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error("DATABASE_URL is not set: start Trilho with npm start, or give it a PostgreSQL");
  const client = postgres(url, {
    max: Number(process.env.DATABASE_POOL ?? 0) || POOL_SIZE[role],
    idle_timeout: IDLE_SECONDS,
    keep_alive: KEEP_ALIVE_SECONDS,
    // Whether it is worth trying is known (db/availability); what waits is told at once that it is not.
    backoff: () => 0,
    onnotice: () => undefined,
    ...observed(`${role}:${kind}`),
    ...gathered(url),
    // Guarantee: `role` is a server setting that PostgreSQL takes at start-up; the driver's type lists only some.
    connection: { application_name: role, role } as { application_name: string },
  });
  // Guarantee: start-up settings of the server by name, as the driver reads them from the address too.
  const startup = client.options.connection as { options?: string };
  startup.options = (startup.options ?? "") + STARTUP_PADDING;
  // Of the others' statements nothing is withheld where there is no transaction.
  const begunOf = role === "trilho_app" && kind === "drizzle" ? beginAhead(client) : undefined;
  return counted(endingWithConnection(client, begunOf), `${role}:${kind}`);
}

export interface PoolUse {
  /** `trilho_app:drizzle` */
  pool: string;
  /** Connections it may have. */
  size: number;
  /** Connections that a transaction holds. */
  used: number;
  /** Transactions that wait for one. */
  waiting: number;
}

/** What the pools of this process are doing now: no query, a few numbers. */
export function poolUse(): PoolUse[] {
  return [...pools().begun].map(([pool, { size, begun }]) => ({
    pool,
    size,
    used: Math.min(size, begun),
    waiting: Math.max(0, begun - size),
  }));
}

/** The part of the pool of the requests' transactions that is in use: 0 to 1. */
export function requestPoolShare(): number {
  const pool = pools().begun.get("trilho_app:drizzle");
  return pool === undefined ? 0 : Math.min(1, pool.begun / pool.size);
}

/** Single statements share a connection: only a transaction holds one. */
function counted(client: postgres.Sql, pool: string): postgres.Sql {
  const use = { size: client.options.max, begun: 0 };
  pools().begun.set(pool, use);
  return aroundBegin(client, async (begin) => {
    use.begun++;
    try {
      return await begin();
    } finally {
      use.begun--;
    }
  });
}

/** For a plain connection to one server; anything else the driver connects by itself. */
function gathered(url: string): object {
  if (!URL.canParse(url)) return { connect_timeout: CONNECT_SECONDS };
  const { hostname, port, searchParams } = new URL(url);
  const isPlain =
    hostname !== "" && !hostname.includes("%") && !searchParams.has("sslmode") && !searchParams.has("ssl");
  if (!isPlain) return { connect_timeout: CONNECT_SECONDS };
  const host = hostname.replace(/^\[|\]$/g, "");
  // The driver's listen() opens a client of its own, of one connection that asks for no types.
  return {
    socket: ({ max, fetch_types }: { max: number; fetch_types: boolean }) =>
      watchedSocket(Number(port || USUAL_PORT), host, max === 1 && !fetch_types),
  };
}

function observed(pool: SentStatement["pool"]): { debug?: postgres.Options<Record<string, never>>["debug"] } {
  const told = holder.trilhoObserver;
  if (!told) return {};
  return { debug: (connection, text, parameters) => told({ pool, connection, text, parameters }) };
}

function drizzlePool(role: Role): Database {
  const kept = pools().drizzle.get(role);
  if (kept) return kept.database;
  const client = keepingStatements(connect(role, "drizzle"));
  const database = drizzle({ client, casing: "snake_case" });
  pools().drizzle.set(role, { client, database });
  return database;
}

function rawPool(role: Role): postgres.Sql {
  const kept = pools().raw.get(role);
  if (kept) return kept;
  const client = connect(role, "raw");
  pools().raw.set(role, client);
  return client;
}

export const appDb = (): Database => drizzlePool("trilho_app");
export const systemDb = (): Database => drizzlePool("trilho_system");
export const appSql = (): postgres.Sql => rawPool("trilho_app");
export const systemSql = (): postgres.Sql => rawPool("trilho_system");
export const vaultSql = (): postgres.Sql => rawPool("trilho_vault");

export async function closePools(): Promise<void> {
  const { drizzle: ours, raw } = pools();
  const open = [...[...ours.values()].map((pool) => pool.client), ...raw.values()];
  ours.clear();
  raw.clear();
  await Promise.all(open.map((client) => client.end({ timeout: 5 })));
}
