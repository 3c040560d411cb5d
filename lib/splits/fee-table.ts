import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { brandOfName } from "@/lib/brazil/card-brand";
import { type Context, now } from "@/lib/context";
import { type AppliedFee, applyRule, ruleFor } from "@/lib/platform-fees/fee";
import { type Rate, rateFor, rateMethodOf } from "@/lib/sale-plans/rates";
import type { FeeTable } from "@/lib/splits/fees";
import { type Prices, splitTermsOf } from "@/lib/splits/terms";

export interface SplitSale {
  merchantId: string;
  paymentType: string;
  installments: number;
  /** Of the card, as the API spells it. */
  brand: string | undefined;
  amount: number;
}

export interface PricedSplit extends FeeTable {
  /** `platformFee` of the charge. */
  applied: AppliedFee | undefined;
}

/** The prices in force today for these sellers. */
export async function feeTableOf(
  ctx: Context,
  sale: SplitSale,
  rules: readonly { sellerId: string }[],
): Promise<PricedSplit> {
  const { prices } = await splitTermsOf(ctx, sale.merchantId, rules, sale.paymentType);
  return feeTable(prices, sale, now(ctx));
}

/** The same by prices that are known: those in force at that moment. */
export function feeTable({ platform, plans, rates, faresOnRefund }: Prices, sale: SplitSale, at: Date): PricedSplit {
  const rule = ruleFor(platform, sale);
  const sold = {
    method: rateMethodOf(sale.paymentType),
    brand: sale.brand === undefined ? undefined : brandOfName(sale.brand),
    installments: sale.installments,
    day: saoPauloDay(at),
  };
  const ofPlan = new Map<string | null, Rate | undefined>();
  for (const { planId } of plans) {
    if (ofPlan.has(planId)) continue;
    const own = rates.filter((rate) => rate.planId === planId);
    ofPlan.set(planId, rateFor(own, sold));
  }
  return {
    platform: rule && {
      id: rule.id,
      percentageBps: rule.percentageBps ?? 0,
      fixedAmount: rule.fixedAmount ?? 0,
      refundable: rule.refundable,
    },
    plans: new Map(plans.map(({ sellerId, planId }) => [sellerId, ofPlan.get(planId)])),
    faresRefundable: faresOnRefund,
    applied: rule && applyRule(rule, sale.amount, at),
  };
}
