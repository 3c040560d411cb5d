import { isCents } from "@/lib/money";

const TYPED = /^(\d{1,3}(?:\.\d{3})+|\d{1,3}(?:,\d{3})+|\d+)(?:([.,])(\d{1,2}))?$/;

/** Three digits after the decimal mark of one's own language: thousands in the other one, and a slip in this one. */
const TWO_READINGS: Readonly<Record<string, RegExp | undefined>> = {
  "pt-BR": /^\d{1,3},\d{3}$/,
  en: /^\d{1,3}\.\d{3}$/,
};

/**
 * An amount as people write it, in either language: 40 · 40,5 · 1.234,56 · 1,234.56 · R$ 40,00. The mark before one or
 * two last digits is the decimal one. Undefined when it cannot be read as an amount above zero, or, where `locale` says
 * whose it is, can be read as two: 12,345 of a Brazilian is not taken for twelve thousand.
 */
export function typedAmount(typed: string, locale: string | undefined): number | undefined {
  const match = TYPED.exec(typed.trim().replace(/^R\$\s*/i, ""));
  const [, whole = "", mark, decimals = ""] = match ?? [];
  if (locale !== undefined && TWO_READINGS[locale]?.test(match?.[0] ?? "")) return undefined;
  if (!match || (mark !== undefined && whole.includes(mark))) return undefined;
  const cents = Number(`${whole.replaceAll(/[.,]/g, "")}${decimals.padEnd(2, "0")}`);
  return isCents(cents) && cents > 0 ? cents : undefined;
}

const ZERO = /^(?:R\$)?\s*0+(?:[.,]0*)?$/i;

/** Written as an amount, and nothing: 0 · 0,00 · R$ 0. */
export const isNothing = (typed: string): boolean => ZERO.test(typed.trim());

/** The same where nothing is an amount too, such as a fee. */
export const typedCents = (typed: string, locale: string): number | undefined =>
  isNothing(typed) ? 0 : typedAmount(typed, locale);
