import type { FeeRuleRow } from "@/lib/platform-fees/queries";
import { type FeeRuleBody, percentOf } from "@/lib/platform-fees/schema";

/** The only place where a rule's row becomes a wire object; members without a value are left out. */
export const serializeFeeRule = (rule: FeeRuleRow): FeeRuleBody => ({
  id: rule.id,
  ...(rule.percentageBps === null ? {} : { percentage: percentOf(rule.percentageBps) }),
  ...(rule.fixedAmount === null ? {} : { fixedAmount: rule.fixedAmount }),
  paymentMethod: rule.paymentMethod,
  ...(rule.installment === null ? {} : { installment: rule.installment }),
  ...(rule.refundable === "mdr" ? {} : { refundable: rule.refundable }),
  createdAt: rule.createdAt,
  updatedAt: rule.updatedAt,
});
