import type { SellerTransferPolicy } from "@/db/schema/sellers";
import { addDays, type CivilDate, isBankDay, rollForward, weekday } from "@/lib/brazil/bank-calendar";

/** The longest month, and the days by which one can be rolled forward. */
const LOOKED_BACK = 38;

/**
 * Whether a seller is paid on a bank day (spec/settlement.md section 4): some day that its policy names, and that was no
 * bank day, may have been rolled forward to it. `after` is the last day that batches were cut on: what a late run left
 * out since is made up for.
 */
export function isTransferDay(
  policy: Pick<SellerTransferPolicy, "transferInterval" | "transferDay">,
  day: CivilDate,
  after: CivilDate | null,
): boolean {
  if (!isBankDay(day)) return false;
  if (policy.transferInterval === "daily") return true;
  const named = Number(policy.transferDay);
  for (let candidate = addDays(day, -LOOKED_BACK); candidate <= day; candidate = addDays(candidate, 1)) {
    if (!isNamed(policy.transferInterval, named, candidate)) continue;
    const rolled = rollForward(candidate);
    if (rolled === day || (after !== null && after < rolled && rolled < day)) return true;
  }
  return false;
}

function isNamed(interval: "weekly" | "monthly", named: number, day: CivilDate): boolean {
  if (interval === "weekly") return weekday(day) === named;
  const ofMonth = Number(day.slice(8));
  return ofMonth === named || (ofMonth < named && isLastOfMonth(day));
}

const isLastOfMonth = (day: CivilDate): boolean => addDays(day, 1).endsWith("-01");
