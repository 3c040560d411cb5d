import { type Cents, centsToDecimal } from "@/lib/money";

/** Mercado Pago writes reais as decimal numbers. */
export const decimalOf = (cents: Cents): number => Number(centsToDecimal(cents));

const CENTS = 100;
const ALMOST_NOTHING = 1e-4;

/** Undefined for an amount that is not of whole cents. */
export function centsOf(decimal: number): Cents | undefined {
  const cents = Math.round(decimal * CENTS);
  return Number.isSafeInteger(cents) && Math.abs(decimal * CENTS - cents) < ALMOST_NOTHING ? cents : undefined;
}
