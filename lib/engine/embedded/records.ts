import type postgres from "postgres";
import type { ClaimedRun, StepRow } from "@/lib/engine/embedded/claims";
import { type Connection, fanOut, startRun } from "@/lib/engine/embedded/fan-out";
import { failureEvent, type WorkflowRegistry } from "@/lib/engine/embedded/registry";
import { transaction } from "@/lib/engine/embedded/transaction";
import type { Failure } from "@/lib/engine/errors";
import { decode, encode } from "@/lib/engine/json";
import type { ReceivedEvent, SentEvent } from "@/lib/engine/workflow";

/** The run belongs to somebody else, or exists no more: nothing may be written or begun for it. */
export class RunLost extends Error {
  override readonly name = "LeaseLost";
}

export type StepRecord = Pick<StepRow, "stepId" | "status"> &
  Partial<Pick<StepRow, "attempt" | "wakeAt" | "output" | "error">>;

/** What one claim of a run writes; each statement holds the run's row by its owner first, and writes nothing without it. */
export interface RunRecords {
  step(record: StepRecord): Promise<void>;
  wait(stepId: string, wakeAt: Date, awaited: { event: string; path: string; value: string }): Promise<void>;
  /** The output of the wait: null, unless an event answered it first. */
  endWait(stepId: string): Promise<string>;
  sent(stepId: string, events: readonly SentEvent[], now: Date): Promise<void>;
  completed(output: string, now: Date): Promise<void>;
  failed(failure: Failure, now: Date): Promise<void>;
  retry(failure: Failure, at: Date): Promise<void>;
  parked(until: Date, now: Date): Promise<void>;
}

export function recordsOf(sql: postgres.Sql, registry: WorkflowRegistry, run: ClaimedRun): RunRecords {
  let progressed = false;
  /** The first write of a claim shows that the run does not just kill its process. */
  const held = (connection: Connection) => {
    if (progressed) {
      return connection`select id from engine_runs where id = ${run.id} and owner = ${run.owner} for no key update`;
    }
    return connection`
      update engine_runs set idle_claims = 0 where id = ${run.id} and owner = ${run.owner} returning id`;
  };
  const write = async (connection: Connection, record: StepRecord) => {
    const written = await connection`
      with held as (${held(connection)})
      insert into engine_steps (run_id, step_id, status, attempt, wake_at, output, error)
      select id, ${record.stepId}, ${record.status}, ${record.attempt ?? 0}, ${record.wakeAt ?? null}::timestamptz,
             ${record.output ?? null}, ${record.error ?? null} from held
      on conflict (run_id, step_id) do update
        set status = excluded.status, attempt = excluded.attempt, wake_at = excluded.wake_at,
            output = excluded.output, error = excluded.error`;
    own(written);
    progressed = true;
  };
  return {
    step: (record) => write(sql, record),

    async wait(stepId, wakeAt, { event, path, value }) {
      const written = await sql`
        with held as (${held(sql)}), step as (
          insert into engine_steps (run_id, step_id, status, wake_at)
          select id, ${stepId}, 'wait', ${wakeAt} from held returning run_id
        )
        insert into engine_waits (run_id, step_id, event, path, value)
        select run_id, ${stepId}, ${event}, ${path}, ${value} from step`;
      own(written);
      progressed = true;
    },

    async endWait(stepId) {
      await sql`
        with held as (${held(sql)}), ended as (
          delete from engine_waits where run_id in (select id from held) and step_id = ${stepId} returning run_id
        )
        update engine_steps set status = 'ok', output = 'null', wake_at = null
         where run_id in (select run_id from ended) and step_id = ${stepId}`;
      const [row] = await sql<{ output: string | null }[]>`
        select output from engine_steps where run_id = ${run.id} and step_id = ${stepId} and status = 'ok'
           and exists (select from engine_runs where id = ${run.id} and owner = ${run.owner})`;
      if (!row) throw new RunLost();
      return row.output ?? "null";
    },

    async sent(stepId, events, now) {
      await transaction(sql, async (tx) => {
        await write(tx, { stepId, status: "ok", output: "null" });
        await fanOut(tx, registry, events, now);
      });
    },

    async completed(output, now) {
      own(
        await sql`
        update engine_runs
           set status = 'completed', output = ${output}, finished_at = ${now}, owner = null, lease_until = null
         where id = ${run.id} and owner = ${run.owner}`,
      );
    },

    async failed(failure, now) {
      const handler = registry.byId.get(run.workflow)?.failure;
      await transaction(sql, async (tx) => {
        own(
          await tx`
          update engine_runs
             set status = 'failed', error = ${encode(failure)}, finished_at = ${now}, owner = null, lease_until = null
           where id = ${run.id} and owner = ${run.owner}`,
        );
        await tx`delete from engine_waits where run_id = ${run.id}`;
        if (!handler) return;
        // Guarantee: fan-out wrote the text from a received event.
        const event = decode(run.event) as ReceivedEvent;
        await startRun(tx, handler, failureEvent({ runId: run.id, error: failure, event }), now);
      });
    },

    async retry(failure, at) {
      own(
        await sql`
        update engine_runs
           set attempt = attempt + 1, error = ${encode(failure)}, wake_at = ${at}, idle_claims = 0,
               owner = null, lease_until = null
         where id = ${run.id} and owner = ${run.owner}`,
      );
    },

    async parked(until, now) {
      // Whether a step became ready since the claim is read from the row itself: a subquery would see an old snapshot.
      own(
        await sql`
        update engine_runs
           set wake_at = case when signals = ${run.signals} then ${until}::timestamptz else least(wake_at, ${now}) end,
               idle_claims = 0, owner = null, lease_until = null
         where id = ${run.id} and owner = ${run.owner}`,
      );
    },
  };
}

function own(result: { count: number }): void {
  if (result.count === 0) throw new RunLost();
}
