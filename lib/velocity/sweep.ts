import { systemSql } from "@/db/client";
import { KEPT_DAYS } from "@/lib/retention";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

export async function sweepTries(at: Date = realNow()): Promise<void> {
  await systemSql()`delete from card_tries where at < ${addSeconds(at, -KEPT_DAYS.cardTries * DAY_SECONDS)}`;
}
