import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkNode } from "@/scripts/checks/checks";
import { IMAGE_NODE, NODE_ENDS, TESTED_NODES } from "@/scripts/checks/node-versions";
import { inRoot } from "@/scripts/start/paths";

const on = (day: string) => new Date(`${day}T12:00:00Z`);

test("a version below the floor stops the start", () => {
  for (const version of ["18.20.8", "20.18.3"])
    expect(checkNode(version, on("2026-01-01"))).toMatchObject([{ kind: "problem" }]);
});

test("a version past its end of life is warned of, with the one to install", () => {
  expect(checkNode("20.19.0", on("2026-04-29"))).toEqual([]);
  expect(checkNode("20.20.2", on("2026-05-01"))).toEqual([
    { kind: "warning", line: `Node 20.20.2 has had no security fixes since 2026-04-30: install Node ${IMAGE_NODE}` },
  ]);
  expect(checkNode("24.1.0", on("2028-04-29"))).toEqual([]);
  expect(checkNode("24.1.0", on("2028-05-01"))).toHaveLength(1);
});

test("a version this release does not know is left alone", () => {
  expect(checkNode("32.0.0", on("2030-01-01"))).toEqual([]);
});

test("what the texts name are the versions that are tested, and whose end is known", () => {
  for (const major of TESTED_NODES) expect(NODE_ENDS[major]).toBeDefined();
  const named = (file: string, pattern: RegExp) =>
    [...readFileSync(inRoot(file), "utf8").matchAll(pattern)].map(([, ...majors]) => majors.map(Number));
  const fromImages = named("Dockerfile", /^FROM node:(\d+)-slim/gm);
  expect(fromImages.length).toBeGreaterThan(0);
  for (const majors of fromImages) expect(majors).toEqual([IMAGE_NODE]);
  expect(named("deploy/trilho.service", /^# Node (\d+) or (\d+)/gm)).toEqual([TESTED_NODES]);
  expect(named("README.md", /install Node (\d+) or (\d+)/g)).toEqual([TESTED_NODES]);
});
