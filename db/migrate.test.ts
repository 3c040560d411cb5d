import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrate } from "@/db/migrate";
import { testDatabaseUrl } from "@/lib/testing/database";

let url: string;
let sql: postgres.Sql;
beforeAll(async () => {
  url = await testDatabaseUrl();
  sql = postgres(url, { max: 1, onnotice: () => {} });
});
afterAll(() => sql.end());

const rowSecurity = async (table: string): Promise<boolean> => {
  const [row] = await sql<{ forced: boolean }[]>`
    select relrowsecurity and relforcerowsecurity as forced from pg_class where oid = ${table}::regclass`;
  return row?.forced ?? false;
};

it("may run again and by several processes at once", async () => {
  await Promise.all([migrate(url), migrate(url), migrate(url)]);
  await migrate(url);
});

it("does not lay the policies again", async () => {
  const [before] = await sql`select xmin::text as version from trilho.policies`;
  await migrate(url);
  expect(await sql`select xmin::text as version from trilho.policies`).toEqual([before]);
});

it("lays the policies for a table that came later", async () => {
  await sql`create table late_tenant_table (id uuid primary key, client_id uuid not null)`;
  expect(await rowSecurity("late_tenant_table")).toBe(false);
  await migrate(url);
  expect(await rowSecurity("late_tenant_table")).toBe(true);
});

it("runs the hooks after everything else, every time", async () => {
  const seen: string[] = [];
  const hook = {
    name: "count",
    fingerprint: "1",
    run: async (inside: postgres.Sql) => {
      const [row] = await inside<{ standing: string }[]>`select count(*)::text as standing from trilho.policies`;
      seen.push(row?.standing ?? "");
    },
  };
  await migrate(url, [hook]);
  await migrate(url, [hook]);
  expect(seen).toEqual(["1", "1"]);
});

it("every table of tenants has forced row security", async () => {
  const open = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname in ('public', 'vault')
       and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'client_id' and not a.attisdropped)
       and not (c.relrowsecurity and c.relforcerowsecurity)`;
  expect(open).toEqual([]);
});
