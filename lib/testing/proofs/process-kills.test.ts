import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { closePools, systemSql } from "@/db/client";
import { embeddedUrls } from "@/db/embedded";
import { isAlive } from "@/db/embedded/lock";
import { readPostmaster } from "@/db/embedded/postmaster";
import { newId } from "@/lib/ids";
import { auditInvariants } from "@/lib/invariants/audit";
import { leftOutIf } from "@/lib/testing/left-out";
import { cardData } from "@/lib/testing/payments";
import { isProof, proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { pause } from "@/lib/wait";
import { readDemo } from "@/scripts/seed/demo";
import { inRoot } from "@/scripts/start/paths";
import { clusterIn, EMBEDDED_DATABASE } from "@/scripts/start/with-database";

const KINDS = ["postgres", "web", "worker", "launcher"] as const;
type Kind = (typeof KINDS)[number];

const BUYERS = 3;
const REST_MS = 400;
const AGAIN_MS = 250;
const REQUEST_MS = 10_000;
/** A build may have to be made first. */
const START_MS = 600_000;
const RECOVER_MS = 180_000;
const SETTLE_MS = 240_000;
const BETWEEN_MS = 4_000;
/** Set by the tests' own set-up: an installation makes its own. */
const OF_THE_TESTS =
  /^(?:VITEST|NODE_ENV$|BASE_URL$|DATABASE_|TRILHO_|AUTH_SECRET$|RATE_LIMITS$|SANDBOX_|PROVIDER_|LOG_LEVEL$|npm_|PURCHASE_)/;

interface Answer {
  status: number;
  text: string;
  body: { id: string; status: string; amount: number; [member: string]: unknown };
}
interface Written {
  path: string;
  key: string;
  body: object;
  answer: Answer;
}

test("npm start under load while its processes are killed: it heals by itself, and every answer was true", {
  timeout: proofTimeout(),
}, async (context) => {
  leftOutIf(context, isProof() ? undefined : "starts a whole installation: npm run proof -- --only processKills");
  leftOutIf(context, process.platform === "linux" ? undefined : "finds the processes in /proc");
  const house = await openInstallation();
  const given = process.env.DATABASE_URL;
  const [first, runs] = [proofFrom(), proofRuns(1)];
  const violations: string[] = [];
  const recovered: { kind: Kind; seconds: number }[] = [];
  try {
    await house.start();
    const shop = await house.open();
    let isOver = false;
    const buyers = Array.from({ length: BUYERS }, async (_, nth) => {
      for (let turn = nth; !isOver; turn += BUYERS) {
        await buy(shop, turn).catch((error: unknown) => violations.push(String(error)));
        await pause(REST_MS);
      }
    });
    for (let run = first; run < first + runs; run++) {
      await pause(BETWEEN_MS * Math.random());
      const kind = KINDS[Math.floor(Math.random() * KINDS.length)] ?? "web";
      await house.kill(kind);
      const killedAt = performance.now();
      const came = await Promise.race([wholePurchase(shop), pause(RECOVER_MS).then(() => false)]);
      if (came === false) violations.push(`${kind}: no purchase came to its end within ${RECOVER_MS / 1_000} s`);
      recovered.push({ kind, seconds: (performance.now() - killedAt) / 1_000 });
      await house.complete();
    }
    isOver = true;
    await Promise.all(buyers);
    violations.push(...(await settled(shop)));
    process.env.DATABASE_URL = house.databaseUrl();
    await closePools();
    violations.push(...(await booksOf()));
    const seconds = recovered.map((one) => one.seconds).sort((a, b) => a - b);
    const p95 = seconds[Math.ceil(seconds.length * 0.95) - 1] ?? 0;
    recordProof({
      ran: recovered.length,
      violations,
      figures: {
        processesKilled: recovered.length,
        accepted: shop.written.length,
        requestsUnanswered: shop.unanswered,
      },
      met: {
        recoveries: [
          ...recovered.map(({ kind, seconds }) => `${kind} ${seconds.toFixed(1)} s`),
          `p95 ${p95.toFixed(1)} s`,
        ],
      },
    });
    expect(violations).toEqual([]);
    expect(recovered).toHaveLength(runs);
  } finally {
    await closePools();
    process.env.DATABASE_URL = given;
    await house.close();
  }
});

interface Shop {
  base: string;
  headers: Record<string, string>;
  merchantId: string;
  customerId: string;
  written: Written[];
  unanswered: number;
}

/** As a client does that gets no answer: the same request with its key, until there is one. */
async function write(shop: Shop, path: string, body: object): Promise<Answer> {
  const key = newId();
  for (;;) {
    const answer = await send(shop, path, body, key);
    // 409: the first one is still at work, or waits for its lease to end.
    if (answer && answer.status < 500 && answer.status !== 409 && answer.status !== 429) {
      if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
      shop.written.push({ path, key, body, answer });
      return answer;
    }
    if (answer && answer.status >= 500 && answer.status !== 503)
      throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
    shop.unanswered += 1;
    await pause(AGAIN_MS);
  }
}

async function send(shop: Shop, path: string, body?: object, key?: string): Promise<Answer | undefined> {
  try {
    const response = await fetch(`${shop.base}${path}`, {
      method: body ? "POST" : "GET",
      headers: { ...shop.headers, "content-type": "application/json", ...(key ? { "x-idempotency-key": key } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    const text = await response.text();
    // Guarantee: every answer of the API is JSON, and what is read of it is judged.
    return { status: response.status, text, body: JSON.parse(text) as Answer["body"] };
  } catch {
    return undefined;
  }
}

async function read(shop: Shop, path: string): Promise<Answer> {
  for (;;) {
    const answer = await send(shop, path);
    if (answer?.status === 200) return answer;
    if (answer && answer.status < 500) throw new Error(`GET ${path}: ${answer.status} ${answer.text}`);
    await pause(AGAIN_MS);
  }
}

async function card(shop: Shop): Promise<object> {
  const { body } = await write(shop, "/v1/tokens", cardData());
  return {
    paymentMethod: { paymentType: "credit" },
    paymentSource: { sourceType: "token", tokenId: body.tokenId },
  };
}

const common = ({ merchantId }: Shop, capture: boolean) => ({ merchantId, capture, orderId: newId() });

async function purchase(shop: Shop, cards: number, capture: boolean): Promise<string> {
  const payments = [];
  for (let nth = 0; nth < cards; nth++) payments.push({ amount: 5_000 + nth, ...(await card(shop)) });
  const amount = payments.reduce((sum, payment) => sum + payment.amount, 0);
  const { body } = await write(shop, "/v1/purchases", { ...common(shop, capture), amount, payments });
  return body.id;
}

/** The whole way of money after a kill: cards, the request, and a worker that brings it to its end. */
async function wholePurchase(shop: Shop): Promise<true> {
  const id = await purchase(shop, 2, true);
  while ((await read(shop, `/v1/purchases/${id}`)).body.status === "pending") await pause(AGAIN_MS);
  return true;
}

async function buy(shop: Shop, turn: number): Promise<void> {
  switch (turn % 4) {
    case 0: {
      const { body } = await write(shop, "/v1/charges", {
        ...common(shop, false),
        amount: 7_000,
        ...(await card(shop)),
      });
      if (body.status === "failed") return;
      await write(shop, `/v1/charges/${body.id}/capture`, { amount: 7_000 });
      return;
    }
    case 1:
      await purchase(shop, 2 + (turn % 2), true);
      return;
    case 2: {
      const pix = await write(shop, "/v1/charges", {
        merchantId: shop.merchantId,
        amount: 4_990,
        paymentMethod: { paymentType: "pix", expiresIn: 3_600 },
        paymentSource: { sourceType: "customer", customerId: shop.customerId },
      });
      // Its answer may have been lost on the way to us: then it has no code yet that somebody could pay.
      while (!hasCode((await read(shop, `/v1/charges/${pix.body.id}`)).body.paymentMethod)) await pause(AGAIN_MS);
      await write(shop, `/v1/sandbox/pix/${pix.body.id}/pay`, {});
      return;
    }
    default: {
      const { body } = await write(shop, "/v1/charges", {
        ...common(shop, true),
        amount: 8_000,
        ...(await card(shop)),
      });
      if (body.status === "failed") return;
      await write(shop, `/v1/charges/${body.id}/void`, {});
    }
  }
}

const hasCode = (method: unknown): boolean =>
  typeof method === "object" && method !== null && "qrCodeData" in method && typeof method.qrCodeData === "string";

/** Nothing is left open, what was answered is so, and asking again gives the same bytes. */
async function settled(shop: Shop): Promise<string[]> {
  const wrongs: string[] = [];
  const deadline = performance.now() + SETTLE_MS;
  for (const { path, answer, body } of shop.written) {
    if (path === "/v1/tokens" || /\/(?:capture|void|pay)$/.test(path) || !("amount" in body)) continue;
    const at = `${path}/${answer.body.id}`;
    let now = await read(shop, at);
    while (["pending", "undetermined", "processing"].includes(now.body.status) && performance.now() < deadline) {
      await pause(AGAIN_MS);
      now = await read(shop, at);
    }
    if (["pending", "undetermined", "processing"].includes(now.body.status)) wrongs.push(`${at} is ${now.body.status}`);
    if (path === "/v1/purchases" && !isWhole(now.body)) wrongs.push(`${at} is neither paid nor undone: ${now.text}`);
    if (now.body.originalAmount !== undefined && now.body.originalAmount !== body.amount)
      wrongs.push(`${at} has another amount`);
  }
  for (const { path, key, body, answer } of shop.written) {
    const again = await send(shop, path, body, key);
    if (again?.status !== answer.status || again.text !== answer.text) {
      wrongs.push(`${path} again: ${again?.status} ${again?.text} instead of ${answer.status} ${answer.text}`);
    }
  }
  return wrongs;
}

/**
 * The simulator dies with the process that it runs in, so it may never have had a card: then the purchase failed, and
 * nothing of it may be kept.
 */
function isWhole({ status, payments }: Answer["body"]): boolean {
  if (status === "paid") return true;
  // Guarantee: a purchase's own answer, which always lists its payments.
  const kept = (payments as { status: string }[]).filter(
    (one) => !["failed", "voided", "canceled"].includes(one.status),
  );
  return status === "failed" && kept.length === 0;
}

async function booksOf(): Promise<string[]> {
  await auditInvariants();
  const broken = await systemSql()<{ invariant: string; id: string }[]>`
    select invariant, row_id as id from invariant_breaks where closed_at is null`;
  return broken.map(({ invariant, id }) => `${invariant}: ${id}`);
}

/** An installation of its own, and who plays systemd for it. */
async function openInstallation() {
  const folder = mkdtempSync(join(tmpdir(), "process-kills-"));
  // Root hands the database to an account without rights.
  chmodSync(folder, 0o755);
  const dataDir = join(folder, "data");
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const environment: NodeJS.ProcessEnv = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_THE_TESTS.test(name))),
    NODE_ENV: "production",
    PORT: String(port),
    TRILHO_DATA_DIR: dataDir,
    RATE_LIMITS: "off",
    LOG_LEVEL: "warn",
  };
  const log = openSync(join(folder, "log"), "a");
  let launched: ChildProcess | undefined;
  let isEnding = false;

  const begin = (): void => {
    launched = spawn("npm", ["start"], { cwd: inRoot(), env: environment, stdio: ["ignore", log, log] });
  };
  const until = async (holds: () => Promise<boolean> | boolean, ms: number, what: string): Promise<void> => {
    const deadline = performance.now() + ms;
    while (!(await holds())) {
      const isGone = launched !== undefined && (launched.exitCode ?? launched.signalCode) !== null;
      if (performance.now() > deadline || (isGone && !isEnding)) {
        const said = readFileSync(join(folder, "log"), "utf8").trim().split("\n").slice(-12).join(" / ");
        throw new Error(`${what} not within ${ms / 1_000} s: ${said}`);
      }
      await pause(AGAIN_MS);
    }
  };
  const isReady = () =>
    fetch(`${base}/readyz`, { signal: AbortSignal.timeout(3_000) }).then(
      ({ status }) => status === 200,
      () => false,
    );
  const pidOf = (kind: Kind): number | undefined => {
    if (kind === "postgres") return readPostmaster(clusterIn(dataDir))?.pid;
    const launcher = launcherOf(dataDir);
    if (kind === "launcher") return launcher;
    const program = kind === "web" ? "server.mjs" : "worker.mjs";
    return launcher === undefined ? undefined : childOf(launcher, program);
  };
  const complete = () => until(() => KINDS.every((kind) => pidOf(kind) !== undefined), RECOVER_MS, "all four");

  return {
    complete,
    databaseUrl: () => embeddedUrls(clusterIn(dataDir), EMBEDDED_DATABASE)?.runtimeUrl ?? "",
    async start() {
      begin();
      await until(isReady, START_MS, "the first start");
      await until(() => readDemo(dataDir) !== undefined, RECOVER_MS, "the first account");
      await complete();
    },
    async open(): Promise<Shop> {
      const demo = readDemo(dataDir);
      if (!demo) throw new Error("no first account");
      const headers = { "x-client-id": demo.clientId, "x-api-key": demo.apiKey };
      const shop: Shop = { base, headers, merchantId: demo.merchantId, customerId: "", written: [], unanswered: 0 };
      const customer = await write(shop, "/v1/customers?force=true", {
        name: "Ana Souza",
        email: "ana@example.com",
        phoneNumber: "+55 11 99999-0000",
        document: { type: "cpf", number: "52998224725", country: "BR" },
      });
      shop.customerId = customer.body.id;
      return shop;
    },
    async kill(kind: Kind) {
      const pid = pidOf(kind);
      if (pid === undefined) throw new Error(`no ${kind} to kill`);
      process.kill(pid, "SIGKILL");
      if (kind !== "launcher") return;
      while (isAlive(pid)) await pause(20);
      begin();
    },
    async close() {
      isEnding = true;
      const pids = KINDS.map(pidOf);
      const [postgres, , , launcher] = pids;
      if (launcher !== undefined) process.kill(launcher, "SIGINT");
      else launched?.kill("SIGTERM");
      await until(() => pids.every((pid) => pid === undefined || !isAlive(pid)), 60_000, "the end").catch(() => {
        if (postgres !== undefined && isAlive(postgres)) process.kill(postgres, "SIGQUIT");
      });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function launcherOf(dataDir: string): number | undefined {
  try {
    // Our own file.
    const { pid } = JSON.parse(readFileSync(join(dataDir, "running.json"), "utf8")) as { pid: number };
    return isAlive(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function childOf(parent: number, program: string): number | undefined {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => {
      try {
        return (
          new RegExp(`^PPid:\\s+${parent}$`, "m").test(readFileSync(`/proc/${pid}/status`, "utf8")) &&
          readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(program)
        );
      } catch {
        return false;
      }
    });
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
