import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrate } from "@/db/migrate";
import { testDatabaseUrl } from "@/lib/testing/database";
import { checkLogin } from "@/scripts/checks/login";
import { SYNC_HOOKS } from "@/scripts/sync-hooks";

const owner = `owner_${process.pid}`;
const runtime = `runtime_${process.pid}`;
const database = `owned_${process.pid}`;
let admin: postgres.Sql;
const urls = { owner: "", runtime: "" };

beforeAll(async () => {
  const url = new URL(await testDatabaseUrl());
  admin = postgres(url.href, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create role ${owner} login createrole nosuperuser password 'owner-password'`);
  // The roles stand already on this server; elsewhere the owner makes them, which gives it the same.
  await admin.unsafe(`grant trilho_app, trilho_system, trilho_vault, trilho_limited to ${owner}
    with admin true, inherit false, set false`);
  await admin.unsafe(`create database ${database} owner ${owner}`);
  url.pathname = `/${database}`;
  urls.owner = Object.assign(new URL(url), { username: owner, password: "owner-password" }).href;
  urls.runtime = Object.assign(new URL(url), { username: runtime, password: "with 'quotes' and ç" }).href;
});
afterAll(async () => {
  await admin.unsafe(`drop database if exists ${database} with (force)`);
  await admin.unsafe(`drop role if exists ${runtime}`);
  await admin.unsafe(`drop owned by ${owner}`);
  await admin.unsafe(`drop role if exists ${owner}`);
  await admin.end();
});

it("an owner that may only create roles migrates, and sets the login of the running processes up", async () => {
  await migrate(urls.owner, SYNC_HOOKS, { runtimeUrl: urls.runtime });
  await migrate(urls.owner, SYNC_HOOKS, { runtimeUrl: urls.runtime });
  expect(await checkLogin(urls.runtime, urls.owner)).toEqual([]);
});

it("a login that may not migrate starts on a schema that is there, and says so where it is not", async () => {
  await migrate(urls.runtime, SYNC_HOOKS);
  const sql = postgres(urls.owner, { max: 1, onnotice: () => {} });
  await sql`delete from trilho.schema_version`;
  await expect(migrate(urls.runtime, SYNC_HOOKS)).rejects.toThrow(/DATABASE_OWNER_URL/);
  await sql`insert into trilho.schema_version (major, minor) values (1, 0)`;
  await sql.end();
});

it("nobody puts a temporary table in front of a real one", async () => {
  const sql = postgres(urls.runtime, { max: 1, onnotice: () => {} });
  await sql`set role trilho_app`;
  await expect(sql`create temporary table clients (id int)`).rejects.toThrow(/permission denied/);
  await sql.end();
});
