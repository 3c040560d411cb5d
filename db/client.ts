import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { gatheringSocket } from "@/db/gathering-socket";
import { endingWithConnection } from "@/db/lost-connection";

/** Drizzle, connected or inside a transaction. */
export type Database = Omit<PostgresJsDatabase, "$client">;

/**
 * Three roles, each with its own pools (db/walls):
 * app sees the rows of one client inside `asClient` and nothing outside it; system claims work across clients;
 * vault alone reads card data. Drizzle changes its client's parsers, so raw SQL has pools of its own.
 */
type Role = "trilho_app" | "trilho_system" | "trilho_vault";

const POOL_SIZE: Record<Role, number> = { trilho_app: 16, trilho_system: 6, trilho_vault: 4 };
const IDLE_SECONDS = 30;
const USUAL_PORT = 5432;

/** Longer statements vary with the number of their rows: keeping each of them would fill the server's memory. */
const MOST_KEPT_PARAMETERS = 120;

interface Pools {
  drizzle: Map<Role, { client: postgres.Sql; database: Database }>;
  raw: Map<Role, postgres.Sql>;
}

/** Guarantee: only this module writes the property. */
const holder = globalThis as typeof globalThis & { trilhoPools?: Pools; trilhoObserver?: Observer };
const pools = (): Pools => {
  holder.trilhoPools ??= { drizzle: new Map(), raw: new Map() };
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
    onnotice: () => undefined,
    ...observed(`${role}:${kind}`),
    ...gathered(url),
    // Guarantee: `role` is a server setting that PostgreSQL takes at start-up; the driver's type lists only some.
    connection: { application_name: role, role } as { application_name: string },
  });
  return endingWithConnection(client);
}

/** For a plain connection to one server; anything else the driver connects by itself. */
function gathered(url: string): object {
  if (!URL.canParse(url)) return {};
  const { hostname, port, searchParams } = new URL(url);
  const isPlain =
    hostname !== "" && !hostname.includes("%") && !searchParams.has("sslmode") && !searchParams.has("ssl");
  if (!isPlain) return {};
  return { socket: () => gatheringSocket(Number(port || USUAL_PORT), hostname.replace(/^\[|\]$/g, "")) };
}

function observed(pool: SentStatement["pool"]): { debug?: postgres.Options<Record<string, never>>["debug"] } {
  const told = holder.trilhoObserver;
  if (!told) return {};
  return { debug: (connection, text, parameters) => told({ pool, connection, text, parameters }) };
}

/**
 * Drizzle tells the driver to forget each statement. Kept ones need one round trip instead of two, and are neither
 * parsed nor planned again.
 */
function keepingStatements<S extends postgres.ISql>(sql: S): S {
  const send = sql.unsafe.bind(sql);
  sql.unsafe = (text, parameters = [], options = {}) =>
    send(text, parameters, { ...options, prepare: parameters.length > 0 && parameters.length <= MOST_KEPT_PARAMETERS });
  return sql;
}

function drizzlePool(role: Role): Database {
  const kept = pools().drizzle.get(role);
  if (kept) return kept.database;
  const client = keepingStatements(connect(role, "drizzle"));
  const begin = client.begin.bind(client);
  // Guarantee: Drizzle begins with a function alone, never with options in front of it.
  client.begin = ((run: (sql: postgres.TransactionSql) => Promise<unknown>) =>
    begin((sql) => run(keepingStatements(sql)))) as typeof client.begin;
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
export const vaultDb = (): Database => drizzlePool("trilho_vault");
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
