import { appendFileSync } from "node:fs";

/** What a proof hands over to `npm run proof`; the report is made of these and of nothing else. */
export interface ProofRecord {
  ran: number;
  /** One text each; none is what is to be shown. */
  violations: string[];
  /** Other counts, added up over the parts of a run. */
  figures?: Record<string, number>;
  /** Names that were met, such as rows of a table: put together over the parts of a run. */
  met?: Record<string, string[]>;
  /** Seconds that something took, one for each time, by what it was: put together over the parts of a run. */
  times?: Record<string, number[]>;
}

const SMALL_TIMEOUT_MS = 60_000;
const FULL_TIMEOUT_MS = 4 * 3_600_000;

/** How many to run: the number of the ordinary suite, or what the runner asks for. */
export const proofRuns = (inSuite: number): number => Number(process.env.PROOF_RUNS ?? inSuite);

/** Where this part begins: seeds and cells are numbered from here. */
export const proofFrom = (): number => Number(process.env.PROOF_FROM ?? 0);

/** Processes or connections at once. */
export const proofProcesses = (inSuite: number): number => Number(process.env.PROOF_PROCESSES ?? inSuite);

export const isProof = (): boolean => process.env.PROOF_OUT !== undefined;

export const proofTimeout = (inSuiteMs: number = SMALL_TIMEOUT_MS): number => (isProof() ? FULL_TIMEOUT_MS : inSuiteMs);

/** Nothing outside the runner. Call it before expecting that there are no violations. */
export function recordProof(record: ProofRecord): void {
  const file = process.env.PROOF_OUT;
  if (file) appendFileSync(file, `${JSON.stringify(record)}\n`);
}
