import { systemSql } from "@/db/client";
import { deleteInBatches } from "@/db/delete-in-batches";
import { KEPT_DAYS } from "@/lib/retention";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

export async function sweepTries(at: Date = realNow()): Promise<void> {
  const sql = systemSql();
  await deleteInBatches(sql, "card_tries", sql`at < ${addSeconds(at, -KEPT_DAYS.cardTries * DAY_SECONDS)}`);
}
