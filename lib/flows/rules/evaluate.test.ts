import { describe, expect, test } from "vitest";
import { evaluate, type Measures, type ProviderRegistry, type Step } from "@/lib/flows/rules/evaluate";
import type { BestNode, FlowNodes } from "@/lib/flows/rules/nodes";
import { travel } from "@/lib/testing/flows/naive";
import { ANALYST_IDS, PROVIDER_IDS, randomDeclines, randomFacts, randomFlow, seeded } from "@/lib/testing/flows/random";
import { proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";

/** Whom a plan tries when its providers decline like this. */
function followed(steps: readonly Step[], declines: readonly string[]): string[] {
  const [step, ...rest] = steps;
  if (!step) return [];
  const [code = "", ...later] = declines;
  return [step.id, ...followed(step.on?.[code] ?? rest, later)];
}

function compared(seed: number): string | undefined {
  const dice = seeded(seed);
  const [flow, facts, declines] = [randomFlow(dice), randomFacts(dice), randomDeclines(dice)];
  const lacking = new Set([...PROVIDER_IDS, ...ANALYST_IDS].filter(() => dice.chance(20)));
  const measures: Measures = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `n${index + 1}`,
      Object.fromEntries(
        PROVIDER_IDS.map((id) => [id, { n: dice.pick([30, 30, 30, 30, 200, 29]), value: dice.below(5) / 4 }]),
      ),
    ]),
  );
  const registry: ProviderRegistry = { lacks: (id) => (lacking.has(id) ? "off" : null), measures };
  const plan = evaluate(facts, flow, registry);
  const isAble = (id: string) => !lacking.has(id);
  const plain = travel(facts, flow, { isAble, measures }, []);
  const declined = travel(facts, flow, { isAble, measures }, declines);
  const mine = {
    providers: plan.providers,
    path: plan.path,
    analyst: plan.analyst,
    challenge: plan.challenge,
    reason: plan.reason,
    skipped: plan.skipped.map(({ id }) => id).filter((id) => !ANALYST_IDS.includes(id)),
    afterDeclines: followed(plan.steps, declines),
  };
  const theirs: typeof mine = {
    providers: plain.tried,
    path: plain.path,
    analyst: plain.analysts.find(isAble) ?? null,
    challenge: plain.challenge as typeof mine.challenge,
    reason: plain.isEmpty ? "empty" : plain.tried.length === 0 ? "all_skipped" : "flow",
    skipped: plain.skipped,
    afterDeclines: declined.tried,
  };
  const [one, other] = [JSON.stringify(mine), JSON.stringify(theirs)];
  return one === other ? undefined : `seed ${seed}: ${one} against ${other}`;
}

test(
  "the evaluator and a second, naive one come to the same plan for any flow and payment",
  () => {
    const runs = proofRuns(3_000);
    const violations: string[] = [];
    for (let seed = proofFrom(); seed < proofFrom() + runs; seed++) {
      const difference = compared(seed);
      if (difference) violations.push(difference);
    }
    recordProof({ ran: runs, violations });
    expect(violations).toEqual([]);
  },
  proofTimeout(),
);

const [A = "", B = "", C = "", D = ""] = PROVIDER_IDS;
const [ANALYST = ""] = ANALYST_IDS;
const FACTS = {
  amount: 50_000,
  installments: 7,
  currency: "BRL",
  source: "api",
  brand: "Visa",
  weekday: 1,
  hour: 10,
  unit: "charge",
  buyer: "buyer",
};
const is = (id: string) => ({ rule: "provider", id }) as const;
const when = (isTrue: boolean, yes: FlowNodes, no: FlowNodes = []) =>
  ({
    rule: "condition",
    id: "c",
    if: { field: "amount", operator: isTrue ? "gte" : "lt", value: 50_000 },
    then: yes,
    else: no,
  }) as const;
const onDecline = (id: string, declined: string[], nodes: FlowNodes) =>
  ({ rule: "provider", id, on: { declined, then: nodes } }) as const;
const best = (ids: string[], changes: Partial<BestNode> = {}) =>
  ({ rule: "best", id: "b", ids, by: "approval", window: 200, explore: 0, minimum: 30, ...changes }) as const;

