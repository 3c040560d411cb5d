import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import postgres from "postgres";
import { startEmbedded, stopEmbedded } from "@/db/embedded";
import { passwordFile, runtimePasswordFile } from "@/db/embedded/cluster";
import { migrate } from "@/db/migrate";
import { type Migration, readMigrations } from "@/db/migrating/files";
import { USUAL_PATIENCE } from "@/db/migrating/patience";
import { prepareRecords, runMigrations } from "@/db/migrating/run";
import { compareVersions, SCHEMA_VERSION, versionText } from "@/db/schema-version";
import { secretsFile } from "@/lib/env";
import {
  createMeter,
  type Digest,
  type Head,
  type Manifest,
  nameOf,
  type Part,
  readContents,
} from "@/scripts/backup/contents";
import { unseal } from "@/scripts/backup/sealed";
import { quoted } from "@/scripts/backup/write";
import { clusterIn, EMBEDDED_DATABASE } from "@/scripts/start/with-database";
import { SYNC_HOOKS } from "@/scripts/sync-hooks";

/** Reads all of a backup, and so finds out whether it is whole, before anything is made of it. */
export async function verifyBackup(file: string, passphrase: string): Promise<{ head: Head; manifest: Manifest }> {
  const seen: Digest[] = [];
  const told: { head?: Head } = {};
  const manifest = await readContents(opened(file, passphrase), {
    async head(of) {
      refuseNewer(of);
      told.head = of;
    },
    async part(of, content) {
      const meter = createMeter(of);
      for await (const block of content) meter.add(block);
      seen.push(meter.end());
    },
  });
  if (JSON.stringify(seen) !== JSON.stringify(manifest.parts) || !told.head)
    throw new Error("The backup does not hold what its manifest says.");
  return { head: told.head, manifest };
}

/** Makes the data folder that a backup was taken of. It must hold neither database nor secrets. */
export async function restoreBackup(file: string, dataDir: string, passphrase: string): Promise<Manifest> {
  refuseUsed(dataDir);
  const { head, manifest } = await verifyBackup(file, passphrase);
  mkdirSync(dataDir, { recursive: true, mode: 0o755 });
  const cluster = clusterIn(dataDir);
  // Beside its place: a start never meets a half-restored database.
  const draft = `${cluster}.restoring`;
  for (const path of filesOf(draft)) rmSync(path, { recursive: true, force: true });
  const files = join(dataDir, "files");
  try {
    await fill(draft, files, file, passphrase, head, manifest);
  } catch (error) {
    await stopEmbedded(draft);
    for (const path of filesOf(draft)) rmSync(path, { recursive: true, force: true });
    for (const { part } of manifest.parts)
      if (part.startsWith("file ")) rmSync(join(files, part.slice("file ".length)), { force: true });
    throw error;
  }
  writeFileSync(secretsFile(dataDir), `${JSON.stringify(manifest.secrets, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  for (const of of [passwordFile, runtimePasswordFile]) renameSync(of(draft), of(cluster));
  renameSync(draft, cluster);
  return manifest;
}

function refuseUsed(dataDir: string): void {
  const used = [clusterIn(dataDir), secretsFile(dataDir)].find((path) => existsSync(path));
  const files = join(dataDir, "files");
  const taken = used ?? (existsSync(files) && readdirSync(files).length > 0 ? files : undefined);
  if (taken !== undefined)
    throw new Error(`${taken} is there already: a backup is restored into an empty TRILHO_DATA_DIR only.`);
}

function refuseNewer({ schema, migrations }: Head): void {
  if (compareVersions(schema, SCHEMA_VERSION) > 0) {
    throw new Error(
      `The backup is of schema ${versionText(schema)}, and this code runs on ${versionText(SCHEMA_VERSION)}: ` +
        "restore it with the newer release.",
    );
  }
  if (migrationsOf({ migrations }).length !== migrations.length)
    throw new Error("The backup was made by an unreleased version of Trilho, from which there is no way to this one.");
}

const migrationsOf = ({ migrations }: Pick<Head, "migrations">): Migration[] =>
  readMigrations().filter(({ tag, hash }) => migrations.some((one) => one.tag === tag && one.hash === hash));

const opened = (file: string, passphrase: string): AsyncIterable<Buffer> => {
  const unpacked = createGunzip();
  // What goes wrong on the way is thrown where the unpacked content is read.
  pipeline(createReadStream(file), (sealed: AsyncIterable<Buffer>) => unseal(sealed, passphrase), unpacked).catch(
    (error: Error) => unpacked.destroy(error),
  );
  return unpacked;
};

const filesOf = (cluster: string): string[] => [
  cluster,
  passwordFile(cluster),
  runtimePasswordFile(cluster),
  ...["log", "owner", "lock"].map((ending) => `${cluster}.${ending}`),
];

async function fill(draft: string, files: string, file: string, passphrase: string, head: Head, manifest: Manifest) {
  const server = await startEmbedded({ cluster: draft, database: EMBEDDED_DATABASE });
  const sql = postgres(server.url, { max: 1, onnotice: () => {}, max_lifetime: null, idle_timeout: 0 });
  try {
    // The shape the rows were taken from; what came later changes them as it changes those of a running installation.
    await prepareRecords(sql);
    await runMigrations(sql, migrationsOf(head), USUAL_PATIENCE);
    await sql.begin((tx) => load(tx, files, file, passphrase, manifest));
    await migrate(server.url, SYNC_HOOKS, { runtimeUrl: server.runtimeUrl });
    await sql`analyze`;
  } finally {
    await sql.end({ timeout: 5 });
  }
  await server.stop();
  for (const ending of ["log", "owner", "lock"]) rmSync(`${draft}.${ending}`, { force: true });
}

async function load(sql: postgres.TransactionSql, files: string, file: string, passphrase: string, manifest: Manifest) {
  // Rows that were legal when they were written: no trigger judges or follows them again.
  await sql`set local session_replication_role = replica`;
  await readContents(opened(file, passphrase), {
    head: async () => undefined,
    async part(of, content) {
      if (of.kind === "file") {
        mkdirSync(files, { recursive: true, mode: 0o700 });
        await pipeline(content, createWriteStream(join(files, of.name), { mode: 0o600, flags: "wx" }));
        return;
      }
      await loadTable(sql, of, content, manifest);
    },
  });
  for (const { schema, name, value } of manifest.sequences)
    await sql`select setval(${`${quoted(schema)}.${quoted(name)}`}::regclass, ${value}::bigint)`;
  // Transactions are counted anew in another cluster: no journal may look as if it were of one that is still to come.
  await sql`update journals set tx = '0'`;
  await sql`update transfers set tx = '0'`;
  // They count by transactions of the other cluster; new ones are made with each merchant's next day.
  await sql`delete from ledger_checkpoints`;
}

async function loadTable(
  sql: postgres.TransactionSql,
  of: Extract<Part, { kind: "table" }>,
  content: AsyncIterable<Buffer>,
  manifest: Manifest,
) {
  const table = `${quoted(of.schema)}.${quoted(of.name)}`;
  const into = await sql.unsafe(`copy ${table} (${of.columns.map(quoted).join(", ")}) from stdin`).writable();
  await pipeline(content, into);
  const [row] = await sql.unsafe<{ rows: number }[]>(`select count(*)::float8 as rows from ${table}`);
  const expected = manifest.parts.find(({ part }) => part === nameOf(of))?.lines;
  if (row?.rows !== expected) throw new Error(`${nameOf(of)}: ${row?.rows} rows were restored of ${expected}.`);
}
