import type postgres from "postgres";
import { deleteInBatches } from "@/db/delete-in-batches";
import { KEPT_DAYS } from "@/lib/retention";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** Deletes what is old; active runs are never deleted. */
export async function purge(sql: postgres.Sql, now: Date): Promise<void> {
  const before = (days: number) => addSeconds(now, -days * DAY_SECONDS);
  await deleteInBatches(
    sql,
    "engine_runs",
    sql`status <> 'active' and finished_at < ${before(KEPT_DAYS.completedRuns)}
        and (status = 'completed' or finished_at < ${before(KEPT_DAYS.failedRuns)})`,
  );
  await deleteInBatches(sql, "engine_events", sql`received_at < ${before(KEPT_DAYS.engineEvents)}`);
}