describe("sequence and skip rules", () => {
  const decide = (root: FlowNodes, off: readonly string[] = [], measures: Measures = {}) =>
    evaluate(FACTS, { family: "family", root }, { lacks: (id) => (off.includes(id) ? "off" : null), measures });
  const rated = (a: number, b: number, n = 30) => ({ b: { [A]: { n, value: a }, [B]: { n, value: b } } });

  test.each<[string, FlowNodes, readonly string[], string[]]>([
    ["one provider", [is(A)], [], [A]],
    ["in the order written", [is(B), is(A)], [], [B, A]],
    ["a repeated one once, where it stands first", [is(A), is(B), is(A)], [], [A, B]],
    ["a true condition, then what follows it", [when(true, [is(A)]), is(B)], [], [A, B]],
    ["a false condition without else, then what follows it", [when(false, [is(A)]), is(B)], [], [B]],
    ["the else of a false condition", [when(false, [is(A)], [is(C)]), is(B)], [], [C, B]],
    ["conditions inside conditions", [when(true, [when(false, [is(A)], [is(B)])]), is(C)], [], [B, C]],
    ["a repeated one of a branch and after it", [when(true, [is(A)]), is(A), is(B)], [], [A, B]],
    ["who is off is passed over", [is(A), is(B)], [A], [B]],
    ["who is off in a branch is passed over for what follows", [when(true, [is(A)]), is(B)], [A], [B]],
    ["nobody when all are off, priorities neither", [is(A), is(B)], [A, B], []],
    ["an empty flow reaches nobody", [], [], []],
    ["a true condition with nothing in it", [when(true, []), is(B)], [], [B]],
    ["at most three", [is(A), is(B), is(C), is(D)], [], [A, B, C]],
    ["a fourth takes the place of one that is off", [is(A), is(B), is(C), is(D)], [B], [A, C, D]],
    ["an analysis takes nobody's place", [{ rule: "antifraud", id: ANALYST }, is(A)], [], [A]],
    ["a challenge takes nobody's place", [{ rule: "challenge", id: "x", mode: "required" }, is(A)], [], [A]],
    ["what follows a decline is no part of the order", [onDecline(A, ["generic"], [is(C)]), is(B)], [], [A, B]],
    ["best without measures as written", [best([B, A]), is(C)], [], [B, A, C]],
    ["best of two that are off passes on", [best([B, A]), is(C)], [A, B], [C]],
    [
      "both branches of conditions one after the other",
      [when(true, [is(A)]), when(false, [is(C)], [is(B)])],
      [],
      [A, B],
    ],
    ["the first of a repeated one decides its place", [is(B), when(true, [is(A), is(B)])], [], [B, A]],
    ["a branch of four, the rest after it", [when(true, [is(A), is(B), is(C), is(D)])], [A], [B, C, D]],
    ["off in the branch taken, on in the other", [when(false, [is(A)], [is(B)])], [B], []],
    ["conditions four deep", [when(true, [when(true, [when(true, [when(true, [is(A)])])])])], [], [A]],
    ["nothing inside, nothing after", [when(true, [when(false, [is(A)])])], [], []],
    ["a repeated one that is off stays off", [is(A), is(B), is(A)], [A], [B]],
    ["three off, the fourth alone", [is(A), is(B), is(C), is(D)], [A, B, C], [D]],
    ["an analysis that is off takes nobody's place", [{ rule: "antifraud", id: ANALYST }, is(A)], [ANALYST], [A]],
    [
      "an alternative that is off changes nothing of the order",
      [onDecline(A, ["generic"], [is(C)]), is(B)],
      [C],
      [A, B],
    ],
    ["one that is off takes its alternatives with it", [onDecline(A, ["generic"], [is(C)]), is(B)], [A], [B]],
    ["best after one that it names", [is(B), best([A, B])], [], [B, A]],
    ["best, then one that it names", [best([B, A]), is(B), is(C)], [], [B, A, C]],
    ["best keeps three of five", [best(PROVIDER_IDS.slice(0, 5))], [], [A, B, C]],
  ])("%s", (_, root, off, providers) => {
    expect(decide(root, off).providers).toEqual(providers);
  });

  test.each<[string, Measures, string[]]>([
    ["the better rate first", rated(0.5, 0.6), [B, A]],
    ["equal rates as written", rated(0.5, 0.5), [A, B]],
    ["one measured too little: as written", rated(0.5, 0.6, 29), [A, B]],
    ["one not measured at all: as written", { b: { [B]: { n: 200, value: 1 } } }, [A, B]],
  ])("best: %s", (_, measures, providers) => {
    expect(decide([best([A, B])], [], measures).providers).toEqual(providers);
    expect(decide([best([A, B], { by: "cost" })], [], rated(3, 2)).providers).toEqual([B, A]);
  });

  test.each<[string, string[], string[]]>([
    ["the alternative of its code, then the rest", ["generic"], [A, C, B]],
    ["another code goes on with the rest", ["expired_card"], [A, B]],
    ["a decline of the second one has no alternative", ["expired_card", "generic"], [A, B]],
  ])("after a decline: %s", (_, declines, tried) => {
    expect(followed(decide([onDecline(A, ["generic"], [is(C)]), is(B)]).steps, declines)).toEqual(tried);
  });

  test("alternatives count toward the three, and are passed over like everybody", () => {
    const root = [onDecline(A, ["generic"], [is(C), is(D)]), is(B)];
    expect(followed(decide(root).steps, ["generic"])).toEqual([A, C, D]);
    expect(followed(decide(root, [C]).steps, ["generic"])).toEqual([A, D, B]);
  });

  test("inside an alternative the attempt and the decline before it are known", () => {
    const asked = (field: string, value: number | string) => ({
      rule: "condition" as const,
      id: `c${field}`,
      if: { field, operator: "eq" as const, value },
      then: [is(C)],
      else: [is(D)],
    });
    const root = [onDecline(A, ["generic", "try_again"], [asked("previousDecline", "try_again")]), is(B)];
    expect(followed(decide(root).steps, ["try_again"])).toEqual([A, C, B]);
    expect(followed(decide(root).steps, ["generic"])).toEqual([A, D, B]);
    const later = [is(B), onDecline(A, ["generic"], [asked("attempt", 3)])];
    expect(followed(decide(later).steps, ["generic", "generic"])).toEqual([B, A, C]);
    expect(followed(decide(later, [B]).steps, ["generic"])).toEqual([A, D]);
  });

  test("the record names who was passed over and why, the way taken, and why nobody was reached", () => {
    expect(decide([when(true, [is(A)], [is(B)]), is(C), is(D)], [A])).toMatchObject({
      path: ["c:then", A, C, D],
      skipped: [{ id: A, why: "off" }],
      reason: "flow",
    });
    expect(decide([is(A), is(B), is(C), is(D)]).skipped).toEqual([{ id: D, why: "beyond_three" }]);
    expect(decide([]).reason).toBe("empty");
    expect(decide([is(A)], [A]).reason).toBe("all_skipped");
  });

  test("the analyst is that of the path and only it", () => {
    const analysis = { rule: "antifraud", id: ANALYST } as const;
    expect(decide([analysis, is(A)]).analyst).toBe(ANALYST);
    expect(decide([when(false, [analysis]), is(A)]).analyst).toBeNull();
    expect(decide([analysis, is(A)], [ANALYST])).toMatchObject({
      analyst: null,
      skipped: [{ id: ANALYST, why: "off" }],
    });
  });
});

test("a share inside a share is drawn anew", () => {
  const half = (id: string, nodes: FlowNodes) =>
    ({
      rule: "share",
      id,
      by: "random",
      weights: [
        { weight: 50, then: nodes },
        { weight: 50, then: [is(B)] },
      ],
    }) as const;
  const root = [half("outer", [half("inner", [is(A)])])];
  const inner = Array.from({ length: 10_000 }, (_, charge) =>
    evaluate({ ...FACTS, unit: `charge ${charge}` }, { family: "f", root }, { lacks: () => null }),
  ).filter(({ providers }) => providers[0] === A);
  expect(inner.length).toBeGreaterThan(2_300);
  expect(inner.length).toBeLessThan(2_700);
});
