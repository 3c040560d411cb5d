import type postgres from "postgres";
import { endedWhenPaused } from "@/db/paused";
import type { WorkflowRegistry } from "@/lib/engine/embedded/registry";

export interface LeaseTimes {
  /** A dead worker's runs are taken over after this long at the latest. */
  seconds: number;
  heartbeatSeconds: number;
}

export const LEASE: LeaseTimes = { seconds: 10, heartbeatSeconds: 3 };

/** Claims are made one after the other over all workers, or two of them could pass the limit of one concurrency key. */
const CLAIM_LOCK = 4_782_201;

export interface StepRow {
  runId: string;
  stepId: string;
  status: "ok" | "error" | "retry" | "sleep" | "wait";
  attempt: number;
  wakeAt: Date | null;
  output: string | null;
  error: string | null;
}

/** A run in the hands of this worker: `owner` is the fence that every write of it names. */
export interface ClaimedRun {
  id: string;
  workflow: string;
  event: string;
  owner: string;
  attempt: number;
  idleClaims: number;
  signals: number;
  steps: StepRow[];
}

/** Takes up to `count` due runs of registered workflows, the longest due first, within their concurrency limits. */
export async function claimRuns(
  sql: postgres.Sql,
  registry: WorkflowRegistry,
  count: number,
  now: Date,
  leaseSeconds: number = LEASE.seconds,
): Promise<ClaimedRun[]> {
  const runnables = [...registry.byId.values()];
  const [, runs] = await sql.begin((tx) => [
    tx`
      select ${endedWhenPaused(tx)}, pg_advisory_xact_lock(${CLAIM_LOCK})`,
    tx<Omit<ClaimedRun, "steps">[]>`
      with due as (
        select run.id, run.workflow, run.concurrency_key, run.wake_at, of.max_leased, used.leased
          from engine_runs run
          join unnest(${runnables.map((of) => of.id)}::text[], ${runnables.map((of) => of.limit)}::int[])
            as of (workflow, max_leased) on of.workflow = run.workflow
         cross join lateral (
           select count(*) as leased from engine_runs other
            where of.max_leased is not null and other.workflow = run.workflow
              and other.concurrency_key = run.concurrency_key
              and other.lease_until is not null and other.lease_until >= now()
         ) used
         where run.status = 'active' and run.wake_at <= ${now}
           and (run.lease_until is null or run.lease_until < now())
           and (of.max_leased is null or used.leased < of.max_leased)
         order by run.wake_at
         limit ${count}
      ), allowed as (
        select id from (
          select *, row_number() over (partition by workflow, concurrency_key order by wake_at) as place from due
        ) ranked where max_leased is null or place <= max_leased - leased
      ), locked as (
        select run.id from engine_runs run join allowed on allowed.id = run.id
         where run.status = 'active' and (run.lease_until is null or run.lease_until < now())
         for no key update of run skip locked
      )
      update engine_runs run
         set owner = gen_random_uuid(), lease_until = now() + make_interval(secs => ${leaseSeconds}),
             idle_claims = idle_claims + 1
        from locked where run.id = locked.id
      returning run.id, run.workflow, run.event, run.owner, run.attempt, run.idle_claims as "idleClaims", run.signals`,
  ]);
  return runs.length === 0 ? [] : withSteps(sql, runs);
}

async function withSteps(sql: postgres.Sql, runs: readonly Omit<ClaimedRun, "steps">[]): Promise<ClaimedRun[]> {
  const rows = await sql<StepRow[]>`
    select run_id as "runId", step_id as "stepId", status, attempt, wake_at as "wakeAt", output, error
      from engine_steps where run_id = any (${runs.map((run) => run.id)}::uuid[])`;
  return runs.map((run) => ({ ...run, steps: rows.filter((row) => row.runId === run.id) }));
}

/** Renews the leases and returns the owners that still hold theirs. */
export async function renewLeases(
  sql: postgres.Sql,
  owners: readonly string[],
  leaseSeconds: number,
): Promise<Set<string>> {
  const kept = await sql<{ owner: string }[]>`
    update engine_runs set lease_until = now() + make_interval(secs => ${leaseSeconds})
     where lease_until is not null and owner = any (${[...owners]}::uuid[]) returning owner`;
  return new Set(kept.map((row) => row.owner));
}

/**
 * The earliest due moment still ahead. Only future rows of registered workflows count: a run that is due but cannot be
 * claimed, or that nobody here can run, would make the worker spin.
 */
export async function nextWakeAt(sql: postgres.Sql, registry: WorkflowRegistry, now: Date): Promise<Date | null> {
  const [row] = await sql<{ at: Date | null }[]>`
    select least(
      (select min(wake_at) from engine_runs
        where status = 'active' and wake_at > ${now} and owner is null
          and workflow = any (${[...registry.byId.keys()]}::text[])),
      (select min(next_at) from engine_crons
        where next_at > ${now} and id = any (${registry.crons.map((cron) => cron.id)}::text[]))
    ) as at`;
  return row?.at ?? null;
}
