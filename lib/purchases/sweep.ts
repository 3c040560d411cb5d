import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { driveOperation } from "@/lib/purchases/work";
import { monotonicMs } from "@/lib/time";
import { inTurns } from "@/lib/turns";

const BATCH = 100;
const TURNS = { atOnce: 16, perAccount: 4 };
/** What is left then is the next sweep's. */
const LONGEST_MS = 45_000;

/** Works on operations that nobody woke, or whose worker died, accounts in turn; answers how many there were. */
export async function sweepOperations(turns = TURNS): Promise<number> {
  const from = monotonicMs();
  let done = 0;
  let found = BATCH;
  while (found === BATCH && monotonicMs() - from < LONGEST_MS) {
    found = await sweepBatch(turns);
    done += found;
  }
  return done;
}

async function sweepBatch(turns: typeof TURNS): Promise<number> {
  const left = await systemSql()<{ id: string; client_id: string; purchase_id: string }[]>`
    select id, client_id, purchase_id from (
      select id, client_id, purchase_id, run_at, row_number() over (partition by client_id order by run_at) as turn
        from purchase_operations
       where status in ('pending', 'processing') and run_at <= now() and (lease_until is null or lease_until < now())
    ) waiting order by turn, run_at limit ${BATCH}`;
  await inTurns(left, turns, async ({ id, client_id, purchase_id }) => {
    try {
      await driveOperation(systemContext(await loadAccount(client_id), newId()), id, purchase_id);
    } catch (thrown) {
      log.error(
        { clientId: client_id, job: "purchase operation", error: thrown },
        "an operation of a purchase could not be finished",
      );
    }
  });
  return left.length;
}
