import postgres from "postgres";
import { z } from "zod";
import type { Env } from "@/lib/env";
import type { Finding } from "@/scripts/checks/checks";
import type { Claim } from "@/scripts/start/instance";

const CONNECT_TIMEOUT_SECONDS = 5;
const ANSWER_LIMIT_MS = 5_000;
/** A worker says every ten seconds that it lives. */
const SILENT_SECONDS = 60;
/** What waits for longer than this was not only passed by for a moment. */
const WAITING_SECONDS = 60;
/** As lib/purchases/queue.ts refuses. */
const REFUSING_SECONDS = 30;
const LATE_SECONDS = 300;
const AUDIT_SECONDS = 600;
const EVERYWHERE: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

const problem = (line: string): Finding => ({ kind: "problem", line });
const warning = (line: string): Finding => ({ kind: "warning", line });

const said = z.object({ checks: z.record(z.string(), z.object({ ok: z.boolean(), reason: z.string().optional() })) });

/** What a running installation answers when it is asked whether it is ready. */
export async function checkProcesses(
  { pid, port }: Pick<Claim, "pid" | "port">,
  { HOST, TRILHO_ROLE }: Pick<Env, "HOST" | "TRILHO_ROLE">,
): Promise<Finding[]> {
  if (TRILHO_ROLE === "worker") return [];
  const host = EVERYWHERE.has(HOST) ? "127.0.0.1" : HOST;
  const address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  try {
    const reply = await fetch(`http://${address}/readyz`, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    const answer = said.safeParse(await reply.json());
    const wrong = Object.entries(answer.data?.checks ?? {}).filter(([, { ok }]) => !ok);
    const words = wrong.map(([name, { reason = "not ready" }]) => `${name}: ${reason}`).join("; ");
    if (!reply.ok)
      return [problem(`Trilho runs (process ${pid}) and takes no requests: ${words || "it starts or stops"}`)];
    return words ? [warning(`Trilho runs (process ${pid}) and is not whole: ${words}`)] : [];
  } catch {
    return [
      problem(`Trilho runs (process ${pid}), but ${address} does not answer: see its messages, or start it again`),
    ];
  }
}

interface Work {
  /** Since a worker said that it lives; null where none ever did, or the last one was stopped. */
  beat: number | null;
  outbox: number;
  purchases: number;
  jobs: number;
  broken: number;
  invariants: string | null;
  audit: number | null;
}

/** What waits for a worker, and what the audit of each minute found. */
export async function checkWork(url: string): Promise<Finding[]> {
  const sql = postgres(url, { max: 1, connect_timeout: CONNECT_TIMEOUT_SECONDS, onnotice: () => {} });
  try {
    // Row security holds for the owner too.
    await sql`set role trilho_system`;
    const [work] = await sql<Work[]>`
      select (select extract(epoch from now() - max(beat_at))::float8 from worker_beats) as beat,
             (select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 from outbox
               where relayed_at is null) as outbox,
             (select coalesce(extract(epoch from now() - min(run_at)), 0)::float8 from purchase_operations
               where status in ('pending', 'processing') and run_at <= now() and epoch = 0) as purchases,
             (select coalesce(extract(epoch from now() - min(wake_at)), 0)::float8 from due_jobs
               where wake_at <= now() and (lease_until is null or lease_until <= now())) as jobs,
             (select count(*)::int from invariant_violations where closed_at is null) as broken,
             (select string_agg(distinct invariant, ', ' order by invariant) from invariant_violations
               where closed_at is null) as invariants,
             (select extract(epoch from now() - max(ran_at))::float8 from invariant_runs) as audit`;
    return work ? [...unworked(work), ...broken(work)] : [];
  } catch {
    // Before the first start there are no tables; a database that does not answer is told of by its own check.
    return [];
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function unworked({ beat, outbox, purchases, jobs, audit }: Work): Finding[] {
  const longest = Math.max(outbox, purchases, jobs);
  const waiting = longest > WAITING_SECONDS ? `; work has waited for ${spanOf(longest)}` : "";
  const START = "start one: npm start, or a process with TRILHO_ROLE=worker";
  if (beat !== null && beat > SILENT_SECONDS)
    return [problem(`No worker has said that it lives for ${spanOf(beat)}${waiting}: ${START}`)];
  if (beat === null) return waiting ? [warning(`No worker runs${waiting}: ${START}`)] : [];
  const findings: Finding[] = [];
  if (purchases > REFUSING_SECONDS)
    findings.push(
      problem(
        `New purchases are refused (503): one that was accepted has waited for ${spanOf(purchases)}; start more workers, or see what the providers answer`,
      ),
    );
  if (outbox > WAITING_SECONDS)
    findings.push(problem(`The engine has not taken an event for ${spanOf(outbox)}: see the worker's log`));
  if (jobs > LATE_SECONDS)
    findings.push(warning(`Due work is ${spanOf(jobs)} late: start more workers, or see what the providers answer`));
  if (audit === null || audit > AUDIT_SECONDS)
    findings.push(
      warning(`The books were not audited ${audit === null ? "yet" : `for ${spanOf(audit)}`}: see the worker's log`),
    );
  return findings;
}

const broken = ({ broken: rows, invariants }: Work): Finding[] =>
  rows === 0
    ? []
    : [
        problem(
          `${rows} ${rows === 1 ? "row breaks" : "rows break"} ${invariants}: see /dashboard/proof, which names them`,
        ),
      ];

function spanOf(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
