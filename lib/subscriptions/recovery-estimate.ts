import { sumOf } from "@/lib/money";
import type { Recovery } from "@/lib/subscriptions/recovery";

export interface RecoveryEstimate {
  /** Days after the first decline. */
  days: number[];
  /** Paid on a day that these keep, or without the policy. */
  least: number;
  /** With what was paid on a day that goes while a later one stays, and what nobody tried on a new day. */
  most: number;
}

const MOST_TRIES = 6;
const MOST_DAYS = 30;

/** As it is typed: days after the try before, the same that the settings take; undefined for anything else. */
export function typedPolicy(text: string | undefined): number[] | undefined {
  const parts = (text ?? "").split(/[\s,;]+/).filter((part) => part !== "");
  const policy = parts.map(Number);
  const isFit = policy.every((days) => Number.isInteger(days) && days >= 1) && sumOf(policy) <= MOST_DAYS;
  return isFit && policy.length >= 1 && policy.length <= MOST_TRIES ? policy : undefined;
}

export const daysOfPolicy = (policy: readonly number[]): number[] =>
  policy.map((_, index) => sumOf(policy.slice(0, index + 1)));

/**
 * What the month would have recovered with other days. Nothing is replayed: an issuer that was not asked on a day said
 * nothing of it, so that the answer is a span.
 */
export function estimateRecovery(
  { byDay, byHand, byClass, lost }: Pick<Recovery, "byDay" | "byHand" | "byClass" | "lost">,
  policy: readonly number[],
  former: readonly number[],
): RecoveryEstimate {
  const [days, tried] = [daysOfPolicy(policy), daysOfPolicy(former)];
  const last = days.at(-1) ?? 0;
  const paid = (is: (day: number) => boolean): number =>
    sumOf(byDay.filter((one) => is(one.days)).map(({ count }) => count));
  const least = byHand.count + paid((day) => day === 0 || days.includes(day));
  const moved = paid((day) => day > 0 && day <= last && !days.includes(day));
  // After a verdict against any further try no day helps.
  const final = sumOf(byClass.filter(({ name }) => name === "never").map((one) => one.declined - one.recovered));
  const late = paid((day) => day > last);
  const isTriedAnew = days.some((day) => !tried.includes(day));
  const anew = isTriedAnew ? Math.max(0, lost.count - final) + late : 0;
  return { days, least, most: least + moved + anew };
}
