import { sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { schedule, unschedule } from "@/lib/due-jobs/schedule";

/** A delivery that failed has one schedule: `nextAttemptAt` of its row. The moment that wakes it follows here, in the same transaction. */
export const followSchedule = (
  ctx: Context,
  { id, nextAttemptAt }: { id: string; nextAttemptAt: Date | null },
): Promise<unknown> =>
  nextAttemptAt ? schedule(ctx, "webhook.attempt", id, nextAttemptAt) : unschedule(ctx, "webhook.attempt", id);

/** The same of many that are not tried again by themselves. */
export const endSchedules = (ctx: Context, ids: readonly string[]): Promise<unknown> =>
  ctx.db.execute(
    sql`delete from due_jobs where kind = 'webhook.attempt' and ref_id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)::uuid)`,
  );
