import { typedCents } from "@/lib/charges/typed-amount";

/** Cents of one card of several, as a buyer types them; undefined where they can be read in two ways, or in none. */
export const sharedAmount = (typed: string, locale: string): number | undefined =>
  // Who stops at the comma means the whole amount.
  typedCents(typed.trim().replace(/[.,]$/, ""), locale);
