import type { splitRules } from "@/db/schema/charges";
import type { NewCharge, NewSplitRule } from "@/lib/charges/schema";
import { DomainError, invalid } from "@/lib/errors";
import { FULL_BPS, percentToBps, sumOf } from "@/lib/money";

export type NewSplitRow = Omit<
  typeof splitRules.$inferInsert,
  "id" | "clientId" | "chargeId" | "position" | "createdAt" | "updatedAt"
>;

export interface SplitOfCharge {
  mode: false | "amount" | "percentage";
  rows: NewSplitRow[];
}

/** The rules of spec/contract.md 8.8 that need no look-up. */
export function checkSplit({
  splitRules: rules = [],
  amount,
}: Pick<NewCharge, "splitRules" | "amount">): SplitOfCharge {
  const [first] = rules;
  if (!first) return { mode: false, rows: [] };
  const mode = first.amount === undefined ? "percentage" : "amount";
  if (rules.some((rule) => (rule.amount === undefined) !== (first.amount === undefined))) {
    throw new DomainError("split_rules_mixed", "split rules are all by percentage or all by amount");
  }
  const rows = rules.map(toRow);
  const asked =
    mode === "amount" ? sumOf(rows.map((row) => row.amount ?? 0)) : sumOf(rows.map((row) => row.percentageBps ?? 0));
  if (asked > (mode === "amount" ? amount : FULL_BPS)) {
    throw new DomainError("split_total_exceeded", "the split rules share more than the amount");
  }
  const only = (flag: "transactionOwner" | "chargeEntireFee" | "chargeRemainderFee"): string[] =>
    rules.filter((rule) => rule[flag]).length > 1 ? [`splitRules: at most one ${flag}`] : [];
  const problems = [...only("transactionOwner"), ...only("chargeEntireFee"), ...only("chargeRemainderFee")];
  if (new Set(rules.map((rule) => rule.sellerId)).size < rules.length) problems.push("splitRules: each seller once");
  if (problems.length > 0) throw invalid(...problems);
  // Sellers are registered through their own resource; until one exists under the merchant, no rule can name it.
  throw new DomainError("seller_not_found", "a seller of the split rules does not exist", {
    details: rules.map((rule) => rule.sellerId),
  });
}

const toRow = (rule: NewSplitRule): NewSplitRow => ({
  sellerId: rule.sellerId,
  percentageBps: rule.percentage === undefined ? null : (percentToBps(rule.percentage) ?? null),
  amount: rule.amount ?? null,
  processingFee: rule.processingFee,
  liable: rule.liable,
  chargeEntireFee: rule.chargeEntireFee,
  chargeRemainderFee: rule.chargeRemainderFee,
  transactionOwner: rule.transactionOwner,
  fareMdrBps: rule.fares?.mdr === undefined ? null : (percentToBps(rule.fares.mdr) ?? null),
  fareFee: rule.fares?.fee ?? null,
});
