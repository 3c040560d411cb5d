import type { Context } from "@/lib/context";
import { type FlowRow, rootOf, versionOf } from "@/lib/flows/queries";
import type { DecidedPayment } from "@/lib/flows/replays/reading";
import { decileOf } from "@/lib/flows/replays/reading";
import { closest, estimation, type FoundSegment, type Likeness, type Segments } from "@/lib/flows/replays/segments";
import { evaluate } from "@/lib/flows/rules/evaluate";
import { type Choices, type DecidingFlow, routeChoicesOf } from "@/lib/payments/routing/choices";
import { BY_PRIORITY, decideRoute, lackOf, type RouteDecision } from "@/lib/payments/routing/decide";
import { installmentBandOf } from "@/lib/payments/routing/measures";
import { isAntifraudKind } from "@/lib/providers/kinds";

/** Whether the version that decided comes to the stored decision again, from what was stored of it. */
export function isReproduced(decided: DecidedPayment, flow: DecidingFlow): boolean {
  const lacking = new Map(decided.skipped.filter(({ why }) => why !== "beyond_three").map(({ id, why }) => [id, why]));
  const plan = evaluate(decided.facts, flow, {
    lacks: (id) => lacking.get(id) ?? null,
    ...(decided.measures ? { measures: decided.measures } : {}),
  });
  const path = plan.reason === "empty" ? [...plan.path, BY_PRIORITY] : plan.path;
  const providers = plan.reason === "empty" ? decided.providers : plan.providers;
  return isSame(path, decided.path) && isSame(providers, decided.providers);
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, place) => text === other[place]);

/** What a version makes of a payment, with today's providers: who was paused or out of reach then is not known of others. */
export function redecide(
  { facts, measures }: Pick<DecidedPayment, "facts" | "measures">,
  { flow, rows, elsewhere }: Choices,
): RouteDecision {
  if (!flow) return decideRoute(facts, rows);
  const plan = evaluate(facts, flow, {
    lacks(id) {
      const row = rows.find((one) => one.id === id);
      if (!row) return elsewhere.get(id) ?? "deleted";
      if (!row.routable) return "kind_not_available";
      return isAntifraudKind(row.kind) ? null : lackOf(row, facts);
    },
    ...(measures ? { measures } : {}),
  });
  if (plan.reason === "empty") return { ...decideRoute(facts, rows), fraudProvider: plan.analyst };
  return { ...plan, fraudProvider: plan.analyst, refusal: null };
}

/** What a version makes of payments, with the providers of each merchant read once. */
export function draftOf(flow: FlowRow): (ctx: Context, decided: DecidedPayment) => Promise<RouteDecision> {
  const tried = { id: flow.id, version: versionOf(flow), family: flow.familyId, root: rootOf(flow) };
  const known = new Map<string, Choices>();
  return async (ctx, decided) => {
    const { merchantId, facts } = decided;
    const choices = known.get(merchantId) ?? (await routeChoicesOf(ctx, merchantId, facts.method, tried));
    known.set(merchantId, choices);
    return redecide(decided, choices);
  };
}

/** The same providers in the same order, and the same analyst. */
export const isAlike = (decided: DecidedPayment, draft: RouteDecision): boolean =>
  isSame(draft.providers, decided.providers) && draft.fraudProvider === decided.analyst;

/** What a payment is compared by when another provider would have taken it. */
export const likeOf = (
  deciles: readonly number[],
  { facts }: DecidedPayment,
  provider: string,
  analyst: string | null,
): Likeness => ({
  provider,
  brand: facts.brand ?? "",
  bin: (facts.cardBin ?? "").slice(0, 6),
  band: installmentBandOf(facts.installments),
  decile: decileOf(deciles, facts.amount),
  recurrence: facts.recurrence ?? "",
  analyst: analyst ?? "",
  isRandomized: false,
});

export interface Shared {
  n: number;
  share: number;
}

export interface Worst {
  brand: string;
  installments: number;
  provider: string;
  payments: number;
}

/** One payment that would have been decided otherwise. */
export interface ReplayExample {
  chargeId: string;
  amount: number;
  before: string[];
  after: string[];
}

