import { getFormatter, getTranslations } from "next-intl/server";
import { MONITOR_KINDS, MONITOR_METRICS, type MonitorKind, type MonitorMetric } from "@/db/schema/monitors";
import { METRICS, type Suggestion, type WatchedWindow, WINDOWS_MINUTES } from "@/lib/monitors/metrics";

const METRIC_TEXTS = {
  approval: "metricApproval",
  declines: "metricDeclines",
  latency: "metricLatency",
  unknowns: "metricUnknowns",
  webhooks: "metricWebhooks",
  refunds: "metricRefunds",
  card_testing: "metricCardTesting",
  flow_approval: "metricFlowApproval",
} as const satisfies Record<MonitorMetric, string>;

const KIND_TEXTS = { fixed: "kindFixed", anomaly: "kindAnomaly" } as const satisfies Record<MonitorKind, string>;

const SUGGESTION_TEXTS = {
  approval_drop: { name: "suggestApproval", why: "suggestApprovalWhy" },
  slow_provider: { name: "suggestLatency", why: "suggestLatencyWhy" },
  unknowns: { name: "suggestUnknowns", why: "suggestUnknownsWhy" },
  webhooks: { name: "suggestWebhooks", why: "suggestWebhooksWhy" },
  card_testing: { name: "suggestCardTesting", why: "suggestCardTestingWhy" },
} as const satisfies Record<Suggestion, { name: string; why: string }>;

export async function monitorWords() {
  const [t, format] = await Promise.all([getTranslations("alerts"), getFormatter()]);
  const amount = (metric: MonitorMetric, value: number): string => {
    const { unit } = METRICS[metric];
    const number = format.number(value, { maximumFractionDigits: 1 });
    if (unit === "percent") return t("percent", { number });
    return unit === "ms" ? t("ms", { number }) : number;
  };
  const span = (minutes: number): string => t("window", { minutes, hours: minutes / 60 });
  return {
    metric: (metric: MonitorMetric) => t(METRIC_TEXTS[metric]),
    amount,
    suggestion: (suggestion: Suggestion) => ({
      name: t(SUGGESTION_TEXTS[suggestion].name),
      why: t(SUGGESTION_TEXTS[suggestion].why),
    }),
    /** When it fires, as a sentence. */
    rule({ metric, kind, threshold, windowMinutes }: WatchedWindow): string {
      const { worse, unit } = METRICS[metric];
      const what = t(METRIC_TEXTS[metric]);
      if (kind === "fixed") {
        const values = { what, limit: amount(metric, threshold), window: span(windowMinutes) };
        return worse === "below" ? t("ruleBelow", values) : t("ruleAbove", values);
      }
      const number = format.number(threshold, { maximumFractionDigits: 1 });
      const away = unit === "percent" ? t("points", { number }) : t("percent", { number });
      return worse === "below" ? t("ruleUnusuallyLow", { what, away }) : t("ruleUnusuallyHigh", { what, away });
    },
    metrics: MONITOR_METRICS.map((metric) => ({ value: metric, label: t(METRIC_TEXTS[metric]) })),
    kinds: MONITOR_KINDS.map((kind) => ({ value: kind, label: t(KIND_TEXTS[kind]) })),
    windows: WINDOWS_MINUTES.map((minutes) => ({ value: String(minutes), label: span(minutes) })),
  };
}
