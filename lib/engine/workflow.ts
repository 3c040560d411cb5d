import { Cron } from "croner";
import type { z } from "zod";
import type { Duration } from "@/lib/engine/durations";
import { type Failure, NonRetriableError } from "@/lib/engine/errors";
import type { Jsonified } from "@/lib/engine/json";

/** An event as it is sent. The id makes it the same event however often it is sent; without one, each sending is new. */
export interface SentEvent {
  id?: string;
  name: string;
  data: object;
}

export interface ReceivedEvent<Data = unknown, Name extends string = string> {
  id: string;
  name: Name;
  data: Data;
}

export interface EventType<Name extends string = string, Data = unknown> {
  readonly name: Name;
  readonly schema: z.ZodType<Data>;
  create(data: Data, options?: { id: string }): SentEvent & { name: Name };
}

/** Events carry ids, never card data; the schema is checked when an event is made and when a workflow receives it. */
export function eventType<Name extends string, Data extends object>(
  name: Name,
  schema: z.ZodType<Data>,
): EventType<Name, Data> {
  return { name, schema, create: (data, options) => ({ ...options, name, data: schema.parse(data) }) };
}

/** The event that a workflow with a cron trigger receives. */
export const CRON_EVENT = "engine/cron.fired";
/** The event that the run of an onFailure handler starts with. */
export const FAILURE_EVENT = "engine/run.failed";
/** Appended to the id of a workflow for its onFailure handler, as Inngest does. */
export const FAILURE_SUFFIX = "-failure";
/** Inngest gives an onFailure handler one retry; the embedded driver does the same. */
export const FAILURE_RETRIES = 1;

export interface CronTrigger {
  readonly cron: string;
  readonly timeZone: string;
}

/** Five fields, read in the given time zone. */
export function cron(expression: string, timeZone: string): CronTrigger {
  new Cron(expression, { timezone: timeZone, mode: "5-part", paused: true });
  return { cron: expression, timeZone };
}

// biome-ignore lint/suspicious/noExplicitAny: a trigger is accepted whatever data its event carries
export type Trigger = EventType<string, any> | CronTrigger;

export type EventOf<T> =
  T extends EventType<infer Name, infer Data>
    ? ReceivedEvent<Data, Name>
    : T extends CronTrigger
      ? ReceivedEvent<{ cron: string }, typeof CRON_EVENT>
      : never;

/**
 * The only steps a workflow may use, so that either driver can run it. Results are what JSON keeps of them. A step may
 * run more than once; asynchronous work outside steps is not kept and must not happen.
 */
export interface Steps {
  run<T>(id: string, work: () => Promise<T> | T): Promise<Jsonified<T>>;
  sleep(id: string, duration: Duration): Promise<void>;
  sleepUntil(id: string, at: Date | string): Promise<void>;
  /**
   * The first event, sent from now on, that has the same value at `match` (such as "data.chargeId") as the event that
   * started this run; null after `timeout`. What was sent before is missed: look at the rows first.
   */
  waitForEvent<Name extends string, Data>(
    id: string,
    wait: { event: EventType<Name, Data>; match: string; timeout: Duration },
  ): Promise<ReceivedEvent<Data, Name> | null>;
  sendEvent(id: string, events: SentEvent | SentEvent[]): Promise<void>;
}

export interface HandlerContext<Event> {
  event: Event;
  step: Steps;
  runId: string;
  /** Raised when the run no longer belongs to this worker; never raised under Inngest. */
  signal: AbortSignal;
}

export interface FailureContext<Event> extends HandlerContext<Event> {
  error: Failure;
  failedRunId: string;
}

export interface Concurrency {
  /** A path from the event, such as "event.data.chargeId"; without it the limit is of the whole workflow. */
  key?: string;
  /** Runs at work at once; a run that sleeps or waits does not count. */
  limit: number;
  /** The same with Inngest, whose server calls a hundred runs at once where an embedded worker has ten places. */
  limitOfInngest?: number;
}

export interface WorkflowConfig<T extends Trigger> {
  /** Imperative, the name of its file; it stays the same for as long as runs of it exist. */
  id: string;
  triggers: T | readonly T[];
  concurrency?: Concurrency;
  /** Further attempts of every step, and of the handler itself, after the first. */
  retries?: number;
  /** The handler is one call of step.run and nothing after it: with Inngest it then costs one call instead of two. */
  isOneStep?: true;
  /** Called in a run of its own when a run has failed for good. */
  onFailure?(context: FailureContext<EventOf<T>>): Promise<unknown>;
}

