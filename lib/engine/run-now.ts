import { decode, encode } from "@/lib/engine/json";
import { CRON_EVENT, isCron, type SentEvent, type Steps, type Workflow } from "@/lib/engine/workflow";
import { newId } from "@/lib/ids";

/** What is left of a run belongs to the next one. */
class Later extends Error {}

const later = (): never => {
  throw new Later();
};

/** Runs a workflow that a cron starts, in this process and without an engine, as far as it comes without a pause. */
export async function runNow(
  { triggers, handler }: Workflow,
  send: (events: SentEvent[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const trigger = triggers.find(isCron);
  if (!trigger) throw new Error("Only a cron's workflow is run without its event");
  const event = { id: newId(), name: CRON_EVENT, data: { cron: trigger.cron } };
  try {
    await handler({ event, step: stepsAtOnce(send), runId: event.id, signal });
  } catch (thrown) {
    if (!(thrown instanceof Later)) throw thrown;
  }
}

function stepsAtOnce(send: (events: SentEvent[]) => Promise<void>): Steps {
  return {
    // Guarantee: what JSON keeps of a value is of its Jsonified type.
    run: async (_id, work) => decode(encode(await work())) as never,
    sleep: async () => later(),
    sleepUntil: async () => later(),
    waitForEvent: async () => later(),
    sendEvent: async (_id, events) => send(Array.isArray(events) ? events : [events]),
  };
}
