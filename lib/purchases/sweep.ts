import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { driveOperation } from "@/lib/purchases/work";
import { monotonicMs } from "@/lib/time";

const BATCH = 100;
const AT_ONCE = 4;
/** What is left then is the next sweep's. */
const LONGEST_MS = 45_000;

/** Works on operations that nobody woke, or whose worker died; answers how many there were. */
export async function sweepOperations(): Promise<number> {
  const from = monotonicMs();
  let done = 0;
  let found = BATCH;
  while (found === BATCH && monotonicMs() - from < LONGEST_MS) {
    found = await sweepBatch();
    done += found;
  }
  return done;
}

async function sweepBatch(): Promise<number> {
  const left = await systemSql()<{ id: string; client_id: string }[]>`
    select id, client_id from purchase_operations
     where status in ('pending', 'processing') and run_at <= now() and (lease_until is null or lease_until < now())
     order by run_at limit ${BATCH}`;
  const waiting = left.values();
  const drive = async () => {
    for (const { id, client_id } of waiting) {
      try {
        await driveOperation(systemContext(await loadAccount(client_id), newId()), id);
      } catch (thrown) {
        log.error(
          { clientId: client_id, job: "purchase operation", error: thrown },
          "an operation of a purchase could not be finished",
        );
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, drive));
  return left.length;
}
