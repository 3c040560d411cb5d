import type { Brand } from "@/lib/brazil/card-brand";
import type { RetryClass } from "@/lib/declines/decline-codes";
import { ADVICE_STOP_ORDER } from "@/lib/declines/decline-map";

/** One decline of a card at a merchant, at any of its providers: every attempt of a smart flow counts. */
export interface DeclinedAttempt {
  at: Date;
  retry: RetryClass;
  notBeforeSeconds?: number | undefined;
  /** What was being paid: a charge, a purchase slot, a subscription cycle. */
  series: string;
  amount: number;
  /** The network's code and Mastercard's advice, as they came. */
  code?: string | undefined;
  mac?: string | undefined;
}

export interface RetryCandidate {
  brand: Brand;
  series: string;
  amount: number;
  /** The payer entered the card's data again since the last decline. */
  dataCorrected?: boolean;
}

export type RetryRefusal =
  | "irreversible"
  | "data_not_corrected"
  | "immediate_retry_used"
  | "network_wait"
  | "visa_category_1"
  | "visa_30_days_over"
  | "mastercard_stop_order"
  | "network_limit"
  | "own_ceiling";

/** Without `notBefore` the answer does not change with time. */
export type RetryDecision = { allowed: true } | { allowed: false; reason: RetryRefusal; notBefore?: Date };

interface Limit {
  attempts: number;
  withinSeconds: number;
  sameAmount?: boolean;
}

const DAY_SECONDS = 86_400;
const MONTH_SECONDS = 30 * DAY_SECONDS;

/** Attempts after which a network forbids or charges for the next one. */
const NETWORK_LIMITS: Partial<Record<Brand, readonly Limit[]>> = {
  visa: [{ attempts: 20, withinSeconds: MONTH_SECONDS }],
  mastercard: [
    { attempts: 7, withinSeconds: DAY_SECONDS },
    { attempts: 35, withinSeconds: MONTH_SECONDS },
  ],
  // Free are the first attempt and 15 retries of the same amount.
  elo: [{ attempts: 16, withinSeconds: MONTH_SECONDS, sameAmount: true }],
};

/** Stricter than any network's. */
export const OWN_CEILING: readonly Limit[] = [
  { attempts: 4, withinSeconds: DAY_SECONDS },
  { attempts: 10, withinSeconds: MONTH_SECONDS },
];

/** Visa: the issuer will never approve; no second attempt with this card. */
const VISA_CATEGORY_1: ReadonlySet<string> = new Set([
  "04",
  "07",
  "12",
  "14",
  "15",
  "41",
  "43",
  "46",
  "57",
  "R0",
  "R1",
  "R3",
]);

const after = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1000);
const refuse = (reason: RetryRefusal, notBefore?: Date): RetryDecision =>
  notBefore ? { allowed: false, reason, notBefore } : { allowed: false, reason };

/** When the limit lets the next attempt through; undefined when it does now. `newestFirst` holds what it counts. */
function opensAt(limit: Limit, newestFirst: readonly DeclinedAttempt[], now: Date): Date | undefined {
  const binding = newestFirst[limit.attempts - 1];
  const opens = binding && after(binding.at, limit.withinSeconds);
  return opens && opens > now ? opens : undefined;
}

function latestOpening(
  limits: readonly Limit[],
  newestFirst: readonly DeclinedAttempt[],
  candidate: RetryCandidate,
  now: Date,
): Date | undefined {
  const openings = limits.flatMap((limit) => {
    const counted = limit.sameAmount ? newestFirst.filter(({ amount }) => amount === candidate.amount) : newestFirst;
    return opensAt(limit, counted, now) ?? [];
  });
  return openings.sort((a, b) => b.getTime() - a.getTime())[0];
}

/** The last attempt that forbids this card at this merchant whatever is paid with it, while 30 days have not passed. */
function cardBlock(
  candidate: RetryCandidate,
  newestFirst: readonly DeclinedAttempt[],
  now: Date,
): RetryDecision | undefined {
  for (const { at, code, mac } of newestFirst) {
    const opens = after(at, MONTH_SECONDS);
    if (opens <= now) continue;
    if (candidate.brand === "visa" && code && VISA_CATEGORY_1.has(code.toUpperCase()))
      return refuse("visa_category_1", opens);
    if (candidate.brand === "mastercard" && mac && ADVICE_STOP_ORDER.has(mac))
      return refuse("mastercard_stop_order", opens);
  }
  return undefined;
}

/** What the declines of this very payment say. */
function seriesBlock(
  candidate: RetryCandidate,
  series: readonly DeclinedAttempt[],
  now: Date,
): RetryDecision | undefined {
  const [last] = series;
  const first = series.at(-1);
  if (!last || !first) return undefined;
  if (series.some(({ retry }) => retry === "never")) return refuse("irreversible");
  if (candidate.brand === "visa" && after(first.at, MONTH_SECONDS) <= now) return refuse("visa_30_days_over");
  if (last.retry === "changed_data" && !candidate.dataCorrected) return refuse("data_not_corrected");
  // The issuer asks for one immediate retry; a second such answer is an ordinary decline, a day apart.
  const asked = series.filter(({ retry }) => retry === "now");
  if (last.retry === "now" && asked.length > 1) {
    const opens = after(last.at, DAY_SECONDS);
    if (opens > now) return refuse("immediate_retry_used", opens);
  }
  const waits = series.flatMap(({ at, notBeforeSeconds }) => (notBeforeSeconds ? [after(at, notBeforeSeconds)] : []));
  const opens = waits.sort((a, b) => b.getTime() - a.getTime())[0];
  return opens && opens > now ? refuse("network_wait", opens) : undefined;
}

/**
 * Whether a card may be tried again at a merchant, on any provider. `history` holds the card's declines there, in any
 * order; approved attempts are not part of it. Asked before every further provider of a flow and every cycle's retry.
 */
export function canRetry(
  history: readonly DeclinedAttempt[],
  candidate: RetryCandidate,
  now: Date,
  ceiling: readonly Limit[] = OWN_CEILING,
): RetryDecision {
  const newestFirst = history.toSorted((a, b) => b.at.getTime() - a.at.getTime());
  const series = newestFirst.filter((attempt) => attempt.series === candidate.series);
  const blocked = seriesBlock(candidate, series, now) ?? cardBlock(candidate, newestFirst, now);
  if (blocked) return blocked;
  const network = latestOpening(NETWORK_LIMITS[candidate.brand] ?? [], newestFirst, candidate, now);
  const own = latestOpening(ceiling, newestFirst, candidate, now);
  if (network && (!own || network > own)) return refuse("network_limit", network);
  return own ? refuse("own_ceiling", own) : { allowed: true };
}
