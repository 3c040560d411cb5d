import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { SCHEMA_VERSION } from "@/db/schema-version";
import { inRoot } from "@/scripts/start/paths";

const database = `migrate_${randomBytes(6).toString("hex")}`;
const { adminUrl, runtimeUrl } = inject("testServer");
const at = (address: string): string => Object.assign(new URL(address), { pathname: `/${database}` }).href;
const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });

beforeAll(() => admin`create database ${admin(database)}`);
afterAll(async () => {
  await admin`drop database if exists ${admin(database)} with (force)`;
  await admin.end({ timeout: 1 });
});

/** As a release does it: with the addresses and no secret. */
function migrating(addresses: Record<string, string>): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--import", "tsx", "scripts/migrate.ts"], {
      cwd: inRoot(),
      env: { NODE_ENV: "production", PATH: "", DATABASE_URL: "", DATABASE_OWNER_URL: "", ...addresses },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        said += chunk.toString();
      });
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, said }));
  });
}

test("refuses without a database, and names a wrong address without showing it", async () => {
  const [none, wrong] = await Promise.all([
    migrating({}),
    migrating({ DATABASE_URL: "mysql://trilho:a-password@localhost/trilho" }),
  ]);
  expect(none).toMatchObject({ code: 1, said: expect.stringContaining("DATABASE_URL is not set") });
  expect(wrong).toMatchObject({ code: 1, said: expect.stringContaining("DATABASE_URL must be a PostgreSQL address") });
  expect(wrong.said).not.toContain("a-password");
}, 60_000);

test("the owner lays the schema and admits the login; before that the login alone is refused, afterwards it is enough", async () => {
  const login = { DATABASE_URL: at(runtimeUrl) };
  const early = await migrating(login);
  expect(early.code).toBe(1);
  expect(early.said).toContain("DATABASE_OWNER_URL");

  const both = { ...login, DATABASE_OWNER_URL: at(adminUrl) };
  expect(await migrating(both)).toMatchObject({ code: 0 });
  const owner = postgres(at(adminUrl), { max: 1, onnotice: () => {} });
  expect([...(await owner`select major, minor from trilho.schema_version`)]).toEqual([SCHEMA_VERSION]);
  await owner.end({ timeout: 1 });
  const again = await Promise.all([migrating(both), migrating(login)]);
  expect(again.map(({ code }) => code)).toEqual([0, 0]);
  for (const { said } of again) expect(said).not.toContain("owns the tables");
}, 120_000);
