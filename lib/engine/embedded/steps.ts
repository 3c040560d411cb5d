import { retryAt } from "@/lib/engine/back-off";
import type { Clock } from "@/lib/engine/clock";
import { durationSeconds } from "@/lib/engine/durations";
import type { ClaimedRun, StepRow } from "@/lib/engine/embedded/claims";
import type { RunRecords, StepRecord } from "@/lib/engine/embedded/records";
import { type Failure, failureOf, NonRetriableError, StepError } from "@/lib/engine/errors";
import { decode, encode, type Jsonified } from "@/lib/engine/json";
import {
  type EventType,
  identified,
  instantOf,
  matchValue,
  type ReceivedEvent,
  received,
  type Steps,
  stepKeys,
} from "@/lib/engine/workflow";

/** A step that hangs would hold its lease, and its concurrency key, for ever. */
const STEP_LIMIT_SECONDS = 600;

export interface StepsOptions {
  run: ClaimedRun;
  retries: number;
  records: RunRecords;
  clock: Clock;
  stopping: AbortSignal;
  /** Nothing in the run can go on before the given moment. */
  onParked(until: Date): void;
  /** A step could not be recorded: the run is no longer this worker's, or the database is away. */
  onUnrecorded(reason: unknown): void;
}

type Attempt = { output: string } | { retryAt: Date } | { failed: StepRecord };

/** What a step that cannot go on now gives to the handler: the run is played again when its time has come. */
const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

export function createSteps({ run, retries, records, clock, stopping, onParked, onUnrecorded }: StepsOptions) {
  const rows = new Map<string, StepRow>(run.steps.map((row) => [row.stepId, row]));
  const keyOf = stepKeys();
  const waiting: Date[] = [];
  let working = 0;
  let closed = false;

  const parkWhenIdle = () =>
    // The handler goes on in microtasks: by the next turn of the loop it has begun whatever it can begin.
    setImmediate(() => {
      if (closed || working > 0 || waiting.length === 0) return;
      onParked(new Date(Math.min(...waiting.map((at) => at.getTime()))));
    });

  const park = <T>(until: Date): Promise<T> => {
    waiting.push(until);
    parkWhenIdle();
    return never();
  };

  const mayBegin = () => !closed && !stopping.aborted;

  /** The run is not parked while a step is at work. */
  const busy = async <T>(work: () => Promise<T>): Promise<T> => {
    working += 1;
    try {
      const result = await work();
      working -= 1;
      parkWhenIdle();
      return result;
    } catch (thrown) {
      onUnrecorded(thrown);
      return never();
    }
  };

  const attemptOnce = async (
    key: string,
    produce: () => Promise<string>,
    record: (output: string) => Promise<void>,
  ): Promise<Attempt> => {
    const result = await limited(produce);
    if ("output" in result) {
      await record(result.output);
      return result;
    }
    const attempt = (rows.get(key)?.attempt ?? 0) + 1;
    const error = encode(failureOf(result.thrown));
    if (result.thrown instanceof NonRetriableError || attempt > retries) {
      const failed: StepRecord = { stepId: key, status: "error", attempt, error };
      await records.step(failed);
      return { failed };
    }
    const wakeAt = retryAt(result.thrown, attempt, clock.now());
    await records.step({ stepId: key, status: "retry", attempt, wakeAt, error });
    return { retryAt: wakeAt };
  };

  const once = async (key: string, produce: () => Promise<string>, record: (output: string) => Promise<void>) => {
    const row = rows.get(key);
    if (row?.status === "ok") return decode(row.output ?? "null");
    if (row?.status === "error") throw stepError(row);
    if (row?.wakeAt && row.wakeAt > clock.now()) return park(row.wakeAt);
    if (!mayBegin()) return park(clock.now());
    const attempt = await busy(() => attemptOnce(key, produce, record));
    if ("failed" in attempt) throw stepError(attempt.failed);
    return "retryAt" in attempt ? park(attempt.retryAt) : decode(attempt.output);
  };

  const sleep = async (key: string, until: () => Date): Promise<void> => {
    const known = rows.get(key)?.wakeAt;
    if (known) return known > clock.now() ? park(known) : undefined;
    if (!mayBegin()) return park(clock.now());
    const wakeAt = until();
    await busy(() => records.step({ stepId: key, status: "sleep", wakeAt }));
    return wakeAt > clock.now() ? park(wakeAt) : undefined;
  };

  const wait = async (key: string, event: string, match: string, seconds: number): Promise<unknown> => {
    const row = rows.get(key);
    if (row?.status === "ok") return decode(row.output ?? "null");
    if (row?.wakeAt && row.wakeAt > clock.now()) return park(row.wakeAt);
    if (!mayBegin()) return park(clock.now());
    if (row) return decode(await busy(() => records.endWait(key)));
    // Guarantee: fan-out wrote the text from a received event.
    const value = matchValue(decode(run.event) as ReceivedEvent, match);
    const wakeAt = later(clock, seconds);
    await busy(() => records.wait(key, wakeAt, { event, path: match, value }));
    return park(wakeAt);
  };

  const tools: Steps = {
    run: <T>(id: string, work: () => Promise<T> | T) => {
      const key = keyOf(id);
      const kept = once(
        key,
        async () => encode(await work()),
        (output) => records.step({ stepId: key, status: "ok", output }),
      );
      // Guarantee: what is decoded was encoded from the T that this step's work returned.
      return kept as Promise<Jsonified<T>>;
    },
    sendEvent: async (id, events) => {
      const key = keyOf(id);
      await once(
        key,
        async () => "null",
        () => records.sent(key, identified(run.id, key, events), clock.now()),
      );
    },
    sleep: (id, duration) => sleep(keyOf(id), () => later(clock, durationSeconds(duration))),
    sleepUntil: (id, at) => sleep(keyOf(id), () => instantOf(at)),
    waitForEvent: async <Name extends string, Data>(
      id: string,
      {
        event,
        match,
        timeout,
      }: { event: EventType<Name, Data>; match: string; timeout: Parameters<Steps["sleep"]>[1] },
    ) => received(event, await wait(keyOf(id), event.name, match, durationSeconds(timeout))),
  };

  return {
    tools,
    /** The claim has ended: whatever the abandoned handler still calls never returns. */
    close: () => {
      closed = true;
    },
  };
}

const later = (clock: Clock, seconds: number): Date => new Date(clock.now().getTime() + seconds * 1_000);

function stepError({ stepId, error }: Pick<StepRecord, "stepId" | "error">): StepError {
  // Guarantee: `attemptOnce` wrote the text from a failure.
  return new StepError(stepId, decode(error ?? "null") as Failure);
}

async function limited(produce: () => Promise<string>): Promise<{ output: string } | { thrown: unknown }> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    const refuse = () => reject(new Error(`The step took longer than ${STEP_LIMIT_SECONDS} seconds`));
    timer = setTimeout(refuse, STEP_LIMIT_SECONDS * 1_000);
  });
  try {
    return { output: await Promise.race([produce(), limit]) };
  } catch (thrown) {
    return { thrown };
  } finally {
    clearTimeout(timer);
  }
}
