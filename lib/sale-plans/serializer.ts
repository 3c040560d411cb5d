import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { BRAND_NAMES, type Brand } from "@/lib/brazil/card-brand";
import { type Context, now } from "@/lib/context";
import { bpsToPercent } from "@/lib/money";
import type { SalePlan } from "@/lib/sale-plans/queries";
import { type RateRow, shownRates } from "@/lib/sale-plans/rates";
import type { SalePlanBody } from "@/lib/sale-plans/schema";

export const serializeSalePlan = (ctx: Context, { row, rates }: SalePlan): SalePlanBody => ({
  id: row.id,
  name: row.name,
  isDefault: row.isDefault,
  status: row.status,
  effectiveFrom: row.effectiveFrom,
  monthlyRate: bpsToPercent(row.monthlyRateBps),
  markup: bpsToPercent(row.markupBps),
  withdrawalFee: row.withdrawalFee,
  minimumPayout: row.minimumPayout,
  rates: shownRates(rates, saoPauloDay(now(ctx))).map(serializeRate),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

const serializeRate = (rate: RateRow): SalePlanBody["rates"][number] => ({
  id: rate.id,
  paymentMethod: rate.paymentMethod,
  // Guarantee: written from the same list of brands.
  brand: rate.brand === null ? null : BRAND_NAMES[rate.brand as Brand],
  installmentFrom: rate.installmentFrom,
  installmentTo: rate.installmentTo,
  percentage: bpsToPercent(rate.percentageBps),
  fixedAmount: rate.fixedAmount,
  refundable: rate.refundable,
  effectiveFrom: rate.effectiveFrom,
});
