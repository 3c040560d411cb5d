import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { TaskInput } from "@/components/tasks/task-input";
import { METRICS } from "@/lib/monitors/metrics";

const labels = (["inPercent", "inPoints", "inMilliseconds", "counted"] as const).map((when) => ({ text: when, when }));
const html = renderToStaticMarkup(
  <TaskInput field={{ name: "threshold", label: "Limit", labels }} given={undefined} problem={undefined} />,
);
const rules = [...html.matchAll(/<span class="([^"]*)">(\w+)<\/span>/g)].map(([, rule = "", text]) => ({ rule, text }));
const metricsNamed = (rule: string) =>
  [...new Set([...rule.matchAll(/\[value=([a-z_]+)\]/g)].map(([, value]) => value))]
    .filter((value) => value !== "fixed" && value !== "anomaly")
    .sort();
const measuredIn = (...units: string[]) =>
  Object.entries(METRICS)
    .flatMap(([metric, { unit }]) => (units.includes(unit) ? [metric] : []))
    .sort();

test.each([
  ["inPercent", ["percent"]],
  ["inPoints", ["percent"]],
  ["inMilliseconds", ["ms"]],
  ["counted", ["percent", "ms"]],
])("the label %s of an alert's limit comes and goes with the metrics of its unit", (text, units) => {
  const rule = rules.find((each) => each.text === text)?.rule ?? "";
  expect(metricsNamed(rule)).toEqual(measuredIn(...units));
});
