import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "@/scripts/start/paths";
import { say } from "@/scripts/start/progress";

/** A little more than the children themselves take to finish their current work. */
const STOP_TIMEOUT_MS = 25_000;
const READY_TIMEOUT_MS = 120_000;
const RESTART_PAUSE_MS = 1_000;
const RESTARTS_PER_WINDOW = 5;
const RESTART_WINDOW_MS = 60_000;

export interface Supervised {
  /** Settles with the first start: it said that it is ready, or ended before. */
  readonly ready: Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a process of ours, and starts it again when it falls. */
export function supervise(
  name: string,
  script: string,
  environment: NodeJS.ProcessEnv,
  onGivingUp: (reason: Error) => void,
): Supervised {
  let isStopping = false;
  let falls: number[] = [];
  let child = launch(script, environment);
  let isReady = false;
  const firstReady = readiness(name, child).then(() => {
    isReady = true;
  });
  watch();

  function watch(): void {
    const watched = child;
    watched.once("exit", (code, signal) => {
      if (isStopping || !isReady || watched !== child) return;
      falls = [...falls.filter((at) => performance.now() - at < RESTART_WINDOW_MS), performance.now()];
      if (falls.length > RESTARTS_PER_WINDOW) {
        onGivingUp(
          new Error(`The ${name} process fell ${falls.length} times within a minute; see its messages above.`),
        );
        return;
      }
      // A Ctrl-C reaches the children too, and may reach them first.
      void sleep(RESTART_PAUSE_MS).then(() => {
        if (isStopping || watched !== child) return;
        say(`  ! the ${name} process ended (${signal ?? code}); starting it again`);
        child = launch(script, environment);
        watch();
      });
    });
  }

  return {
    ready: firstReady,
    async restart() {
      const old = child;
      child = launch(script, environment);
      watch();
      await end(old);
    },
    async stop() {
      isStopping = true;
      await end(child);
    },
  };
}

function launch(script: string, environment: NodeJS.ProcessEnv): ChildProcess {
  const loader = script.endsWith(".ts") ? ["--import", "tsx"] : [];
  return spawn(process.execPath, [...loader, "--enable-source-maps", script], {
    cwd: ROOT,
    env: environment,
    // The channel also tells the child that its launcher is gone.
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}

function readiness(name: string, child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`The ${name} process is not ready after 2 minutes.`)),
      READY_TIMEOUT_MS,
    );
    const settle = (error?: Error) => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve();
    };
    child.once("message", () => settle());
    child.once("error", settle);
    child.once("exit", (code, signal) =>
      settle(new Error(`The ${name} process ended at its start (${signal ?? code}).`)),
    );
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await gone;
  clearTimeout(timer);
}
