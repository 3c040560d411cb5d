import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** Written by `npm run proof`, committed with the work, shown at /proof. */
export const REPORT_FILE = join("proof", "report.json");

const count = z.int().nonnegative();

export const partReport = z.object({
  name: z.string(),
  unit: z.string(),
  /** How many were asked for, and how many ran: a proof that was cut off shows both. */
  asked: count,
  ran: count,
  commits: z.array(z.string()),
  /** Some of it ran on sources that were not committed. */
  dirty: z.boolean(),
  /** First and last seed or number, where they are numbered. */
  seeds: z.object({ first: count, last: count }).nullable(),
  violations: z.array(z.string()),
  /** What was found and mended: its whole chunk ran again without a violation, on that commit. */
  mended: z.array(z.object({ violation: z.string(), commit: z.string() })).default([]),
  figures: z.record(z.string(), z.number()),
  met: z.record(z.string(), z.array(z.string())),
  /** Seconds, one for each time, by what they were measured of. */
  times: z.record(z.string(), z.array(z.number().nonnegative())).default({}),
  seconds: z.number(),
  startedAt: z.string(),
  endedAt: z.string(),
  /** Runs it again. */
  command: z.string(),
});
export type PartReport = z.infer<typeof partReport>;

export const proofReport = z.object({
  commit: z.string(),
  writtenAt: z.string(),
  machine: z.object({ cores: count, node: z.string(), platform: z.string() }),
  parts: z.array(partReport),
});
export type ProofReport = z.infer<typeof proofReport>;

/** The second that a share of them did not exceed; 0 of none. */
export function percentileOf(seconds: readonly number[], share: number): number {
  const sorted = seconds.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

export const readReport = (root: string): ProofReport | undefined => {
  const file = join(root, REPORT_FILE);
  return existsSync(file) ? proofReport.parse(JSON.parse(readFileSync(file, "utf8"))) : undefined;
};
