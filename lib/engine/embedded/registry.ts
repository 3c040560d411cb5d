import type { Failure } from "@/lib/engine/errors";
import {
  type CronTrigger,
  FAILURE_EVENT,
  FAILURE_RETRIES,
  FAILURE_SUFFIX,
  type HandlerContext,
  isCron,
  type ReceivedEvent,
  receive,
  type SentEvent,
  textAt,
  type Workflow,
} from "@/lib/engine/workflow";

/** One function that runs can be of: a workflow, or its onFailure handler. */
export interface Runnable {
  readonly id: string;
  readonly retries: number;
  readonly limit: number | null;
  readonly failure: Runnable | undefined;
  keyOf(event: ReceivedEvent): string | null;
  handle(context: HandlerContext<ReceivedEvent>): Promise<unknown>;
}

export interface RegisteredCron extends CronTrigger {
  readonly id: string;
  readonly runnable: Runnable;
}

export interface WorkflowRegistry {
  readonly byId: ReadonlyMap<string, Runnable>;
  readonly byEvent: ReadonlyMap<string, readonly Runnable[]>;
  readonly crons: readonly RegisteredCron[];
}

interface FailureData {
  runId: string;
  error: Failure;
  event: ReceivedEvent;
}

export const failureEvent = (failed: FailureData): SentEvent => ({
  id: `failure:${failed.runId}`,
  name: FAILURE_EVENT,
  data: failed,
});

export function registerWorkflows(workflows: readonly Workflow[]): WorkflowRegistry {
  const byId = new Map<string, Runnable>();
  const byEvent = new Map<string, Runnable[]>();
  const crons: RegisteredCron[] = [];
  for (const workflow of workflows) {
    if (byId.has(workflow.id)) throw new Error(`Two workflows are called ${workflow.id}`);
    const runnable = runnableOf(workflow);
    byId.set(runnable.id, runnable);
    if (runnable.failure) byId.set(runnable.failure.id, runnable.failure);
    for (const trigger of workflow.triggers) {
      if (isCron(trigger)) {
        crons.push({ ...trigger, runnable, id: `${workflow.id} ${trigger.cron} ${trigger.timeZone}` });
      } else {
        byEvent.set(trigger.name, [...(byEvent.get(trigger.name) ?? []), runnable]);
      }
    }
  }
  return { byId, byEvent, crons };
}

function runnableOf(workflow: Workflow): Runnable {
  const { id, retries, concurrency, handler } = workflow;
  return {
    id,
    retries,
    limit: concurrency?.limit ?? null,
    failure: failureOf(workflow),
    keyOf: (event) => (concurrency ? (concurrency.key && textAt({ event }, concurrency.key)) || "" : null),
    handle: (context) => handler({ ...context, event: receive(workflow, context.event) }),
  };
}

function failureOf({ id, onFailure }: Workflow): Runnable | undefined {
  if (!onFailure) return undefined;
  return {
    id: `${id}${FAILURE_SUFFIX}`,
    retries: FAILURE_RETRIES,
    limit: null,
    failure: undefined,
    keyOf: () => null,
    handle: (context) => {
      // Guarantee: only `failureEvent` makes the events that start this runnable.
      const failed = context.event.data as FailureData;
      return onFailure({ ...context, event: failed.event, error: failed.error, failedRunId: failed.runId });
    },
  };
}
