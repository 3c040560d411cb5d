import { DomainError, invalid } from "@/lib/errors";
import { type Cents, FULL_BPS, percentToBps, sumOf } from "@/lib/money";

/** A split rule as it is asked for; a flag that is absent is false. */
export interface AskedRule {
  sellerId: string;
  /** Exactly one of both, with at most 2 decimals. */
  percentage?: number | undefined;
  amount?: Cents | undefined;
  processingFee?: boolean | undefined;
  liable?: boolean | undefined;
  chargeEntireFee?: boolean | undefined;
  chargeRemainderFee?: boolean | undefined;
  transactionOwner?: boolean | undefined;
  /** `mdr` in per cent, `fee` in cents. */
  fares?: { mdr?: number | undefined; fee?: Cents | undefined } | undefined;
}

export type SplitMode = "amount" | "percentage";

export const modeOf = ([first]: readonly AskedRule[]): SplitMode | false =>
  first ? (first.amount === undefined ? "percentage" : "amount") : false;

interface SplitFaults {
  isMixed: boolean;
  isExceeded: boolean;
  others: string[];
}

/** The rules of spec/money.md section 3 that need no look-up: the one place that knows them. */
function faultsOf(rules: readonly AskedRule[], total: Cents): SplitFaults {
  const byAmount = rules.filter(({ amount }) => amount !== undefined);
  const isMixed = byAmount.length > 0 && byAmount.length < rules.length;
  const shared = byAmount.length > 0 ? sumOf(byAmount.map(({ amount = 0 }) => amount)) : sumOf(rules.map(bpsOf));
  const most = byAmount.length > 0 ? total : FULL_BPS;
  const more = (flag: "transactionOwner" | "chargeEntireFee" | "chargeRemainderFee"): string[] =>
    rules.filter((rule) => rule[flag]).length > 1 ? [`splitRules: at most one ${flag}`] : [];
  return {
    isMixed,
    isExceeded: !isMixed && shared > most,
    others: [
      ...more("transactionOwner"),
      ...more("chargeEntireFee"),
      ...more("chargeRemainderFee"),
      ...(new Set(rules.map(({ sellerId }) => sellerId)).size < rules.length ? ["splitRules: each seller once"] : []),
    ],
  };
}

const bpsOf = ({ percentage }: AskedRule): number => (percentage === undefined ? 0 : (percentToBps(percentage) ?? 0));

/** Sellers that may have a part: those of the merchant that are active or partial. */
export type Known = { has(sellerId: string): boolean };

const UNABLE =
  "a seller of the split rules cannot receive: it is not of this merchant, its registration is still under way (try again once its status is active or partial), or it is inactive or blocked";

/** For charges and sessions: spec/contract.md 8.8. */
export function checkSplit(rules: readonly AskedRule[], total: Cents, known: Known): void {
  const { isMixed, isExceeded, others } = faultsOf(rules, total);
  if (isMixed) throw new DomainError("split_rules_mixed", "split rules are all by percentage or all by amount");
  if (isExceeded) throw new DomainError("split_total_exceeded", "the split rules share more than the amount");
  if (others.length > 0) throw invalid(...others);
  const unknown = unknownSellers(rules, known);
  if (unknown.length === 0) return;
  throw new DomainError("seller_not_found", UNABLE, {
    details: unknown.map(({ sellerId }) => sellerId),
  });
}

/** For purchases, where every fault is an `invalid_request`: spec/purchases.md. */
export function checkPurchaseSplit(rules: readonly AskedRule[], total: Cents, known: Known): void {
  const { isMixed, isExceeded, others } = faultsOf(rules, total);
  const faults = [
    ...(isMixed ? ["splitRules: all by percentage or all by amount"] : []),
    ...(isExceeded ? ["splitRules: share more than the amount"] : []),
    ...others,
  ];
  if (faults.length > 0) throw invalid(...faults);
  const unknown = unknownSellers(rules, known);
  if (unknown.length > 0) throw invalid(...unknown.map(({ index }) => `splitRules.${index}.sellerId: unknown seller`));
}

const unknownSellers = (rules: readonly AskedRule[], known: Known): { sellerId: string; index: number }[] =>
  rules.flatMap(({ sellerId }, index) => (known.has(sellerId) ? [] : [{ sellerId, index }]));

/** What sellers give back of a refund, at most the refund: the merchant gives the rest (spec/settlement.md K3). */
export function checkRefundSplit(
  rules: readonly { sellerId: string; amount: Cents }[],
  refund: Cents,
  shares: readonly { sellerId: string; amount: Cents }[],
): void {
  if (sumOf(rules.map(({ amount }) => amount)) > refund) {
    throw new DomainError("split_total_exceeded", "the split rules share more than the amount");
  }
  const over = rules.filter(
    ({ sellerId, amount }) => amount > (shares.find((share) => share.sellerId === sellerId)?.amount ?? 0),
  );
  if (over.length === 0) return;
  throw new DomainError("amount_exceeds_remaining", "a seller gives back more than its share", {
    details: over.map(({ sellerId }) => sellerId),
  });
}
