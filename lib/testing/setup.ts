import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { dropTestDatabase, madeDatabaseUrl, plannedDatabaseUrl, plannedRuntimeUrl } from "@/lib/testing/database";
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

/** A long run leaves many rows to read. */
const SEARCH_TIMEOUT_MS = 180_000;

/** No card number outside the vault after any file (spec/invariants.md C1). */
afterAll(async () => {
  const url = await madeDatabaseUrl();
  const tables = url ? await tablesWithNumbers(url) : [];
  await dropTestDatabase();
  expect(tables, "tables that show a card number").toEqual([]);
}, SEARCH_TIMEOUT_MS);
