import { evenAmounts } from "@/lib/checkout/instalments";
import { sharedAmount } from "@/lib/checkout/shared-amount";
import type { TypedValues } from "@/lib/checkout/view";

const LEAST_CARD_CENTS = 100;
const CENTS = 100;

/** Cents as they are read elsewhere on the page, but for the currency: `1.234,56` or `1,234.56`. */
export const amountText = (cents: number, locale: string): string =>
  new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(cents / CENTS);

/** The first card keeps what it had and the others share the rest; where that is too little, all share alike. */
export function dealtAmounts(first: number, total: number, count: number): number[] {
  const rest = total - first;
  const isEnough = first >= LEAST_CARD_CENTS && rest >= LEAST_CARD_CENTS * (count - 1);
  return isEnough ? [first, ...evenAmounts(rest, count - 1)] : evenAmounts(total, count);
}

/** What was typed of a payment before, for as many cards as are used now: it adds up, whatever was kept. */
export function withDealtAmounts(values: TypedValues, total: number, count: number, locale: string): TypedValues {
  const kept = Object.keys(values).filter((name) => /^amount\d$/.test(name));
  const first = values.amount0;
  if (kept.length === 0 || first === undefined) return values;
  // A card that was not used has a field as well; what else a form names is two cards, as where it is paid.
  const had = values.count === undefined ? kept.length : values.count === "3" ? 3 : 2;
  const cents = Array.from({ length: had }, (_, card) => sharedAmount(values[`amount${card}`] ?? "", locale) ?? 0);
  const isShared =
    cents.every((each) => each >= LEAST_CARD_CENTS) && cents.reduce((sum, each) => sum + each, 0) === total;
  if (isShared && had === count) return values;
  const dealt = isShared ? dealtAmounts(sharedAmount(first, locale) ?? 0, total, count) : evenAmounts(total, count);
  const others = Object.fromEntries(Object.entries(values).filter(([name]) => !kept.includes(name)));
  return { ...others, ...Object.fromEntries(dealt.map((each, card) => [`amount${card}`, amountText(each, locale)])) };
}
