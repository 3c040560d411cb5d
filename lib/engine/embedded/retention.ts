import type postgres from "postgres";
import { KEPT_DAYS } from "@/lib/retention";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** Rows of one deletion, so that none of them holds locks for long. */
const BATCH_ROWS = 1_000;

/** Deletes what is old, in batches; active runs are never deleted. */
export async function purge(sql: postgres.Sql, now: Date): Promise<void> {
  const before = (days: number) => addSeconds(now, -days * DAY_SECONDS);
  await inBatches(
    () => sql`
      delete from engine_runs where id in (
        select id from engine_runs
         where status <> 'active' and finished_at < ${before(KEPT_DAYS.completedRuns)}
           and (status = 'completed' or finished_at < ${before(KEPT_DAYS.failedRuns)})
         limit ${BATCH_ROWS} for update skip locked)`,
  );
  await inBatches(
    () => sql`
      delete from engine_events where id in (
        select id from engine_events where received_at < ${before(KEPT_DAYS.engineEvents)}
         limit ${BATCH_ROWS} for update skip locked)`,
  );
}

async function inBatches(remove: () => Promise<{ count: number }>): Promise<void> {
  let removed: number;
  do {
    removed = (await remove()).count;
  } while (removed === BATCH_ROWS);
}
