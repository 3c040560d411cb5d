import { createReadStream, existsSync, linkSync, readdirSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import postgres from "postgres";
import { copyOut } from "@/db/driver/copy";
import type { SchemaVersion } from "@/db/schema-version";
import { blocksOf, type Digest, lineOf, type Manifest, type Part } from "@/scripts/backup/contents";
import { seal } from "@/scripts/backup/sealed";

export interface BackupSource {
  /** The owner's address: of a superuser, whom row security shows every row. */
  readonly ownerUrl: string;
  readonly secrets: Readonly<Record<string, string>>;
  /** The folder of uploaded files; it may be missing. */
  readonly files: string;
  /** Of the key's derivation, as a power of two; tests take a low one. */
  readonly logCost?: number;
}

/** Written from the code after each migration, or not worth keeping; the codes of cards are left out on purpose. */
const LEFT_OUT = ["legal_transitions"];

/** Writes everything as it stood at one moment into a new file. Answers what it holds. */
export async function writeBackup(source: BackupSource, file: string, passphrase: string): Promise<Manifest> {
  if (existsSync(file)) throw new Error(`${file} is there already; a backup is never overwritten.`);
  const draft = `${file}.${process.pid}.partial`;
  // Open before anything can fail: a stream that opens by itself may make the file after it was removed.
  const written = await open(draft, "wx", 0o600);
  const sql = postgres(source.ownerUrl, { max: 1, onnotice: () => {}, max_lifetime: null, idle_timeout: 0 });
  try {
    const told: { manifest?: Manifest } = {};
    await sql.begin("isolation level repeatable read read only", async (tx) => {
      const contents = contentsOf(tx, source, (manifest) => {
        told.manifest = manifest;
      });
      await pipeline(
        contents,
        createGzip(),
        (packed: AsyncIterable<Buffer>) => seal(packed, passphrase, source.logCost),
        written.createWriteStream(),
      );
    });
    await sync(draft);
    linkSync(draft, file);
    if (!told.manifest) throw new Error("the backup ended without its manifest");
    return told.manifest;
  } finally {
    await written.close();
    rmSync(draft, { force: true });
    await sql.end({ timeout: 5 });
  }
}

async function* contentsOf(sql: postgres.TransactionSql, source: BackupSource, done: (manifest: Manifest) => void) {
  await sql`set local row_security = off`;
  const [schema] = await sql<SchemaVersion[]>`select major, minor from trilho.schema_version`;
  if (!schema) throw new Error("The database holds nothing yet.");
  const migrations = await sql<{ tag: string; hash: string }[]>`select tag, hash from trilho.migrations order by tag`;
  yield lineOf({
    kind: "head",
    madeAt: new Date().toISOString(),
    schema: { major: schema.major, minor: schema.minor },
    migrations: [...migrations],
  });
  const parts: Digest[] = [];
  const note = (digest: Digest) => void parts.push(digest);
  for (const table of await tablesOf(sql)) {
    const columns = table.columns.map(quoted).join(", ");
    const rows = copyOut(sql, `copy ${quoted(table.schema)}.${quoted(table.name)} (${columns}) to stdout`);
    yield* blocksOf(table, rows, note);
  }
  for (const name of filesIn(source.files)) {
    yield* blocksOf({ kind: "file", name }, createReadStream(join(source.files, name)), note);
  }
  const manifest: Manifest = {
    kind: "manifest",
    parts,
    sequences: await sequencesOf(sql),
    secrets: { ...source.secrets },
  };
  yield lineOf(manifest);
  done(manifest);
}

/** Unlogged tables do not outlive a crash, and so need not be in a backup: among them the codes of cards. */
async function tablesOf(sql: postgres.ISql): Promise<Extract<Part, { kind: "table" }>[]> {
  const rows = await sql<{ schema: string; name: string; columns: string[] }[]>`
    select n.nspname as schema, c.relname as name,
           array(select a.attname::text from pg_attribute a
                  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                  order by a.attnum) as columns
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and c.relpersistence = 'p' and n.nspname in ('public', 'vault')
       and c.relname <> all (${LEFT_OUT})
     order by 1, 2`;
  return rows.map(({ schema, name, columns }) => ({ kind: "table", schema, name, columns }));
}

/** Read behind the rows: a number given meanwhile is skipped later, none is given twice. */
const sequencesOf = async (sql: postgres.ISql): Promise<Manifest["sequences"]> => [
  ...(await sql<Manifest["sequences"][number][]>`
    select schemaname as schema, sequencename as name, last_value::text as value from pg_sequences
     where schemaname in ('public', 'vault') and last_value is not null order by 1, 2`),
];

const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isFile() && /^[\w.-]+$/.test(entry.name))
        .map(({ name }) => name)
        .sort()
    : [];

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A backup that the machine forgets when its power goes is none. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
