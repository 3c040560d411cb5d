import { createHmac } from "node:crypto";
import {
  Inngest,
  type InngestFunction,
  NonRetriableError as InngestNonRetriable,
  RetryAfterError as InngestRetryAfter,
  StepError as InngestStepError,
} from "inngest";
import { serve } from "inngest/edge";
import { canonicalJson } from "@/lib/canonical-json";
import { type Duration, durationSeconds } from "@/lib/engine/durations";
import { failureOf, NonRetriableError, RetryAfterError, StepError } from "@/lib/engine/errors";
import { EngineFault, faultOfStatus } from "@/lib/engine/inngest/faults";
import { decode, encode, type Jsonified } from "@/lib/engine/json";
import {
  CRON_EVENT,
  type EventType,
  identified,
  instantOf,
  isCron,
  matchValue,
  type ReceivedEvent,
  receive,
  received,
  type SentEvent,
  type Steps,
  stepKeys,
  type Trigger,
  type Workflow,
} from "@/lib/engine/workflow";
import { realNow } from "@/lib/time";

export const APP_ID = "trilho";
export const INNGEST_CRON_EVENT = "inngest/scheduled.timer";
/** The environment a key is for stands in front of it and is no part of it. */
const KEY_PREFIX = /^signkey-\w+-/;
/** Inngest takes 512 kB a request; our events carry a few ids each. */
const EVENTS_PER_REQUEST = 500;

export const SERVE_PATH = "/api/inngest";
/** A server that takes a connection and says nothing would hold the outbox for minutes. */
const ANSWER_LIMIT_MS = 10_000;
const REGISTER_PATH = "/fn/register";
const EVENTS_PATH = "/e/";
const REFUSED_SIGNATURE = 401;
const OK = 200;

export interface InngestDriverOptions {
  workflows: readonly Workflow[];
  eventKey: string;
  signingKey: string;
  /** While a key is rotated: the one that is good too. */
  signingKeyFallback?: string | undefined;
  /** Of a self-hosted server; without it, Inngest's cloud. */
  baseUrl?: string | undefined;
  /** Of every call of a workflow with a right signature. */
  onCall?: (() => void) | undefined;
  fetch?: typeof fetch;
  logger?: {
    info(...args: unknown[]): void;
    warn(...args: unknown[]): void;
    error(...args: unknown[]): void;
    debug(...args: unknown[]): void;
  };
}

export interface InngestDriver {
  /** Throws an EngineFault where the server does not take them. */
  send(events: readonly SentEvent[]): Promise<void>;
  /** Answers what Inngest asks of /api/inngest. Every request must be signed. */
  handle(request: Request): Promise<Response>;
  /** Tells the server the functions and the origin it calls them at. Throws an EngineFault where it does not take them. */
  register(origin: string): Promise<void>;
}

