import {
  APP_ID,
  createInngestDriver,
  INNGEST_CRON_EVENT,
  type InngestDriver,
  type InngestDriverOptions,
  inngestSignature,
} from "@/lib/engine/inngest/driver";
import { failureId, MAX_ROUNDS, observed, type Trial, type TrialOptions } from "@/lib/engine/testing-trial";
import { CRON_EVENT, isCron, type SentEvent, textAt, type Workflow } from "@/lib/engine/workflow";
import { newId } from "@/lib/ids";
import { realNow } from "@/lib/time";

/** A call of the SDK answers in milliseconds; one that hangs is a fault of the protocol spoken here, or of the handler. */
const CALL_LIMIT_MS = 15_000;
const ADDRESS = "https://trilho.test/api/inngest";
export const SIGNING_KEY = `signkey-test-${"5ec7e7".repeat(8)}`;
const FAILED_EVENT = "inngest/function.failed";

interface Operation {
  op: "StepRun" | "StepError" | "StepFailed" | "StepPlanned" | "Sleep" | "WaitForEvent";
  id: string;
  name: string;
  data?: unknown;
  error?: { name: string; message: string };
  opts?: { if?: string };
  userland: { id: string };
}

export interface FunctionConfig {
  id: string;
  triggers: { event?: string; cron?: string; expression?: string }[];
  concurrency?: { limit: number; key?: string }[];
  steps: { step: { retries?: { attempts: number } } };
}

interface Reply {
  status: number;
  body: unknown;
  noRetry: boolean;
  retryAfter: string | null;
}

type StepState = { type: "data"; data: unknown } | { type: "error"; error: unknown };

/** What an Inngest server does to one app, in process: it signs, calls, keeps the state of runs and skips over time. */
export function inngestServer(
  workflows: readonly Workflow[],
  options: Partial<Pick<InngestDriverOptions, "signingKeyFallback" | "onCall" | "fetch">> = {},
) {
  const received: unknown[] = [];
  const driver = createInngestDriver({
    workflows,
    eventKey: "test-event-key",
    signingKey: SIGNING_KEY,
    baseUrl: "https://inngest.test",
    fetch: async (_address, init) => {
      const events: { id: string }[] = JSON.parse(String(init?.body));
      received.push(...events);
      return Response.json({ ids: events.map((event) => event.id), status: 200 });
    },
    logger: { info: quiet, warn: quiet, error: quiet, debug: quiet },
    ...options,
  });
  return { driver, received, call: (request: ServerRequest) => call(driver, request) };
}

interface ServerRequest {
  method: "POST" | "PUT" | "GET";
  query?: Record<string, string>;
  body?: object;
  headers?: Record<string, string>;
  /** A wrong one, or none at all. */
  signature?: string | null;
}

export const signature = (body: object, key: string = SIGNING_KEY): string =>
  inngestSignature(JSON.stringify(body), key);

async function call(
  { handle }: InngestDriver,
  { method, query, body = {}, headers, ...sign }: ServerRequest,
): Promise<Reply> {
  const signed = sign.signature === undefined ? signature(body) : sign.signature;
  const request = new Request(`${ADDRESS}?${new URLSearchParams(query)}`, {
    method,
    ...(method === "GET" ? {} : { body: JSON.stringify(body) }),
    headers: { "content-type": "application/json", ...headers, ...(signed && { "x-inngest-signature": signed }) },
  });
  const response = await limited(handle(request));
  return {
    status: response.status,
    body: JSON.parse((await response.text()) || "null"),
    noRetry: response.headers.get("x-inngest-no-retry") === "true",
    retryAfter: response.headers.get("retry-after"),
  };
}

/** What the app tells an Inngest server about its functions. */
export async function inngestConfigs(workflows: readonly Workflow[]): Promise<FunctionConfig[]> {
  const reply = await inngestServer(workflows).call({
    method: "PUT",
    headers: { "x-inngest-sync-kind": "in_band" },
    body: { url: ADDRESS },
  });
  // Guarantee: the shape of the SDK's own answer to an in-band registration.
  const { functions } = reply.body as { functions?: FunctionConfig[] };
  if (reply.status !== 200 || !functions) throw new Error(`Registration answered ${reply.status}`);
  return functions;
}

/** Runs a workflow, and its onFailure handler if it comes to that, to the end through the SDK's serve handler. */
export async function runThroughInngest(
  workflow: Workflow,
  event: SentEvent,
  { answers = {} }: TrialOptions = {},
): Promise<Trial> {
  const { workflow: watched, seen } = observed(workflow);
  const server = inngestServer([watched]);
  const configs = await inngestConfigs([workflow]);
  const play = async (
    id: string,
    own: SentEvent,
    failure?: (error: unknown, runId: string) => Promise<Trial | undefined>,
  ) => {
    const config = configs.find((one) => one.id === `${APP_ID}-${id}`);
    if (!config) throw new Error(`${id} was not registered`);
    const runId = newId();
    const ending = await playRun(server.call, config, own, runId, answers);
    const trial: Trial = {
      status: ending.failed ? "failed" : "completed",
      output: ending.failed ? undefined : ending.output,
      error: ending.failed ? nameAndMessage(ending.error) : undefined,
      ...seen(runId),
      failure: ending.failed ? await failure?.(ending.error, runId) : undefined,
    };
    return trial;
  };
  const start = started(workflow, event);
  return play(workflow.id, start, async (error, runId) => {
    const data = { function_id: `${APP_ID}-${workflow.id}`, run_id: runId, error, event: start };
    return workflow.onFailure && play(failureId(workflow), { id: newId(), name: FAILED_EVENT, data });
  });
}

