import { spawn } from "node:child_process";
import { get } from "node:http";
import { afterEach, expect, test } from "vitest";
import { isAlive } from "@/db/embedded/lock";
import { plannedRuntimeUrl, testDatabaseUrl } from "@/lib/testing/database";
import { freePort } from "@/lib/testing/ports";
import { end, type Running, settingsOf, statusOf, until } from "@/lib/testing/processes";

const LONG = { timeout: 90_000 };
let running: Running | undefined;
afterEach(async () => {
  if (running) await end(running, "SIGTERM");
  running = undefined;
});

/** Two processes of a script on one port. */
async function startTwo(script: string, settings: Record<string, string> = {}): Promise<Running> {
  const port = await freePort();
  const child = spawn(process.execPath, ["--import", "tsx", "lib/testing/shared-port-process.ts", script], {
    env: settingsOf({ WEB_PROCESSES: "2", PORT: String(port), SHUTDOWN_GRACE_SECONDS: "0", ...settings }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stdout.on("data", (bytes: Buffer) => (said += bytes.toString()));
  child.stderr.on("data", (bytes: Buffer) => (said += bytes.toString()));
  const ended = new Promise<number | NodeJS.Signals>((resolve) =>
    child.once("exit", (code, signal) => resolve(code ?? signal ?? 0)),
  );
  running = { child, port, said: () => said, ended };
  return running;
}

const PATIENCE_MS = 2_000;

/** Empty without an answer: who is just being killed may have been handed the connection. */
const textOf = (port: number, path: string): Promise<string> =>
  new Promise((resolve) => {
    const asked = get({ port, path, host: "127.0.0.1", agent: false, timeout: PATIENCE_MS }, (reply) => {
      let text = "";
      reply.on("data", (part: Buffer) => (text += part.toString()));
      reply.once("end", () => resolve(text));
    });
    asked.once("timeout", () => asked.destroy());
    asked.once("error", () => resolve(""));
  });

const COUNTED = /^trilho_requests_total\{[^}]*\} (\d+)$/m;
const isPid = (text: string): boolean => /^\d+$/.test(text);

test(
  "both take connections in turn; who is asked tells what all counted; one that falls is started again",
  LONG,
  async () => {
    const two = await startTwo("lib/testing/sibling-process.ts");
    const pids = new Set<number>();
    let asked = 0;
    const ask = async (): Promise<void> => {
      const text = await textOf(two.port, "/");
      if (!isPid(text)) return;
      asked++;
      pids.add(Number(text));
    };
    await until(two, "served by two", async () => {
      await ask();
      return pids.size === 2;
    });
    for (let look = 0; look < 4; look++) {
      expect(Number(COUNTED.exec(await textOf(two.port, "/metrics"))?.[1])).toBe(asked);
    }
    const [first = 0, second = 0] = pids;
    process.kill(first, "SIGKILL");
    await until(two, "served by another one", async () => {
      await ask();
      return pids.size === 3;
    });
    expect(isAlive(second)).toBe(true);
    expect(await end(two, "SIGTERM")).toBe(0);
    expect([...pids].filter(isAlive)).toEqual([]);
  },
);

test("the web process shares its port: ready, refused without a key, stopped with its launcher", LONG, async () => {
  await testDatabaseUrl();
  const two = await startTwo("scripts/server.ts", {
    DATABASE_URL: plannedRuntimeUrl(),
    NODE_OPTIONS: "--import ./lib/testing/without-pages.mjs",
  });
  await until(two, "ready", async () => (await statusOf(two.port, "/readyz")) === 200);
  const statuses = await Promise.all(Array.from({ length: 8 }, () => statusOf(two.port, "/v1/charges")));
  expect(new Set(statuses)).toEqual(new Set([401]));
  const { child } = two;
  child.kill("SIGKILL");
  await two.ended;
  await expect.poll(() => statusOf(two.port, "/livez"), { timeout: 30_000 }).toBe(0);
});
