import { loadAccount } from "@/lib/accounts/service";
import { ChargeBusy } from "@/lib/charges/engine/lease";
import { type Account, type Context, inOneStatement, systemContext } from "@/lib/context";
import { claimDue, type DueJob, finishJob, putBack } from "@/lib/due-jobs/claim";
import { LANES, type Lane } from "@/lib/due-jobs/kinds";
import { scheduling } from "@/lib/due-jobs/schedule";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { handle } from "@/lib/scheduler/handlers";
import { monotonicMs } from "@/lib/time";
import { pause } from "@/lib/wait";
import { StillSending } from "@/lib/webhooks/jobs";

const BUSY_RETRY_SECONDS = 2;
const FAILED_RETRY_SECONDS = 30;
const LONGEST_RETRY_SECONDS = 3_600;

/** Jobs of a lane under way in one process: those that wait for a provider hold no connection. */
const MOST_AT_ONCE: Record<Lane, number> = { provider: 48, bookkeeping: 8 };
/** While some are under way, what has fallen due meanwhile is looked for so often. */
const LOOK_EVERY_MS = 250;

type AtWork = Set<Promise<void>>;

/** Of this process, whichever drain began them: a drain that ends leaves its slowest jobs to run on. */
const atWork: Record<Lane, AtWork> = { provider: new Set(), bookkeeping: new Set() };
let isStopping = false;

export interface DrainOptions {
  /** After this nothing more is begun, and what is under way is not waited for. */
  forMs?: number;
  atOnce?: number;
  under?: AtWork;
}

/** Runs what is due by real time in one lane, over all accounts, until nothing more can begin; answers how many ran. */
export async function drainLane(lane: Lane, options: DrainOptions = {}): Promise<number> {
  const { forMs = Number.POSITIVE_INFINITY, atOnce = MOST_AT_ONCE[lane], under = atWork[lane] } = options;
  const startedMs = monotonicMs();
  const failures: unknown[] = [];
  let ran = 0;
  const begin = (job: DueJob, account: Promise<Account>): void => {
    const work = runDue(job, account)
      .catch((thrown: unknown) => {
        failures.push(thrown);
      })
      .finally(() => under.delete(work));
    under.add(work);
  };
  for (;;) {
    const isOver = isStopping || monotonicMs() - startedMs >= forMs;
    const free = isOver ? 0 : atOnce - under.size;
    const jobs = free > 0 ? await claimDue(lane, free) : [];
    const accounts = new Map<string, Promise<Account>>();
    for (const job of jobs) {
      const account = accounts.get(job.client_id) ?? loadAccount(job.client_id);
      accounts.set(job.client_id, account);
      begin(job, account);
    }
    ran += jobs.length;
    if (failures.length > 0) throw failures[0];
    if (under.size === 0 || (isOver && !isStopping)) return ran;
    await somethingEnds(under, under.size < atOnce && !isOver);
  }
}

/** Or, while there is room for more, a short while has passed. */
async function somethingEnds(under: AtWork, hasRoom: boolean): Promise<void> {
  if (!hasRoom) return Promise.race(under);
  const over = new AbortController();
  try {
    await Promise.race([...under, pause(LOOK_EVERY_MS, over.signal).catch(() => undefined)]);
  } finally {
    over.abort();
  }
}

/** Both lanes, each to its end. */
export async function drainDueJobs(): Promise<number> {
  const ran = await Promise.all(LANES.map((lane) => drainLane(lane, { under: new Set() })));
  return ran.reduce((sum, one) => sum + one, 0);
}

/** Begins nothing more in this process, and waits for what is under way. */
export async function stopDraining(): Promise<void> {
  isStopping = true;
  await Promise.all(LANES.flatMap((lane) => [...atWork[lane]]));
}

export function startDraining(): void {
  isStopping = false;
}

const runDue = async (job: DueJob, account: Promise<Account>): Promise<void> => {
  const ctx = systemContext(await account, newId());
  const end = await runUnfinished(ctx, job);
  if (typeof end === "string") return;
  if (end.next) await inOneStatement(ctx, scheduling(ctx, job.kind, job.ref_id, end.next));
  else await finishJob({ job });
};

/** A job that ran; where its handler says so, it runs again at its next moment. */
export interface Ran {
  next: Date | undefined;
}

/**
 * A handler that set a new date itself has moved the row on; otherwise, once it ran, its row must go or wait for its next
 * moment: the caller sees to it, or whoever takes the next one.
 */
export async function runUnfinished(ctx: Context, job: DueJob): Promise<Ran | "busy" | "failed"> {
  try {
    return { next: await handle(ctx, job.kind, job.ref_id) };
  } catch (thrown) {
    const isBusy = thrown instanceof ChargeBusy || thrown instanceof StillSending;
    if (!isBusy) log.error({ clientId: job.client_id, job: job.kind, error: thrown }, "job failed");
    const seconds = isBusy ? BUSY_RETRY_SECONDS : Math.min(FAILED_RETRY_SECONDS * job.attempts, LONGEST_RETRY_SECONDS);
    await putBack(job, seconds);
    return isBusy ? "busy" : "failed";
  }
}
