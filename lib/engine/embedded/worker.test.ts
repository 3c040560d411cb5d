import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { systemSql } from "@/db/client";
import { claimRuns, nextWakeAt } from "@/lib/engine/embedded/claims";
import { MAX_IDLE_CLAIMS } from "@/lib/engine/embedded/execute";
import { fanOut } from "@/lib/engine/embedded/fan-out";
import { RunLost, recordsOf } from "@/lib/engine/embedded/records";
import { registerWorkflows } from "@/lib/engine/embedded/registry";
import { purge } from "@/lib/engine/embedded/retention";
import { charged, runsOf, start, startWorker, stopWorkers, unique } from "@/lib/engine/embedded/testing-harness";
import { eventType, type Workflow, workflow } from "@/lib/engine/workflow";
import { plannedDatabaseUrl } from "@/lib/testing/database";
import { startDatabaseProxy } from "@/lib/testing/database-proxy";
import { addSeconds, DAY_SECONDS, monotonicMs, realNow } from "@/lib/time";
import { pause } from "@/lib/wait";

const sql = systemSql();
const WAIT = { timeout: 10_000, interval: 10 };
/** Far beyond any test: only a notification wakes it. */
const NEVER_LOOKS = { safetyPollMs: 600_000 };
const statuses = async (id: string) => (await runsOf(id)).map(({ status }) => status);

afterEach(stopWorkers);

