import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type ProofReport, REPORT_FILE } from "@/lib/proof/report";
import { inRoot } from "@/scripts/start/paths";

export function writeReport(report: ProofReport): void {
  const file = inRoot(REPORT_FILE);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
}

export interface Ran {
  ran: number;
  violations: string[];
  figures: Record<string, number>;
  met: Record<string, string[]>;
  times: Record<string, number[]>;
}

/** What was there before and what ran now, as one. */
export function together<R extends Ran>(before: R, now: Ran): R {
  const figures = { ...before.figures };
  for (const [name, value] of Object.entries(now.figures)) figures[name] = (figures[name] ?? 0) + value;
  const met = { ...before.met };
  for (const [name, values] of Object.entries(now.met)) {
    met[name] = [...new Set([...(met[name] ?? []), ...values])].sort();
  }
  const times = { ...before.times };
  for (const [name, seconds] of Object.entries(now.times)) times[name] = [...(times[name] ?? []), ...seconds];
  const violations = [...before.violations, ...now.violations];
  return { ...before, ran: before.ran + now.ran, violations, figures, met, times };
}
