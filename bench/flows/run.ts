import { measureRecords } from "@/bench/flows/record";
import { describeMachine } from "@/bench/machine";
import { table } from "@/bench/table";
import { evaluate } from "@/lib/flows/rules/evaluate";
import type { FlowNode } from "@/lib/flows/rules/nodes";
import { providerIdOf, randomFacts, seeded } from "@/lib/testing/flows/random";

const NODES = 100;
const TARGET_US = 50;
const ROUNDS = 15;
const PER_ROUND = 2_000;

const [first, second, third] = [1, 2, 3].map(providerIdOf).map((id): FlowNode => ({ rule: "provider", id }));
if (!first || !second || !third) throw new Error("three providers");

/** Everything is passed: 97 nodes in a row that lead nowhere, and three providers. */
const inRow = (nodeAt: (place: number) => FlowNode): FlowNode[] => [
  ...Array.from({ length: NODES - 3 }, (_, place) => nodeAt(place)),
  first,
  second,
  third,
];

const FLOWS: Readonly<Record<string, FlowNode[]>> = {
  conditions: inRow((place) => ({
    rule: "condition",
    id: `n${place}`,
    if: {
      all: [
        { field: "amount", operator: "gte", value: place },
        { field: "brand", operator: "in", value: ["elo", "visa"] },
      ],
    },
    then: [],
    else: [],
  })),
  "shares by lot": inRow((place) => ({
    rule: "share",
    id: `n${place}`,
    by: "random",
    weights: [
      { weight: 30, then: [] },
      { weight: 70, then: [] },
    ],
  })),
};

const rows = Object.entries(FLOWS).map(([name, root]) => {
  const dice = seeded(1);
  const facts = Array.from({ length: 200 }, () => randomFacts(dice));
  const times = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    for (let run = 0; run < PER_ROUND; run++) {
      const one = facts[run % facts.length];
      if (one) evaluate(one, { family: "family", root }, { lacks: () => null });
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / PER_ROUND;
  }).toSorted((a, b) => a - b);
  const [middle = 0, slowest = 0] = [times[Math.floor(ROUNDS / 2)], times.at(-1)];
  const verdict = `≤ ${TARGET_US} µs ${middle <= TARGET_US ? "reached" : "missed"}`;
  return [name, String(NODES), middle.toFixed(1), slowest.toFixed(1), verdict];
});

process.stdout.write(`${describeMachine()}\n\nEvaluation of a flow, every node on the way\n\n`);
process.stdout.write(table(["flow of", "nodes", "median µs of CPU", "slowest round", "target"], rows));
process.stdout.write("\n\nRecord of a decision, of a charge that a flow with ten conditions decided\n\n");
process.stdout.write(await measureRecords());
