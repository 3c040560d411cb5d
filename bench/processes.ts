import { fork } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "@/scripts/start/paths";

/** A process of the benchmark: told one thing at a time, answers it. */
export interface Worker {
  readonly pid: number;
  ask<T>(question: object): Promise<T>;
  stop(): Promise<void>;
}

interface Reply {
  value?: unknown;
  failed?: string;
}

/**
 * Starts a script of bench/; it is ready when it first answers. `profile` names a folder for CPU profiles, `folder`
 * another work tree, `environment` what the process finds set besides.
 */
export function launch(
  script: string,
  {
    profile,
    folder = ROOT,
    environment = {},
  }: { profile?: string | undefined; folder?: string; environment?: Record<string, string> } = {},
): Worker {
  const flags = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`];
  const child = fork(join(folder, "bench", script), {
    cwd: folder,
    env: { ...process.env, ...environment },
    execArgv: ["--import", "tsx", ...flags],
    stdio: ["ignore", 2, 2, "ipc"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  return {
    pid: child.pid ?? 0,
    ask: <T>(question: object) =>
      new Promise<T>((resolve, reject) => {
        const fell = (code: number | null) => reject(new Error(`${script} ended with ${code}`));
        child.once("exit", fell);
        child.once("message", (reply: Reply) => {
          child.off("exit", fell);
          // Guarantee: the caller names the type that the script answers this question with.
          if (reply.failed === undefined) resolve(reply.value as T);
          else reject(new Error(`${script}: ${reply.failed}`));
        });
        child.send(question);
      }),
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** Inside such a process: answers each question, and ends when the benchmark does. */
export function answerQuestions<Q>(answer: (question: Q) => unknown): void {
  process.on("message", (question: Q) => {
    Promise.resolve()
      .then(() => answer(question))
      .then(
        (value) => process.send?.({ value } satisfies Reply),
        (error: unknown) =>
          process.send?.({
            failed: error instanceof Error ? (error.stack ?? error.message) : String(error),
          } satisfies Reply),
      );
  });
  process.on("disconnect", () => process.exit(0));
}

/** CPU seconds this process has used. */
export function ownCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}