function started(workflow: Workflow, event: SentEvent): SentEvent {
  const id = event.id ?? newId();
  if (event.name !== CRON_EVENT) return { ...event, id };
  const trigger = workflow.triggers.find(isCron);
  return { id, name: INNGEST_CRON_EVENT, data: { cron: `TZ=${trigger?.timeZone} ${trigger?.cron}` } };
}

type Ending = { failed: false; output: unknown } | { failed: true; error: unknown };

async function playRun(
  send: (request: ServerRequest) => Promise<Reply>,
  config: FunctionConfig,
  event: SentEvent,
  runId: string,
  answers: Record<string, SentEvent>,
): Promise<Ending> {
  const attempts = (config.steps.step.retries?.attempts ?? 0) + 1;
  const steps: Record<string, StepState> = {};
  const failures = new Map<string, number>();
  /** The step that the handler's own call runs is tried again by that call; one that was planned, by a call of its own. */
  let retrying: string | undefined;
  let handlerFailures = 0;
  const keep = (id: string, state: StepState) => {
    steps[id] = state;
    handlerFailures = 0;
  };
  /** Without `fn_id` in the context the SDK reports each step, as it does with checkpointing switched off. */
  const ask = (stepId: string, attempt: number) => {
    const stack = { stack: Object.keys(steps), current: Object.keys(steps).length };
    const ctx = { run_id: runId, attempt, max_attempts: attempts, disable_immediate_execution: false, stack };
    return send({
      method: "POST",
      query: { fnId: config.id, stepId },
      body: { version: 2, event, events: [event], steps, ctx: { ...ctx, use_api: false } },
    });
  };
  const settle = (operation: Operation) => {
    if (operation.op === "StepRun") keep(operation.id, { type: "data", data: operation.data ?? null });
    else if (operation.op === "StepFailed") keep(operation.id, { type: "error", error: operation.error });
    else failures.set(operation.id, (failures.get(operation.id) ?? 0) + 1);
  };

  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const reply = await ask("step", retrying ? (failures.get(retrying) ?? 0) : handlerFailures);
    if (reply.status === 200) return { failed: false, output: reply.body };
    if (reply.status !== 206) {
      if (reply.noRetry) return { failed: true, error: reply.body };
      handlerFailures += 1;
      if (handlerFailures >= attempts) throw new Error("The SDK asked for another attempt after the last one");
      continue;
    }
    // Guarantee: the SDK answers 206 with a list of operations.
    const operations = reply.body as Operation[];
    const ran = operations.filter(({ op }) => op === "StepRun" || op === "StepError" || op === "StepFailed");
    const planned = operations.filter(({ op }) => op === "StepPlanned");
    for (const operation of ran) settle(operation);
    retrying = ran.find(({ op }) => op === "StepError")?.id;
    for (const { id } of planned) {
      const answer = await ask(id, failures.get(id) ?? 0);
      // Guarantee: the SDK answers the call of a planned step with a list of one operation.
      for (const operation of answer.body as Operation[]) settle(operation);
    }
    if (ran.length > 0 || planned.length > 0) continue;
    const next = soonest(operations);
    keep(next.id, { type: "data", data: next.op === "WaitForEvent" ? answerTo(next, event, answers) : null });
  }
  throw new Error(`${config.id} did not end`);
}

const UNIT_MS: Record<string, number> = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };

/** An answered wait is over at once; of the rest, what is due first. */
function soonest(operations: readonly Operation[]): Operation {
  const [first] = operations.toSorted((a, b) => dueInMs(a) - dueInMs(b));
  if (!first) throw new Error("The run neither ended nor went on");
  return first;
}

function dueInMs({ op, name }: Operation): number {
  if (op === "WaitForEvent") return 0;
  if (op !== "Sleep") throw new Error(`A workflow may not use ${op}`);
  const at = Date.parse(name);
  if (!Number.isNaN(at)) return at - realNow().getTime();
  return [...name.matchAll(/(\d+)([wdhms])/g)].reduce(
    (sum, [, n, unit]) => sum + Number(n) * (UNIT_MS[unit ?? ""] ?? 0),
    0,
  );
}

/** The event given for the wait, if its name and the value at the awaited path fit; null as after a time-out. */
function answerTo({ name, opts, userland }: Operation, event: SentEvent, answers: Record<string, SentEvent>) {
  const answer = answers[userland.id];
  if (!answer || answer.name !== name) return null;
  const [, path] = /^event\.([\w.]+) == async\.\1$/.exec(opts?.if ?? "") ?? [];
  if (!path) throw new Error(`A wait by ${opts?.if} is not understood`);
  return textAt(answer, path) === textAt(event, path) ? { id: newId(), ...answer } : null;
}

const quiet = () => undefined;

// Guarantee: the SDK serialises every error with a name and a message.
const nameAndMessage = (error: unknown) => {
  const { name, message } = error as { name: string; message: string };
  return { name, message };
};

async function limited<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The SDK did not answer within ${CALL_LIMIT_MS} ms`)), CALL_LIMIT_MS);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
