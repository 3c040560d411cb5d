import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { systemSql } from "@/db/client";
import { metricsText } from "@/lib/invariants/metrics";
import { inRoot } from "@/scripts/start/paths";

const OURS = /\b(?:trilho|nodejs|process)_[a-z0-9_]+/g;
const read = (file: string) => readFileSync(inRoot("deploy", file), "utf8");

/** A histogram has three series, and one name. */
const family = (name: string, known: ReadonlySet<string>) =>
  known.has(name) ? name : name.replace(/_(?:bucket|count|sum)$/, "");

test("the dashboard and the alerts use exactly the metrics that exist", async () => {
  // Told of where Inngest is used only.
  await systemSql()`insert into engine_link (id, server, since, watched_at) values (1, 'http://inngest.test', now(), now()) on conflict do nothing`;
  const { body } = await metricsText();
  const known = new Set([...body.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name ?? ""));
  const used = [...[read("grafana.json"), read("alerts.yaml")].join("\n").matchAll(OURS)].map(([name]) => name);
  expect(used.map((name) => family(name, known)).filter((name) => !known.has(name))).toEqual([]);
  const shown = new Set(used.map((name) => family(name, known)));
  const ours = [...known].filter((name) => name.startsWith("trilho_") && !BESIDE.has(name));
  expect(ours.filter((name) => !shown.has(name))).toEqual([]);
});

/** Figures of the audit that say something to whoever looks into it. */
const BESIDE = new Set([
  "trilho_invariant_last_full_pass_timestamp_seconds",
  "trilho_invariant_checked_rows",
  "trilho_invariant_duration_seconds",
]);

test("every alert names its severity and says what is wrong", () => {
  const { groups } = parse(read("alerts.yaml")) as {
    groups: {
      rules: { alert: string; expr: string; labels: { severity: string }; annotations: { summary: string } }[];
    }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { expr, labels, annotations } of rules) {
    expect(expr).toMatch(OURS);
    expect(["critical", "warning"]).toContain(labels.severity);
    expect(annotations.summary.length).toBeGreaterThan(10);
  }
});
