import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readSources } from "@/scripts/layers/sources";
import { inRoot } from "@/scripts/start/paths";

/** Who may commit without waiting for the disk, and why what a crash of PostgreSQL then loses costs nothing. */
const AT_LEISURE: Record<string, string> = {
  "db/embedded.ts": "databases that are thrown away, of tests alone",
  "lib/due-jobs/claim.ts":
    "a claim is made again, a job that was over runs once more and finds nothing, a test clock on its way is set again",
  "lib/webhooks/claim.ts": "a claim is made again",
  "lib/webhooks/fan-out.ts": "the event is fanned out again, under the same webhook-id",
  "lib/webhooks/plain-success.ts": "the delivery is sent once more, under the same webhook-id",
};

test("nobody else commits without waiting for the disk: an attempt is on it before its call leaves", () => {
  const found = readSources().filter(({ path }) => readFileSync(inRoot(path), "utf8").includes("synchronous_commit"));
  expect(found.map(({ path }) => path).sort()).toEqual(Object.keys(AT_LEISURE).sort());
});
