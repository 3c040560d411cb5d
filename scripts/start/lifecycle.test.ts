import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { isAlive } from "@/db/embedded/lock";
import { readPostmaster } from "@/db/embedded/postmaster";
import { openClient, openMerchant } from "@/lib/testing/api";
import { plannedDatabaseUrl, plannedRuntimeUrl, testDatabaseUrl } from "@/lib/testing/database";
import { startDatabaseProxy } from "@/lib/testing/database-proxy";
import { leftOutIf } from "@/lib/testing/left-out";
import { openToken } from "@/lib/testing/payments";
import { freePort } from "@/lib/testing/ports";
import { end, type Running, run, settingsOf, statusOf, until } from "@/lib/testing/processes";
import { childOf, launcherOf } from "@/lib/testing/proofs/process-kills/installation";
import { pause } from "@/lib/wait";
import { inRoot } from "@/scripts/start/paths";
import { clusterIn } from "@/scripts/start/with-database";

const LONG = { timeout: 120_000 };
const LOOK_MS = 50;
const running: Running[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => end(one)));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function start(...given: Parameters<typeof run>): Promise<Running> {
  const started = await run(...given);
  running.push(started);
  return started;
}

const ready = (process: Running) =>
  until(process, "ready", async () => (await statusOf(process.port, "/readyz")) === 200);

/** This file's own database. */
async function database(): Promise<{ DATABASE_URL: string; DATABASE_OWNER_URL: string }> {
  await testDatabaseUrl();
  return { DATABASE_URL: plannedRuntimeUrl(), DATABASE_OWNER_URL: plannedDatabaseUrl() };
}

/** Nobody listens there until somebody opens it. */
async function closedDoor() {
  const urls = await database();
  const proxy = await startDatabaseProxy(urls.DATABASE_URL);
  proxy.set("refuse");
  const through = (address: string) => Object.assign(new URL(address), { port: new URL(proxy.url).port }).href;
  return {
    open: () => proxy.set("carry"),
    close: () => proxy.close(),
    settings: { DATABASE_URL: proxy.url, DATABASE_OWNER_URL: through(urls.DATABASE_OWNER_URL) },
  };
}

/** What a shop sends to the process itself; the provider takes so long to answer. */
async function slowCharges() {
  const client = await openClient();
  const merchant = await openMerchant(client);
  return async ({ port }: Running, latencyMs: number): Promise<number> => {
    const tokenId = await openToken(client);
    const reply = await fetch(`http://127.0.0.1:${port}/v1/charges`, {
      method: "POST",
      headers: {
        "x-client-id": client.clientId,
        "x-api-key": client.apiKey,
        "content-type": "application/json",
        "x-sandbox-scenario": `latency=${latencyMs}`,
      },
      body: JSON.stringify({
        merchantId: merchant.id,
        amount: 10_500,
        capture: false,
        paymentMethod: { paymentType: "credit" },
        paymentSource: { sourceType: "token", tokenId },
      }),
    });
    await reply.arrayBuffer();
    return reply.status;
  };
}

const inFlight = async (): Promise<number> => {
  const [row] = await systemSql()<{ n: number }[]>`
    select count(*)::int as n from transaction_requests where state = 'sent'`;
  return row?.n ?? 0;
};

describe("a web process that is told to stop", () => {
  test(
    "is not ready first, takes requests for the grace, finishes what is in flight, and ends with 0",
    LONG,
    async () => {
      const web = await start("web", { ...(await database()), SHUTDOWN_GRACE_SECONDS: "4" });
      await ready(web);
      const charge = await slowCharges();
      const before = charge(web, 1_000);
      await until(web, "in flight", async () => (await inFlight()) === 1);
      web.child.kill("SIGTERM");
      await until(web, "stopping", async () => (await statusOf(web.port, "/readyz")) === 503);
      // What a load balancer still sends is answered as ever, also when that takes longer than the grace.
      expect(await statusOf(web.port, "/livez")).toBe(200);
      expect(await statusOf(web.port, "/v1/merchants")).toBe(401);
      const late = charge(web, 6_000);
      await until(web, "closed", async () => (await statusOf(web.port, "/livez")) === 0).catch((error: unknown) => {
        if (web.child.exitCode === null) throw error;
      });
      expect(await Promise.all([before, late])).toEqual([201, 201]);
      expect(await web.ended).toBe(0);
      expect(await inFlight()).toBe(0);
    },
  );

  test("by Ctrl-C waits for nobody behind it, and ends with 0", LONG, async () => {
    const web = await start("web", { ...(await database()), SHUTDOWN_GRACE_SECONDS: "60" });
    await ready(web);
    // The test's own limit is shorter than the grace and a start together.
    expect(await end(web, "SIGINT")).toBe(0);
  });
});

