import { systemSql } from "@/db/client";
import { SCHEMA_VERSION, type SchemaStanding, type SchemaVersion, standingOf, versionText } from "@/db/schema-version";

export interface SchemaState {
  readonly standing: SchemaStanding;
  /** As "1.0"; null before the first migration. */
  readonly stored: string | null;
  readonly expected: string;
}

/** UNDEFINED_TABLE, INVALID_SCHEMA_NAME and INSUFFICIENT_PRIVILEGE on a database that was never migrated. */
const NOT_THERE = new Set(["42P01", "3F000", "42501"]);

/** Where the database stands to this code, now. Rejects when the database does not answer. */
export async function schemaState(): Promise<SchemaState> {
  const stored = await storedVersion();
  return {
    standing: standingOf(stored),
    stored: stored ? versionText(stored) : null,
    expected: versionText(SCHEMA_VERSION),
  };
}

async function storedVersion(): Promise<SchemaVersion | undefined> {
  try {
    const [row] = await systemSql()<SchemaVersion[]>`select major, minor from trilho.schema_version`;
    return row;
  } catch (error) {
    if (error instanceof Error && "code" in error && NOT_THERE.has(String(error.code))) return undefined;
    throw error;
  }
}
