import { addDays, type CivilDate } from "@/lib/brazil/bank-calendar";
import type { MandateRetry } from "@/lib/providers/mandates";
import { chargedAt } from "@/lib/subscriptions/calendar";
import type { SubscriptionRow } from "@/lib/subscriptions/queries";

/** Days before the due date on which the buyer's bank is instructed (spec/subscriptions.md). */
const NOTICE_DAYS = 5;
/** An instruction that did not reach the bank is given on this many days, while the notice allows the due day still. */
export const MOST_UNSENT = 4;
/** At most three further dates within seven calendar days. */
const RETRY_DAYS: Readonly<Record<MandateRetry, readonly number[]>> = {
  none: [],
  three_in_seven_days: [2, 2, 3],
};

/**
 * When a cycle of this day is taken up: a card is charged on the day, a bank is instructed ahead of it. While nothing is
 * charged it is skipped, and not before its day: whoever goes on until then is charged for it.
 */
export const opensAt = ({ method, status }: Pick<SubscriptionRow, "method" | "status">, day: CivilDate): Date =>
  chargedAt(method === "credit" || status === "paused" || status === "unpaid" ? day : addDays(day, -NOTICE_DAYS));

/** The day on which the bank pays: the due day, or the first that the notice still allows. */
export function settlementDay(dueOn: CivilDate, today: CivilDate, { min }: { min: number }): CivilDate {
  const soonest = addDays(today, min);
  return dueOn > soonest ? dueOn : soonest;
}

/** Whoever asks a bank again does so on the day before. */
export const askedAgainAt = (settleOn: CivilDate): Date => chargedAt(addDays(settleOn, -1));

/** Days after the refused one, each after the one before; all of them before the next cycle. */
export function mandateRetryDays(retry: MandateRetry, refusedOn: CivilDate, nextDue: CivilDate): number[] {
  let day = refusedOn;
  return RETRY_DAYS[retry].filter((after) => {
    day = addDays(day, after);
    return day < nextDue;
  });
}
