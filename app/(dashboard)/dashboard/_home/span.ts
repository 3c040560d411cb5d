import { daysOf, isPeriod, type Period } from "@/app/(dashboard)/dashboard/payments/periods";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { saoPauloDay, startOfSaoPauloDay } from "@/lib/brazil/bank-calendar";
import { isUuid } from "@/lib/ids";
import type { Span } from "@/lib/insights/figures";
import { addSeconds } from "@/lib/time";

/** Whole days of São Paulo, up to this moment where they still run, and the same time before them. */
export function spanOf(given: GivenParameters, at: Date): { period: Period; span: Span } {
  const asked = oneOf(given, "period");
  const period = isPeriod(asked) ? asked : "today";
  const merchantId = oneOf(given, "merchant");
  const days = daysOf(period, saoPauloDay(at));
  const [from, before] = [startOfSaoPauloDay(days.from), startOfSaoPauloDay(days.before)];
  const reached = new Date(before.getTime() + at.getTime() - from.getTime());
  return {
    period,
    span: {
      from,
      until: days.until ? startOfSaoPauloDay(days.until) : addSeconds(at, 1),
      before,
      // The 31st has no match in a month of 30 days: what is compared ends where this begins.
      beforeUntil: days.until || reached > from ? from : reached,
      merchantId: merchantId && isUuid(merchantId) ? merchantId : undefined,
      step: period === "today" ? "hour" : "day",
    },
  };
}