describe("a worker", () => {
  test("hears of an event at once, without looking for it", async () => {
    const made = charged();
    const id = unique();
    const worker = await startWorker([workflow({ id, triggers: made }, async () => "heard")], NEVER_LOOKS);
    // Its first look is over by then: what it finds afterwards it was told of.
    await pause(300);
    await worker.send([made.create({ chargeId: "c1" })]);
    await expect.poll(() => runsOf(id), WAIT).toEqual([{ status: "completed", output: "heard" }]);
  });

  test("finds within its safety poll what nobody told it of", async () => {
    const made = charged();
    const id = unique();
    const worker = await startWorker([workflow({ id, triggers: made }, async () => null)]);
    await pause(300);
    const event = JSON.stringify({ id: unique(), ...made.create({ chargeId: "c1" }) });
    await sql`
      insert into engine_runs (id, workflow, event, wake_at, created_at)
      values (gen_random_uuid(), ${id}, ${event}, now(), now())`;
    await expect.poll(() => statuses(id), WAIT).toEqual(["completed"]);
    expect(worker.errors).toEqual([]);
  });

  test("claims although another one was paused between the parse and the execution of its claim", async () => {
    const made = charged();
    const id = unique();
    const proxy = await startDatabaseProxy(plannedDatabaseUrl());
    onTestFinished(() => proxy.close());
    proxy.pauseAfter("with due as (");
    await startWorker([workflow({ id, triggers: made }, () => Promise.resolve(null))], {}, proxy.url);
    const holders = async () => {
      const [row] = await sql<{ held: number }[]>`
        select count(*)::int as held from pg_locks
         where locktype = 'advisory' and mode = 'ExclusiveLock' and granted
           and database = (select oid from pg_database where datname = current_database())`;
      return row?.held;
    };
    await pause(500);
    await expect.poll(holders, WAIT).toBe(1);
    const worker = await startWorker([workflow({ id, triggers: made }, () => Promise.resolve(null))]);
    await worker.send([made.create({ chargeId: "c1" })]);
    await expect.poll(() => statuses(id), { timeout: 30_000, interval: 50 }).toEqual(["completed"]);
    await proxy.close();
  }, 60_000);

  test("goes on when its connections are cut", async () => {
    const made = charged();
    const id = unique();
    const worker = await startWorker([workflow({ id, triggers: made }, ({ step }) => step.run("one", () => null))]);
    await pause(300);
    const [cut] = await worker.pool`
      select count(pg_terminate_backend(pid))::int as connections from pg_stat_activity
       where datname = current_database() and application_name = 'postgres.js' and pid <> pg_backend_pid()`;
    expect(cut?.connections).toBeGreaterThanOrEqual(2);
    await pause(1_500);
    const [lock] =
      await sql`select count(*)::int as held from pg_locks where locktype = 'advisory' and mode = 'ShareLock'`;
    expect(lock?.held).toBeGreaterThanOrEqual(1);
    await worker.send([made.create({ chargeId: "c1" })]);
    await expect.poll(() => statuses(id), WAIT).toEqual(["completed"]);
  });

  test("sleeps in real time", async () => {
    const made = charged();
    const id = unique();
    const worker = await startWorker([workflow({ id, triggers: made }, ({ step }) => step.sleep("a second", 1))]);
    const sentAt = monotonicMs();
    await worker.send([made.create({ chargeId: "c1" })]);
    await expect.poll(() => statuses(id), WAIT).toEqual(["completed"]);
    expect(monotonicMs() - sentAt).toBeGreaterThanOrEqual(1_000);
  });

  test("keeps the lease of a step that takes longer than it, beside another worker", async () => {
    const made = charged();
    const id = unique();
    let calls = 0;
    const slow = [
      workflow({ id, triggers: made }, ({ step }) =>
        step.run("slow", async () => {
          calls += 1;
          await pause(2_500);
        }),
      ),
    ];
    const lease = { seconds: 1, heartbeatSeconds: 0.3 };
    const worker = await startWorker(slow, { lease });
    await startWorker(slow, { lease });
    await worker.send([made.create({ chargeId: "c1" })]);
    await expect.poll(() => statuses(id), WAIT).toEqual(["completed"]);
    expect(calls).toBe(1);
  });

  test("raises the signal of a run that was taken from it, and begins no further step of it", async () => {
    const made = charged();
    const id = unique();
    const calls: string[] = [];
    const lease = { seconds: 1, heartbeatSeconds: 0.2 };
    const robbed = workflow({ id, triggers: made }, async ({ step, signal, runId }) => {
      await step.run("one", async () => {
        calls.push("one");
        if (calls.length > 1) return;
        await sql`update engine_runs set owner = gen_random_uuid() where id = ${runId}`;
        await expect.poll(() => signal.aborted, WAIT).toBe(true);
      });
      await step.run("two", () => calls.push("two"));
    });
    const worker = await startWorker([robbed], { lease });
    await worker.send([made.create({ chargeId: "c1" })]);
    await expect.poll(() => statuses(id), WAIT).toEqual(["completed"]);
    expect(calls).toEqual(["one", "one", "two"]);
    expect(worker.errors).toEqual([]);
  });

  test("that stops lets the step in progress end, begins no other and gives the run back", async () => {
    const made = charged();
    const id = unique();
    const calls: string[] = [];
    const flow: Workflow[] = [
      workflow({ id, triggers: made }, async ({ step }) => {
        await step.run("one", async () => {
          calls.push("one");
          await pause(300);
        });
        await step.run("two", () => calls.push("two"));
      }),
    ];
    const worker = await startWorker(flow);
    await worker.send([made.create({ chargeId: "c1" })]);
    await expect.poll(() => calls, WAIT).toEqual(["one"]);
    await worker.stop();
    expect(calls).toEqual(["one"]);
    const [left] =
      await sql`select owner, lease_until, wake_at <= now() as due from engine_runs where workflow = ${id}`;
    expect(left).toEqual({ owner: null, lease_until: null, due: true });
    await startWorker(flow);
    await expect.poll(() => calls, WAIT).toEqual(["one", "two"]);
  });

  test("goes on with new work when the engine's tables are emptied under it", async () => {
    const made = charged();
    const id = unique();
    let calls = 0;
    const worker = await startWorker([
      workflow({ id, triggers: made }, ({ step }) =>
        step.run("one", async () => {
          calls += 1;
          if (calls === 1) await sql`delete from engine_runs where workflow = ${id}`;
        }),
      ),
    ]);
    await worker.send([made.create({ chargeId: "c1" })]);
    await expect.poll(() => calls, WAIT).toBe(1);
    await worker.send([made.create({ chargeId: "c2" })]);
    await expect.poll(() => statuses(id), WAIT).toEqual(["completed"]);
    expect(worker.errors).toEqual([]);
  });

  const leasedByNobody = async (id: string, name: string) => {
    const event = JSON.stringify({ id: unique(), name, data: { chargeId: "c1" } });
    await sql`
      insert into engine_runs (id, workflow, event, wake_at, owner, lease_until, created_at)
      values (gen_random_uuid(), ${id}, ${event}, now(), gen_random_uuid(), now() + interval '1 hour', now())`;
  };

  test("that is alone ends the leases of the dead at once", async () => {
    const made = charged();
    const id = unique();
    await leasedByNobody(id, made.name);
    await startWorker([workflow({ id, triggers: made }, async () => null)]);
    await expect.poll(() => statuses(id), { ...WAIT, timeout: 3_000 }).toEqual(["completed"]);
  });

  test("that is not alone leaves every lease to its time", async () => {
    const made = charged();
    const id = unique();
    await startWorker([]);
    await startWorker([workflow({ id, triggers: made }, async () => null)]);
    await leasedByNobody(id, made.name);
    await pause(2_500);
    expect(await statuses(id)).toEqual(["active"]);
  });
});

