import { expect, test } from "vitest";
import { runYear } from "@/lib/testing/account-year/run";
import { isProof, proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";

const IN_SUITE = 2;
/** Long enough for the first instalments of a card to be paid out. */
const DAYS_IN_SUITE = 60;
const DAYS = 365;
/** Who waits for the database leaves the processor to another. */
const AT_ONCE = 2;

test(
  "days of money out, lived twice: each batch and balance is what the text says, and no identity breaks on any day",
  async () => {
    const [runs, from] = [proofRuns(IN_SUITE), proofFrom()];
    const violations: string[] = [];
    const figures = { batches: 0, days: 0 };
    const seeds = Array.from({ length: runs }, (_, nth) => from + nth + 1);
    const live = async (): Promise<void> => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        try {
          const { batches, days } = await runYear(seed, isProof() ? DAYS : DAYS_IN_SUITE);
          figures.batches += batches;
          figures.days += days;
        } catch (thrown) {
          violations.push(`SEED=${seed}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, live));
    recordProof({ ran: runs, violations, figures });
    expect(violations).toEqual([]);
    expect(figures.batches).toBeGreaterThan(0);
  },
  proofTimeout(120_000),
);
