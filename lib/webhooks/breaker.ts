import type { Account } from "@/lib/context";
import { nowOn } from "@/lib/time";

const FAILURES_IN_A_ROW = 10;
const WINDOW_MS = 60_000;
const LEAST_IN_WINDOW = 20;
const FAILED_SHARE = 0.5;
const PROBE_EVERY_MS = 60_000;
const MOST_KEPT = 10_000;

interface Breaker {
  failuresInARow: number;
  windowFromMs: number;
  total: number;
  failed: number;
  /** Nobody but one probe goes out before. */
  openUntilMs: number | undefined;
}

const breakers = new Map<string, Breaker>();

/** One client's silent host is left alone for that client only; its time is the account's. */
const keyOf = ({ id }: Account, url: URL): string => `${id} ${url.host}`;

/** Milliseconds until the host may be tried; 0 lets this attempt through. */
export function breakerPauseMs(account: Account, url: URL): number {
  const breaker = breakers.get(keyOf(account, url));
  // A clock that stands still would never let the probe through.
  if (breaker?.openUntilMs === undefined || account.clock.frozenAt) return 0;
  const ms = nowOn(account.clock).getTime();
  if (ms < breaker.openUntilMs) return breaker.openUntilMs - ms;
  breaker.openUntilMs = ms + PROBE_EVERY_MS;
  return 0;
}

export function reportHost(account: Account, url: URL, isAlive: boolean): void {
  const ms = nowOn(account.clock).getTime();
  const key = keyOf(account, url);
  const known = breakers.get(key);
  const breaker = known ?? { failuresInARow: 0, windowFromMs: ms, total: 0, failed: 0, openUntilMs: undefined };
  if (ms - breaker.windowFromMs > WINDOW_MS) Object.assign(breaker, { windowFromMs: ms, total: 0, failed: 0 });
  breaker.total += 1;
  if (isAlive) {
    breaker.failuresInARow = 0;
    breaker.openUntilMs = undefined;
  } else {
    breaker.failuresInARow += 1;
    breaker.failed += 1;
    const isMostlyFailing = breaker.total >= LEAST_IN_WINDOW && breaker.failed / breaker.total >= FAILED_SHARE;
    if (breaker.failuresInARow >= FAILURES_IN_A_ROW || isMostlyFailing) breaker.openUntilMs = ms + PROBE_EVERY_MS;
  }
  if (!known && breakers.size >= MOST_KEPT) breakers.clear();
  breakers.set(key, breaker);
}
