import { expect, test } from "vitest";
import { proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { KINDS, openPlace } from "@/lib/testing/split-oracle/place";
import { runCase, sumUp } from "@/lib/testing/split-oracle/run";

const IN_SUITE = 24;
/** A merchant's books grow: after as many another one begins. */
const PER_PLACE = 60;

test(
  "split sales, their refunds and disputes come to what the text says, to the cent",
  async () => {
    const violations: string[] = [];
    const figures = { splitSteps: 0 };
    const [runs, from] = [proofRuns(IN_SUITE), proofFrom()];
    const seeds = Array.from({ length: runs }, (_, nth) => from + nth);
    // Each kind of place sells for itself: who waits for the database leaves the processor to the others.
    const sellAt = async (kind: number): Promise<void> => {
      const own = seeds.filter((seed) => seed % KINDS.length === kind);
      let place = await openPlace(kind);
      for (const [nth, seed] of own.entries()) {
        try {
          figures.splitSteps += await runCase(place, seed);
          if ((nth + 1) % PER_PLACE > 0 && nth + 1 < own.length) continue;
          await sumUp(place);
        } catch (thrown) {
          violations.push(`sale ${seed}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
        }
        if (nth + 1 < own.length) place = await openPlace(kind);
      }
    };
    await Promise.all(KINDS.map((_, kind) => sellAt(kind)));
    recordProof({ ran: runs, violations, figures });
    expect(violations).toEqual([]);
  },
  proofTimeout(),
);
