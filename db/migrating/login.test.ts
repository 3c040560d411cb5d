import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { appSql, systemSql, vaultSql } from "@/db/client";
import { RUNTIME_ROLES } from "@/db/migrating/login";
import { openClient } from "@/lib/testing/api";
import { plannedRuntimeUrl, testDatabaseUrl } from "@/lib/testing/database";
import { checkLogin } from "@/scripts/checks/login";

let owner: postgres.Sql;
let login: postgres.Sql;
let ownerName: string;
beforeAll(async () => {
  owner = postgres(await testDatabaseUrl(), { max: 1, onnotice: () => {} });
  login = postgres(plannedRuntimeUrl(), { max: 1, onnotice: () => {} });
  const [row] = await owner<{ name: string }[]>`select current_user as name`;
  ownerName = row?.name ?? "";
});
afterAll(() => Promise.all([owner.end(), login.end()]));

const LEAVING = [
  "set role %owner",
  "set session authorization %owner",
  "alter table charges disable row level security",
  "alter table charges no force row level security",
  "drop policy tenant on charges",
  "create policy open on charges using (true)",
  "alter table journals disable trigger all",
  "drop trigger charges_legal_transition on charges",
  "set session_replication_role = replica",
  "create or replace function current_client() returns uuid language sql as 'select null::uuid'",
  "create table public.mine (id int)",
  "create schema mine",
  "create role other",
  "grant trilho_vault to trilho_app",
  "alter role trilho_app bypassrls",
  "alter role current_user superuser",
  "truncate charges",
  "delete from legal_transitions",
  "update trilho.schema_version set major = 0",
  "select * from trilho.policies",
  "select pg_read_file('/etc/passwd')",
  "copy charges to program 'cat'",
  "create extension dblink",
];

it.each(["none", ...RUNTIME_ROLES])(
  "the login of the running processes, as %s, leaves its wall with no statement",
  async (role) => {
    for (const statement of LEAVING) {
      await login.unsafe(`set role ${role}`);
      const leaving = login.unsafe(statement.replace("%owner", `"${ownerName}"`));
      await expect(leaving, `${role}: ${statement}`).rejects.toThrow(
        /permission denied|must be owner|must be able|must have/,
      );
    }
    await login`reset role`;
  },
);

it("reads nothing before it takes a role", async () => {
  await openClient();
  for (const table of ["clients", "charges", "operators", "vault.cards", "trilho.schema_version"]) {
    await expect(login`select 1 from ${login(table)}`, table).rejects.toThrow(/permission denied/);
  }
});

it("cannot switch row security off", async () => {
  await openClient();
  await login`set role trilho_app`;
  expect(await login`select 1 from clients`).toEqual([]);
  await login`set row_security = off`;
  await expect(login`select 1 from clients`).rejects.toThrow(/row-level security/);
  await login`reset row_security`;
  await login`reset role`;
});

it("is what the product's own pools use", async () => {
  for (const [sql, role] of [
    [appSql(), "trilho_app"],
    [systemSql(), "trilho_system"],
    [vaultSql(), "trilho_vault"],
  ] as const) {
    const [row] = await sql<{ as: string; is_super: boolean }[]>`
      select current_user as as, (select rolsuper from pg_roles where rolname = session_user) as is_super`;
    expect(row).toEqual({ as: role, is_super: false });
  }
});

it("is found in order by the doctor, and each fault of it is named", async () => {
  const url = plannedRuntimeUrl();
  const ownerUrl = await testDatabaseUrl();
  expect(await checkLogin(url, ownerUrl)).toEqual([]);
  expect(await checkLogin(ownerUrl, ownerUrl)).toEqual([expect.objectContaining({ kind: "warning" })]);
  const name = `login_${process.pid}`;
  const bad = new URL(ownerUrl);
  Object.assign(bad, { username: name, password: "long-enough" });
  await owner.unsafe(`create role ${name} login inherit createrole createdb password 'long-enough'`);
  try {
    await owner.unsafe(`grant pg_read_all_data to ${name}; grant trilho_app to ${name};
      create table owned_by_login (id int); alter table owned_by_login owner to ${name};
      grant select on charges to ${name}`);
    const lines = (await checkLogin(bad.href, ownerUrl)).map(({ line }) => line).join("\n");
    for (const said of [
      /is createrole/,
      /is createdb/,
      /owns the table owned_by_login/,
      /rights of its own/,
      /inherits/,
      /member of pg_read_all_data/,
      /no member of trilho_system/,
    ])
      expect(lines).toMatch(said);
  } finally {
    await owner.unsafe(`drop owned by ${name}; drop role ${name}`);
  }
});
