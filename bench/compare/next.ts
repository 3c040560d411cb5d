import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import type { HostQuestion, Opened, Usage } from "@/bench/compare/host";
import { serverCpuSeconds } from "@/bench/machine";
import { seal } from "@/bench/next-drizzle/seal";
import { answerQuestions } from "@/bench/processes";
import { type Embedded, startEmbedded, stopEmbedded } from "@/db/embedded";
import { freePort } from "@/lib/testing/ports";
import { inRoot, ROOT } from "@/scripts/start/paths";

/** The application of bench/next-drizzle as `next start` serves it, with a PostgreSQL of its own. */
const SOURCES = inRoot("bench", "next-drizzle");
/** As deep below the root as its sources; what the build writes beside them stays out of theirs. */
const APP = inRoot(".data", "next-drizzle");
const FOLDER = inRoot(".data", "bench-next");
const CLUSTER = join(FOLDER, "postgres");
const SETTINGS = { max_wal_size: "4GB" };
const MIGRATIONS = join(FOLDER, "migrations");
const BUILT = join(APP, ".next", "built-from");
const NEXT = inRoot("node_modules", "next", "dist", "bin", "next");
const READY_MS = 30_000;
const LOOK_MS = 100;
const HEADERS = { "x-api-key": "bench", "content-type": "application/json" };

const account = randomUUID();
const merchant = randomUUID();
let house: { server: Embedded; sql: postgres.Sql; child: ChildProcess; port: number } | undefined;
const opened = () => {
  if (!house) throw new Error("not opened yet");
  return house;
};

answerQuestions<HostQuestion>(async (question): Promise<unknown> => {
  switch (question.ask) {
    case "open":
      return open();
    case "bodies":
      return bodies(question.count);
    case "usage": {
      const { sql, server } = opened();
      const [wal] = await sql<{ bytes: string }[]>`
        select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as bytes`;
      const { cpuSeconds } = await ownUsage();
      return {
        nodeSeconds: cpuSeconds,
        databaseSeconds: serverCpuSeconds(server.pid),
        walBytes: Number(wal?.bytes ?? 0),
      } satisfies Usage;
    }
    case "close": {
      const { child, sql, server } = opened();
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
      await sql.end({ timeout: 5 });
      await server.stop();
      return {};
    }
  }
});

async function open(): Promise<Opened> {
  build();
  await stopEmbedded(CLUSTER);
  rmSync(FOLDER, { recursive: true, force: true });
  const server = await startEmbedded({ cluster: CLUSTER, database: "next", settings: SETTINGS });
  const sql = postgres(server.url, { max: 2, onnotice: () => undefined });
  for (const statement of schemaOf()) await sql.unsafe(statement);
  await fill(sql);
  const port = await freePort();
  const child = spawn(process.execPath, [NEXT, "start", "--port", String(port), "--hostname", "127.0.0.1"], {
    cwd: APP,
    env: { ...process.env, NODE_ENV: "production", DATABASE_URL: server.url, NEXT_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", 2, 2],
  });
  house = { server, sql, child, port };
  const before = await ready();
  const [first = "", second = ""] = await bodies(2);
  await post(first);
  const warm = (await ownUsage()).statements;
  await post(second);
  // Each is waited for before the next one is sent.
  const statements = (await ownUsage()).statements - warm;
  if (before.statements > 0) throw new Error("somebody else asks this server");
  return { port, headers: HEADERS, statements, roundTrips: statements };
}

function build(): void {
  const sources = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const hash = createHash("sha256").update(readFileSync(inRoot("package-lock.json")));
  for (const name of sources.sort()) hash.update(readFileSync(join(SOURCES, name)));
  const wanted = hash.digest("hex");
  if (existsSync(BUILT) && readFileSync(BUILT, "utf8") === wanted) return;
  rmSync(APP, { recursive: true, force: true });
  cpSync(SOURCES, APP, { recursive: true });
  execFileSync(process.execPath, [NEXT, "build"], {
    cwd: APP,
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", 2, 2],
  });
  writeFileSync(BUILT, wanted);
}

function schemaOf(): string[] {
  execFileSync(
    process.execPath,
    [
      inRoot("node_modules", "drizzle-kit", "bin.cjs"),
      ...["generate", "--dialect", "postgresql", "--casing", "snake_case", "--name", "bench"],
      // The generator takes paths from where it runs.
      ...["--schema", relative(ROOT, join(SOURCES, "schema.ts")), "--out", relative(ROOT, MIGRATIONS)],
    ],
    { cwd: ROOT, stdio: ["ignore", "ignore", 2] },
  );
  return readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith(".sql"))
    .flatMap((name) => readFileSync(join(MIGRATIONS, name), "utf8").split("--> statement-breakpoint"));
}

async function fill(sql: postgres.Sql): Promise<void> {
  const digest = createHash("sha256").update(HEADERS["x-api-key"]).digest("hex");
  await sql`insert into accounts (id, name) values (${account}, 'bench')`;
  await sql`insert into api_keys (account_id, digest) values (${account}, ${digest})`;
  await sql`insert into merchants (id, account_id, name) values (${merchant}, ${account}, 'Bench')`;
  await sql`insert into providers (merchant_id, priority, type) values (${merchant}, 1, 'SANDBOX')`;
}

async function bodies(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const sealed = seal(
    JSON.stringify({ number: "4111111111111111", holder: "Ana Souza", date: "12/2031", code: "120" }),
  );
  await opened().sql`
    insert into card_tokens (id, account_id, sealed, brand, last4)
    select id, ${account}, ${sealed}, 'visa', '1111' from unnest(${ids}::uuid[]) id`;
  return ids.map((tokenId) =>
    JSON.stringify({
      merchantId: merchant,
      amount: 10_500,
      orderId: "bench",
      paymentMethod: { paymentType: "credit", installments: 1 },
      paymentSource: { sourceType: "token", tokenId },
      capture: true,
    }),
  );
}

interface OwnUsage {
  cpuSeconds: number;
  statements: number;
}

async function ownUsage(): Promise<OwnUsage> {
  const answer = await fetch(`http://127.0.0.1:${opened().port}/usage`);
  // Guarantee: what the application's own route answers.
  return (await answer.json()) as OwnUsage;
}

async function ready(): Promise<OwnUsage> {
  const deadline = performance.now() + READY_MS;
  for (;;) {
    try {
      return await ownUsage();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(LOOK_MS);
    }
  }
}

async function post(body: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${opened().port}/v1/charges`, {
    method: "POST",
    headers: { ...HEADERS, "x-idempotency-key": randomUUID() },
    body,
  });
  if (answer.status !== 201) throw new Error(`refused with ${answer.status}: ${await answer.text()}`);
}