describe("concurrency", () => {
  test("a run that sleeps frees its place", async () => {
    const made = charged();
    const id = unique();
    const order: string[] = [];
    const engine = start([
      workflow({ id, triggers: made, concurrency: { limit: 1 } }, async ({ event, step }) => {
        await step.run("begin", () => order.push(`begin ${event.data.chargeId}`));
        await step.sleep("a while", 60);
        await step.run("end", () => order.push(`end ${event.data.chargeId}`));
      }),
    ]);
    await engine.send([made.create({ chargeId: "a" }), made.create({ chargeId: "b" })]);
    await engine.drain();
    expect(order.toSorted()).toEqual(["begin a", "begin b"]);
    await engine.later(60);
    expect(order.slice(2).toSorted()).toEqual(["end a", "end b"]);
  });

  test("claims at most the limit of each key, the longest due first", async () => {
    const made = charged();
    const flow = workflow(
      { id: unique(), triggers: made, concurrency: { key: "event.data.chargeId", limit: 2 } },
      async () => null,
    );
    const registry = registerWorkflows([flow]);
    for (const chargeId of ["x", "x", "x", "y"]) {
      await fanOut(sql, registry, [made.create({ chargeId })], realNow());
      await pause(2);
    }
    const claimed = await claimRuns(sql, registry, 10, realNow());
    expect(claimed.map((run) => JSON.parse(run.event).data.chargeId).toSorted()).toEqual(["x", "x", "y"]);
    expect(await claimRuns(sql, registry, 10, realNow())).toEqual([]);
    const [first] = claimed.filter((run) => run.event.includes('"x"'));
    if (!first) throw new Error("nothing was claimed");
    await recordsOf(sql, registry, first).completed("null", realNow());
    expect(await claimRuns(sql, registry, 10, realNow())).toHaveLength(1);
  });
});

