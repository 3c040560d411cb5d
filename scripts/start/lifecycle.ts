import { setTimeout as sleep } from "node:timers/promises";
import { databaseHere } from "@/db/availability";
import { isLostTypeQuery } from "@/db/driver/array-types";
import { startProblems } from "@/lib/health/checks";
import { log } from "@/lib/log";
import { EXIT_MISCONFIGURED } from "@/scripts/start/exit-codes";

/** For the processes a launcher starts: says "ready" to it, and ends when it asks, when Ctrl-C does or when it is gone. */
export function announceReady(): void {
  process.send?.({ ready: true });
}

/**
 * Of a start that cannot go on. Next, which listens for faults that nobody catches, would log it and let the process
 * stay, and whoever waits until it is ready would wait for ever.
 */
export function endStart(reason: unknown): never {
  console.error(reason);
  process.exit(1);
}

/** Why a process is to end. */
export type StopCause = "SIGTERM" | "interrupted";

/** Only SIGTERM leaves time: nobody waits behind a Ctrl-C, and a killed launcher's children make room for the next ones. */
export function onStop(stop: (cause: StopCause) => Promise<void>): void {
  let isStopping = false;
  const once = (cause: StopCause) => {
    if (isStopping) return;
    isStopping = true;
    stop(cause).then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", () => once("SIGTERM"));
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => once("interrupted"));
  process.on("disconnect", () => once("interrupted"));
}

/**
 * The driver (postgres.js 3.4, its issues 1154 and 1208) writes to a connection that broke meanwhile, such as between two
 * messages of a login, and throws where nobody can catch it. What waited for that connection was told of its end already,
 * so nothing is lost by going on; anything else ends the process as ever. Next listens in the web process as well, logs
 * and goes on: one visitor's aborted page must not end the payments of everybody else.
 */
export function outliveBrokenConnections(): void {
  process.on("uncaughtException", (error) => {
    if (isWriteAfterEnd(error)) {
      log.warn({ reason: "write_after_end" }, "a connection to the database broke while the driver was writing");
      return;
    }
    if (isLostTypeQuery(error)) {
      log.warn({ reason: "lost_type_query" }, "a connection to the database broke while it was opened");
      return;
    }
    if (process.listenerCount("uncaughtException") > 1) return;
    console.error(error);
    process.exit(1);
  });
}

const isWriteAfterEnd = ({ name, stack = "" }: Error): boolean =>
  name === "TypeError" && /^\s+at \S*\s?nextWrite \(.*[\\/]postgres[\\/]/.test(stack.split("\n")[1] ?? "");

const RETRY_MS = 1_000;

/** Waits for the database, and ends the process when its schema or secrets are not those of this installation. */
export async function verifyDatabase(): Promise<void> {
  for (;;) {
    await databaseHere();
    let problems: string[];
    try {
      problems = await startProblems();
    } catch (error) {
      log.error({ error }, "the database could not be examined");
      await sleep(RETRY_MS);
      continue;
    }
    if (problems.length === 0) return;
    for (const problem of problems) console.error(problem);
    process.exit(EXIT_MISCONFIGURED);
  }
}