describe("without a database", () => {
  test("a web process lives, says so, and serves as soon as there is one", LONG, async () => {
    const door = await closedDoor();
    try {
      const web = await start("web", door.settings);
      await until(web, "alive", async () => (await statusOf(web.port, "/livez")) === 200);
      expect(await statusOf(web.port, "/readyz")).toBe(503);
      expect(await statusOf(web.port, "/v1/merchants")).toBe(503);
      door.open();
      await ready(web);
      expect(await statusOf(web.port, "/v1/merchants")).toBe(401);
    } finally {
      await door.close();
    }
  });

  test("a worker waits, and works as soon as there is one", LONG, async () => {
    const door = await closedDoor();
    try {
      const port = String(await freePort());
      const worker = await start("worker", { ...door.settings, PORT: port });
      await until(worker, "alive", async () => (await statusOf(worker.port, "/livez")) === 200);
      await until(worker, "waiting", () => worker.said().includes("the database is away"));
      expect(await beats()).toBe(0);
      door.open();
      await until(worker, "at work", async () => (await beats()) === 1);
      expect(await end(worker, "SIGTERM")).toBe(0);
      expect(await beats()).toBe(0);
    } finally {
      await door.close();
    }
  });

  test("the launcher waits, and starts its processes as soon as there is one", LONG, async () => {
    const door = await closedDoor();
    const folder = mkdtempSync(join(tmpdir(), "launcher-waits-"));
    folders.push(folder);
    try {
      const settings = { ...door.settings, TRILHO_DATA_DIR: folder, TRILHO_ROLE: "worker" };
      const launcher = await start("launcher", settings);
      await until(launcher, "waiting", () => launcher.said().includes("the database cannot be reached"));
      expect(await beats()).toBe(0);
      door.open();
      await until(launcher, "at work", async () => (await beats()) === 1);
      expect(await end(launcher, "SIGTERM")).toBe(0);
      expect(await beats()).toBe(0);
    } finally {
      await door.close();
    }
  });
});

/** Reserves a connection, ends its backend, and asks over it once more: the driver writes to nothing, in a callback. */
const WRITES_TO_NOTHING = `
import postgres from "postgres";
import { outliveBrokenConnections } from "./scripts/start/lifecycle.ts";
if (process.argv[1] === "guarded") outliveBrokenConnections();
const sql = postgres(process.env.DATABASE_URL, { max: 2 });
const held = await sql.reserve();
const [{ pid }] = await held\`select pg_backend_pid() as pid\`;
await sql\`select pg_terminate_backend(\${pid})\`.catch(() => undefined);
await sql\`select pg_sleep(0.3)\`.catch(() => undefined);
held\`select 1\`.catch(() => undefined);
setTimeout(() => process.exit(0), 300);
`;

test("a process outlives what the driver throws after a connection broke", LONG, async () => {
  const { DATABASE_OWNER_URL } = await database();
  const endOf = (how: string) =>
    spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", WRITES_TO_NOTHING, how], {
      cwd: inRoot(),
      env: settingsOf({ DATABASE_URL: DATABASE_OWNER_URL }),
      encoding: "utf8",
    });
  // The day the driver is mended this says so, and the guard may go.
  expect(endOf("bare")).toMatchObject({ status: 1, stderr: expect.stringContaining("reading 'write'") });
  expect(endOf("guarded")).toMatchObject({ status: 0, stdout: expect.stringContaining("write_after_end") });
});

const LOSES_TYPES = `
import { outliveBrokenConnections } from "./scripts/start/lifecycle.ts";
if (process.argv[1] === "guarded") outliveBrokenConnections();
const query = "\\n      select b.oid, b.typarray\\n      from pg_catalog.pg_type a";
void Promise.reject(Object.assign(new Error("the database is away"), { query }));
setTimeout(() => process.exit(0), 300);
`;

test("a connection that breaks while the driver asks for array types does not end the process", LONG, () => {
  const endOf = (how: string) =>
    spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", LOSES_TYPES, how], {
      cwd: inRoot(),
      env: settingsOf({}),
      encoding: "utf8",
    });
  expect(endOf("bare")).toMatchObject({ status: 1, stderr: expect.stringContaining("the database is away") });
  expect(endOf("guarded")).toMatchObject({ status: 0, stdout: expect.stringContaining("lost_type_query") });
});

