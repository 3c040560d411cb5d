import { systemSql } from "@/db/client";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

/** No limit looks back further than a day; people who look into an attack do. */
const KEPT_DAYS = 30;

export async function sweepTries(at: Date = realNow()): Promise<void> {
  await systemSql()`delete from card_tries where at < ${addSeconds(at, -KEPT_DAYS * DAY_SECONDS)}`;
}
