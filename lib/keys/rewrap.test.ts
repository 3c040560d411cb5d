import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePools, systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { keyChecksOf, keyIdOf } from "@/lib/keys/checks";
import { SEALED_COLUMNS, usesOfKeys } from "@/lib/keys/columns";
import { openCredentials } from "@/lib/payments/credentials";
import { KEPT } from "@/lib/purposes";
import { openClient } from "@/lib/testing/api";
import { testDatabaseUrl } from "@/lib/testing/database";
import { withMerchant } from "@/lib/testing/payments";
import { TEST_SECRETS } from "@/lib/testing/secrets";
import { readPan, storePan } from "@/lib/vault/cards";
import { panFingerprint } from "@/lib/vault/fingerprint";
import { pause } from "@/lib/wait";

const PAN = "4111111111111111";
const CARDS = 250;
const LOOK_MS = 50;
const folder = mkdtempSync(join(tmpdir(), "keys-"));
const file = join(folder, "secrets.json");
const keep = (kek: string): void =>
  writeFileSync(file, JSON.stringify({ ...TEST_SECRETS, TRILHO_KEK: kek }), { mode: 0o600 });
const keksInFile = (): string[] => JSON.parse(readFileSync(file, "utf8")).TRILHO_KEK.split(",");
const idOf = (kek: string): string => keyIdOf(keyChecksOf({ TRILHO_KEK: kek }).TRILHO_KEK[0] ?? Buffer.alloc(0));

/** This process is one that serves: it has its key from the file, like those of npm start. */
beforeAll(() => {
  keep(TEST_SECRETS.TRILHO_KEK);
  delete process.env.TRILHO_KEK;
  process.env.TRILHO_DATA_DIR = folder;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = (script: string, ...args: string[]): string[] => ["--import", "tsx", `scripts/${script}.ts`, ...args];

interface Ended {
  code: number;
  output: string;
}

const ran = (script: string, ...args: string[]): Promise<Ended> =>
  promisify(execFile)(process.execPath, program(script, ...args), { env: process.env }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    // Guarantee: execFile rejects with the outcome of the program.
    (failed: { code: number; stdout: string; stderr: string }) => ({
      code: failed.code,
      output: failed.stdout + failed.stderr,
    }),
  );

const rowsUnder = async (kek: string, table: string): Promise<number> =>
  (await usesOfKeys(systemSql()))
    .filter(({ keyId, column }) => keyId === idOf(kek) && column.table === table)
    .reduce((sum, { rows }) => sum + rows, 0);

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await pause(LOOK_MS);
}

const killed = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });

test("everything that is kept under the key has its column", () => {
  expect(new Set(SEALED_COLUMNS.map(({ purpose }) => purpose))).toEqual(new Set(Object.values(KEPT)));
});

test("a rotation under writes, killed in the middle, goes on where it was; then the old key goes and everything opens", {
  retry: 0,
  timeout: 180_000,
}, async () => {
  process.env.DATABASE_URL = await testDatabaseUrl();
  const client = await openClient();
  await withMerchant(client);
  const owner = (await client.context()).account.id;
  const old = TEST_SECRETS.TRILHO_KEK;
  const stored: string[] = [];
  const store = async () => {
    stored.push((await storePan(owner, PAN)).vaultId);
  };
  for (let count = 0; count < CARDS; count += 1) await store();
  const fingerprint = await panFingerprint(owner, PAN);

  let isWriting = true;
  const writing = (async () => {
    while (isWriting) {
      await store();
      expect(await readPan(owner, stored[Math.floor(stored.length / 2)] ?? "")).toBe(PAN);
      await pause(LOOK_MS);
    }
  })();

  // A provider that is being edited holds the rotation there, after the cards.
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const holding = systemSql().begin(async (sql) => {
    await sql`select 1 from providers for update`;
    await released;
  });
  const first = spawn(process.execPath, program("keys", "rotate", "--yes"), { env: process.env, stdio: "ignore" });
  await until(() => keksInFile().length === 2);
  const [next = ""] = keksInFile();
  await until(async () => (await rowsUnder(next, "vault.cards")) > CARDS / 2);
  await killed(first);
  release();
  await holding;
  expect(await rowsUnder(old, "providers")).toBeGreaterThan(0);

  // The old key is taken away too early: the start and the doctor name it.
  keep(next);
  const doctor = await ran("doctor");
  expect([doctor.code, doctor.output]).toEqual([1, expect.stringContaining(`lacks key ${idOf(old)}`)]);
  const start = await ran("client", "list");
  expect([start.code, start.output]).toEqual([1, expect.stringContaining(`lacks key ${idOf(old)}`)]);
  keep(`${next},${old}`);

  const second = await ran("keys", "rotate");
  expect([second.code, second.output]).toEqual([0, expect.stringContaining(`key ${idOf(old)} seals nothing any more`)]);
  expect(keksInFile()).toEqual([next, old]);
  isWriting = false;
  await writing;
  const removed = await ran("keys", "remove", idOf(old));
  expect([removed.code, removed.output]).toEqual([0, expect.stringContaining("is out of")]);
  expect(keksInFile()).toEqual([next]);

  expect(new Set((await usesOfKeys(systemSql())).map(({ keyId }) => keyId))).toEqual(new Set([idOf(next)]));
  const listed = await ran("client", "list");
  expect(listed.code).toBe(0);
  await closePools();
  expect(await panFingerprint(owner, PAN)).toBe(fingerprint);
  for (const vaultId of stored) expect(await readPan(owner, vaultId)).toBe(PAN);
  const providers = await systemSql()<{ id: string; credentials: Buffer }[]>`select id, credentials from providers`;
  for (const { id, credentials } of providers) openCredentials(id, credentials);
});

test("another key without the old one is refused, and accepted with a word about what is lost", {
  timeout: 120_000,
}, async () => {
  const before = keksInFile().join(",");
  const other = Buffer.alloc(32, 9).toString("base64");
  keep(other);
  const refused = await ran("keys", "accept", "TRILHO_KEK");
  expect([refused.code, refused.output]).toEqual([
    1,
    expect.stringMatching(/\d+ card numbers: saved cards cannot be charged/),
  ]);
  keep(before);
  expect((await ran("client", "list")).code).toBe(0);
  keep(other);
  expect((await ran("keys", "accept", "TRILHO_KEK", "--yes")).code).toBe(0);
  expect((await ran("client", "list")).code).toBe(0);
  // A new key of fingerprints: buyers can pay.
  await closePools();
  await pause(5_100);
  expect(await panFingerprint(newId(), PAN)).toMatch(/^[\w-]{43}$/);
});
