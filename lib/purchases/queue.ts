import { systemSql } from "@/db/client";
import { env } from "@/lib/env";
import { unavailable } from "@/lib/errors";

const LONGEST_WAIT_SECONDS = 30;
const FRESH_MS = 1_000;
/** Older than this, what was seen says nothing. */
const STALE_MS = 5_000;
const RETRY_SECONDS = 5;

let seen: { at: number; isFull: boolean } | undefined;
let looking: Promise<void> | undefined;

/** Refuses a new purchase while those that were accepted wait too long; they go on. Asks the database once a second. */
export async function refuseWhenQueueIsFull(): Promise<void> {
  const limit = env().PURCHASE_QUEUE_LIMIT;
  if (!Number.isFinite(limit)) return;
  const age = seen === undefined ? Number.POSITIVE_INFINITY : performance.now() - seen.at;
  if (age > FRESH_MS) {
    looking ??= look(limit).finally(() => {
      looking = undefined;
    });
    // The next ones are told by it; this one only waits where nothing is known.
    if (age > STALE_MS) await looking;
    else looking.catch(() => undefined);
  }
  if (seen?.isFull) throw unavailable(RETRY_SECONDS);
}

/** Of the purchase that was accepted first and that nobody has begun to work on. */
export async function longestWaitSeconds(): Promise<number> {
  const [row] = await systemSql()<{ seconds: number | null }[]>`
    select extract(epoch from now() - min(run_at))::float8 as seconds from purchase_operations
     where status in ('pending', 'processing') and run_at <= now() and epoch = 0`;
  return row?.seconds ?? 0;
}

async function look(limit: number): Promise<void> {
  const [row] = await systemSql()<{ isFull: boolean }[]>`
    select count(*) > ${limit} or coalesce(extract(epoch from now() - min(run_at)) > ${LONGEST_WAIT_SECONDS}, false)
        as "isFull"
      from (
        select run_at from purchase_operations
         where status in ('pending', 'processing') and run_at <= now() and epoch = 0
         order by run_at limit ${limit + 1}
      ) as untouched`;
  seen = { at: performance.now(), isFull: row?.isFull ?? false };
}
