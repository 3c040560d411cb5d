import { requestPoolShare } from "@/db/client";
import { unavailable } from "@/lib/errors";
import { pause } from "@/lib/wait";

/** What is left of the pool belongs to payments. */
const SHARE_FOR_LISTS = 0.8;
const LONGEST_WAIT_MS = 1_000;
const WAIT_STEP_MS = 10;
const RETRY_SECONDS = 2;

/** A list waits a moment for connections that payments do not need, and is refused when there are none. */
export async function roomForList(): Promise<void> {
  for (let waited = 0; requestPoolShare() >= SHARE_FOR_LISTS; waited += WAIT_STEP_MS) {
    if (waited >= LONGEST_WAIT_MS) throw unavailable(RETRY_SECONDS);
    await pause(WAIT_STEP_MS);
  }
}
