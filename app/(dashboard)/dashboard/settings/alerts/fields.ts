import { getLocale, getTranslations } from "next-intl/server";
import { monitorWords } from "@/app/(dashboard)/dashboard/settings/alerts/words";
import { textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import type { TaskField } from "@/components/tasks/task-input";
import { MONITOR_KINDS, MONITOR_METRICS } from "@/db/schema/monitors";
import { ANOMALY_MINUTES, METRICS, type NewMonitor, WINDOWS_MINUTES } from "@/lib/monitors/metrics";

const LONGEST_NAME = 80;
const WHOLE_PERCENT = 100;
const LARGEST = 1_000_000_000;

/** The form of a monitor, new or known. */
export async function monitorFields(initial: NewMonitor): Promise<TaskField[]> {
  const [t, words, locale] = await Promise.all([getTranslations("alerts"), monitorWords(), getLocale()]);
  return [
    { name: "name", label: t("name"), initial: initial.name, isRequired: true },
    { name: "metric", label: t("metric"), kind: "choice", options: words.metrics, initial: initial.metric },
    {
      name: "kind",
      label: t("against"),
      hint: t("againstHint"),
      kind: "choice",
      options: words.kinds,
      initial: initial.kind,
    },
    {
      name: "threshold",
      label: t("threshold"),
      labels: [
        { text: t("thresholdPercent"), when: "inPercent" },
        { text: t("thresholdPoints"), when: "inPoints" },
        { text: t("thresholdMs"), when: "inMilliseconds" },
        { text: t("thresholdCount"), when: "counted" },
      ],
      hint: t("thresholdHint"),
      kind: "number",
      initial: initial.threshold.toLocaleString(locale, { useGrouping: false, maximumFractionDigits: 6 }),
      isRequired: true,
    },
    {
      name: "window",
      label: t("within"),
      hint: t("withinHint"),
      kind: "choice",
      options: words.windows,
      initial: String(initial.windowMinutes),
    },
    {
      name: "byEmail",
      label: t("byEmail"),
      hint: t("byEmailHint"),
      kind: "check",
      initial: initial.byEmail ? "yes" : "",
    },
    {
      name: "byWebhook",
      label: t("byWebhook"),
      hint: t("byWebhookHint"),
      kind: "check",
      initial: initial.byWebhook ? "yes" : "",
    },
  ];
}

/** As people write it in either language: 7,5 · 7.5 · 5000 · 5.000 · 5,000. */
const readNumber = (text: string): number =>
  Number(/^[1-9]\d{0,2}([.,]\d{3})+$/.test(text) ? text.replaceAll(/[.,]/g, "") : text.replace(",", "."));

/** What was typed, or why it is none. */
export async function monitorIn(form: FormData): Promise<NewMonitor | TaskState> {
  const t = await getTranslations("alerts");
  const typed = Object.fromEntries(
    ["name", "metric", "kind", "threshold", "window", "byEmail", "byWebhook"].map((name) => [name, textOf(form, name)]),
  );
  const metric = MONITOR_METRICS.find((each) => each === typed.metric);
  const kind = MONITOR_KINDS.find((each) => each === typed.kind);
  const windowMinutes = WINDOWS_MINUTES.find((each) => String(each) === typed.window);
  const threshold = readNumber(typed.threshold ?? "");
  const name = typed.name ?? "";
  const most = metric && METRICS[metric].unit === "percent" ? WHOLE_PERCENT : LARGEST;
  const problems: Record<string, string> = {
    ...(name === "" || name.length > LONGEST_NAME ? { name: t("nameUnfit", { most: LONGEST_NAME }) } : {}),
    ...(!(threshold > 0 && threshold <= most) ? { threshold: t("thresholdUnfit", { most }) } : {}),
  };
  if (!metric || !kind || !windowMinutes || Object.keys(problems).length > 0)
    return { problem: t("unfit"), problems, given: typed };
  return {
    name,
    metric,
    kind,
    threshold,
    // An hour is held against the same hour.
    windowMinutes: kind === "anomaly" ? ANOMALY_MINUTES : windowMinutes,
    byEmail: typed.byEmail === "yes",
    byWebhook: typed.byWebhook === "yes",
  };
}

export const isMonitor = (given: NewMonitor | TaskState): given is NewMonitor => "metric" in given;
