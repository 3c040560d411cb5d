import { afterAll, expect, test } from "vitest";
import { closeDatabaseState } from "@/lib/testing/dry-runs/database";
import { byBankDay } from "@/lib/testing/dry-runs/money-out";
import { openPlace, type Place } from "@/lib/testing/dry-runs/place";
import { bySeveralCards } from "@/lib/testing/dry-runs/purchases";
import { byCode, byLink, bySingleCard } from "@/lib/testing/dry-runs/sales";
import { isProof, proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { drawsFor } from "@/lib/testing/simulator/seeded";

/** One of each, and of a place of each kind. */
const IN_SUITE = 15;
/** An account's books grow: after as many another one begins. */
const PER_PLACE = 5;
const PER_PLACE_OF_PROOF = 34;

const KINDS = [
  [bySingleCard, 50],
  [byLink, 16],
  [byCode, 14],
  [bySeveralCards, 14],
  [byBankDay, 6],
] as const;

afterAll(closeDatabaseState);

test("a dry run is what the call then does, field by field, and writes nothing", {
  timeout: proofTimeout(),
}, async () => {
  const violations: string[] = [];
  const [first, ran] = [proofFrom(), proofRuns(IN_SUITE)];
  const perPlace = isProof() ? PER_PLACE_OF_PROOF : PER_PLACE;
  const figures: Record<string, number> = { plans: 0, refusalsPlanned: 0 };
  let place: Place | undefined;
  for (let n = first; n < first + ran; n++) {
    const draws = drawsFor(`dry run ${n}`);
    // In the suite each kind comes in its turn, so that few are enough.
    const kind = isProof() ? draws.weighted(KINDS) : (KINDS[n % KINDS.length] ?? KINDS[0])[0];
    try {
      if ((n - first) % perPlace === 0 || !place)
        place = await openPlace(Math.floor(n / perPlace), isProof() || n < KINDS.length);
      const before = [place.plans, place.refused] as const;
      await kind(place, draws);
      figures.plans = (figures.plans ?? 0) + place.plans - before[0];
      figures.refusalsPlanned = (figures.refusalsPlanned ?? 0) + place.refused - before[1];
    } catch (thrown) {
      violations.push(`SEED=${n + 1} ${kind.name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
      place = undefined;
    }
  }
  recordProof({ ran, violations, figures });
  expect(violations).toEqual([]);
});
