import { describe, expect, test } from "vitest";
import { caught, EXPLORATIONS } from "@/lib/purchases/model/explorations";
import { exploreModel } from "@/lib/purchases/model/explore";
import { type Mistake, SEEDED_MISTAKES } from "@/lib/purchases/model/mistakes";

const MOST_MS = 120_000;

describe("every state that the tables can reach against an adversarial provider", () => {
  test.each(EXPLORATIONS)("$name: no invariant is broken, and none is stuck", { timeout: MOST_MS }, (exploration) => {
    const { states, edges, violation, stuck } = exploreModel(exploration);
    expect({ violation, stuck }).toEqual({ violation: undefined, stuck: 0 });
    expect(states).toBeGreaterThan(exploration.least);
    expect(edges).toBeGreaterThan(states * 2);
  });

  // Guarantee: Object.keys of the literal gives exactly its keys.
  test.each(Object.keys(SEEDED_MISTAKES) as Mistake[])("the mistake %s is found", { timeout: MOST_MS }, (mistake) => {
    expect(caught(mistake)).toBeDefined();
  });
});
