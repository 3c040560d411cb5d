import { type Cents, feeOf } from "@/lib/money";
import { bandOf } from "@/lib/platform-fees/bands";
import type { FeeRuleRow } from "@/lib/platform-fees/queries";
import { FEE_METHODS, type FeeMethod, percentOf } from "@/lib/platform-fees/schema";

export interface FeeSubject {
  paymentType: string;
  /** Of a card payment; 1 elsewhere. */
  installments: number;
  amount: Cents;
}

/** `platformFee` of a charge: the rule as it was when it was applied (spec/money.md section 5). */
export interface AppliedFee {
  ruleId: string;
  percentage?: number;
  fixedAmount?: Cents;
  paymentMethod: FeeMethod;
  installment?: number;
  amount: Cents;
  appliedAt: string;
}

/** What is asked of a rule. */
export type PlatformRule = Pick<
  FeeRuleRow,
  "id" | "paymentMethod" | "band" | "installment" | "percentageBps" | "fixedAmount" | "refundable"
>;

/** The rule of the payment's own method and band; without one, the fallback. */
export function ruleFor<R extends PlatformRule>(
  rules: readonly R[],
  { paymentType, installments }: FeeSubject,
): R | undefined {
  const method = FEE_METHODS.find((known) => known === paymentType);
  const band = method && bandOf(method, installments);
  return (
    rules.find((rule) => rule.paymentMethod === method && rule.band === band) ??
    rules.find((rule) => rule.paymentMethod === "default")
  );
}

export const applyRule = (rule: PlatformRule, amount: Cents, at: Date): AppliedFee => ({
  ruleId: rule.id,
  ...(rule.percentageBps === null ? {} : { percentage: percentOf(rule.percentageBps) }),
  ...(rule.fixedAmount === null ? {} : { fixedAmount: rule.fixedAmount }),
  paymentMethod: rule.paymentMethod,
  ...(rule.installment === null ? {} : { installment: rule.installment }),
  amount: feeOf(amount, rule.percentageBps ?? 0, rule.fixedAmount ?? 0),
  appliedAt: at.toISOString(),
});
