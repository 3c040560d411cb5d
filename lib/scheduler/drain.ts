import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { LeaseLost } from "@/lib/charges/engine/lease";
import { ChargeBusy } from "@/lib/charges/engine/taking";
import { type Account, systemContext } from "@/lib/context";
import type { JobKind } from "@/lib/due-jobs/schedule";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { HANDLERS } from "@/lib/scheduler/handlers";
import { StillSending } from "@/lib/webhooks/jobs";

const LEASE_SECONDS = 60;
const BATCH = 20;
/** A batch of jobs at a time, so that one drain ends and its engine step is recorded. */
const MOST_BATCHES = 50;
const BUSY_RETRY_SECONDS = 2;
const FAILED_RETRY_SECONDS = 30;
const LONGEST_RETRY_SECONDS = 3_600;

export interface DueJob {
  id: string;
  client_id: string;
  kind: JobKind;
  ref_id: string;
  due_at: Date;
  attempts: number;
}

/** Runs everything that is due by real time, oldest first, over all accounts; answers how many ran. */
export async function drainDueJobs(): Promise<number> {
  let ran = 0;
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    const jobs = await claimDue();
    for (const job of jobs) await run(await loadAccount(job.client_id), job);
    ran += jobs.length;
    if (jobs.length < BATCH) break;
  }
  return ran;
}

/** When the next job of any account is due by real time, if that is within so many seconds. */
export async function nextWake(withinSeconds: number): Promise<Date | undefined> {
  const [row] = await systemSql()<{ at: Date | null }[]>`
    select min(greatest(wake_at, coalesce(lease_until, wake_at))) as at from due_jobs
     where wake_at < now() + make_interval(secs => ${withinSeconds})`;
  return row?.at ?? undefined;
}

async function claimDue(): Promise<DueJob[]> {
  return systemSql()<DueJob[]>`
    update due_jobs set lease_until = now() + make_interval(secs => ${LEASE_SECONDS}), attempts = attempts + 1
     where id in (select id from due_jobs
                   where wake_at <= now() and (lease_until is null or lease_until < now())
                   order by wake_at limit ${BATCH} for update skip locked)
    returning id, client_id, kind, ref_id, due_at, attempts`;
}

/**
 * Takes the first job of an account that is due on its own clock, whatever real time says: the test clock runs it.
 * Undefined while somebody else has that first one, so that the order of moments is kept; `isAwaited` tells the two.
 */
export async function claimOf(
  clientId: string,
  until: Date,
  leftOut: readonly string[] = [],
): Promise<DueJob | undefined> {
  const [job] = await systemSql()<DueJob[]>`
    update due_jobs set lease_until = now() + make_interval(secs => ${LEASE_SECONDS}), attempts = attempts + 1
     where id = (select id from due_jobs
                  where client_id = ${clientId} and due_at <= ${until} and id <> all(${[...leftOut]}::uuid[])
                  order by due_at, id limit 1)
       and (lease_until is null or lease_until < now())
    returning id, client_id, kind, ref_id, due_at, attempts`;
  return job;
}

/** Whether a job of the account is due by then and has not run: somebody else has it, or it is to be tried again. */
export async function isAwaited(clientId: string, until: Date, leftOut: readonly string[]): Promise<boolean> {
  const rows = await systemSql()`
    select 1 from due_jobs
     where client_id = ${clientId} and due_at <= ${until} and id <> all(${[...leftOut]}::uuid[]) limit 1`;
  return rows.length > 0;
}

/** A handler that set a new date has moved the row; otherwise the job is over and its row goes. */
export async function run(account: Account, job: DueJob): Promise<"ran" | "busy" | "failed"> {
  try {
    await HANDLERS[job.kind](systemContext(account, newId()), job.ref_id);
    await systemSql()`delete from due_jobs where id = ${job.id} and due_at = ${job.due_at} and lease_until is not null`;
    return "ran";
  } catch (thrown) {
    const isBusy = [ChargeBusy, LeaseLost, StillSending].some((kind) => thrown instanceof kind);
    if (!isBusy) log.error({ clientId: job.client_id, job: job.kind, error: thrown }, "job failed");
    const seconds = isBusy ? BUSY_RETRY_SECONDS : Math.min(FAILED_RETRY_SECONDS * job.attempts, LONGEST_RETRY_SECONDS);
    await systemSql()`
      update due_jobs set lease_until = now() + make_interval(secs => ${seconds})
       where id = ${job.id} and lease_until is not null`;
    return isBusy ? "busy" : "failed";
  }
}
