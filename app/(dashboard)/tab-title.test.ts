import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const DASHBOARD = join(import.meta.dirname, "dashboard");
/** A page that is of one thing, so that its tab is told from the tab of another one by what was read for it. */
const pages = readdirSync(DASHBOARD, { recursive: true })
  .map(String)
  .filter((file) => file.includes("[") && /\/page\.tsx$/.test(file));

test("the tab of a page of one thing names the thing", () => {
  expect(pages.length).toBeGreaterThan(20);
  const nameless = pages.filter((page) => {
    const source = readFileSync(join(DASHBOARD, page), "utf8");
    return !/export async function generateMetadata\((props|\{ params)/.test(source);
  });
  expect(nameless).toEqual([]);
});
