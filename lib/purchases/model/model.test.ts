import { describe, expect, test } from "vitest";
import { caught, EXPLORATIONS } from "@/lib/purchases/model/explorations";
import { exploreModel } from "@/lib/purchases/model/explore";
import { exploredSources, keep, readKeptResult } from "@/lib/purchases/model/kept";
import { type Mistake, SEEDED_MISTAKES } from "@/lib/purchases/model/mistakes";
import { leftOutIf } from "@/lib/testing/left-out";
import { isProof, proofTimeout, recordProof } from "@/lib/testing/proof";

const MOST_MS = 600_000;

const { hash, sources } = await exploredSources();
const kept = readKeptResult();
const isFresh = kept?.hash === hash;

// Guarantee: Object.keys of the literal gives exactly its keys.
const MISTAKES = Object.keys(SEEDED_MISTAKES) as Mistake[];

describe("every state that the tables can reach against an adversarial provider", () => {
  test("no invariant is broken, none is stuck, and every seeded mistake is found", {
    timeout: proofTimeout(MOST_MS),
  }, (context) => {
    leftOutIf(context, isFresh && !isProof() ? "the model's sources are those that were explored" : undefined);
    const results = EXPLORATIONS.map((one) => ({ ...one, ...exploreModel(one) }));
    const violations = results.flatMap(({ name, violation, stuck, states, edges, least }) => [
      ...(violation === undefined ? [] : [`${name}: ${violation}`]),
      ...(stuck > 0 ? [`${name}: ${stuck} states lead nowhere`] : []),
      ...(states < least || edges <= states * 2 ? [`${name}: only ${states} states, ${edges} moves`] : []),
    ]);
    const escaped = MISTAKES.filter((mistake) => caught(mistake) === undefined);
    violations.push(...escaped.map((mistake) => `the mistake ${mistake} is not found`));
    const explored = results.map(({ name, states, edges }) => ({ name, states, edges }));
    const mistakesFound = MISTAKES.length - escaped.length;
    recordProof({
      ran: results.length,
      violations,
      figures: {
        states: results.reduce((sum, { states }) => sum + states, 0),
        edges: results.reduce((sum, { edges }) => sum + edges, 0),
        stuck: results.reduce((sum, { stuck }) => sum + stuck, 0),
        mistakesFound,
      },
      met: { explored: explored.map(({ name, states }) => `${name}: ${states}`) },
    });
    expect(violations).toEqual([]);
    // Committed with the change that made it run. Where nobody commits, what is stale stays so and is told below.
    if (!isFresh && !process.env.CI) keep({ hash, sources, explored, mistakesFound });
  });

  test("the result that is kept is of these sources, of every exploration and every mistake", () => {
    const result = readKeptResult();
    expect(result?.hash, "run `npm run unit -- lib/purchases/model` and commit proof/model.json").toBe(hash);
    expect(result?.explored.map(({ name }) => name)).toEqual(EXPLORATIONS.map(({ name }) => name));
    expect(result?.mistakesFound).toBe(MISTAKES.length);
  });
});
