import { join } from "node:path";
import { afterAll, expect } from "vitest";
import {
  dropTestDatabase,
  madeDatabaseUrl,
  plannedDatabaseUrl,
  plannedRuntimeUrl,
  testDatabaseUrl,
} from "@/lib/testing/database";
import { TEST_SECRETS } from "@/lib/testing/secrets";
import { tablesWithNumbers } from "@/lib/testing/suite-scan";

Object.assign(process.env, {
  NODE_ENV: "test",
  // The test runner sets it to the path of its own pages.
  BASE_URL: "http://trilho.test",
  DATABASE_URL: plannedRuntimeUrl(),
  DATABASE_OWNER_URL: plannedDatabaseUrl(),
  TRILHO_DATA_DIR: join(import.meta.dirname, "..", "..", ".data", "test-files"),
  ...TEST_SECRETS,
  RATE_LIMITS: "off",
  PURCHASE_QUEUE_LIMIT: "off",
  SANDBOX_TRANSPORT: "in-process",
  PROVIDER_TIMEOUT_MS: "250",
  LOG_LEVEL: "silent",
});

/** Set where a process keeps its modules from file to file (vitest.config.ts). */
const keepsModules = process.env.TEST_KEEPS_MODULES === "yes";
if (keepsModules) {
  // The module that makes it on first use was loaded by a file before this one.
  await testDatabaseUrl();
  // What the process keeps for itself: pools, listeners, what it knows of the database before this one.
  for (const name of Object.keys(globalThis)) if (name.startsWith("trilho")) Reflect.deleteProperty(globalThis, name);
}

async function closePools(): Promise<void> {
  const client = await import("@/db/client");
  await client.closePools();
}

/** A long run leaves many rows to read. */
const SEARCH_TIMEOUT_MS = 180_000;

/** No card number outside the vault after any file (spec/invariants.md C1). */
afterAll(async () => {
  const url = await madeDatabaseUrl();
  const tables = url ? await tablesWithNumbers(url) : [];
  if (keepsModules) await closePools();
  await dropTestDatabase();
  expect(tables, "tables that show a card number").toEqual([]);
}, SEARCH_TIMEOUT_MS);
