import { randomInt } from "node:crypto";
import { DAY_SECONDS } from "@/lib/time";

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;

/** Seconds after the first attempt; seven attempts in all (spec/contract.md 20.4). */
export const ATTEMPT_OFFSETS_SECONDS = [
  0,
  5 * MINUTE_SECONDS,
  45 * MINUTE_SECONDS,
  6 * HOUR_SECONDS,
  DAY_SECONDS,
  2 * DAY_SECONDS,
  4 * DAY_SECONDS,
] as const;

const JITTER_PER_MILLE = 100;
const PER_MILLE = 1_000;

/** When the attempt after `counted` of them is made; undefined after the last. */
export function nextAttempt(firstAttemptAt: Date, counted: number, at: Date): Date | undefined {
  const offset = ATTEMPT_OFFSETS_SECONDS[counted];
  if (offset === undefined) return undefined;
  const share = PER_MILLE + randomInt(-JITTER_PER_MILLE, JITTER_PER_MILLE + 1);
  // Seconds by thousandths are milliseconds.
  const next = new Date(firstAttemptAt.getTime() + offset * share);
  return next > at ? next : at;
}

const SHORTEST_RETRY_AFTER_SECONDS = 5;
const LONGEST_RETRY_AFTER_SECONDS = HOUR_SECONDS;
const WAITS = new Set([429, 502, 503, 504]);

/** The pause an endpoint asks for, in seconds, within bounds; undefined when it asks for none that counts. */
export function retryAfterSeconds(
  status: number | undefined,
  header: string | undefined,
  realAt: Date,
): number | undefined {
  if (status === undefined || !WAITS.has(status) || header === undefined) return undefined;
  const asked = /^\d{1,12}$/.test(header.trim())
    ? Number(header)
    : Math.ceil((Date.parse(header) - realAt.getTime()) / 1_000);
  if (Number.isNaN(asked)) return undefined;
  return Math.min(LONGEST_RETRY_AFTER_SECONDS, Math.max(SHORTEST_RETRY_AFTER_SECONDS, asked));
}
