import { retryAt } from "@/lib/engine/back-off";
import type { Clock } from "@/lib/engine/clock";
import type { ClaimedRun } from "@/lib/engine/embedded/claims";
import type { RunRecords } from "@/lib/engine/embedded/records";
import type { Runnable } from "@/lib/engine/embedded/registry";
import { createSteps } from "@/lib/engine/embedded/steps";
import { type Failure, failureOf, NonRetriableError, StepError } from "@/lib/engine/errors";
import { decode, encode } from "@/lib/engine/json";
import type { ReceivedEvent } from "@/lib/engine/workflow";

/** Claims without anything written: the run ends the process that takes it. */
export const MAX_IDLE_CLAIMS = 10;

export interface Execution {
  run: ClaimedRun;
  runnable: Runnable;
  records: RunRecords;
  clock: Clock;
  /** Raised, with a LeaseLost, when the run has been taken away. */
  lost: AbortSignal;
  /** Raised when the worker stops: the step in progress ends, no other begins. */
  stopping: AbortSignal;
  /** The run has failed for good, and that is written. */
  onFailed(failure: Failure): void;
}

type Ending =
  | { kind: "returned"; output: string }
  | { kind: "threw"; thrown: unknown }
  | { kind: "parked"; until: Date };

/**
 * Runs the handler from its start over the recorded steps, until it ends or nothing in it can go on now. Throws when the
 * run could not be recorded: its lease then runs out, and it is claimed again.
 */
export async function execute(execution: Execution): Promise<void> {
  const { run, records, clock } = execution;
  if (run.idleClaims > MAX_IDLE_CLAIMS) {
    const message = `Given up after ${MAX_IDLE_CLAIMS} claims that ended before anything was written`;
    return fail(execution, { name: "CrashLoop", message });
  }
  const ending = await play(execution);
  if (ending.kind === "returned") await records.completed(ending.output, clock.now());
  else if (ending.kind === "parked") await records.parked(ending.until, clock.now());
  else await recordThrown(execution, ending.thrown);
}

function play({ run, runnable, records, clock, lost, stopping }: Execution): Promise<Ending> {
  return new Promise((resolve, reject) => {
    const end = (ending: Ending) => {
      steps.close();
      resolve(ending);
    };
    const abandon = (reason: unknown) => {
      steps.close();
      reject(reason);
    };
    const steps = createSteps({
      run,
      retries: runnable.retries,
      records,
      clock,
      stopping,
      onParked: (until) => end({ kind: "parked", until }),
      onUnrecorded: abandon,
    });
    if (lost.aborted) return abandon(lost.reason);
    lost.addEventListener("abort", () => abandon(lost.reason), { once: true });
    // Guarantee: fan-out wrote the text from a received event.
    const event = decode(run.event) as ReceivedEvent;
    Promise.resolve()
      .then(() => runnable.handle({ event, step: steps.tools, runId: run.id, signal: lost }))
      .then((value) => end({ kind: "returned", output: encode(value) }))
      .catch((thrown: unknown) => end({ kind: "threw", thrown }));
  });
}

async function fail({ records, clock, onFailed }: Execution, failure: Failure): Promise<void> {
  await records.failed(failure, clock.now());
  onFailed(failure);
}

async function recordThrown(execution: Execution, thrown: unknown): Promise<void> {
  const { run, runnable, records, clock } = execution;
  const now = clock.now();
  const failures = run.attempt + 1;
  const final = thrown instanceof NonRetriableError || thrown instanceof StepError || failures > runnable.retries;
  if (final) await fail(execution, failureOf(thrown));
  else await records.retry(failureOf(thrown), retryAt(thrown, failures, now));
}
