import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Embedded, keepEmbedded, startEmbedded, stopEmbedded } from "@/db/embedded";
import { readPostmaster } from "@/db/embedded/postmaster";

let folder: string;
let cluster: string;
const start = (): Promise<Embedded> =>
  startEmbedded({ cluster, database: "trilho", settings: { shared_buffers: "16MB" } });

async function query<T extends object>(server: Embedded, text: string): Promise<T[]> {
  const sql = postgres(server.url, { max: 1, onnotice: () => {} });
  try {
    // Guarantee: every test names the columns of its own statement.
    return (await sql.unsafe(text)) as unknown as T[];
  } finally {
    await sql.end({ timeout: 1 });
  }
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "embedded-"));
  spawnSync("chmod", ["755", folder]);
  cluster = join(folder, "postgres");
});
afterAll(async () => {
  await stopEmbedded(cluster);
  rmSync(folder, { recursive: true, force: true });
});

it("makes a cluster of its own, which listens on this machine only and asks for a password", async () => {
  const server = await start();
  expect(server.started).toBe(true);
  const [row] = await query<{ listen: string; method: string; encoding: string }>(
    server,
    `select current_setting('listen_addresses') as listen, current_setting('password_encryption') as method,
            current_setting('server_encoding') as encoding`,
  );
  expect(row).toEqual({ listen: "127.0.0.1", method: "scram-sha-256", encoding: "UTF8" });
  const wrong = postgres(server.url.replace(/:[^:@]+@/, ":wrong@"), { max: 1 });
  await expect(wrong`select 1`).rejects.toThrow(/password authentication failed/);
  await wrong.end();
  expect(statSync(`${cluster}.password`).mode & 0o077).toBe(0);
});

it("can be copied and its log archived: one more connection may read the log", async () => {
  const [row] = await query<{ level: string; senders: number }>(
    await start(),
    "select current_setting('wal_level') as level, current_setting('max_wal_senders')::int as senders",
  );
  expect(row?.level).toBe("replica");
  expect(row?.senders).toBeGreaterThanOrEqual(2);
  // What pg_basebackup says first, on a connection as it opens it.
  const connection = { application_name: "copy", replication: "true" };
  const copying = postgres((await start()).url, { max: 1, fetch_types: false, connection });
  expect(await copying.unsafe("IDENTIFY_SYSTEM").simple()).toMatchObject([{ timeline: "1" }]);
  await copying.unsafe("CREATE_REPLICATION_SLOT base_backup TEMPORARY PHYSICAL RESERVE_WAL").simple();
  await copying.end();
});

it("gives the running processes a login of their own, also in a folder that had none", async () => {
  const server = await start();
  rmSync(`${cluster}.login.password`);
  const again = await start();
  expect(again.runtimeUrl).not.toBe(server.runtimeUrl);
  const login = postgres(again.runtimeUrl, { max: 1 });
  const [row] = await login`
    select rolsuper or rolcreaterole or rolcreatedb or rolinherit or rolbypassrls or rolreplication as may
      from pg_roles where rolname = current_user`;
  await login.end();
  expect(row).toEqual({ may: false });
  expect(statSync(`${cluster}.login.password`).mode & 0o077).toBe(0);
});

it("is joined by a second caller", async () => {
  const again = await start();
  expect(again.started).toBe(false);
  expect(again.pid).toBe(readPostmaster(cluster)?.pid);
});

it("keeps what was committed through a kill -9, and starts again without help", async () => {
  const before = await start();
  await query(before, "create table kept (n int); insert into kept values (42)");
  process.kill(before.pid, "SIGKILL");
  const after = await start();
  expect(after.pid).not.toBe(before.pid);
  expect(await query(after, "select n from kept")).toEqual([{ n: 42 }]);
});

it("takes another port when the usual one is taken, and says which", async () => {
  const other = join(folder, "other");
  const server = await startEmbedded({ cluster: other, database: "trilho", durable: false });
  try {
    expect(server.port).not.toBe(readPostmaster(cluster)?.port);
    expect(await query(server, "select 1 as one")).toEqual([{ one: 1 }]);
  } finally {
    await stopEmbedded(other);
  }
});

it("leaves a server alone that another living process owns", async () => {
  const server = await start();
  writeFileSync(`${cluster}.owner`, `${process.ppid}\n`);
  await server.stop();
  expect(readPostmaster(cluster)?.pid).toBe(server.pid);
});

it("adopts a server whose owner is dead, and may then stop it", async () => {
  writeFileSync(`${cluster}.owner`, `${spawnSync(process.execPath, ["-e", "0"]).pid}\n`);
  const server = await start();
  expect(server.started).toBe(false);
  await server.stop();
  expect(readPostmaster(cluster)).toBeUndefined();
});

it("starts where the process number of a crashed server belongs to somebody else now", async () => {
  const stale = [process.ppid, cluster, 0, 1, "", "127.0.0.1", "", "ready   "].join("\n");
  writeFileSync(join(cluster, "postmaster.pid"), stale, { mode: 0o666 });
  const server = await start();
  expect(await query(server, "select n from kept")).toEqual([{ n: 42 }]);
});

it("leaves no half-made cluster behind when it cannot be made", async () => {
  const parent = join(folder, "broken");
  writeFileSync(parent, "");
  await expect(startEmbedded({ cluster: join(parent, "postgres"), database: "trilho" })).rejects.toThrow();
  expect(readdirSync(folder).filter((name) => name.includes(".new-"))).toEqual([]);
  expect(existsSync(join(parent, "postgres"))).toBe(false);
});

it("writes no statement and no value into its log, not even of a failing one", async () => {
  const server = await start();
  await expect(query(server, "select '4111111111111111'::int")).rejects.toThrow();
  const log = spawnSync("cat", [`${cluster}.log`]).stdout.toString();
  expect(log).toContain("ready to accept connections");
  expect(log).not.toMatch(/select|411111/);
});

it("is started again at its address when it is killed, whatever its processes still do", async () => {
  const server = await start();
  const said: string[] = [];
  const stopKeeping = keepEmbedded(
    { cluster, database: "trilho", settings: { shared_buffers: "16MB" } },
    server,
    (line) => said.push(line),
  );
  try {
    // A backend that waits for itself does not look for its postmaster, and keeps the shared memory.
    const busy = query(server, "select pg_sleep(60)").catch(() => "ended");
    await expect
      .poll(() => query(server, "select from pg_stat_activity where query like '%pg_sleep(60)%'"))
      .toHaveLength(2);
    process.kill(server.pid, "SIGKILL");
    const next = () => {
      const { pid, ready, port } = readPostmaster(cluster) ?? {};
      return { isNew: pid !== server.pid, ready, port };
    };
    await expect.poll(next, { timeout: 15_000 }).toEqual({ isNew: true, ready: true, port: server.port });
    expect(await query(server, "select n from kept")).toEqual([{ n: 42 }]);
    expect(await busy).toBe("ended");
    await expect.poll(() => said, { timeout: 5_000 }).toContain("PostgreSQL is back");
  } finally {
    await stopKeeping();
  }
});
