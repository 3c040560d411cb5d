import { getTranslations } from "next-intl/server";
import type { SkipReason } from "@/lib/payments/routing/decide";

const SKIP_TEXTS = {
  paused: "skipPaused",
  deleted: "skipDeleted",
  other_merchant: "skipOtherMerchant",
  kind_not_available: "skipKind",
  circuit_open: "skipCircuit",
  beyond_three: "skipBeyondThree",
  method: "skipMethod",
  brand: "skipBrand",
  zero_amount: "skipZeroAmount",
  currency: "skipCurrency",
  installments: "skipInstallments",
  split: "skipSplit",
  three_ds: "skipThreeDs",
  authorization_only: "skipHold",
  recurrence: "skipRecurrence",
  expiry: "skipExpiry",
  late_charges: "skipLateCharges",
  mandate: "skipMandate",
  not_queryable: "skipNotQueryable",
} as const satisfies Record<SkipReason | "deleted" | "other_merchant", string>;

/** Why a provider was passed over, in a few words. */
export async function skipWords(): Promise<(why: string) => string> {
  const t = await getTranslations("payments");
  const known = new Map<string, (typeof SKIP_TEXTS)[keyof typeof SKIP_TEXTS]>(Object.entries(SKIP_TEXTS));
  return (why) => {
    const text = known.get(why);
    return text ? t(text) : why;
  };
}
