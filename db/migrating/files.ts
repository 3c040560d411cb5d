import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SchemaVersion } from "@/db/schema-version";

const ROOT = join(import.meta.dirname, "..", "..");
export const MIGRATIONS_FOLDER = join(ROOT, "db", "migrations");
const POLICIES_FOLDER = join(ROOT, "db", "policies");
const BREAK = "--> statement-breakpoint";
const VERSION_LINE = /^-- version: (\d+)\.(\d+)$/m;

export interface Migration {
  /** The name of the file without its ending. */
  readonly tag: string;
  readonly version: SchemaVersion;
  readonly hash: string;
  /** Each is run, and noted, by itself. */
  readonly statements: readonly string[];
}

/** In the order they are run. */
export const readMigrations = (folder = MIGRATIONS_FOLDER): Migration[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => parseMigration(name.replace(/\.sql$/, ""), readFileSync(join(folder, name), "utf8")));

export function parseMigration(tag: string, text: string): Migration {
  const [, major, minor] = VERSION_LINE.exec(text) ?? [];
  if (major === undefined || minor === undefined)
    throw new Error(`db/migrations/${tag}.sql: the first line must be "-- version: MAJOR.MINOR"`);
  return {
    tag,
    version: { major: Number(major), minor: Number(minor) },
    hash: createHash("sha256").update(text).digest("hex"),
    statements: text
      .replace(VERSION_LINE, "")
      .split(BREAK)
      .map((statement) => statement.trim())
      .filter((statement) => statement !== ""),
  };
}

/** In the order of their names: what stands in one may need the one before. */
export const policyFiles = (): string[] =>
  readdirSync(POLICIES_FOLDER)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => join(POLICIES_FOLDER, name));

export const readPolicies = (): string =>
  policyFiles()
    .map((file) => readFileSync(file, "utf8"))
    .join("");
