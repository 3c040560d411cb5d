import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { freePort } from "@/lib/testing/ports";

const folder = mkdtempSync(join(tmpdir(), "start-"));
const file = join(folder, "secrets.json");
const database = `${inject("testServer").run}_start`;
let url = "";

beforeAll(async () => {
  const given = new URL(inject("testServer").adminUrl);
  given.pathname = `/${database}`;
  url = given.href;
  await asAdmin((sql) => sql`create database ${sql(database)}`);
});
afterAll(async () => {
  await asAdmin((sql) => sql`drop database if exists ${sql(database)} with (force)`);
  rmSync(folder, { recursive: true, force: true });
});

async function asAdmin(work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(inject("testServer").adminUrl, { max: 1, onnotice: () => {} });
  await work(sql);
  await sql.end({ timeout: 5 });
}

async function ran(args: string[], changes: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  const { TRILHO_KEK: _kek, TRILHO_SECRET: _secret, AUTH_SECRET: _auth, ...others } = process.env;
  const env = {
    ...others,
    DATABASE_URL: url,
    DATABASE_OWNER_URL: url,
    TRILHO_DATA_DIR: folder,
    PORT: String(await freePort()),
    ...changes,
  };
  return promisify(execFile)(process.execPath, ["--import", "tsx", ...args], { env }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    // Guarantee: execFile rejects with the outcome of the program.
    (failed: { code: number; stdout: string; stderr: string }) => ({
      code: failed.code,
      output: failed.stdout + failed.stderr,
    }),
  );
}

const START = ["scripts/run.ts", "start"];
const DOCTOR = ["scripts/doctor.ts"];
const CREATE = ["scripts/client.ts", "create", "--name", "Loja"];

test("a start with lost or foreign secrets is refused by their name, makes none and changes nothing", {
  timeout: 240_000,
}, async () => {
  expect((await ran(CREATE)).code).toBe(0);
  const saved = readFileSync(file, "utf8");
  const secrets: Record<string, string> = JSON.parse(saved);
  const other = Buffer.alloc(32, 5).toString("base64");

  rmSync(file);
  for (const command of [START, CREATE]) {
    const refused = await ran(command);
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining("TRILHO_KEK is missing beside existing data"),
    ]);
    expect(existsSync(file)).toBe(false);
  }
  expect((await ran(DOCTOR)).output).toContain("AUTH_SECRET is missing beside existing data");

  for (const name of Object.keys(secrets)) {
    writeFileSync(file, JSON.stringify({ ...secrets, [name]: other }), { mode: 0o600 });
    const refused = await ran(CREATE);
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining(`${name} is not the one`)]);
    expect((await ran(DOCTOR)).output).toContain(`${name} is not the one this database was written with`);
  }
  writeFileSync(file, JSON.stringify({ ...secrets, TRILHO_KEK: other }), { mode: 0o600 });
  const refused = await ran(START);
  expect([refused.code, refused.output]).toEqual([1, expect.stringContaining("TRILHO_KEK is not the one")]);

  writeFileSync(file, saved, { mode: 0o600 });
  const listed = await ran(["scripts/client.ts", "list"]);
  expect([listed.code, JSON.parse(listed.output).clients.length]).toEqual([0, 1]);
  expect(readFileSync(file, "utf8")).toBe(saved);
});
