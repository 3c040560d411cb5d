import { expect, test } from "vitest";
import type { SidedBy } from "@/lib/flows/rules/nodes";
import type { Choices } from "@/lib/payments/routing/choices";
import { decide } from "@/lib/payments/routing/decide-by-flow";
import { drawnFacts } from "@/lib/payments/routing/facts";
import type { ProviderRow } from "@/lib/payments/routing/provider";
import { PROVIDER_IDS, seeded } from "@/lib/testing/flows/random";
import { proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";

const [FIRST = "", SECOND = ""] = PROVIDER_IDS;
const [THEN, LATER] = [new Date("2026-11-24T15:00:00.000Z"), new Date("2026-12-01T02:00:00.000Z")];

const PAYMENT = {
  method: "credit",
  amount: 10_000,
  currency: "BRL",
  installments: 1,
  split: false,
  threeDS: false,
  authOnly: false,
  source: "api",
} as const;

const rowOf = (id: string) =>
  // Guarantee: the members that a decision reads.
  ({ id, kind: "SANDBOX", priority: 1, routable: true, pausedAt: null, circuitUntil: null }) as unknown as ProviderRow;

/** As ids of charges are: a moment, and what was drawn. */
function idFrom(dice: ReturnType<typeof seeded>, moment: number): string {
  const drawn = Array.from({ length: 18 }, () => dice.below(16).toString(16)).join("");
  const time = (THEN.getTime() + moment).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${drawn.slice(0, 3)}-8${drawn.slice(3, 6)}-${drawn.slice(6)}`;
}

const CHARGES = 10_000;
/** Four deviations of 10,000 draws, of which a fair one misses 1 in 16,000; one point it misses 3 times in 100. */
const FAIR = { least: 2_820, most: 3_180 };
const POINT = { least: 2_900, most: 3_100 };
const isWithin = (count: number, { least, most }: typeof FAIR): boolean => count >= least && count <= most;

/** A split of its own and 10,000 charges, each of another buyer. */
function split(number: number, by: SidedBy): { first: number; moved: number } {
  const dice = seeded(number + 1);
  const family = idFrom(dice, 0);
  const weights = [
    { weight: 30, then: [{ rule: "provider", id: FIRST }] },
    { weight: 70, then: [{ rule: "provider", id: SECOND }] },
  ] as const;
  const choices: Choices = {
    rows: [FIRST, SECOND].map(rowOf),
    flow: { id: family, version: "1.0.0", family, root: [{ rule: "share", id: "n1", by, weights }] },
    elsewhere: new Map(),
  };
  const takenBy = (at: Date, charge: string, buyer: string) =>
    decide({ ...PAYMENT, ...drawnFacts(at, charge, buyer) }, choices).providers[0];
  let [first, moved] = [0, 0];
  for (let nth = 0; nth < CHARGES; nth++) {
    const [charge, other, buyer] = [idFrom(dice, nth), idFrom(dice, nth), `card ${idFrom(dice, nth)}`];
    const taken = takenBy(THEN, charge, buyer);
    // The same charge retried; by bucket another charge of the same buyer.
    const again = by === "bucket" ? takenBy(LATER, other, buyer) : takenBy(LATER, charge, `card ${other}`);
    if (taken === FIRST) first += 1;
    if (taken !== again) moved += 1;
  }
  return { first, moved };
}

test(
  "of 10,000 charges a side of 30 takes 28.2 to 31.8 in 100, and whoever comes again sees the same side",
  () => {
    const runs = proofRuns(2 * CHARGES);
    const violations: string[] = [];
    const figures = { splits: 0, withinPoint: 0, tookFirst: 0 };
    for (let number = proofFrom() / CHARGES; number < (proofFrom() + runs) / CHARGES; number++) {
      const by = number % 2 === 0 ? "random" : "bucket";
      const { first, moved } = split(number, by);
      if (!isWithin(first, FAIR)) violations.push(`split ${number} by ${by}: ${first} of ${CHARGES}`);
      if (moved > 0) violations.push(`split ${number} by ${by}: ${moved} saw another side`);
      figures.splits += 1;
      figures.withinPoint += isWithin(first, POINT) ? 1 : 0;
      figures.tookFirst += first;
    }
    recordProof({ ran: runs, violations, figures });
    expect(violations).toEqual([]);
  },
  proofTimeout(),
);
