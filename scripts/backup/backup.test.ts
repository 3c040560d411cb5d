import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stopEmbedded } from "@/db/embedded";
import { SCHEMA_VERSION } from "@/db/schema-version";
import { SECRETS } from "@/lib/env";
import { newId } from "@/lib/ids";
import { openClient, type TestClient } from "@/lib/testing/api";
import { testDatabaseUrl } from "@/lib/testing/database";
import { capture, payByCard, payByPix, withMerchant } from "@/lib/testing/payments";
import { storePan } from "@/lib/vault/cards";
import { restoreBackup, verifyBackup } from "@/scripts/backup/restore";
import { seal, unseal } from "@/scripts/backup/sealed";
import { type BackupSource, writeBackup } from "@/scripts/backup/write";
import { clusterIn } from "@/scripts/start/with-database";

const PASSPHRASE = "a passphrase nobody guesses";
/** The least that a backup may have. */
const LOG_COST = 14;
const PAN = "4111229876543219";
const PROGRAM = join(import.meta.dirname, "..", "..", "lib", "testing", "restored-program.ts");

let folder: string;
let file: string;
let source: BackupSource;
let sql: postgres.Sql;
let client: TestClient;
let vaultId: string;
let webhookId: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backup-"));
  spawnSync("chmod", ["755", folder]);
  file = join(folder, "one.backup");
  const ownerUrl = await testDatabaseUrl();
  sql = postgres(ownerUrl, { max: 2, onnotice: () => {} });
  client = await openClient();
  const shop = await withMerchant(client);
  const paid = await payByCard(shop);
  await capture(client, paid.body.id);
  await payByPix(shop);
  vaultId = (await storePan(client.clientId, PAN)).vaultId;
  const hook = { event: "*", endpoint: `listener:l-${newId()}` };
  webhookId = (await client.call<{ id: string }>("POST", "/v1/webhooks", { body: hook })).body.id;
  const files = join(folder, "files");
  mkdirSync(files);
  writeFileSync(join(files, "logo.png"), Buffer.alloc(200_000, 7));
  const secrets = Object.fromEntries(SECRETS.map((name) => [name, process.env[name] ?? ""]));
  source = { ownerUrl, secrets, files, logCost: LOG_COST };
  await sql`select nextval('purchase_moves_seq_seq'), nextval('purchase_moves_seq_seq')`;
});
afterAll(async () => {
  await sql.end();
  rmSync(folder, { recursive: true, force: true });
});

const rowsOf = async (table: string): Promise<number> => {
  const [row] = await sql.unsafe<{ rows: number }[]>(`select count(*)::int as rows from ${table}`);
  return row?.rows ?? 0;
};

it("holds one moment, though payments go on while it is written", async () => {
  let isDone = false;
  const paying = (async () => {
    const shop = await withMerchant(client);
    while (!isDone) await payByCard(shop);
  })();
  const manifest = await writeBackup(source, file, PASSPHRASE);
  isDone = true;
  await paying;
  const lines = (table: string) => manifest.parts.find(({ part }) => part === table)?.lines ?? 0;
  expect(lines("public.charges")).toBeGreaterThan(0);
  // Every journal of the moment has its transfer at least, and every row of the ledger its journal.
  expect(lines("public.transfers")).toBeGreaterThanOrEqual(lines("public.journals"));
  expect(await rowsOf("charges")).toBeGreaterThanOrEqual(lines("public.charges"));
  expect((await verifyBackup(file, PASSPHRASE)).manifest).toEqual(manifest);
});

it("leaves the codes of cards out, and shows neither secret nor buyer to whom has no passphrase", async () => {
  const { manifest } = await verifyBackup(file, PASSPHRASE);
  const parts = manifest.parts.map(({ part }) => part);
  expect(parts).toContain("vault.cards");
  expect(parts).not.toContain("vault.card_cvv");
  expect(parts).not.toContain("vault.cvv_keys");
  const bytes = readFileSync(file);
  for (const text of [...Object.values(source.secrets), client.clientId]) expect(bytes.includes(text)).toBe(false);
  await expect(verifyBackup(file, "another passphrase")).rejects.toThrow(/passphrase/);
});

it("is never overwritten, and leaves nothing behind when it fails", async () => {
  await expect(writeBackup(source, file, PASSPHRASE)).rejects.toThrow(/never overwritten/);
  const broken = { ...source, ownerUrl: process.env.DATABASE_URL ?? "" };
  await expect(writeBackup(broken, join(folder, "two.backup"), PASSPHRASE)).rejects.toThrow(/permission denied/);
  expect(readdirSync(folder).filter((name) => name.startsWith("two"))).toEqual([]);
});

