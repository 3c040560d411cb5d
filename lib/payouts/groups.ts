import type { BATCH_FEATURES, BATCH_METHODS } from "@/db/schema/payouts";

/** What one batch is about: it never mixes these. */
export interface Group {
  arrangement: string | null;
  method: (typeof BATCH_METHODS)[number] | null;
  feature: (typeof BATCH_FEATURES)[number];
}

const CREDIT: readonly string[] = ["credit", "apple_pay", "click_to_pay"];

/** spec/settlement.md section 4: credit by brand, debit by its arrangement alone, what has neither together. */
export function groupOf(paymentMethod: string, arrangement: string | null): Group {
  if (paymentMethod === "pix") return { arrangement: null, method: "pix", feature: "general" };
  if (paymentMethod === "nupay") return { arrangement: null, method: "nupay", feature: "nupay" };
  if (CREDIT.includes(paymentMethod)) return { arrangement, method: "credit", feature: "general" };
  return { arrangement, method: null, feature: "general" };
}

/** Of what no sale moved. */
export const NO_SALE: Group = { arrangement: null, method: null, feature: "general" };

export const payoutGroupKey = ({ arrangement, method, feature }: Group): string =>
  [arrangement ?? "", method ?? "", feature].join(":");

/** Nulls first, then alphabetical. */
export const inOrder = (a: Group, b: Group): number =>
  compared(a.arrangement ?? "", b.arrangement ?? "") ||
  compared(a.method ?? "", b.method ?? "") ||
  compared(a.feature, b.feature);

const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
