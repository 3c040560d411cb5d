import { createHash } from "node:crypto";
import { addSeconds } from "@/lib/time";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** When an attempt without an outcome is asked about, in seconds after the answer before: spec/purchases.md. */
export const QUERY_DELAYS_SECONDS = [
  5,
  15,
  30,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
] as const;
/** Then the charge is under review and only watched. */
export const WATCH_DELAYS_SECONDS = [
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
  ...Array<number>(7).fill(24 * HOUR),
] as const;
const SPREAD = 0.2;
/** Two "not found" answers count only when they are this far apart. */
export const AGREEING_ANSWERS_SECONDS = 60;

export const isReviewDue = (queries: number): boolean => queries >= QUERY_DELAYS_SECONDS.length;

/** The next moment to ask, or undefined when even watching has ended. Spread by the attempt's id, so a run repeats. */
export function nextQueryAt(attemptId: string, queries: number, from: Date): Date | undefined {
  const delays = [...QUERY_DELAYS_SECONDS, ...WATCH_DELAYS_SECONDS];
  const delay = delays[queries];
  if (delay === undefined) return undefined;
  const byte = createHash("sha256").update(`${attemptId}:${queries}`).digest().readUInt8(0);
  return addSeconds(from, delay * (1 - SPREAD + (2 * SPREAD * byte) / 255));
}
