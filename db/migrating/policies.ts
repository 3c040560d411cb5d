import { createHash } from "node:crypto";
import type postgres from "postgres";
import { readPolicies } from "@/db/migrating/files";
import { type Patience, withPatience } from "@/db/migrating/patience";
import { compareVersions, SCHEMA_VERSION, type SchemaVersion } from "@/db/schema-version";

/**
 * Roles, row security and triggers are laid again whenever their files or the tables under them changed; those of a
 * newer version are left as they are.
 */
export async function applyPolicies(sql: postgres.Sql, patience: Patience): Promise<void> {
  const text = readPolicies();
  const [standing] = await sql<(SchemaVersion & { hash: string })[]>`select major, minor, hash from trilho.policies`;
  if (standing && compareVersions(standing, SCHEMA_VERSION) > 0) return;
  if (standing?.hash === (await hashOf(sql, text)) && compareVersions(standing, SCHEMA_VERSION) === 0) return;
  await withPatience("Laying the policies", patience, () =>
    sql.begin(async (tx) => {
      await tx.unsafe(`set local lock_timeout = ${patience.lockMs}`);
      await tx.unsafe(text).simple();
      // Taken afterwards: the files make tables of its own.
      const hash = await hashOf(tx, text);
      await tx`
        insert into trilho.policies (major, minor, hash) values (${SCHEMA_VERSION.major}, ${SCHEMA_VERSION.minor}, ${hash})
        on conflict (one) do update set major = excluded.major, minor = excluded.minor, hash = excluded.hash`;
    }),
  );
}

async function hashOf(sql: postgres.ISql, text: string): Promise<string> {
  const [tables] = await sql<{ names: string }[]>`
    select coalesce(string_agg(n.nspname || '.' || c.relname, ',' order by n.nspname, c.relname), '') as names
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema', 'trilho')`;
  return createHash("sha256")
    .update(text)
    .update(tables?.names ?? "")
    .digest("hex");
}
