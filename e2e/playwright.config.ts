import { rmSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import type { Engine } from "@/e2e/browsers";
import { freePort } from "@/lib/testing/ports";
import { findBrowser } from "@/scripts/checks/browser";

const ROOT = join(import.meta.dirname, "..");
const ARTIFACTS = join(import.meta.dirname, ".artifacts");
const DATA = join(ARTIFACTS, "data");
/** Every way to pay; all other journeys run in Chromium alone. */
const IN_EVERY_BROWSER = "**/browsers.spec.ts";
const START_TIMEOUT_MS = 240_000;
const STOP_TIMEOUT_MS = 30_000;

async function freshStart(): Promise<string> {
  rmSync(ARTIFACTS, { recursive: true, force: true });
  return String(await freePort());
}

// Chosen once: the workers read this file too, and must speak to the same server.
process.env.E2E_PORT ??= await freshStart();
const PORT = process.env.E2E_PORT;
process.env.E2E_PEOPLE_PORT ??= String(await freePort());
/** Where journeys that need it open a stand-in of Adyen. */
process.env.E2E_ADYEN_PORT ??= String(await freePort());
const INSTALLATION = {
  PORT,
  HOST: "127.0.0.1",
  TRILHO_DATA_DIR: DATA,
  RATE_LIMITS: "off",
  PROVIDER_TEST_HOSTS: JSON.stringify({ ADYEN: `http://127.0.0.1:${process.env.E2E_ADYEN_PORT}` }),
  DATABASE_URL: "",
  BASE_URL: "",
};
const STOPPED = {
  stdout: "ignore",
  gracefulShutdown: { signal: "SIGINT", timeout: STOP_TIMEOUT_MS },
} as const;

const baseURL = `http://localhost:${PORT}`;
/** Journeys find the account of their installation here. */
process.env.E2E_DEMO_FILE = join(DATA, "demo.json");

export default defineConfig<object, { engine: Engine }>({
  testDir: import.meta.dirname,
  testMatch: "**/*.spec.ts",
  outputDir: join(ARTIFACTS, "results"),
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // In the whole run alone, and named at its end. What needs a second try fails where nobody is there to look.
  retries: process.env.SECOND_TRY ? 1 : 0,
  failOnFlakyTests: Boolean(process.env.CI),
  // Of a machine that others use as well: what passes is not slower for it.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: [["list"]],
  use: {
    baseURL,
    browserName: "chromium",
    // Recording costs time on every page: where there is a second try, that one is recorded.
    trace: process.env.SECOND_TRY ? "on-first-retry" : "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: { executablePath: findBrowser() },
  },
  projects: [
    { name: "Chromium" },
    { name: "Firefox", testMatch: IN_EVERY_BROWSER, use: { engine: "firefox" } },
    { name: "WebKit", testMatch: IN_EVERY_BROWSER, use: { engine: "webkit" } },
  ],
  webServer: [
    { command: "npm start", cwd: ROOT, url: baseURL, timeout: START_TIMEOUT_MS, ...STOPPED, env: INSTALLATION },
    {
      command: "node --import tsx e2e/people.ts",
      cwd: ROOT,
      url: `http://127.0.0.1:${process.env.E2E_PEOPLE_PORT}`,
      timeout: START_TIMEOUT_MS,
      ...STOPPED,
      env: INSTALLATION,
    },
  ],
});