it("refuses a file that was cut, changed or is none, before it makes anything", async () => {
  const whole = readFileSync(file);
  const middle = Math.floor(whole.length / 2);
  const changed = Buffer.from(whole);
  changed.writeUInt8(changed.readUInt8(middle) ^ 1, middle);
  const tried = join(folder, "tried.backup");
  const target = join(folder, "refused");
  for (const bytes of [
    whole.subarray(0, -1),
    whole.subarray(0, middle),
    changed,
    Buffer.from("no backup\n"),
    Buffer.alloc(0),
  ]) {
    writeFileSync(tried, bytes);
    await expect(restoreBackup(tried, target, PASSPHRASE)).rejects.toThrow(/damaged|cut off|no backup|goes on/);
    expect(existsSync(target)).toBe(false);
  }
});

it("refuses a folder that is in use", async () => {
  const used = join(folder, "used");
  mkdirSync(used);
  writeFileSync(join(used, "secrets.json"), "{}");
  await expect(restoreBackup(file, used, PASSPHRASE)).rejects.toThrow(/empty TRILHO_DATA_DIR/);
  expect(readdirSync(used)).toEqual(["secrets.json"]);
});

it("comes to its end with tables of any size", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `filler_${index}`);
  for (const [index, name] of names.entries())
    await sql`create table ${sql(name)} as select n, repeat('x', 1000) as filler from generate_series(1, ${60 + 40 * index}) n`;
  const manifest = await writeBackup(source, join(folder, "large.backup"), PASSPHRASE);
  const lines = manifest.parts.filter(({ part }) => part.startsWith("public.filler_")).map((part) => part.lines);
  expect(lines.reduce((sum, rows) => sum + rows, 0)).toBe(names.reduce((sum, _, index) => sum + 60 + 40 * index, 0));
  for (const name of names) await sql`drop table ${sql(name)}`;
});

it("refuses a backup of a newer schema", async () => {
  const newer = join(folder, "newer.backup");
  await sql`update trilho.schema_version set major = ${SCHEMA_VERSION.major + 1}`;
  try {
    await writeBackup(source, newer, PASSPHRASE);
  } finally {
    await sql`update trilho.schema_version set major = ${SCHEMA_VERSION.major}`;
  }
  await expect(restoreBackup(newer, join(folder, "never"), PASSPHRASE)).rejects.toThrow(/newer release/);
});

describe("the drill", () => {
  it("restores rows, files and secrets; every invariant holds, the vault opens and signatures are made", async () => {
    const target = join(folder, "restored");
    try {
      const manifest = await restoreBackup(file, target, PASSPHRASE);
      expect(JSON.parse(readFileSync(join(target, "secrets.json"), "utf8"))).toEqual(source.secrets);
      expect(digestOf(join(target, "files", "logo.png"))).toBe(digestOf(join(source.files, "logo.png")));
      const found = await openedBy(target, [client.clientId, vaultId, webhookId]);
      expect(found).toMatchObject({ broken: [], pan: PAN, isSigned: true });
      expect(found.checked).toBeGreaterThan(0);
      expect(manifest.sequences).toEqual([{ schema: "public", name: "purchase_moves_seq_seq", value: "2" }]);
      expect(found.next).toBe(3);
      expect(readdirSync(target).filter((name) => name.includes("restoring"))).toEqual([]);
    } finally {
      await stopEmbedded(clusterIn(target));
    }
  }, 120_000);
});

it("frames of any size are opened as they were sealed", async () => {
  const pieces = [0, 1, 65_535, 65_536, 65_537, 200_000].map((size) => Buffer.alloc(size, size % 251));
  for (const sent of [pieces, [Buffer.alloc(65_536)], [], pieces.slice(0, 1)]) {
    const sealed: Buffer[] = [];
    for await (const piece of seal(stream(sent), PASSPHRASE, LOG_COST)) sealed.push(piece);
    const opened: Buffer[] = [];
    for await (const piece of unseal(stream([Buffer.concat(sealed)]), PASSPHRASE)) opened.push(piece);
    expect(Buffer.concat(opened).equals(Buffer.concat(sent))).toBe(true);
  }
});

async function* stream(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces;
}

const digestOf = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");

async function openedBy(
  dataDir: string,
  args: readonly string[],
): Promise<{ broken: string[]; checked: number; pan: string; isSigned: boolean; next: number }> {
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    TRILHO_DATA_DIR: dataDir,
    DATABASE_URL: "",
    DATABASE_OWNER_URL: "",
  };
  for (const name of SECRETS) delete environment[name];
  const child = spawn(process.execPath, ["--import", "tsx", PROGRAM, ...args], {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said: Buffer[] = [];
  const complained: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => said.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => complained.push(chunk));
  const [code] = await once(child, "close");
  expect(code, Buffer.concat(complained).toString()).toBe(0);
  return JSON.parse(Buffer.concat(said).toString());
}
