import { isPeriod, type Period } from "@/app/(dashboard)/dashboard/payments/filters";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { isUuid } from "@/lib/ids";
import type { Span } from "@/lib/insights/figures";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

const DAYS: Record<Period, number> = { today: 1, "7d": 7, "30d": 30, "90d": 90 };

/** Whole days of São Paulo up to this moment, and as many before them. */
export function spanOf(given: GivenParameters, at: Date): { period: Period; span: Span } {
  const asked = oneOf(given, "period");
  const period = isPeriod(asked) ? asked : "today";
  const merchantId = oneOf(given, "merchant");
  const midnight = new Date(`${saoPauloDay(at)}T00:00:00-03:00`);
  const from = addSeconds(midnight, (1 - DAYS[period]) * DAY_SECONDS);
  const back = (moment: Date) => addSeconds(moment, -DAYS[period] * DAY_SECONDS);
  return {
    period,
    span: {
      from,
      until: addSeconds(at, 1),
      before: back(from),
      beforeUntil: back(at),
      merchantId: merchantId && isUuid(merchantId) ? merchantId : undefined,
      step: period === "today" ? "hour" : "day",
    },
  };
}
