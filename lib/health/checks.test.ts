import postgres from "postgres";
import { expect, test } from "vitest";
import { startBeating } from "@/lib/health/beat";
import { readiness, startProblems } from "@/lib/health/checks";
import { testDatabaseUrl } from "@/lib/testing/database";
import { pause } from "@/lib/wait";

/** An answer is kept for a second. */
const afresh = async () => {
  await pause(1_050);
  return readiness();
};

test("says of each check how it is; without a worker payments are still taken", async () => {
  const { ready, checks } = await readiness();
  expect(ready).toBe(true);
  expect(checks).toMatchObject({ database: { ok: true }, schema: { ok: true } });
  expect(checks.worker).toEqual({ ok: false, reason: "no worker is running" });
  const stop = startBeating();
  await expect.poll(async () => (await afresh()).checks.worker, { timeout: 5_000 }).toEqual({ ok: true });
  await stop();
  expect((await afresh()).checks.worker?.ok).toBe(false);
});

test("is not ready on a schema that lacks migrations of this version", async () => {
  const owner = postgres(await testDatabaseUrl(), { max: 1, onnotice: () => undefined });
  await owner`update trilho.schema_version set major = 0`;
  await owner.end({ timeout: 1 });
  const { ready, checks } = await afresh();
  expect(ready).toBe(false);
  expect(checks.schema).toEqual({ ok: false, reason: "migrations of this version are missing" });
});

test("nothing stops a process of the right version from starting", async () => {
  expect(await startProblems()).toEqual([]);
});
