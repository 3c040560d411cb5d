import { resolve } from "node:path";
import type { Manifest } from "@/scripts/backup/contents";
import { say } from "@/scripts/start/progress";
import { enterRoot } from "@/scripts/start/with-database";

/** The data folder, where the embedded database is used. */
export function embeddedFolder(): string {
  const dataDir = enterRoot();
  if (process.env.DATABASE_URL?.trim())
    throw new Error(
      "DATABASE_URL is set, and this is for the embedded database: back up your own PostgreSQL with pg_basebackup and " +
        "an archive of its log (README, Backups).",
    );
  return dataDir;
}

/** Relative to where npm was called. */
export function fileArgument(command: "backup" | "restore"): string {
  const given = process.argv[2];
  if (!given || process.argv.length > 3) throw new Error(`Usage: npm run ${command} -- FILE`);
  return resolve(process.env.INIT_CWD ?? ".", given);
}

export function summary({ parts }: Manifest): string {
  const files = parts.filter(({ part }) => part.startsWith("file "));
  const tables = parts.filter((one) => !files.includes(one));
  const rows = tables.reduce((sum, { lines }) => sum + lines, 0);
  return `${rows} rows of ${tables.length} tables, ${files.length} files and the secrets`;
}

export function sayFailure(error: unknown): void {
  say(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
