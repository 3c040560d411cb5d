import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SCHEMA_VERSION, versionText } from "@/db/schema-version";
import { inRoot } from "@/scripts/start/paths";

/**
 * Writes db/migrations anew as one baseline of db/schema. For the time before a release only: from then on files are
 * added (`npm run db:generate`), and whoever has data could not follow a rewritten one.
 */
const FOLDER = inRoot("db", "migrations");
const BREAK = "--> statement-breakpoint";
const EXTENSIONS = ["pg_trgm", "btree_gin"];

rmSync(FOLDER, { recursive: true, force: true });
execFileSync(
  process.execPath,
  [
    inRoot("node_modules", "drizzle-kit", "bin.cjs"),
    ...["generate", "--config", "db/drizzle.config.ts", "--name", "baseline"],
  ],
  { cwd: inRoot(), stdio: ["ignore", "ignore", "inherit"] },
);

const [file] = readdirSync(FOLDER).filter((name) => name.endsWith(".sql"));
if (!file) throw new Error("drizzle-kit wrote no migration");
const path = join(FOLDER, file);
const statements = readFileSync(path, "utf8")
  .split(BREAK)
  .map((statement) => statement.trim());
// The generator writes foreign keys before the unique indexes that they refer to.
const foreignKeys = statements.filter((statement) => / FOREIGN KEY /.test(statement));
const others = statements.filter((statement) => !foreignKeys.includes(statement));
const extensions = EXTENSIONS.map((name) => `CREATE EXTENSION IF NOT EXISTS ${name};`);
writeFileSync(
  path,
  `-- version: ${versionText(SCHEMA_VERSION)}\n${[...extensions, ...others, ...foreignKeys].join(`\n${BREAK}\n`)}\n`,
);
