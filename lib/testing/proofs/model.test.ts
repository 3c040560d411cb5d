import { expect, test } from "vitest";
import { caught, EXPLORATIONS } from "@/lib/purchases/model/explorations";
import { exploreModel } from "@/lib/purchases/model/explore";
import { type Mistake, SEEDED_MISTAKES } from "@/lib/purchases/model/mistakes";
import { isProof, proofTimeout, recordProof } from "@/lib/testing/proof";

test.runIf(isProof())("the model, explored whole, for the report", { timeout: proofTimeout() }, () => {
  const violations: string[] = [];
  const figures: Record<string, number> = { states: 0, edges: 0, stuck: 0, mistakesFound: 0 };
  const add = (name: string, value: number) => {
    figures[name] = (figures[name] ?? 0) + value;
  };
  const explored: string[] = [];
  for (const exploration of EXPLORATIONS) {
    const { states, edges, stuck, violation } = exploreModel(exploration);
    add("states", states);
    add("edges", edges);
    add("stuck", stuck);
    explored.push(`${exploration.name}: ${states}`);
    if (violation !== undefined) violations.push(`${exploration.name}: ${violation}`);
    if (stuck > 0) violations.push(`${exploration.name}: ${stuck} states lead nowhere`);
    if (states < exploration.least) violations.push(`${exploration.name}: only ${states} states`);
  }
  // Guarantee: Object.keys of the literal gives exactly its keys.
  for (const mistake of Object.keys(SEEDED_MISTAKES) as Mistake[]) {
    if (caught(mistake) === undefined) violations.push(`the mistake ${mistake} is not found`);
    else add("mistakesFound", 1);
  }
  recordProof({ ran: EXPLORATIONS.length, violations, figures, met: { explored } });
  expect(violations).toEqual([]);
});
