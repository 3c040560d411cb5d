import { type ChildProcess, spawn } from "node:child_process";
import cluster from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { EXIT_MISCONFIGURED } from "@/scripts/start/exit-codes";
import { ROOT } from "@/scripts/start/paths";
import { say } from "@/scripts/start/progress";

/** Longer than the children themselves take: their grace for a load balancer, then what is in flight. */
const STOP_TIMEOUT_MS = 35_000;
/** A slow machine or a database that is away is no fault: whoever waits is told. */
const TELL_LATE_EVERY_MS = 120_000;
const RESTART_PAUSE_MS = 1_000;
const RESTARTS_PER_WINDOW = 5;
const RESTART_WINDOW_MS = 60_000;

export interface Supervised {
  /** Settles with the first start: it said that it is ready, or ended by itself before. */
  readonly ready: Promise<void>;
  restart(): Promise<void>;
  stop(signal: NodeJS.Signals): Promise<void>;
}

export interface Program {
  name: string;
  script: string;
  environment: NodeJS.ProcessEnv;
  /** Several of it listen on one port: this process takes the connections and hands them out in turn. */
  isShared?: boolean;
}

/** Starts a process of ours, and starts it again when it falls. */
export function supervise(program: Program, onGivingUp: (reason: Error) => void): Supervised {
  const { name } = program;
  let isStopping = false;
  let isReady = false;
  let falls: number[] = [];
  let child: ChildProcess;
  const late = setInterval(
    () => say(`  ! the ${name} process is not ready yet; waiting for it`),
    TELL_LATE_EVERY_MS,
  ).unref();
  let settle: (error?: Error) => void = () => undefined;
  const ready = new Promise<void>((resolve, reject) => {
    settle = (error) => {
      clearInterval(late);
      isReady = true;
      if (error) reject(error);
      else resolve();
    };
  });
  begin();

  function begin(): void {
    child = program.isShared ? launchShared(program) : launch(program);
    const watched = child;
    watched.once("message", () => settle());
    watched.once("error", (error) => settle(error));
    watched.once("exit", (code, signal) => {
      if (isStopping || watched !== child) return;
      // Killed from outside: that is no fault of its own, however often it happens.
      if (signal === null) {
        const fault = faultOf(code);
        if (!isReady) {
          settle(fault ?? new Error(`The ${name} process ended at its start (${code}).`));
          return;
        }
        if (fault) {
          onGivingUp(fault);
          return;
        }
      }
      // A Ctrl-C reaches the children too, and may reach them first.
      void sleep(RESTART_PAUSE_MS).then(() => {
        if (isStopping || watched !== child) return;
        say(`  ! the ${name} process ended (${signal ?? code}); starting it again`);
        begin();
      });
    });
  }

  function faultOf(code: number | null): Error | undefined {
    if (code === EXIT_MISCONFIGURED) return new Error(`The ${name} process cannot work on this database; see above.`);
    falls = [...falls.filter((at) => performance.now() - at < RESTART_WINDOW_MS), performance.now()];
    if (falls.length <= RESTARTS_PER_WINDOW) return undefined;
    return new Error(`The ${name} process fell ${falls.length} times within a minute; see its messages above.`);
  }

  return {
    ready,
    async restart() {
      const old = child;
      begin();
      await end(old, "SIGTERM");
    },
    async stop(signal) {
      isStopping = true;
      await end(child, signal);
    },
  };
}

const flagsFor = (script: string): string[] => [
  ...(script.endsWith(".ts") ? ["--import", "tsx"] : []),
  "--enable-source-maps",
];

/** The channel also tells the child that its launcher is gone. */
const STDIO: ("ignore" | "inherit" | "ipc")[] = ["ignore", "inherit", "inherit", "ipc"];

const launch = ({ script, environment }: Program): ChildProcess =>
  spawn(process.execPath, [...flagsFor(script), script], { cwd: ROOT, env: environment, stdio: STDIO });

function launchShared({ script, environment }: Program): ChildProcess {
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ exec: script, args: [], execArgv: flagsFor(script), cwd: ROOT, stdio: STDIO });
  // What this process knows for itself, such as the owner of the database, is not handed down.
  const own = Object.keys(process.env).filter((variable) => !(variable in environment));
  const worker = cluster.fork({ ...Object.fromEntries(own.map((variable) => [variable, undefined])), ...environment });
  worker.process.on("message", (said: unknown) => relay(worker.process, said));
  return worker.process;
}

/** What one of them says to all of them (lib/siblings.ts). */
function relay(from: ChildProcess, said: unknown): void {
  if (typeof said !== "object" || said === null || !("toSiblings" in said)) return;
  for (const other of Object.values(cluster.workers ?? {})) {
    if (other && other.process !== from && other.isConnected()) other.process.send(said);
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await gone;
  clearTimeout(timer);
}
