import {
  CRON_EVENT,
  FAILURE_SUFFIX,
  isCron,
  type SentEvent,
  type Steps,
  stepKeys,
  type Workflow,
} from "@/lib/engine/workflow";
import { newId } from "@/lib/ids";

/** What became of one run. */
export interface Trial {
  status: "completed" | "failed";
  /** What the handler returned. */
  output: unknown;
  error: { name: string; message: string } | undefined;
  /** The ids of the `step.run` steps, once for every attempt that was begun, in order. */
  ran: string[];
  /** The events that steps sent. */
  sent: SentEvent[];
  /** The run of the onFailure handler, when the run failed and there is one. */
  failure: Trial | undefined;
}

export interface TrialOptions {
  /** The event that answers a wait, by the id of its step; a wait without one times out. */
  answers?: Record<string, SentEvent>;
}

/** Rounds of one trial; more means that the run makes no progress. */
export const MAX_ROUNDS = 1_000;

/** The event with which a cron starts the workflow. */
export function cronEvent({ id, triggers }: Workflow): SentEvent {
  const trigger = triggers.find(isCron);
  if (!trigger) throw new Error(`${id} has no cron`);
  return { id: newId(), name: CRON_EVENT, data: { cron: trigger.cron } };
}

interface Log {
  ran: string[];
  sent: Map<string, SentEvent[]>;
}

export interface Observed {
  workflow: Workflow;
  /** Of the run whose id is given. */
  seen(runId: string): Pick<Trial, "ran" | "sent">;
}

/** The same workflow, with what its steps do written down: outside the drivers, so that it means the same for both. */
export function observed(workflow: Workflow): Observed {
  const runs = new Map<string, Log>();
  const watch = (runId: string, step: Steps): Steps => {
    const log: Log = runs.get(runId) ?? { ran: [], sent: new Map() };
    runs.set(runId, log);
    const keyOf = stepKeys();
    return {
      ...step,
      run: (id, work) =>
        step.run(id, () => {
          log.ran.push(id);
          return work();
        }),
      async sendEvent(id, events) {
        const key = keyOf(id);
        await step.sendEvent(id, events);
        log.sent.set(key, Array.isArray(events) ? events : [events]);
      },
    };
  };
  const { handler, onFailure } = workflow;
  return {
    workflow: {
      ...workflow,
      handler: (context) => handler({ ...context, step: watch(context.runId, context.step) }),
      onFailure: onFailure && ((context) => onFailure({ ...context, step: watch(context.runId, context.step) })),
    },
    seen: (runId) => {
      const log = runs.get(runId);
      return { ran: log?.ran ?? [], sent: [...(log?.sent.values() ?? [])].flat() };
    },
  };
}

export const failureId = (workflow: Workflow): string => `${workflow.id}${FAILURE_SUFFIX}`;
