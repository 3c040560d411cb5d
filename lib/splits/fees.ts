import type { Refundable } from "@/db/schema/sale-plans";
import { allocate, type Cents, divHalfUp, feeOf } from "@/lib/money";
import type { Rate } from "@/lib/sale-plans/rates";

/** The fees of a split payment: spec/settlement.md section 2, spec/rulings.md 91 to 93. */

/** What a fee needs of a rule. */
export interface FeeRule {
  sellerId: string;
  processingFee: boolean;
  chargeEntireFee: boolean;
  fareMdrBps: number | null;
  fareFee: Cents | null;
}

/** Prices in force. */
export interface FeeTable {
  /** Of the merchant's platform fee, where it is on and a rule fits. */
  platform: Rate | undefined;
  /** Of each seller's plan. */
  plans: ReadonlyMap<string, Rate | undefined>;
  faresRefundable: Refundable;
}

/** What one rule's seller pays of its share. */
export interface Fee {
  processing: Cents;
  /** The part of it that is a percentage. */
  processingMdr: Cents;
  processingRefundable: Refundable;
  /** The row that the price comes from. */
  rateId: string | null;
  fares: Cents;
  faresMdr: Cents;
  faresRefundable: Refundable;
}

const NOTHING: Rate = { id: "", percentageBps: 0, fixedAmount: 0, refundable: "none" };
const mdrOf = (amount: Cents, bps: number): Cents => feeOf(amount, bps, 0);

/** Of each rule, in their order. */
export function feesOf(rules: readonly FeeRule[], shares: readonly Cents[], total: Cents, table: FeeTable): Fee[] {
  const processing = processingFees(rules, shares, total, table);
  return rules.map((rule, index) => {
    const share = shares[index] ?? 0;
    const fares = share === 0 ? 0 : feeOf(share, rule.fareMdrBps ?? 0, rule.fareFee ?? 0);
    const borne = processing.get(index);
    return {
      processing: borne?.amount ?? 0,
      processingMdr: borne?.mdr ?? 0,
      processingRefundable: borne?.rate.refundable ?? "none",
      rateId: borne?.rate.id || null,
      fares,
      faresMdr: mdrOf(share, rule.fareMdrBps ?? 0),
      faresRefundable: table.faresRefundable,
    };
  });
}

interface Borne {
  amount: Cents;
  mdr: Cents;
  rate: Rate;
}

/** By the rules' places; who bears nothing is not there. */
function processingFees(
  rules: readonly FeeRule[],
  shares: readonly Cents[],
  total: Cents,
  { platform, plans }: FeeTable,
): Map<number, Borne> {
  const flagged = rules.findIndex(({ chargeEntireFee }) => chargeEntireFee);
  const bearers = (
    flagged >= 0 ? [flagged] : rules.flatMap(({ processingFee }, index) => (processingFee ? [index] : []))
  ).filter((index) => (shares[index] ?? 0) > 0);
  const [first] = bearers;
  if (first === undefined) return new Map();
  const rates = bearers.map((index) => platform ?? plans.get(rules[index]?.sellerId ?? "") ?? NOTHING);
  const weights = bearers.map((index) => shares[index] ?? 0);
  const [rate = NOTHING] = rates;
  const parts = rates.every(({ id }) => id === rate.id)
    ? ofOneRate(total, rate, weights)
    : ofSeveralRates(total, rates, weights);
  return new Map(bearers.map((index, place) => [index, parts[place] ?? { amount: 0, mdr: 0, rate: NOTHING }]));
}

/** The price of the whole payment, divided; the percentage part is never more than its bearer's whole part. */
function ofOneRate(total: Cents, rate: Rate, weights: readonly Cents[]): Borne[] {
  const amounts = allocate(feeOf(total, rate.percentageBps, rate.fixedAmount), weights);
  const mdrs = allocate(mdrOf(total, rate.percentageBps), weights);
  return amounts.map((amount, index) => ({ amount, mdr: Math.min(amount, mdrs[index] ?? 0), rate }));
}

/** Each bearer its own price, on its part of the whole payment. */
function ofSeveralRates(total: Cents, rates: readonly Rate[], weights: readonly Cents[]): Borne[] {
  const bases = allocate(total, weights);
  return rates.map((rate, index) => {
    const base = bases[index] ?? 0;
    const mdr = mdrOf(base, rate.percentageBps);
    const fixed = Number(divHalfUp(BigInt(rate.fixedAmount) * BigInt(base), BigInt(total)));
    return { amount: mdr + fixed, mdr, rate };
  });
}

/** Fees above the share are cut to it: fares first, then the processing fee (spec/rulings.md 93). */
export function cutToShare(fee: Fee, share: Cents): Fee {
  const over = Math.max(0, fee.processing + fee.fares - share);
  if (over === 0) return fee;
  const fares = Math.max(0, fee.fares - over);
  const processing = Math.min(fee.processing, share);
  return {
    ...fee,
    fares,
    faresMdr: Math.min(fee.faresMdr, fares),
    processing,
    processingMdr: Math.min(fee.processingMdr, processing),
  };
}

/** Places of the rules whose seller would pay more than it gets. */
export const belowZero = (shares: readonly Cents[], fees: readonly Fee[]): number[] =>
  fees.flatMap(({ processing, fares }, index) => (processing + fares > (shares[index] ?? 0) ? [index] : []));

/** What of a fee can go back at all. */
export const refundableOf = (refundable: Refundable, amount: Cents, mdr: Cents): Cents =>
  refundable === "all" ? amount : refundable === "mdr" ? mdr : 0;
