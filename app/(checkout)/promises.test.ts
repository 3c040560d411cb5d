import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const PROMISES = readFileSync("app/(checkout)/promises.md", "utf8");
const STATED = /`([^`]+\.ts)` "([^"]+)"/g;

test("every test that the table of promises names is there", () => {
  const named = [...PROMISES.matchAll(STATED)].map(([, file = "", name = ""]) => ({ file, name }));
  expect(named.length).toBeGreaterThan(80);
  expect(named.filter(({ file, name }) => !existsSync(file) || !readFileSync(file, "utf8").includes(name))).toEqual([]);
});

test("every promise names a test", () => {
  const rows = PROMISES.split("\n").filter((line) => /^\| (?!Promise )[^-|]/.test(line));
  expect(rows.filter((row) => row.match(STATED) === null)).toEqual([]);
});
