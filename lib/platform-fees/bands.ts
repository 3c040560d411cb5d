import type { FeeMethod } from "@/lib/platform-fees/schema";

/** First instalment of each band of credit: 1, 2–6, 7–12, 13–24 (spec/contract.md 11.5). */
const CREDIT_BANDS = [13, 7, 2, 1] as const;
/** Methods without instalments have a single band. */
const NO_BAND = 0;

/** One rule may exist for each method and band. */
export const bandOf = (method: FeeMethod, installment: number | undefined): number =>
  method === "credit" ? (CREDIT_BANDS.find((first) => (installment ?? 1) >= first) ?? 1) : NO_BAND;
