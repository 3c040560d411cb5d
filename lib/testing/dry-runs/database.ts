import postgres from "postgres";
import { flushRequestLog } from "@/lib/http/request-log";
import { testDatabaseUrl } from "@/lib/testing/database";

/** What every call leaves, a dry run too: that it was made. */
const OF_CALLS = ["public.request_logs", "public.api_keys"];

let owner: postgres.Sql | undefined;

/**
 * Two that are equal are of one and the same database: each table's rows and the newest transaction that wrote one of
 * them. Whatever is inserted or changed is newer, and whatever is deleted is missing.
 */
export async function databaseState(): Promise<string> {
  await flushRequestLog();
  owner ??= postgres(await testDatabaseUrl(), { max: 1, onnotice: () => undefined });
  const tables = await owner<{ name: string }[]>`
    select n.nspname || '.' || c.relname as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname not like 'pg\_%' and n.nspname <> 'information_schema' order by 1`;
  const each = tables
    .filter(({ name }) => !OF_CALLS.includes(name))
    .map(
      ({ name }) =>
        `select '${name} ' || count(*) || ' ' || coalesce(max(xmin::text::bigint), 0) as state from ${name}`,
    );
  const states = await owner.unsafe<{ state: string }[]>(each.join(" union all "));
  return states
    .map(({ state }) => state)
    .sort()
    .join("\n");
}

export async function closeDatabaseState(): Promise<void> {
  await owner?.end();
  owner = undefined;
}
