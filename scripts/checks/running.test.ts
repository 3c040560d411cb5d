import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newId } from "@/lib/ids";
import { testDatabaseUrl } from "@/lib/testing/database";
import { checkRoom } from "@/scripts/checks/checks";
import { checkProcesses, checkWork } from "@/scripts/checks/running";

let url: string;
let sql: postgres.Sql;
beforeAll(async () => {
  url = await testDatabaseUrl();
  sql = postgres(url, { max: 1, onnotice: () => {} });
  await sql`set role trilho_system`;
});
afterEach(async () => {
  await sql`delete from worker_beats`;
  await sql`delete from outbox`;
  await sql`delete from invariant_violations`;
  await sql`delete from invariant_runs`;
});
afterAll(() => sql.end());

const ago = (seconds: number) => sql`now() - ${seconds} * interval '1 second'`;
const beat = (seconds: number) => sql`insert into worker_beats (id, beat_at) values (${newId()}, ${ago(seconds)})`;
const audit = (seconds: number) => sql`
  insert into invariant_runs (invariant, ran_at, duration_ms, checked) values ('M1', ${ago(seconds)}, 1, 0)`;
const event = (seconds: number) => sql`
  insert into outbox (id, client_id, name, data, created_at) values (${newId()}, ${newId()}, 'test/none', '{}', ${ago(seconds)})`;
const lines = async () => (await checkWork(url)).map(({ kind, line }) => `${kind}: ${line}`);

describe("what waits in the database", () => {
  test("is no fault while a worker lives and the books are audited", async () => {
    await beat(5);
    await audit(30);
    expect(await lines()).toEqual([]);
  });

  test("is told with the worker that fell, and with one that nobody started", async () => {
    await beat(180);
    await event(170);
    expect(await lines()).toEqual([
      expect.stringMatching(
        /^problem: No worker has said that it lives for 3 min; work has waited for 3 min: start one/,
      ),
    ]);
    await sql`delete from worker_beats`;
    expect(await lines()).toEqual([expect.stringMatching(/^warning: No worker runs; work has waited for 3 min/)]);
  });

  test("is told beside a worker that lives: purchases that are refused, an engine that takes nothing, an audit that stopped", async () => {
    await beat(5);
    await audit(1_800);
    await event(90);
    await sql`
      insert into due_jobs (id, client_id, kind, ref_id, due_at, wake_at, created_at)
      values (${newId()}, ${newId()}, 'attempt.query', ${newId()}, ${ago(400)}, ${ago(400)}, now())`;
    expect(await lines()).toEqual([
      expect.stringMatching(/^problem: The engine has not taken an event for 90 s/),
      expect.stringMatching(/^warning: Due work is 7 min late/),
      expect.stringMatching(/^warning: The books were not audited for 30 min/),
    ]);
    await sql`delete from due_jobs`;
  });

  test("is told with the invariants that are broken", async () => {
    await beat(5);
    await audit(30);
    for (const invariant of ["M2", "M1", "M1"])
      await sql`
        insert into invariant_violations (id, client_id, invariant, row_id, found_at, seen_at)
        values (${newId()}, ${newId()}, ${invariant}, ${newId()}, now(), now())`;
    expect(await lines()).toEqual(["problem: 3 rows break M1, M2: see /dashboard/proof, which names them"]);
  });
});

describe("a running installation", () => {
  const settings = { HOST: "0.0.0.0", TRILHO_ROLE: "all" } as const;
  async function answering(status: number, body: object) {
    const server = createServer((_request, response) => response.writeHead(status).end(JSON.stringify(body)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    // Guarantee: a server that listens on a port has an AddressInfo.
    const { port } = server.address() as AddressInfo;
    const found = await checkProcesses({ pid: 7, port }, settings);
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    return { port, found: found.map(({ kind, line }) => `${kind}: ${line}`) };
  }

  test("is asked what it lacks, and whether it answers at all", async () => {
    const good = { status: "ready", checks: { database: { ok: true } } };
    const { port, found } = await answering(200, good);
    expect(found).toEqual([]);
    expect(await checkProcesses({ pid: 7, port }, settings)).toEqual([
      { kind: "problem", line: expect.stringContaining(`127.0.0.1:${port} does not answer`) },
    ]);
    const alone = { status: "ready", checks: { worker: { ok: false, reason: "no worker is running" } } };
    expect((await answering(200, alone)).found).toEqual([
      "warning: Trilho runs (process 7) and is not whole: worker: no worker is running",
    ]);
    const away = { status: "unavailable", checks: { database: { ok: false, reason: "the database is away" } } };
    expect((await answering(503, away)).found).toEqual([
      "problem: Trilho runs (process 7) and takes no requests: database: the database is away",
    ]);
  });

  test("without a web process is asked nothing", async () => {
    expect(await checkProcesses({ pid: 7, port: 1 }, { ...settings, TRILHO_ROLE: "worker" })).toEqual([]);
  });
});

test("a disk that is nearly full is told of", () => {
  expect(checkRoom(tmpdir(), Number.MAX_SAFE_INTEGER)).toEqual([
    { kind: "warning", line: expect.stringMatching(/has \d+ MB left/) },
  ]);
  expect(checkRoom(tmpdir(), 0)).toEqual([]);
});
