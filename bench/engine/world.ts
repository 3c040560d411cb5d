import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, openSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FOLDER } from "@/bench/world";
import { ROOT } from "@/scripts/start/paths";

export const EVENT_KEY = "bench-event-key";
export const SIGNING_KEY = "0123456789abcdef0123456789abcdef";
const FIRST_PORT = Number(process.env.BENCH_PORT ?? 4_800);
export const PORTS = {
  web: [FIRST_PORT, FIRST_PORT + 1],
  worker: [FIRST_PORT + 2, FIRST_PORT + 3],
  inngest: FIRST_PORT + 10,
} as const;
const RESTART_MS = 1_000;

/** A process that is started again when it falls, as a supervisor does. */
export interface Kept {
  readonly name: string;
  /** Of the process that runs now. */
  pid(): number;
  kill(): void;
  stop(signal?: NodeJS.Signals): Promise<void>;
  restarts: number;
}

const alive = new Set<Kept>();

/** Whatever still runs when a part failed. */
export async function stopAll(): Promise<void> {
  await Promise.all([...alive].map((one) => one.stop("SIGKILL")));
}

export function keep(name: string, command: () => ChildProcess): Kept {
  let isStopping = false;
  let child = start();
  const kept: Kept = {
    name,
    restarts: 0,
    pid: () => child.pid ?? 0,
    kill: () => void child.kill("SIGKILL"),
    async stop(signal = "SIGTERM") {
      isStopping = true;
      alive.delete(kept);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill(signal);
      const limit = setTimeout(() => child.kill("SIGKILL"), 20_000);
      await gone;
      clearTimeout(limit);
    },
  };
  alive.add(kept);
  function start(): ChildProcess {
    const next = command();
    next.once("exit", () => {
      if (isStopping) return;
      void sleep(RESTART_MS).then(() => {
        if (isStopping) return;
        kept.restarts += 1;
        child = start();
      });
    });
    return next;
  }
  return kept;
}

export interface Keys {
  eventKey?: string;
  signingKey?: string;
}

const log = (name: string): number => openSync(join(FOLDER, `${name}.log`), "a");

const settings = ({ eventKey = EVENT_KEY, signingKey = SIGNING_KEY }: Keys): NodeJS.ProcessEnv => ({
  ...process.env,
  HOST: "127.0.0.1",
  LOG_LEVEL: "info",
  INNGEST_EVENT_KEY: eventKey,
  INNGEST_SIGNING_KEY: signingKey,
  INNGEST_BASE_URL: `http://127.0.0.1:${PORTS.inngest}`,
  BASE_URL: `http://127.0.0.1:${PORTS.web[0]}`,
});

const node = (script: string, name: string, environment: NodeJS.ProcessEnv): ChildProcess =>
  spawn(process.execPath, ["--import", "tsx", script], {
    cwd: ROOT,
    env: environment,
    stdio: ["ignore", log(name), log(name)],
  });

/** With Inngest, or without any key: the embedded engine. */
export const startWeb = (index: 0 | 1, keys: Keys | null): Kept =>
  keep(`web-${index}`, () =>
    node("bench/engine/web.ts", `web-${index}`, {
      ...(keys ? settings(keys) : { ...process.env, HOST: "127.0.0.1" }),
      PORT: String(PORTS.web[index]),
      TRILHO_ROLE: "web",
    }),
  );

export const startWorker = (index: 0 | 1, keys: Keys | null): Kept =>
  keep(`worker-${index}`, () =>
    node("scripts/worker.ts", `worker-${index}`, {
      ...(keys ? settings(keys) : { ...process.env, HOST: "127.0.0.1" }),
      ...(keys ? { PORT: String(PORTS.worker[index]) } : {}),
      TRILHO_ROLE: "worker",
    }),
  );

const INNGEST_STATE = (): string => join(FOLDER, "inngest");
export const emptyInngest = (): void => rmSync(INNGEST_STATE(), { recursive: true, force: true });

/** The server that INNGEST_BIN names, as its own documentation starts it; it learns of us from us alone. */
export function startInngest(binary: string, tick: number): Kept {
  return keep("inngest", () => {
    mkdirSync(INNGEST_STATE(), { recursive: true });
    const { inngest } = PORTS;
    return spawn(
      binary,
      [
        ...["start", "--host", "127.0.0.1", "--port", String(inngest), "--no-ui"],
        ...["--event-key", EVENT_KEY, "--signing-key", SIGNING_KEY, "--sqlite-dir", INNGEST_STATE()],
        ...["--connect-gateway-port", String(inngest + 1), "--connect-gateway-grpc-port", String(inngest + 2)],
        ...["--connect-executor-grpc-port", String(inngest + 3), "--log-level", "error"],
        ...["--tick", String(tick)],
      ],
      { cwd: INNGEST_STATE(), stdio: ["ignore", log("inngest"), log("inngest")] },
    );
  });
}

/** An endpoint of the shop: how often each purchase's end was told, counted by the id of the event. */
export async function openSink() {
  const told = new Map<string, Set<string>>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      response.writeHead(200).end();
      // Guarantee: every webhook of ours is of this form.
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { event: string; data?: { id?: string } };
      const key = `${body.event} ${body.data?.id ?? ""}`;
      told.set(key, (told.get(key) ?? new Set()).add(String(request.headers["webhook-id"])));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Guarantee: a server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return { told, address: `http://127.0.0.1:${port}/hook`, stop: () => server.close() };
}

/** Until a request is answered. */
export async function answering(url: string, limitMs = 60_000): Promise<void> {
  const until = performance.now() + limitMs;
  while (performance.now() < until) {
    try {
      await fetch(url, { signal: AbortSignal.timeout(1_000) });
      return;
    } catch {
      await sleep(50);
    }
  }
  throw new Error(`${url} does not answer`);
}