describe("a claim", () => {
  const claimOne = async (flow: Workflow) => {
    const registry = registerWorkflows([flow]);
    const [run] = await claimRuns(sql, registry, 1, realNow());
    if (!run) throw new Error("nothing was claimed");
    return { run, registry, records: recordsOf(sql, registry, run) };
  };
  const waitingRun = async () => {
    const made = charged();
    const settled = eventType(`${unique()}/charge.settled`, z.object({ chargeId: z.string() }));
    const flow = workflow({ id: unique(), triggers: made }, async () => null);
    await fanOut(sql, registerWorkflows([flow]), [made.create({ chargeId: "c1" })], realNow());
    const claimed = await claimOne(flow);
    const timeout = addSeconds(realNow(), 3_600);
    await claimed.records.wait("settled", timeout, { event: settled.name, path: "data.chargeId", value: "c1" });
    return { ...claimed, settled, timeout };
  };

  test("that parks while an answer is being committed is due at once, not at the time-out", async () => {
    const { run, registry, records, settled, timeout } = await waitingRun();
    let parked: Promise<void> | undefined;
    await sql.begin(async (tx) => {
      await fanOut(tx, registry, [settled.create({ chargeId: "c1" })], realNow());
      parked = records.parked(timeout, realNow());
      await pause(200);
    });
    await parked;
    const [row] = await sql`select wake_at <= ${realNow()} as due, owner from engine_runs where id = ${run.id}`;
    expect(row).toEqual({ due: true, owner: null });
  });

  test("whose wait times out while an answer is being committed takes the answer", async () => {
    const { registry, records, settled } = await waitingRun();
    let ended: Promise<string> | undefined;
    await sql.begin(async (tx) => {
      await fanOut(tx, registry, [settled.create({ chargeId: "c1" })], realNow());
      ended = records.endWait("settled");
      await pause(200);
    });
    expect(JSON.parse((await ended) ?? "null")).toMatchObject({ name: settled.name, data: { chargeId: "c1" } });
  });

  test("that lost its run can write nothing", async () => {
    const { run, records } = await waitingRun();
    await sql`update engine_runs set owner = gen_random_uuid() where id = ${run.id}`;
    const now = realNow();
    const awaited = { event: "e", path: "data.x", value: "1" };
    await expect(records.step({ stepId: "s", status: "ok", output: "1" })).rejects.toThrow(RunLost);
    await expect(records.wait("w", now, awaited)).rejects.toThrow(RunLost);
    await expect(records.endWait("settled")).rejects.toThrow(RunLost);
    await expect(records.sent("e", [{ id: unique(), name: "x", data: {} }], now)).rejects.toThrow(RunLost);
    await expect(records.completed("1", now)).rejects.toThrow(RunLost);
    await expect(records.failed({ name: "E", message: "m" }, now)).rejects.toThrow(RunLost);
    await expect(records.retry({ name: "E", message: "m" }, now)).rejects.toThrow(RunLost);
    await expect(records.parked(now, now)).rejects.toThrow(RunLost);
    const rows = await sql`select step_id, status from engine_steps where run_id = ${run.id}`;
    expect(rows).toEqual([{ step_id: "settled", status: "wait" }]);
  });

  test("is given up when its run was claimed too often without writing anything", async () => {
    const made = charged();
    const id = unique();
    let calls = 0;
    const handler = async () => {
      calls += 1;
    };
    const flow = workflow({ id, triggers: made, onFailure: async ({ error }) => error.name }, handler);
    const engine = start([flow]);
    await engine.send([made.create({ chargeId: "c1" })]);
    await sql`update engine_runs set idle_claims = ${MAX_IDLE_CLAIMS} where workflow = ${id}`;
    await engine.drain();
    expect(calls).toBe(0);
    expect(engine.failed).toMatchObject([{ workflow: id, name: "CrashLoop" }]);
    expect(await statuses(id)).toEqual(["failed"]);
    expect(await runsOf(`${id}-failure`)).toEqual([{ status: "completed", output: "CrashLoop" }]);
  });

  test("counts as idle only until its first write", async () => {
    const { run, records } = await waitingRun();
    await sql`update engine_runs set idle_claims = 5 where id = ${run.id}`;
    await recordsOf(sql, registerWorkflows([]), run).step({ stepId: "s", status: "ok", output: "1" });
    const [row] = await sql`select idle_claims from engine_runs where id = ${run.id}`;
    expect(row).toEqual({ idle_claims: 0 });
    await records.parked(realNow(), realNow());
  });
});

test("the next wake-up is of future rows of registered workflows only", async () => {
  const made = charged();
  const id = unique();
  const flow = workflow({ id, triggers: made }, async () => null);
  const registry = registerWorkflows([flow]);
  const now = realNow();
  await fanOut(sql, registry, [made.create({ chargeId: "due" })], now);
  expect(await nextWakeAt(sql, registry, now)).toBeNull();
  await fanOut(sql, registry, [made.create({ chargeId: "later" })], addSeconds(now, 30));
  expect(await nextWakeAt(sql, registry, now)).toEqual(addSeconds(now, 30));
  expect(await nextWakeAt(sql, registerWorkflows([]), now)).toBeNull();
});

test("old runs, their steps and the ids of old events are deleted; active runs never", async () => {
  const made = charged();
  const id = unique();
  const flow = workflow({ id, triggers: made, retries: 0 }, async ({ event, step }) => {
    await step.run("one", () => null);
    if (event.data.chargeId === "fails") throw new Error("no");
    if (event.data.chargeId === "sleeps") await step.sleep("long", "365d");
  });
  const engine = start([flow]);
  await engine.send(["ends", "fails", "sleeps"].map((chargeId) => made.create({ chargeId })));
  await engine.drain();
  const at = engine.clock.now();
  const left = async (days: number) => {
    await purge(sql, addSeconds(at, days * DAY_SECONDS));
    const [events] = await sql`select count(*)::int as count from engine_events where name = ${made.name}`;
    return { statuses: (await statuses(id)).toSorted(), events: events?.count };
  };
  expect(await left(6)).toEqual({ statuses: ["active", "completed", "failed"], events: 3 });
  expect(await left(8)).toEqual({ statuses: ["active", "failed"], events: 0 });
  expect(await left(31)).toEqual({ statuses: ["active"], events: 0 });
  const [steps] = await sql`
    select count(*)::int as count from engine_steps where run_id in (select id from engine_runs where workflow = ${id})`;
  expect(steps).toEqual({ count: 2 });
});
