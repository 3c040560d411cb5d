import { type GivenParameters, oneOf, severalOf } from "@/app/(dashboard)/list-url";
import { CHARGE_STATUSES, type ChargeStatus } from "@/db/schema/charges";
import { PAYMENT_TYPES } from "@/lib/charges/methods";
import type { PaymentFilters } from "@/lib/charges/search";
import { LONGEST_SEARCH } from "@/lib/charges/search-terms";
import { isUuid } from "@/lib/ids";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

export const PERIODS = ["today", "7d", "30d", "90d"] as const;
export type Period = (typeof PERIODS)[number];
const DAYS: Record<Period, number> = { today: 0, "7d": 6, "30d": 29, "90d": 89 };

export const isPeriod = (text: string | undefined): text is Period => PERIODS.some((period) => period === text);

/** Reads what the address says; what it says wrongly is left out. `today` is the account's day in its zone. */
export function paymentFilters(given: GivenParameters, today: string): PaymentFilters {
  const period = oneOf(given, "period");
  const merchantId = oneOf(given, "merchant");
  const midnight = new Date(`${today}T00:00:00-03:00`);
  return {
    search: oneOf(given, "q")?.slice(0, LONGEST_SEARCH),
    status: severalOf(given, "status").filter((text): text is ChargeStatus =>
      CHARGE_STATUSES.some((status) => status === text),
    ),
    method: severalOf(given, "method").filter((text) => PAYMENT_TYPES.some((type) => type === text)),
    merchantId: merchantId && isUuid(merchantId) ? merchantId : undefined,
    from: isPeriod(period) ? addSeconds(midnight, -DAYS[period] * DAY_SECONDS) : undefined,
    after: oneOf(given, "after"),
    before: oneOf(given, "before"),
  };
}
