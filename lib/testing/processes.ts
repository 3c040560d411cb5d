import { type ChildProcess, spawn } from "node:child_process";
import { get } from "node:http";
import { freePort } from "@/lib/testing/ports";
import { TEST_SECRETS } from "@/lib/testing/secrets";
import { pause } from "@/lib/wait";
import { inRoot } from "@/scripts/start/paths";

const LOOK_MS = 50;
const START_MS = 60_000;
const ANSWER_MS = 5_000;
/** Of the tests' own set-up and of whoever runs them. */
const FOREIGN =
  /^(?:VITEST|DATABASE_|TRILHO_|AUTH_SECRET$|BASE_URL$|CHECKOUT_URL$|npm_|PORT$|HOST$|SANDBOX_|PROVIDER_|PURCHASE_)/;

/** A process of the product, from its own entry file. */
export interface Running {
  readonly child: ChildProcess;
  readonly port: number;
  /** What it has said so far. */
  said(): string;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

export type Entry = "web" | "worker" | "launcher";
const ENTRIES: Readonly<Record<Entry, readonly string[]>> = {
  web: ["--import", "./lib/testing/without-pages.mjs", "scripts/server.ts"],
  worker: ["scripts/worker.ts"],
  launcher: ["scripts/run.ts", "dev"],
};

export type Settings = Readonly<Record<string, string>>;

export function settingsOf(settings: Settings): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
  return {
    ...Object.fromEntries(own),
    ...TEST_SECRETS,
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    LOG_LEVEL: "warn",
    RATE_LIMITS: "off",
    ...settings,
  };
}

/** `node`: the program to run it with, instead of this one. */
export async function run(entry: Entry, settings: Settings, node = process.execPath): Promise<Running> {
  const port = Number(settings.PORT ?? (await freePort()));
  const child = spawn(node, ["--import", "tsx", ...ENTRIES[entry]], {
    cwd: inRoot(),
    env: settingsOf({ PORT: String(port), TRILHO_ROLE: entry === "launcher" ? "all" : entry, ...settings }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stdout?.on("data", (bytes: Buffer) => (said += bytes.toString()));
  child.stderr?.on("data", (bytes: Buffer) => (said += bytes.toString()));
  const ended = new Promise<number | NodeJS.Signals>((resolve) =>
    child.once("exit", (code, signal) => resolve(code ?? signal ?? 0)),
  );
  return { child, port, said: () => said, ended };
}

/** Waits for a thing to hold while the process lives. */
export async function until(running: Running, what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + START_MS;
  while (!(await holds())) {
    const hasEnded = running.child.exitCode !== null || running.child.signalCode !== null;
    if (hasEnded || performance.now() > deadline) throw new Error(`not ${what}:\n${running.said().slice(-2_000)}`);
    await pause(LOOK_MS);
  }
}

/** The status of a path, 0 without an answer. */
export const statusOf = (port: number, path: string, host = "127.0.0.1"): Promise<number> =>
  new Promise((resolve) => {
    const asked = get(
      { port, path, host: "127.0.0.1", headers: { host }, agent: false, timeout: ANSWER_MS },
      (reply) => {
        reply.resume();
        reply.once("end", () => resolve(reply.statusCode ?? 0));
      },
    );
    asked.once("timeout", () => asked.destroy());
    asked.once("error", () => resolve(0));
  });

export async function end({ child, ended }: Running, signal: NodeJS.Signals = "SIGKILL"): Promise<number | string> {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal);
  return ended;
}
