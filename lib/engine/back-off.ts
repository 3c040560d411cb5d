import { RetryAfterError } from "@/lib/engine/errors";

/** Waits before attempts 2, 3, …; the last one repeats. */
const BACK_OFF_SECONDS = [15, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600];

/** When to try again after so many failures, or when the error itself says. */
export function retryAt(thrown: unknown, failures: number, now: Date): Date {
  if (thrown instanceof RetryAfterError) {
    const { retryAfter } = thrown;
    return retryAfter instanceof Date ? retryAfter : new Date(now.getTime() + retryAfter * 1_000);
  }
  const seconds = BACK_OFF_SECONDS[Math.min(failures, BACK_OFF_SECONDS.length) - 1] ?? 0;
  return new Date(now.getTime() + seconds * 1_000);
}
