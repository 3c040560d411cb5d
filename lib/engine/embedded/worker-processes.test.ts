import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { systemSql } from "@/db/client";
import { createEmbeddedEngine } from "@/lib/engine/embedded/engine";
import { eventType, workflow } from "@/lib/engine/workflow";
import { newId } from "@/lib/ids";
import { plannedDatabaseUrl } from "@/lib/testing/database";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const PROGRAM = join(import.meta.dirname, "worker-program.ts");
const CLAIM_LOCK = 4_782_201;
const WAIT = { timeout: 20_000, interval: 50 };

await systemSql()`select 1`;
const sql = postgres(plannedDatabaseUrl(), { max: 3, onnotice: () => undefined });
const job = eventType("worker/job.made", z.object({ run: z.string() }));
const turn = eventType("worker/turn.made", z.object({ run: z.string(), key: z.string() }));
// Only sends: the processes run the workflows, which have the same ids and triggers there.
const sender = createEmbeddedEngine({
  sql,
  workflows: [
    workflow({ id: "worker-job", triggers: job }, async () => null),
    workflow({ id: "worker-turn", triggers: turn, concurrency: { key: "event.data.key", limit: 1 } }, async () => null),
  ],
});

const children: ChildProcess[] = [];

async function startProcess(worker: string, hangsIn = "", leaseSeconds = "10"): Promise<ChildProcess> {
  const child = fork(PROGRAM, [plannedDatabaseUrl(), worker, hangsIn, leaseSeconds], {
    cwd: ROOT,
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  children.push(child);
  await once(child, "message");
  return child;
}

const steps = (run: string) => sql<{ worker: string; step: string }[]>`
  select worker, step from worker_notes where run = ${run} order by at`;
const stepsSeen = async (run: string) => (await steps(run)).map(({ worker, step }) => `${worker} ${step}`);
const finished = async (workflowId: string) => {
  const [row] = await sql<{ done: number }[]>`
    select count(*)::int as done from engine_runs where workflow = ${workflowId} and status = 'completed'`;
  return row?.done;
};

beforeAll(() => sql`create table worker_notes (worker text, run text, step text, at timestamptz)`);
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }
  await sql`truncate worker_notes, engine_runs, engine_events, engine_crons cascade`;
});
afterAll(() => sql.end({ timeout: 1 }));

test("after kill -9 the next worker takes over without waiting for the lease and runs only the step in flight again", async () => {
  const run = newId();
  const first = await startProcess("first", "two", "3600");
  await sender.send([job.create({ run })]);
  await expect.poll(() => stepsSeen(run), WAIT).toEqual(["first one", "first two"]);
  const died = once(first, "exit");
  first.kill("SIGKILL");
  await died;
  await startProcess("second");
  await expect.poll(() => finished("worker-job"), WAIT).toBe(1);
  expect(await stepsSeen(run)).toEqual(["first one", "first two", "second two", "second three"]);
});

test("a living worker takes over from one that was killed", async () => {
  const run = newId();
  const first = await startProcess("first", "two");
  await sender.send([job.create({ run })]);
  await expect.poll(() => stepsSeen(run), WAIT).toEqual(["first one", "first two"]);
  await startProcess("second");
  first.kill("SIGKILL");
  await expect.poll(() => finished("worker-job"), WAIT).toBe(1);
  expect(await stepsSeen(run)).toEqual(["first one", "first two", "second two", "second three"]);
});

test("a worker that was paused past its lease writes nothing when it wakes up", async () => {
  const run = newId();
  const first = await startProcess("first", "two", "3");
  await sender.send([job.create({ run })]);
  await expect.poll(() => stepsSeen(run), WAIT).toEqual(["first one", "first two"]);
  first.kill("SIGSTOP");
  await startProcess("second");
  // The first may have been paused in the middle of a claim: its transaction is ended first.
  await expect.poll(() => finished("worker-job"), { ...WAIT, timeout: 40_000 }).toBe(1);
  const before = await stepsSeen(run);
  first.kill("SIGCONT");
  const over = once(first, "exit");
  first.kill("SIGTERM");
  await over;
  expect(await stepsSeen(run)).toEqual(before);
  // On a starved machine the first loses its lease before it is paused, and runs its own step again: so it should.
  expect(new Set(before)).toEqual(new Set(["first one", "first two", "second two", "second three"]));
  expect(before.filter((seen) => seen !== "first two")).toEqual(["first one", "second two", "second three"]);
}, 80_000);

test("a worker that was paused while it claimed holds nobody up, and stops when it is told to", async () => {
  const first = await startProcess("first");
  const lock = await sql.reserve();
  await lock`select pg_advisory_lock(${CLAIM_LOCK})`;
  const waiting = async () => {
    const [row] = await sql<{ waiting: number }[]>`
      select count(*)::int as waiting from pg_locks
       where locktype = 'advisory' and objid = ${CLAIM_LOCK} and not granted
         and database = (select oid from pg_database where datname = current_database())`;
    return row?.waiting;
  };
  await expect.poll(waiting, WAIT).toBe(1);
  first.kill("SIGSTOP");
  await lock`select pg_advisory_unlock(${CLAIM_LOCK})`;
  lock.release();
  const run = newId();
  await sender.send([job.create({ run })]);
  await startProcess("second");
  await expect.poll(() => finished("worker-job"), WAIT).toBe(1);
  expect(await stepsSeen(run)).toEqual(["second one", "second two", "second three"]);
  const over = once(first, "exit");
  first.kill("SIGCONT");
  first.kill("SIGTERM");
  await over;
}, 60_000);

test("two workers on one queue run each job once, and both work", async () => {
  await Promise.all([startProcess("a"), startProcess("b")]);
  const runs = Array.from({ length: 200 }, () => newId());
  await sender.send(runs.map((run) => job.create({ run })));
  await expect.poll(() => finished("worker-job"), WAIT).toBe(runs.length);
  const notes = await sql<{ worker: string; times: number }[]>`
    select worker, count(*)::int as times from worker_notes group by worker`;
  expect(notes.reduce((sum, { times }) => sum + times, 0)).toBe(3 * runs.length);
  expect(notes.map(({ worker }) => worker).toSorted()).toEqual(["a", "b"]);
});

test("over all workers no two runs of one concurrency key are at work at once", async () => {
  await Promise.all([startProcess("a"), startProcess("b")]);
  const runs = Array.from({ length: 60 }, (_, index) => ({ run: newId(), key: `k${index % 3}` }));
  await sender.send(runs.map((data) => turn.create(data)));
  await expect.poll(() => finished("worker-turn"), WAIT).toBe(runs.length);
  for (const key of ["k0", "k1", "k2"]) {
    const notes = await sql<{ step: string }[]>`
      select step from worker_notes where step like ${`% ${key}`} order by at`;
    expect(notes.map(({ step }) => step)).toEqual(
      Array.from({ length: 20 }, () => [`begin ${key}`, `end ${key}`]).flat(),
    );
  }
});
