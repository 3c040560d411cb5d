import { setTimeout as sleep } from "node:timers/promises";

/** The one place where the process waits for time to pass; never in place of waiting for the thing itself. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  sleep(ms, undefined, signal ? { signal } : {});
