import type { MonitorKind, MonitorMetric } from "@/db/schema/monitors";

interface Metric {
  unit: "percent" | "ms" | "count";
  /** Which way is worse. */
  worse: "below" | "above";
  /** A share or a percentile: of few payments it says nothing. */
  isRate: boolean;
}

export const METRICS: Readonly<Record<MonitorMetric, Metric>> = {
  approval: { unit: "percent", worse: "below", isRate: true },
  declines: { unit: "count", worse: "above", isRate: false },
  latency: { unit: "ms", worse: "above", isRate: true },
  unknowns: { unit: "count", worse: "above", isRate: false },
  webhooks: { unit: "percent", worse: "above", isRate: true },
  refunds: { unit: "count", worse: "above", isRate: false },
  card_testing: { unit: "count", worse: "above", isRate: false },
  flow_approval: { unit: "percent", worse: "below", isRate: true },
};

/** A rate of fewer than these never fires. */
export const ENOUGH_SAMPLES = 30;
/** Weeks to compare with that had enough. */
export const FEWEST_WEEKS = 2;
export const WEEKS = 4;

export const WINDOWS_MINUTES = [5, 15, 30, 60, 180, 1_440] as const;
export const ANOMALY_MINUTES = 60;

export interface WatchedWindow {
  metric: MonitorMetric;
  kind: MonitorKind;
  threshold: number;
  windowMinutes: number;
}

export interface NewMonitor extends WatchedWindow {
  name: string;
  byEmail: boolean;
  byWebhook: boolean;
}

/** What most shops want to be told of, ready to be made. */
export const SUGGESTIONS = {
  approval_drop: { metric: "approval", kind: "anomaly", threshold: 15, windowMinutes: ANOMALY_MINUTES },
  slow_provider: { metric: "latency", kind: "fixed", threshold: 5_000, windowMinutes: 30 },
  unknowns: { metric: "unknowns", kind: "fixed", threshold: 5, windowMinutes: 15 },
  webhooks: { metric: "webhooks", kind: "fixed", threshold: 20, windowMinutes: 30 },
  card_testing: { metric: "card_testing", kind: "fixed", threshold: 1, windowMinutes: 60 },
} as const satisfies Record<string, WatchedWindow>;
export type Suggestion = keyof typeof SUGGESTIONS;

// Object.keys of the literal gives exactly its keys.
export const SUGGESTION_NAMES = Object.keys(SUGGESTIONS) as Suggestion[];

export interface MeasuredWindow {
  value: number | null;
  samples: number;
}

export interface Judgement {
  /** `unknown`: too little happened to tell, and what was believed stays so. */
  verdict: "bad" | "fine" | "unknown";
  /** The number it was held against. */
  limit: number;
}

const UNKNOWN: Judgement = { verdict: "unknown", limit: 0 };

/** `weeks`: the same hour of the weeks before, for an anomaly. */
export function judgeWatch(watch: WatchedWindow, present: MeasuredWindow, weeks: readonly MeasuredWindow[]): Judgement {
  const { unit, worse, isRate } = METRICS[watch.metric];
  if (present.value === null) return UNKNOWN;
  if ((isRate || watch.kind === "anomaly") && present.samples < ENOUGH_SAMPLES) return UNKNOWN;
  const limit = watch.kind === "fixed" ? watch.threshold : usualLimit(watch.threshold, unit, worse, weeks);
  if (limit === undefined) return UNKNOWN;
  const isBad = worse === "below" ? present.value < limit : present.value >= limit;
  return { verdict: isBad ? "bad" : "fine", limit };
}

/** Rates may differ by points, everything else by a share of itself. */
function usualLimit(
  tolerance: number,
  unit: "percent" | "ms" | "count",
  worse: "below" | "above",
  weeks: readonly MeasuredWindow[],
): number | undefined {
  const known = weeks.flatMap(({ value, samples }) => (value !== null && samples >= ENOUGH_SAMPLES ? [value] : []));
  if (known.length < FEWEST_WEEKS) return undefined;
  const usual = known.reduce((sum, value) => sum + value, 0) / known.length;
  const away = unit === "percent" ? tolerance : (usual * tolerance) / 100;
  return worse === "below" ? usual - away : usual + away;
}