export function createInngestDriver({ workflows, ...options }: InngestDriverOptions): InngestDriver {
  const { eventKey, signingKey, signingKeyFallback, baseUrl, onCall, logger } = options;
  const answered = new Map<string, number>();
  const ask: typeof fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const what = pathname.startsWith(EVENTS_PATH) ? EVENTS_PATH : pathname;
    answered.delete(what);
    const reply = await (options.fetch ?? fetch)(input, { ...init, signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    answered.set(what, reply.status);
    return reply;
  };
  // Checkpointing would let the SDK run several steps before it reports them; here each step is reported as it ends.
  const client = new Inngest({
    id: APP_ID,
    isDev: false,
    checkpointing: false,
    eventKey,
    signingKey,
    signingKeyFallback,
    baseUrl,
    fetch: ask,
    logger,
  });
  const functions = workflows.map((workflow) => registered(client, workflow));
  const answer = serve({ client, functions, enableUnauthedSync: false });
  const handle = (request: Request) => answer(withHost(request));
  return {
    async handle(request) {
      const reply = await handle(request);
      const isCall = request.method === "POST" && new URL(request.url).searchParams.has("fnId");
      if (isCall && reply.status !== REFUSED_SIGNATURE) onCall?.();
      return reply;
    },
    async register(origin) {
      const address = `${origin}${SERVE_PATH}`;
      const body = JSON.stringify({ url: address });
      const headers = { "content-type": "application/json", "x-inngest-signature": inngestSignature(body, signingKey) };
      const reply = await handle(new Request(address, { method: "PUT", headers, body }));
      const status = answered.get(REGISTER_PATH);
      if (reply.ok && status === OK) return;
      throw new EngineFault(faultOfStatus(status, "signing_key"));
    },
    async send(events) {
      try {
        for (let first = 0; first < events.length; first += EVENTS_PER_REQUEST) {
          await client.send(events.slice(first, first + EVENTS_PER_REQUEST).map(outgoing));
        }
      } catch (thrown) {
        throw new EngineFault(faultOfStatus(answered.get(EVENTS_PATH), "event_key"), { cause: thrown });
      }
    },
  };
}

/** The SDK takes a request without this header for a broken one, whatever its address. */
function withHost(request: Request): Request {
  if (!request.headers.has("host")) request.headers.set("host", new URL(request.url).host);
  return request;
}

/** As the server signs: the body and the second it was signed in. */
export function inngestSignature(body: string, signingKey: string): string {
  const seconds = Math.round(realNow().getTime() / 1_000);
  const hmac = createHmac("sha256", signingKey.replace(KEY_PREFIX, ""));
  return `t=${seconds}&s=${hmac.update(`${canonicalJson(JSON.parse(body))}${seconds}`).digest("hex")}`;
}

function registered(client: Inngest, workflow: Workflow): InngestFunction.Any {
  const { id, triggers, concurrency, isOneStep, handler, onFailure } = workflow;
  return client.createFunction(
    {
      id,
      triggers: triggers.map(triggerOf),
      concurrency: concurrency && [{ limit: concurrency.limitOfInngest ?? concurrency.limit, key: concurrency.key }],
      // Guarantee: `workflow` refuses retries outside 0 to 20.
      retries: workflow.retries as InngestFunction.Options["retries"],
      onFailure:
        onFailure &&
        (({ event, error, step, runId }: Failed) =>
          translated(() => {
            const original = receivedEvent(event.data.event);
            const failed = { error: failureOf(error), failedRunId: event.data.run_id };
            return onFailure({
              ...failed,
              event: original,
              step: stepsOf(step, original, runId),
              runId,
              signal: NEVER,
            });
          })),
    },
    ({ event, step, runId }: Called) =>
      translated(() => {
        const own = receive(workflow, receivedEvent(event));
        const steps = stepsOf(step, own, runId);
        return handler({ event: own, step: isOneStep ? inOneCall(steps) : steps, runId, signal: NEVER });
      }),
  );
}

/** Inngest takes a run from nobody while it works. */
const NEVER = new AbortController().signal;

/** The part of the SDK's step tools that a workflow may use. */
interface InngestSteps {
  run(id: string, work: () => Promise<unknown>): Promise<unknown>;
  sleep(id: string, time: string): Promise<void>;
  sleepUntil(id: string, time: Date): Promise<void>;
  waitForEvent(id: string, wait: { event: string; match: string; timeout: string }): Promise<unknown>;
  sendEvent(id: string, events: { id?: string; name: string; data: Record<string, unknown> }[]): Promise<unknown>;
}

interface InngestEvent {
  id?: string;
  name: string;
  data?: unknown;
}

interface Called {
  event: InngestEvent;
  step: InngestSteps;
  runId: string;
}

interface Failed extends Omit<Called, "event"> {
  event: { data: { run_id: string; event: InngestEvent } };
  error: Error;
}

function stepsOf(step: InngestSteps, event: ReceivedEvent, runId: string): Steps {
  const keyOf = stepKeys();
  return {
    run: <T>(id: string, work: () => Promise<T> | T) => {
      const key = keyOf(id);
      const result = step.run(key, () => translated(async () => work()));
      // Guarantee: the SDK gives back what JSON keeps of the value that this work returned.
      return ours(key, result) as Promise<Jsonified<T>>;
    },
    sleep: (id, duration) => step.sleep(keyOf(id), `${durationSeconds(duration)}s`),
    sleepUntil: (id, at) => step.sleepUntil(keyOf(id), instantOf(at)),
    waitForEvent: async <Name extends string, Data>(
      id: string,
      { event: type, match, timeout }: { event: EventType<Name, Data>; match: string; timeout: Duration },
    ) => {
      matchValue(event, match);
      const wait = { event: type.name, match, timeout: `${durationSeconds(timeout)}s` };
      return received(type, await step.waitForEvent(keyOf(id), wait));
    },
    sendEvent: async (id, events) => {
      const key = keyOf(id);
      const list = identified(runId, key, events).map(outgoing);
      await ours(key, list.length > 0 ? step.sendEvent(key, list) : step.run(key, async () => null));
    },
  };
}

/** The one step is the run: its failure is the run's, with as many further tries. */
function inOneCall(steps: Steps): Steps {
  let isUsed = false;
  return {
    ...steps,
    async run<T>(id: string, work: () => Promise<T> | T) {
      if (isUsed) throw new NonRetriableError(`"${id}" is a second step of a workflow of one step`);
      isUsed = true;
      // Guarantee: what JSON keeps of a value is of its Jsonified type.
      return decode(encode(await work())) as Jsonified<T>;
    },
  };
}

const triggerOf = (trigger: Trigger) =>
  isCron(trigger) ? { cron: `TZ=${trigger.timeZone} ${trigger.cron}` } : { event: trigger.name };

// Guarantee: an event's data is an object; the SDK's type asks for an index signature.
const outgoing = ({ id, name, data }: SentEvent) => ({ id, name, data: data as Record<string, unknown> });

function receivedEvent({ id, name, data }: InngestEvent): ReceivedEvent {
  if (name !== INNGEST_CRON_EVENT) return { id: id ?? "", name, data };
  // Guarantee: the data of a timer event is the cron of its trigger, which `triggerOf` wrote.
  const { cron } = data as { cron: string };
  return { id: id ?? "", name: CRON_EVENT, data: { cron: cron.replace(/^TZ=\S+ /, "") } };
}

/** Our errors as the SDK's, which decide what is tried again and when. */
async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof NonRetriableError) throw new InngestNonRetriable(thrown.message, { cause: thrown });
    if (thrown instanceof RetryAfterError) {
      throw new InngestRetryAfter(thrown.message, retriedAt(thrown.retryAfter), { cause: thrown });
    }
    // An uncaught failure of a step ends the run only when it is the very error that the SDK threw.
    if (thrown instanceof StepError && thrown.cause instanceof InngestStepError) throw thrown.cause;
    throw thrown;
  }
}

/** The server drops what is left of a second: a full one is named, or the step would be tried before its time. */
function retriedAt(retryAfter: Date | number): Date {
  const at = retryAfter instanceof Date ? retryAfter.getTime() : realNow().getTime() + retryAfter * 1_000;
  return new Date(Math.ceil(at / 1_000) * 1_000);
}

async function ours<T>(id: string, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (thrown) {
    if (thrown instanceof InngestStepError) throw new StepError(id, failureOf(thrown), { cause: thrown });
    throw thrown;
  }
}
