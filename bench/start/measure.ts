import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { headersOf, type Shop } from "@/bench/charges/shop";
import type { Measured } from "@/bench/latencies";
import type { Load } from "@/bench/load";
import { residentBytes } from "@/bench/machine";
import { launch } from "@/bench/processes";
import { isAlive } from "@/db/embedded/lock";
import { freePort } from "@/lib/testing/ports";
import { readDemo } from "@/scripts/seed/demo";
import { sourceHash } from "@/scripts/start/build";
import { PROGRAMS } from "@/scripts/start/bundle";
import { inRoot, ROOT } from "@/scripts/start/paths";

export interface StartResult {
  coldSeconds: number;
  warmSeconds: number;
  webBytes: number;
  workerBytes: number;
}

const FOLDER = inRoot(".data", "bench-start");
const START_TIMEOUT_MS = 300_000;
const CHARGES = 500;
const CONNECTIONS = 32;

/** `npm start` as a newcomer runs it, with and without a build and a data folder, and what it holds after some load. */
export async function measureStart(say: (line: string) => void): Promise<StartResult> {
  rmSync(FOLDER, { recursive: true, force: true });
  removeBuild();
  say("npm start, cold: no build, no data");
  const first = await start();
  await first.stop();
  say("npm start, warm");
  const second = await start();
  try {
    await charge(second.port);
    const { web, worker } = processesOf(second.child.pid ?? 0);
    return {
      coldSeconds: first.seconds,
      warmSeconds: second.seconds,
      webBytes: residentBytes(web),
      workerBytes: residentBytes(worker),
    };
  } finally {
    await second.stop();
    rmSync(FOLDER, { recursive: true, force: true });
  }
}

/** Only what nobody serves at this moment. */
function removeBuild(): void {
  const build = inRoot(".next", `build-${sourceHash()}`);
  const users = join(build, "users");
  if (existsSync(users) && readdirSync(users).some((pid) => isAlive(Number(pid)))) {
    throw new Error("these sources are being served at this moment: stop that server, or leave start out with --only");
  }
  for (const folder of [build, inRoot(".next", "kept-cache")]) rmSync(folder, { recursive: true, force: true });
}

export interface Started {
  child: ChildProcess;
  port: number;
  seconds: number;
  stop(): Promise<void>;
}

/** `npm start` with a data folder of its own, on the database there or on the one that is given. */
export async function start(folder = FOLDER, database?: string): Promise<Started> {
  const port = await freePort();
  const { DATABASE_URL: _theirs, ...environment } = process.env;
  const started = performance.now();
  // As the script in package.json; npm itself would keep the signal that stops it.
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/run.ts", "start"], {
    cwd: ROOT,
    env: {
      ...environment,
      ...(database ? { DATABASE_URL: database } : {}),
      PORT: String(port),
      TRILHO_DATA_DIR: folder,
      RATE_LIMITS: "off",
      LOG_LEVEL: "warn",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("npm start is not ready after five minutes")), START_TIMEOUT_MS);
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (!said.includes("Trilho is ready")) return;
      clearTimeout(timer);
      resolve();
    });
    child.once("exit", (code) => reject(new Error(`npm start ended with ${code}:\n${said}`)));
  });
  const seconds = (performance.now() - started) / 1000;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  return {
    child,
    port,
    seconds,
    async stop() {
      child.kill("SIGINT");
      await gone;
    },
  };
}

/** One-shot cards through the front door: vault, simulator, engine and request log have all worked. */
async function charge(port: number): Promise<void> {
  const demo = readDemo(FOLDER);
  if (!demo) throw new Error("npm start left no demo.json");
  const shop: Shop = demo;
  const body = JSON.stringify({
    merchantId: demo.merchantId,
    amount: 10_500,
    capture: true,
    paymentMethod: { paymentType: "credit" },
    paymentSource: {
      sourceType: "card",
      card: {
        cardHolderName: "Ana Souza",
        cardNumber: "4111110000000005",
        cardCvv: "120",
        cardExpirationDate: "12/2031",
      },
    },
  });
  const load = launch("load.ts");
  try {
    await load.ask<Measured>({
      origin: `http://127.0.0.1:${port}`,
      method: "POST",
      path: "/v1/charges",
      headers: headersOf(shop),
      bodies: Array.from({ length: CHARGES }, () => body),
      connections: CONNECTIONS,
      expected: 201,
    } satisfies Load);
  } finally {
    await load.stop();
  }
}

/** The launcher's own children, found by the script they run. */
function processesOf(launcher: number): { web: number; worker: number } {
  const below = descendants(launcher);
  const running = (program: string): number => {
    const found = below.find((pid) => commandOf(pid).includes(`/${program}.`));
    if (found === undefined) throw new Error(`no process runs ${program}`);
    return found;
  };
  return { web: running(PROGRAMS.web), worker: running(PROGRAMS.worker) };
}

function descendants(pid: number): number[] {
  const children = readFileSync(join("/proc", String(pid), "task", String(pid), "children"), "utf8");
  const direct = children.trim().split(" ").filter(Boolean).map(Number);
  return direct.flatMap((child) => [child, ...descendants(child)]);
}

const commandOf = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, "utf8");