const THROWS = `
import { outliveBrokenConnections } from "./scripts/start/lifecycle.ts";
outliveBrokenConnections();
if (process.argv[1] === "heard") process.on("uncaughtException", () => undefined);
setTimeout(() => { throw new Error("of somebody else"); }, 0);
setTimeout(() => process.exit(0), 300);
`;

test("another fault ends a process, unless somebody else listens for it", LONG, () => {
  const endOf = (how: string) =>
    spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", THROWS, how], {
      cwd: inRoot(),
      env: settingsOf({}),
      encoding: "utf8",
    });
  expect(endOf("alone")).toMatchObject({ status: 1, stderr: expect.stringContaining("of somebody else") });
  // Next does: it logs what a page threw, and goes on serving.
  expect(endOf("heard")).toMatchObject({ status: 0 });
});

const beats = async (): Promise<number> => {
  const [row] = await systemSql()<{ n: number }[]>`select count(*)::int as n from worker_beats`;
  return row?.n ?? 0;
};

test("the launcher ends everything when npm, which started it, was stopped", LONG, async (context) => {
  leftOutIf(context, process.platform === "linux" ? undefined : "finds the processes in /proc");
  const folder = mkdtempSync(join(tmpdir(), "npm-gone-"));
  folders.push(folder);
  // Root hands the database to an account without rights.
  chmodSync(folder, 0o755);
  const data = join(folder, "data");
  const npm = spawn("npm", ["run", "dev"], {
    cwd: inRoot(),
    env: settingsOf({ TRILHO_DATA_DIR: data, TRILHO_ROLE: "worker", PORT: String(await freePort()) }),
    stdio: "ignore",
  });
  const launcher = await soon(() => launcherOf(data));
  const postgres = await soon(() => readPostmaster(clusterIn(data))?.pid);
  const worker = await soon(() => childOf(launcher, "worker.ts"));
  npm.kill("SIGTERM");
  await soon(() => [launcher, postgres, worker].every((pid) => !isAlive(pid)) || undefined);
});

const SOON_MS = 60_000;

async function soon<T>(look: () => T | undefined): Promise<T> {
  const deadline = performance.now() + SOON_MS;
  for (;;) {
    const seen = look();
    if (seen !== undefined) return seen;
    if (performance.now() > deadline) throw new Error("it never came");
    await pause(LOOK_MS);
  }
}

test("a web process whose port was taken meanwhile says by whom, and ends", LONG, async () => {
  const holder = createServer();
  const port = await freePort();
  await new Promise<void>((listening) => holder.listen(port, "127.0.0.1", listening));
  try {
    // Next, which is not started here, listens for faults as well, and goes on after them.
    const listener = "data:text/javascript,process.on('uncaughtException',Boolean)";
    const web = await start("web", {
      ...(await database()),
      PORT: String(port),
      NODE_OPTIONS: `--import ${listener}`,
    });
    expect(await web.ended).toBe(1);
    expect(web.said()).toContain(`Port ${port} is taken by process ${process.pid}`);
  } finally {
    await new Promise((closed) => holder.close(closed));
  }
});

test("the probes answer on every host, the checkout's and unknown ones too", LONG, async () => {
  const web = await start("web", {
    ...(await database()),
    BASE_URL: "https://trilho.example",
    CHECKOUT_URL: "https://pay.example",
    CAPTCHA_PROVIDER: "hcaptcha",
    CAPTCHA_SITE_KEY: "a site key",
    CAPTCHA_SECRET: "a secret of the tests, long enough",
    CAPTCHA_FRAME_ORIGIN: "https://captcha.example",
  });
  await ready(web);
  const hosts = ["trilho.example", "pay.example", "captcha.example", "other.example", "10.1.2.3:3000"];
  const probes = ["/livez", "/healthz", "/readyz"];
  const answers = await Promise.all(
    hosts.flatMap((host) => probes.map(async (path) => [host, path, await statusOf(web.port, path, host)])),
  );
  expect(answers).toEqual(hosts.flatMap((host) => probes.map((path) => [host, path, 200])));
  // The host is what decides about everything else.
  expect(await statusOf(web.port, "/v1/merchants", "pay.example")).toBe(404);
  expect(await statusOf(web.port, "/v1/merchants", "trilho.example")).toBe(401);
});
