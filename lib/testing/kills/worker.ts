import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { monotonicMs } from "@/lib/time";
import { pause } from "@/lib/wait";

export interface Job {
  id: string;
  clientId: string;
  /** Of what it works on: an operation of a purchase unless another kind of work is named. */
  operationId: string;
  work?: "due" | "retry" | "mandate" | "day" | "transfers" | "report";
  /** Where the account's clock stands for it. */
  at?: string;
  /** The step boundary at which the worker stands still, counted from the beginning of its work. */
  stopAt: number;
  /** Also inside transactions, with their locks. */
  holdsLocks: boolean;
}

export interface Told {
  id: string;
  at?: string;
  end?: string;
  why?: string;
}

export interface Worker {
  child: ChildProcess;
  told: Told[];
  give(job: Job): void;
  go(): void;
  /** Until each of these is held at its step, or over. */
  settled(ids: readonly string[], isOverOnly?: boolean): Promise<void>;
  /**
   * The same of operations that share what they lock: those that the database holds up behind one that stands still are
   * in the middle of their work too, and are left there.
   */
  settledOrHeldUp(ids: readonly string[], isHeldUp: () => Promise<boolean>): Promise<void>;
}

/** A machine may be busy with other things. */
const PATIENCE_MS = 300_000;
const LOOK_AGAIN_MS = 20;
/** Nothing was told for so long: then it is asked whether somebody is held up. */
const STANDSTILL_MS = 10_000;

const TRIES = 5;

/** One that ends while it starts (its connections are broken with all others) is started again, as the launcher does. */
export async function startWorker(program: string, environment: NodeJS.ProcessEnv, tries = TRIES): Promise<Worker> {
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"], env: environment });
  const told: Told[] = [];
  if (!child.stdout) throw new Error("a worker without output");
  createInterface({ input: child.stdout }).on("line", (line) => {
    // Guarantee: the program writes nothing else.
    told.push(JSON.parse(line) as Told);
  });
  child.stdin?.on("error", () => undefined);
  const until = async (isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> => {
    for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_AGAIN_MS) {
      if (await isTrue()) return;
      await pause(LOOK_AGAIN_MS);
    }
    throw new Error(`a worker is not ${what}`);
  };
  await until(() => told.length > 0 || child.exitCode !== null, "ready");
  if (told.length === 0 && tries > 1) return startWorker(program, environment, tries - 1);
  if (told.length === 0) throw new Error("a worker ends whenever it starts");
  const isSettled = (id: string, isOverOnly: boolean): boolean =>
    told.some((one) => one.id === id && (one.end !== undefined || (!isOverOnly && one.at !== undefined)));
  // A connection that breaks inside a transaction may end the whole process: then it is over, as after a kill.
  const areSettled = (ids: readonly string[], isOverOnly = false): boolean =>
    child.exitCode !== null || ids.every((id) => isSettled(id, isOverOnly));
  return {
    child,
    told,
    give: (job) => child.stdin?.write(`${JSON.stringify(job)}\n`),
    go: () => child.stdin?.write("go\n"),
    settled: (ids, isOverOnly) => until(() => areSettled(ids, isOverOnly), "where it should be"),
    settledOrHeldUp: (ids, isHeldUp) => {
      let last = { told: told.length, atMs: monotonicMs() };
      return until(() => {
        if (areSettled(ids)) return true;
        if (last.told !== told.length) last = { told: told.length, atMs: monotonicMs() };
        if (monotonicMs() - last.atMs < STANDSTILL_MS) return false;
        last = { ...last, atMs: monotonicMs() };
        return isHeldUp();
      }, "where it should be");
    },
  };
}
