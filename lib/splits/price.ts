import { type Context, now } from "@/lib/context";
import { invalid } from "@/lib/errors";
import type { AskedRule } from "@/lib/splits/check";
import { feeTable, feeTableOf, type PricedSplit, type SplitSale } from "@/lib/splits/fee-table";
import { belowZero, feesOf } from "@/lib/splits/fees";
import { resolvedRule, type SellerTerms } from "@/lib/splits/rows";
import { sharesAsked } from "@/lib/splits/shares";
import type { SplitTerms } from "@/lib/splits/terms";

/** `platformFee` of a charge. */
type ShownFee = Record<string, string | number> | null;

/**
 * The platform fee that a payment will show, by the prices in force now; nobody may be left with less than nothing by
 * them (spec/settlement.md section 3).
 */
export const priceSplit = async (
  ctx: Context,
  sale: SplitSale,
  rules: readonly AskedRule[],
  terms: ReadonlyMap<string, SellerTerms>,
): Promise<ShownFee> => priced(await feeTableOf(ctx, sale, rules), sale, rules, terms);

/** The same by terms that are known. */
export const priceKnown = (
  ctx: Context,
  sale: SplitSale,
  rules: readonly AskedRule[],
  { prices, parties }: SplitTerms,
): ShownFee => priced(feeTable(prices, sale, now(ctx)), sale, rules, parties);

function priced(
  table: PricedSplit,
  sale: SplitSale,
  rules: readonly AskedRule[],
  terms: ReadonlyMap<string, SellerTerms>,
): ShownFee {
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
