import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import {
  acceptSecret,
  checkSecrets,
  keyChecksOf,
  keyIdOf,
  lostRows,
  recordSecrets,
  settleSecrets,
} from "@/lib/keys/checks";
import { secretsState } from "@/lib/keys/own";
import { openClient } from "@/lib/testing/api";
import { testDatabaseUrl } from "@/lib/testing/database";
import { TEST_SECRETS } from "@/lib/testing/secrets";
import { storePan } from "@/lib/vault/cards";

const newKek = (): string => randomBytes(32).toString("base64");
const OWN = TEST_SECRETS.TRILHO_KEK;
const PAN = "4111111111111111";

const given = (changes: Partial<typeof TEST_SECRETS> = {}) => keyChecksOf({ ...TEST_SECRETS, ...changes });
const without = (name: keyof typeof TEST_SECRETS) => keyChecksOf({ ...TEST_SECRETS, [name]: undefined });
const stored = async (): Promise<number> => (await systemSql()`select 1 from secret_checks`).length;

describe("the secrets against the database", () => {
  test("match those it was written with, also as this process has them", async () => {
    await openClient();
    expect(await checkSecrets(systemSql(), given())).toEqual({ state: "match", problems: [], isEmpty: false });
    expect((await secretsState()).state).toBe("match");
  });

  test.each(["TRILHO_KEK", "TRILHO_SECRET", "AUTH_SECRET"] as const)(
    "another or a missing %s is named",
    async (name) => {
      const other = await settleSecrets(systemSql(), given({ [name]: newKek() }));
      expect(other.state).toBe("differ");
      expect(other.problems.map((problem) => problem.name)).toEqual([name]);
      expect(other.problems[0]?.line).toMatch(/restore secrets.json/);
      const none = await settleSecrets(systemSql(), without(name));
      expect(none.problems.map((problem) => [problem.name, problem.state])).toEqual([[name, "missing"]]);
    },
  );

  test("another is not noted by a start, and what it finds stays as it was", async () => {
    const before = await stored();
    const report = await recordSecrets(systemSql(), given({ TRILHO_KEK: newKek() }));
    expect(report.state).toBe("differ");
    expect(await stored()).toBe(before);
    expect((await checkSecrets(systemSql(), given())).state).toBe("match");
  });

  test("a new first key of the list is noted; then the list without the old one is refused while rows need it", async () => {
    const next = newKek();
    const nextId = keyIdOf(keyChecksOf({ TRILHO_KEK: next }).TRILHO_KEK[0] ?? Buffer.alloc(0));
    await storePan(newId(), PAN);
    expect((await recordSecrets(systemSql(), given({ TRILHO_KEK: `${next},${OWN}` }))).state).toBe("match");
    const { state, problems } = await settleSecrets(systemSql(), given({ TRILHO_KEK: next }));
    expect([state, problems.length]).toEqual(["differ", 1]);
    expect(problems[0]?.line).toContain(keyIdOf(given().TRILHO_KEK[0] ?? Buffer.alloc(0)));
    expect((await lostRows(systemSql(), given({ TRILHO_KEK: next }))).join()).toMatch(/has sealed \d+ card numbers/);
    // Nothing was sealed with the new one yet: it may go again.
    expect((await settleSecrets(systemSql(), given())).state).toBe("match");
    expect((await checkSecrets(systemSql(), given({ TRILHO_KEK: next }))).problems[0]?.line).not.toContain(nextId);
  });

  test("one that is accepted counts from then on", async () => {
    const next = newKek();
    await acceptSecret(systemSql(), "AUTH_SECRET", given({ AUTH_SECRET: next }));
    expect((await checkSecrets(systemSql(), given({ AUTH_SECRET: next }))).state).toBe("match");
    expect((await checkSecrets(systemSql(), given())).state).toBe("differ");
    // A list: the first writes, and any of them is known.
    expect(
      (await recordSecrets(systemSql(), given({ AUTH_SECRET: `${TEST_SECRETS.AUTH_SECRET},${next}` }))).state,
    ).toBe("match");
    expect((await checkSecrets(systemSql(), given())).state).toBe("match");
  });

  test("accounts without check values are refused, an empty database is not", async () => {
    const rows = await systemSql()`delete from secret_checks returning name, value`;
    expect((await checkSecrets(systemSql(), given())).state).toBe("missing");
    for (const { name, value } of rows)
      await systemSql()`insert into secret_checks (name, value) values (${name}, ${value})`;
    const url = new URL(await testDatabaseUrl());
    url.pathname = "/postgres";
    const empty = postgres(url.href, { max: 1, onnotice: () => {} });
    expect(await checkSecrets(empty, without("TRILHO_KEK"))).toMatchObject({ state: "match", isEmpty: true });
    await empty.end();
  });
});
