import { BRAND_NAMES, type Brand, type BrandName } from "@/lib/brazil/card-brand";

const CREDIT = {
  visa: "VCC",
  mastercard: "MCC",
  elo: "ECC",
  hipercard: "HCC",
  amex: "ACC",
  diners: "DCC",
  jcb: "JCC",
} as const satisfies Partial<Record<Brand, string>>;

const DEBIT = {
  visa: "VCD",
  mastercard: "MCD",
  elo: "ECD",
  hipercard: "HCD",
} as const satisfies Partial<Record<Brand, string>>;

export type PaymentArrangement = (typeof CREDIT)[keyof typeof CREDIT] | (typeof DEBIT)[keyof typeof DEBIT];

const ARRANGEMENTS: Record<"credit" | "debit", Partial<Record<Brand, PaymentArrangement>>> = {
  credit: CREDIT,
  debit: DEBIT,
};

/** The arrangement a card sale settles in; undefined for a brand that has none for this function of the card. */
export const arrangementOf = (brand: Brand, cardFunction: "credit" | "debit"): PaymentArrangement | undefined =>
  ARRANGEMENTS[cardFunction][brand];

/** The brand and function that a code such as `VCC` stands for; undefined for any other text. */
export function arrangementNamed(code: string): { brand: BrandName; cardFunction: "credit" | "debit" } | undefined {
  for (const cardFunction of ["credit", "debit"] as const) {
    const found = Object.entries(ARRANGEMENTS[cardFunction]).find(([, named]) => named === code);
    // Guarantee: the keys of the tables are brands.
    if (found) return { brand: BRAND_NAMES[found[0] as Brand], cardFunction };
  }
  return undefined;
}
