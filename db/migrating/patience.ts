import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";

/** How long a migration may hold up others, and how often it tries again after giving way. */
export interface Patience {
  /** A statement that waits longer for its table gives up, so that nobody queues behind it. Milliseconds. */
  readonly lockMs: number;
  /** A statement that stops writers may not run longer. Milliseconds. */
  readonly statementMs: number;
  readonly attempts: number;
  /** The first pause between two attempts; each next one is twice as long, up to ten times this. Milliseconds. */
  readonly pauseMs: number;
}

export const USUAL_PATIENCE: Patience = { lockMs: 2_000, statementMs: 10_000, attempts: 12, pauseMs: 1_000 };

/** LOCK_NOT_AVAILABLE, QUERY_CANCELED, DEADLOCK_DETECTED, SERIALIZATION_FAILURE: another moment may do. */
const PASSING = new Set(["55P03", "57014", "40P01", "40001"]);
const LONGEST_PAUSES = 10;

/** Runs `work`, which sets the limits itself, again after each passing failure. */
export async function withPatience<T>(what: string, patience: Patience, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof postgres.PostgresError) || !PASSING.has(error.code)) throw error;
      if (attempt >= patience.attempts) {
        throw new Error(
          `${what} found its tables busy ${attempt} times and gave up; what was done before is kept. Start again at a ` +
            `quieter time, or look for long transactions in pg_stat_activity (${error.message}).`,
          { cause: error },
        );
      }
      await sleep(patience.pauseMs * Math.min(2 ** (attempt - 1), LONGEST_PAUSES));
    }
  }
}
