import postgres from "postgres";
import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { closeLink, openEngineLink } from "@/lib/engine/inngest/link";
import { startBeating } from "@/lib/health/beat";
import { readiness, startProblems } from "@/lib/health/checks";
import { testDatabaseUrl } from "@/lib/testing/database";
import { TEST_SECRETS } from "@/lib/testing/secrets";
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

test("before Inngest is registered it is not ready; afterwards a silent one is told, and payments are still taken", async () => {
  const sql = systemSql();
  await openEngineLink(sql, "http://inngest.test");
  const before = await afresh();
  expect(before.ready).toBe(false);
  expect(before.checks).toMatchObject({
    engine: { ok: false, reason: "the functions are not registered yet" },
    registration: { ok: false, reason: "the functions are not registered yet" },
  });
  await sql`update engine_link set registered_at = now(), since = now() - interval '4 minutes'`;
  const silent = await afresh();
  expect(silent.ready).toBe(true);
  expect(silent.checks).toMatchObject({
    engine: { ok: false, reason: "no call for 4 min" },
    registration: { ok: true },
  });
  await closeLink(sql);
  expect((await afresh()).checks.engine).toEqual({ ok: true });
});

test("nothing stops a process of the right version from starting", async () => {
  expect(await startProblems()).toEqual([]);
});

test("a process notes its secrets in an empty database, and ends at one that was written with others", async () => {
  const owner = postgres(await testDatabaseUrl(), { max: 1, onnotice: () => undefined });
  const values = async () => (await owner`select name, value from secret_checks order by name`).map(({ name }) => name);
  await owner`delete from secret_checks`;
  expect(await startProblems()).toEqual([]);
  expect(await values()).toEqual(Object.keys(TEST_SECRETS).sort());
  await owner`update secret_checks set value = sha256('other') where name = 'TRILHO_KEK'`;
  expect(await startProblems()).toEqual(["secrets: TRILHO_KEK is not the one the data was written with"]);
  expect((await afresh()).checks.secrets?.ok).toBe(false);
  await owner`delete from secret_checks`;
  await owner.end({ timeout: 1 });
});

const setMajor = async (major: number): Promise<void> => {
  const owner = postgres(await testDatabaseUrl(), { max: 1, onnotice: () => undefined });
  await owner`update trilho.schema_version set major = ${major}`;
  await owner.end({ timeout: 1 });
};

test("is not ready on a schema that lacks migrations of this version, and waits for them", async () => {
  await setMajor(0);
  const { ready, checks } = await afresh();
  expect(ready).toBe(false);
  expect(checks.schema).toEqual({ ok: false, reason: "migrations of this version are missing" });
  expect(await startProblems()).toEqual([]);
});

test("neither serves nor starts on a schema of a newer major version", async () => {
  await setMajor(999);
  const { ready, checks } = await afresh();
  expect(ready).toBe(false);
  expect(checks.schema).toEqual({ ok: false, reason: "only newer code may serve this database" });
  expect(await startProblems()).toEqual(["release: only newer code may serve this database"]);
});
