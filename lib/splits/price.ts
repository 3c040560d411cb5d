import type { Context } from "@/lib/context";
import { invalid } from "@/lib/errors";
import type { AskedRule } from "@/lib/splits/check";
import { feeTableOf, type SplitSale } from "@/lib/splits/fee-table";
import { belowZero, feesOf } from "@/lib/splits/fees";
import { resolvedRule, type SellerTerms } from "@/lib/splits/rows";
import { sharesAsked } from "@/lib/splits/shares";

/**
 * The platform fee that a payment will show, by the prices in force now; nobody may be left with less than nothing by
 * them (spec/settlement.md section 3).
 */
export async function priceSplit(
  ctx: Context,
  sale: SplitSale,
  rules: readonly AskedRule[],
  terms: ReadonlyMap<string, SellerTerms>,
): Promise<Record<string, string | number> | null> {
  const table = await feeTableOf(ctx, sale, rules);
  const shares = sharesAsked(sale.amount, rules);
  const fees = feesOf(
    rules.map((rule) => resolvedRule(rule, terms.get(rule.sellerId))),
    shares,
    sale.amount,
    table,
  );
  const below = belowZero(shares, fees);
  if (below.length > 0) throw invalid(...below.map((index) => `splitRules.${index}: the fees exceed the share`));
  return table.applied ? { ...table.applied } : null;
}
