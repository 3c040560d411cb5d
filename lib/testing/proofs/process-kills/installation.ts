import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { embeddedUrls } from "@/db/embedded";
import { isAlive } from "@/db/embedded/lock";
import { readPostmaster } from "@/db/embedded/postmaster";
import { freePort } from "@/lib/testing/ports";
import { pause } from "@/lib/wait";
import { type Demo, readDemo } from "@/scripts/seed/demo";
import { inRoot } from "@/scripts/start/paths";
import { clusterIn, EMBEDDED_DATABASE } from "@/scripts/start/with-database";

export const KINDS = ["postgres", "web", "worker", "launcher"] as const;
export type Kind = (typeof KINDS)[number];

const LOOK_MS = 250;
/** A build may have to be made first. */
const START_MS = 600_000;
export const RECOVER_MS = 180_000;
/** Set by the tests' own set-up: an installation makes its own. */
const OF_THE_TESTS =
  /^(?:VITEST|NODE_ENV$|BASE_URL$|DATABASE_|TRILHO_|AUTH_SECRET$|RATE_LIMITS$|SANDBOX_|PROVIDER_|LOG_LEVEL$|npm_|PURCHASE_)/;

/** An installation of its own, and who plays systemd for it. */
export async function openInstallation(settings: Readonly<Record<string, string>> = {}) {
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
    ...settings,
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
      await pause(LOOK_MS);
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
    base,
    complete,
    databaseUrl: () => embeddedUrls(clusterIn(dataDir), EMBEDDED_DATABASE)?.runtimeUrl ?? "",
    async start() {
      begin();
      await until(isReady, START_MS, "the first start");
      await until(() => readDemo(dataDir) !== undefined, RECOVER_MS, "the first account");
      await complete();
    },
    account(): Demo {
      const demo = readDemo(dataDir);
      if (!demo) throw new Error("no first account");
      return demo;
    },
    async kill(kind: Kind) {
      const pid = pidOf(kind);
      if (pid === undefined) throw new Error(`no ${kind} to kill`);
      process.kill(pid, "SIGKILL");
      if (kind !== "launcher") return;
      while (isAlive(pid)) await pause(20);
      begin();
    },
    /** SIGTERM to npm alone; answers after how many seconds nothing of the installation runs. */
    async endNpm(limitMs: number): Promise<number> {
      const pids = KINDS.map(pidOf).filter((pid) => pid !== undefined);
      const toldAt = performance.now();
      launched?.kill("SIGTERM");
      while (pids.some(isAlive)) {
        if (performance.now() - toldAt > limitMs) throw new Error(`still there: ${pids.filter(isAlive).join(", ")}`);
        await pause(LOOK_MS);
      }
      return (performance.now() - toldAt) / 1_000;
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

export function launcherOf(dataDir: string): number | undefined {
  try {
    // Our own file.
    const { pid } = JSON.parse(readFileSync(join(dataDir, "running.json"), "utf8")) as { pid: number };
    return isAlive(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

export function childOf(parent: number, program: string): number | undefined {
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