/** A workflow as a plain value: either driver registers it. */
export interface Workflow {
  readonly id: string;
  readonly triggers: readonly Trigger[];
  readonly concurrency: Concurrency | undefined;
  readonly retries: number;
  readonly isOneStep: boolean;
  readonly handler: (context: HandlerContext<ReceivedEvent>) => Promise<unknown>;
  readonly onFailure: ((context: FailureContext<ReceivedEvent>) => Promise<unknown>) | undefined;
}

const DEFAULT_RETRIES = 3;
const MAX_RETRIES = 20;
const ID = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const KEY_PATH = /^event(\.[A-Za-z_][A-Za-z0-9_]*)+$/;

export function workflow<const T extends Trigger>(
  config: WorkflowConfig<T>,
  handler: (context: HandlerContext<EventOf<T>>) => Promise<unknown>,
): Workflow {
  const { id, concurrency, retries = DEFAULT_RETRIES, isOneStep = false, onFailure } = config;
  // Guarantee: the type of `triggers` allows nothing but one trigger or a list of them.
  const triggers = (Array.isArray(config.triggers) ? config.triggers : [config.triggers]) as readonly T[];
  if (!ID.test(id) || id.endsWith(FAILURE_SUFFIX)) throw new Error(`"${id}" is not a workflow id`);
  if (triggers.length === 0) throw new Error(`${id} has no trigger`);
  if (!Number.isInteger(retries) || retries < 0 || retries > MAX_RETRIES) throw new Error(`${id}: retries of 0 to 20`);
  for (const limit of concurrency ? [concurrency.limit, concurrency.limitOfInngest ?? concurrency.limit] : [])
    if (!(Number.isInteger(limit) && limit > 0)) throw new Error(`${id}: limit`);
  if (concurrency?.key && !KEY_PATH.test(concurrency.key)) throw new Error(`${id}: "${concurrency.key}" is not a path`);
  return {
    id,
    triggers,
    concurrency,
    retries,
    isOneStep,
    // Guarantee: the drivers call both only with an event of one of the triggers, read by `receive`.
    handler: handler as Workflow["handler"],
    onFailure: onFailure as Workflow["onFailure"],
  };
}

export const isCron = (trigger: Trigger): trigger is CronTrigger => "cron" in trigger;

/** Checks an event against the schema of the trigger it came by. */
export function receive({ id, triggers }: Workflow, event: ReceivedEvent): ReceivedEvent {
  for (const trigger of triggers) {
    if (isCron(trigger) || trigger.name !== event.name) continue;
    const parsed = trigger.schema.safeParse(event.data);
    if (parsed.success) return { ...event, data: parsed.data };
    throw new NonRetriableError(`${id} was sent an ${event.name} that its schema refuses: ${parsed.error.message}`);
  }
  return event;
}

/** The value at a dotted path as text, or undefined where there is none to compare. */
export function textAt(root: unknown, path: string): string | undefined {
  let value = root;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Object.entries(value).find(([key]) => key === name)?.[1];
  }
  return scalarText(value);
}

export function scalarText(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined;
}

/** The value a wait compares with; without one it could only ever time out. */
export function matchValue(event: ReceivedEvent, match: string): string {
  const value = textAt(event, match);
  if (value === undefined) throw new NonRetriableError(`The event ${event.name} has no value at ${match} to wait for`);
  return value;
}

/** What a wait came back with, checked like any other event. */
export function received<Name extends string, Data>(
  type: EventType<Name, Data>,
  answer: unknown,
): ReceivedEvent<Data, Name> | null {
  if (answer === null) return null;
  // Guarantee: both drivers answer a wait with an event of the awaited name, or null.
  const event = answer as ReceivedEvent<unknown, Name>;
  const parsed = type.schema.safeParse(event.data);
  if (!parsed.success)
    throw new NonRetriableError(`An ${type.name} was refused by its schema: ${parsed.error.message}`);
  return { id: event.id, name: event.name, data: parsed.data };
}

/** Events sent by a step get ids derived from it, so that a repeated step sends nothing twice. */
export function identified(runId: string, stepId: string, events: SentEvent | SentEvent[]): SentEvent[] {
  return (Array.isArray(events) ? events : [events]).map((event, index) => ({
    ...event,
    id: event.id ?? `${runId}:${stepId}:${index}`,
  }));
}

export function instantOf(at: Date | string): Date {
  const instant = typeof at === "string" ? new Date(at) : at;
  if (Number.isNaN(instant.getTime())) throw new NonRetriableError(`"${at}" is not a moment to sleep until`);
  return instant;
}

/** The key a step is kept under: a repeated id gets an index, in the order of the calls. */
export function stepKeys(): (id: string) => string {
  const used = new Map<string, number>();
  return (id) => {
    const times = used.get(id) ?? 0;
    used.set(id, times + 1);
    return times === 0 ? id : `${id}:${times}`;
  };
}