export interface Findings {
  total: number;
  changed: Shared;
  known: Shared;
  unknown: Shared;
  observed: { approved: number; rate: number };
  estimate: { low: number; high: number } | null;
  costDifference: number | null;
  worst: Worst[];
  limits: string[];
  /** Of those that changed: another provider is tried first. */
  moved: number;
  /** A flow had decided them, and decided them again; priorities of then are not kept. */
  reproduced: number;
  /** The newest of those that changed. */
  examples: ReplayExample[];
}

const MOST_WORST = 10;
const MOST_EXAMPLES = 20;

/** Adds payments up, one after the other, in a memory that does not grow with them. */
export function comparison(segments: Segments, deciles: readonly number[], costs: ReadonlyMap<string, number>) {
  const estimate = estimation();
  const unknown = new Map<string, Worst>();
  let [total, changed, moved, reproduced, notKnown, randomized, reached] = [0, 0, 0, 0, 0, 0, 0];
  let cost: number | null = 0;
  const examples: ReplayExample[] = [];

  function addCost(decided: DecidedPayment, draft: string, found: FoundSegment): void {
    const [first = ""] = decided.providers;
    const [before, after] = [costs.get(first), costs.get(draft)];
    const { approved: yes, n } = found.segment;
    if (before === undefined || after === undefined) cost = null;
    else if (cost !== null) cost += decided.facts.amount * ((yes / n) * after - (decided.isApproved ? before : 0));
  }

  return {
    add(decided: DecidedPayment, draft: RouteDecision, isByFlow: boolean): void {
      total += 1;
      if (isByFlow) reproduced += 1;
      const isOther = !isAlike(decided, draft);
      if (isOther) changed += 1;
      if (draft.providers[0] !== decided.providers[0]) moved += 1;
      if (isOther && examples.length < MOST_EXAMPLES) {
        const { chargeId, facts, providers } = decided;
        examples.push({ chargeId, amount: facts.amount, before: providers, after: draft.providers });
      }
      const [first] = draft.providers;
      if (first !== undefined && first === decided.providers[0] && draft.fraudProvider === decided.analyst) {
        estimate.keep(decided.isApproved);
        reached += decided.isApproved ? 1 : 0;
        return;
      }
      const chain = draft.providers.map((id) => closest(segments, likeOf(deciles, decided, id, draft.fraudProvider)));
      const [found] = chain;
      if (first === undefined || !found) {
        notKnown += 1;
        note(decided, first ?? "");
        return;
      }
      reached += decided.isApproved ? 1 : 0;
      if (found.isRandomized) randomized += 1;
      estimate.expect(chain);
      addCost(decided, first, found);
    },
    findings(): Findings {
      const shareOf = (n: number): Shared => ({ n, share: total === 0 ? 0 : n / total });
      const known = total - notKnown;
      return {
        total,
        changed: shareOf(changed),
        known: shareOf(known),
        unknown: shareOf(notKnown),
        observed: { approved: reached, rate: known === 0 ? 0 : reached / known },
        estimate: estimate.interval(),
        // Of payments whose result nobody knows the fees are not known either.
        costDifference: cost === null || known === 0 ? null : Math.round(cost),
        worst: [...unknown.values()].toSorted((a, b) => b.payments - a.payments).slice(0, MOST_WORST),
        moved,
        reproduced,
        examples,
        limits: [
          ...LIMITS,
          ...(randomized > 0 ? [`${randomized} payments are estimated from drawn lots alone`] : []),
          ...(reproduced < total
            ? [`${total - reproduced} payments were decided by no flow and not decided again`]
            : []),
        ],
      };
    },
  };

  function note({ facts }: DecidedPayment, provider: string): void {
    const segment = { brand: facts.brand ?? "", installments: installmentBandOf(facts.installments), provider };
    const key = JSON.stringify(segment);
    const known = unknown.get(key) ?? { ...segment, payments: 0 };
    known.payments += 1;
    unknown.set(key, known);
  }
}

/** What no reckoning of this kind can know. */
const LIMITS = [
  "segments that nobody saw have no estimate",
  "who was asked was chosen by the rules of then",
  "issuers remember earlier tries",
  "providers and issuers change over time",
];
