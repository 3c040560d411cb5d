import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";

const CONNECTIONS = 16;

/** Guarantee: only this file writes the property. */
const kept = globalThis as typeof globalThis & { benchStatements?: number };
kept.benchStatements ??= 0;

const client = postgres(process.env.DATABASE_URL ?? "", {
  max: CONNECTIONS,
  onnotice: () => undefined,
  debug: () => {
    kept.benchStatements = statementCount() + 1;
  },
});

export const statementCount = (): number => kept.benchStatements ?? 0;
export const db = drizzle({ client, casing: "snake_case" });
