import { systemSql } from "@/db/client";
import { createEmbeddedEngine } from "@/lib/engine/embedded/engine";
import { startRun } from "@/lib/engine/embedded/fan-out";
import { registerWorkflows } from "@/lib/engine/embedded/registry";
import { virtualClock } from "@/lib/engine/testing-clock";
import { failureId, MAX_ROUNDS, observed, type Trial, type TrialOptions } from "@/lib/engine/testing-trial";
import type { SentEvent, Workflow } from "@/lib/engine/workflow";
import { newId } from "@/lib/ids";
import { realNow } from "@/lib/time";

interface Run {
  id: string;
  status: "active" | "completed" | "failed";
  output: string | null;
  error: string | null;
}

/** Runs a workflow, and its onFailure handler if it comes to that, to the end on a virtual clock. */
export async function runThroughEmbedded(
  workflow: Workflow,
  event: SentEvent,
  { answers = {} }: TrialOptions = {},
): Promise<Trial> {
  const sql = systemSql();
  const clock = virtualClock(realNow());
  const { workflow: watched, seen } = observed(workflow);
  const errors: unknown[] = [];
  const engine = createEmbeddedEngine({ sql, workflows: [watched], clock, onError: (error) => errors.push(error) });
  const start = { ...event, id: event.id ?? newId() };
  const runnable = registerWorkflows([watched]).byId.get(workflow.id);
  if (!runnable) throw new Error(`${workflow.id} is not registered`);
  await startRun(sql, runnable, start, clock.now());

  const find = async (of: string, eventId: string): Promise<Run | undefined> => {
    const [run] = await sql<Run[]>`
      select id, status, output, error from engine_runs where workflow = ${of} and event::json ->> 'id' = ${eventId}`;
    return run;
  };
  const toTheEnd = async (of: string, eventId: string): Promise<Run> => {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      await engine.drain();
      if (errors.length > 0) throw errors[0];
      const run = await find(of, eventId);
      if (!run) throw new Error(`No run of ${of} was started`);
      if (run.status !== "active") return run;
      const waits = await sql<{ stepId: string }[]>`
        select step_id as "stepId" from engine_waits where run_id = ${run.id}`;
      const due = waits.flatMap(({ stepId }) => answers[stepId] ?? []).filter((answer) => !given.has(answer));
      for (const answer of due) {
        given.add(answer);
        await engine.send([answer]);
      }
      const next = due.length > 0 ? null : await engine.nextWakeAt();
      if (next) clock.set(next);
    }
    throw new Error(`${of} did not end`);
  };
  const given = new Set<SentEvent>();
  const trialOf = (run: Run, failure?: Trial): Trial => ({
    status: run.status === "completed" ? "completed" : "failed",
    output: run.output === null ? undefined : JSON.parse(run.output),
    error: run.status === "failed" && run.error !== null ? nameAndMessage(JSON.parse(run.error)) : undefined,
    ...seen(run.id),
    failure,
  });

  const run = await toTheEnd(workflow.id, start.id);
  if (run.status === "completed" || !workflow.onFailure) return trialOf(run);
  return trialOf(run, trialOf(await toTheEnd(failureId(workflow), `failure:${run.id}`)));
}

const nameAndMessage = ({ name, message }: { name: string; message: string }) => ({ name, message });
