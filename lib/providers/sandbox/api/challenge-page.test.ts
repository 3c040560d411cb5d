import { expect, test } from "vitest";
import { challengePage } from "@/lib/providers/sandbox/api/challenge-page";

test("the simulated bank's page names its icon: browsers would ask for one that is not there", () => {
  expect(challengePage(undefined, "en")).toContain('<link rel="icon" href="/icon.svg" type="image/svg+xml">');
});
