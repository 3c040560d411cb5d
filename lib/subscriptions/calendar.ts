import type { Interval } from "@/db/schema/subscriptions";
import { addDays, type CivilDate } from "@/lib/brazil/bank-calendar";

/** All days of subscriptions are UTC calendar days (spec/contract.md 17.4). */
export const utcDayOf = (at: Date): CivilDate => at.toISOString().slice(0, 10);

const CHARGED_AT = "T09:00:00.000Z";
/** When a cycle, or a retry, of this day is charged. */
export const chargedAt = (day: CivilDate): Date => new Date(`${day}${CHARGED_AT}`);
export const beginOf = (day: CivilDate): Date => new Date(`${day}T00:00:00.000Z`);

const WEEK = 7;
const MONTHS: Readonly<Record<Exclude<Interval, "weekly">, number>> = {
  monthly: 1,
  quarterly: 3,
  yearly: 12,
  biennial: 24,
  triennial: 36,
};

/** Whole intervals from a day; the day of the month is cut to a shorter month, and comes back in a longer one. */
export function intervalsAfter(start: CivilDate, interval: Interval, count: number): CivilDate {
  if (interval === "weekly") return addDays(start, WEEK * count);
  const [year = 0, month = 1, day = 1] = start.split("-").map(Number);
  const months = year * 12 + (month - 1) + MONTHS[interval] * count;
  const last = new Date(Date.UTC(Math.floor(months / 12), (months % 12) + 1, 0)).getUTCDate();
  const parts = [Math.floor(months / 12), (months % 12) + 1, Math.min(day, last)];
  return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, "0")).join("-");
}

export interface Anchor {
  fromCycle: number;
  startOn: CivilDate;
  interval: Interval;
}

/** From the anchors and k alone: neither retries nor pauses nor when anything ran move it (spec/invariants.md P28). */
export function cycleDueOn(anchors: readonly Anchor[], cycle: number): CivilDate {
  const known = anchors.filter(({ fromCycle }) => fromCycle <= cycle);
  const anchor = known.reduce<Anchor | undefined>(
    (latest, one) => (latest && latest.fromCycle > one.fromCycle ? latest : one),
    undefined,
  );
  if (!anchor) throw new RangeError(`no anchor for cycle ${cycle}`);
  return intervalsAfter(anchor.startOn, anchor.interval, cycle - anchor.fromCycle);
}

/** Days after the first refusal on which a policy tries again: 1, 2, 2, 2 is days 1, 3, 5 and 7. */
export function retryDays(refusedOn: CivilDate, policy: readonly number[]): CivilDate[] {
  let days = 0;
  return policy.map((after) => {
    days += after;
    return addDays(refusedOn, days);
  });
}

/** After it nothing is tried any more; undefined before the first refusal. */
export const lastRetryDay = ({
  refusedOn,
  policy,
}: {
  refusedOn: CivilDate | null;
  policy: readonly number[] | null;
}): CivilDate | undefined => (refusedOn && policy ? retryDays(refusedOn, policy).at(-1) : undefined);

/** The first 09:00 UTC that is not before it. */
export function firstChargeDay(at: Date): CivilDate {
  const day = utcDayOf(at);
  return at <= chargedAt(day) ? day : addDays(day, 1);
}

/**
 * The next retry of a cycle: the first of the policy's days that is still to come, moved to what the networks allow and
 * cut to the policy's last day. Undefined when nothing is left, or even that day is forbidden.
 */
export function nextRetryDay(
  refusedOn: CivilDate,
  policy: readonly number[],
  after: CivilDate,
  notBefore: Date | undefined,
): CivilDate | undefined {
  const days = retryDays(refusedOn, policy);
  const last = days.at(-1);
  const next = days.find((day) => day > after);
  if (!last || !next) return undefined;
  const allowed = notBefore ? firstChargeDay(notBefore) : next;
  const day = allowed > next ? allowed : next;
  return day > last ? undefined : day;
}
