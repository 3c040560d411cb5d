import { isCents } from "@/lib/money";

const TYPED = /^(\d{1,3}(?:\.\d{3})+|\d{1,3}(?:,\d{3})+|\d+)(?:([.,])(\d{1,2}))?$/;

/**
 * An amount as people write it, in either language: 40 · 40,5 · 1.234,56 · 1,234.56 · R$ 40,00. The mark before one or
 * two last digits is the decimal one. Undefined when it cannot be read as an amount above zero.
 */
export function typedAmount(typed: string): number | undefined {
  const match = TYPED.exec(typed.trim().replace(/^R\$\s*/i, ""));
  const [, whole = "", mark, decimals = ""] = match ?? [];
  if (!match || (mark !== undefined && whole.includes(mark))) return undefined;
  const cents = Number(`${whole.replaceAll(/[.,]/g, "")}${decimals.padEnd(2, "0")}`);
  return isCents(cents) && cents > 0 ? cents : undefined;
}
