import { sql } from "drizzle-orm";
import type { Refundable } from "@/db/schema/sale-plans";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { brandOfName } from "@/lib/brazil/card-brand";
import { type Context, now } from "@/lib/context";
import { type AppliedFee, applyRule, ruleFor } from "@/lib/platform-fees/fee";
import { feeRulesOf } from "@/lib/platform-fees/queries";
import { ratesOf } from "@/lib/sale-plans/queries";
import { type Rate, rateFor, rateMethodOf } from "@/lib/sale-plans/rates";
import type { FeeTable } from "@/lib/splits/fees";

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

interface Found extends Record<string, unknown> {
  platformFeeEnabled: boolean;
  faresOnRefund: Refundable;
  plans: { sellerId: string; planId: string }[] | null;
}

/** The prices in force today for these sellers. */
export async function feeTableOf(
  ctx: Context,
  sale: SplitSale,
  rules: readonly { sellerId: string }[],
): Promise<PricedSplit> {
  const ids = rules.map(({ sellerId }) => sellerId);
  const [found] = await ctx.db.execute<Found>(sql`
    select m.platform_fee_enabled as "platformFeeEnabled", m.fares_on_refund as "faresOnRefund",
           (select json_agg(json_build_object('sellerId', s.id, 'planId', coalesce(s.plan_id, p.id)))
              from sellers s left join sale_plans p on p.client_id = s.client_id and p.is_default
             where s.merchant_id = m.id and s.id = any(${`{${ids.join(",")}}`}::uuid[])) as plans
      from merchants m where m.client_id = ${ctx.account.id} and m.id = ${sale.merchantId}`);
  const at = now(ctx);
  const rule = found?.platformFeeEnabled ? ruleFor(await feeRulesOf(ctx, [sale.merchantId]), sale) : undefined;
  const plans = found?.plans ?? [];
  const rates = await ratesOf(ctx, [...new Set(plans.flatMap(({ planId }) => (planId ? [planId] : [])))]);
  const sold = {
    method: rateMethodOf(sale.paymentType),
    brand: sale.brand === undefined ? undefined : brandOfName(sale.brand),
    installments: sale.installments,
    day: saoPauloDay(at),
  };
  const rateOf = (planId: string): Rate | undefined =>
    rateFor(
      rates.filter((rate) => rate.planId === planId),
      sold,
    );
  return {
    platform: rule && {
      id: rule.id,
      percentageBps: rule.percentageBps ?? 0,
      fixedAmount: rule.fixedAmount ?? 0,
      refundable: rule.refundable,
    },
    plans: new Map(plans.map(({ sellerId, planId }) => [sellerId, rateOf(planId)])),
    faresRefundable: found?.faresOnRefund ?? "mdr",
    applied: rule && applyRule(rule, sale.amount, at),
  };
}
