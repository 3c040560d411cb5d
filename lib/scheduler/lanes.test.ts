import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import postgres from "postgres";
import { afterEach, describe, expect, test } from "vitest";
import { observeStatements, type SentStatement, systemSql } from "@/db/client";
import { inTransaction } from "@/lib/context";
import { BOUNDS, claimDue, finishJob, putBack } from "@/lib/due-jobs/claim";
import { laneGauges } from "@/lib/due-jobs/gauges";
import { schedule } from "@/lib/due-jobs/schedule";
import { newId } from "@/lib/ids";
import { openShop, type Shop } from "@/lib/providers/sandbox/api/testing";
import { drainDueJobs, drainLane } from "@/lib/scheduler/drain";
import { testDatabaseUrl } from "@/lib/testing/database";
import { addSeconds, realNow } from "@/lib/time";

const sent: SentStatement[] = [];
observeStatements((statement) => sent.push(statement));
const sql = systemSql();
afterEach(async () => {
  await sql`delete from due_jobs`;
});

const addJob = (clientId: string, refId = newId(), kind = "session.expires", lane = "bookkeeping", late = 60) => sql`
  insert into due_jobs (id, client_id, kind, ref_id, lane, due_at, wake_at, created_at)
  values (${newId()}, ${clientId}, ${kind}, ${refId}, ${lane}, now() - make_interval(secs => ${late}),
          now() - make_interval(secs => ${late}), now())`;

interface PlanNode {
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: PlanNode[];
}

/** Rows of the jobs' table that a statement read; what it wrote is undone. */
async function rowsReadBy({ text, parameters }: SentStatement): Promise<number> {
  let plan: PlanNode | undefined;
  await sql
    .begin(async (tx) => {
      await tx`set local plan_cache_mode = force_generic_plan`;
      // Guarantee: what was sent once is sent again.
      const given = [...parameters] as string[];
      const [row] = await tx.unsafe<{ "QUERY PLAN": { Plan: PlanNode }[] }[]>(
        `explain (analyze, format json) ${text}`,
        given,
      );
      plan = row?.["QUERY PLAN"][0]?.Plan;
      throw new Error("undone");
    })
    .catch(() => undefined);
  if (!plan) throw new Error("no plan");
  return readBelow(plan);
}

const readBelow = (node: PlanNode): number =>
  (node["Relation Name"] === "due_jobs"
    ? (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"]
    : 0) + (node.Plans ?? []).reduce((sum, below) => sum + readBelow(below), 0);

describe("claims", { retry: 0 }, () => {
  test("of many workers at once pass no bound, and no job is in two hands", async () => {
    const accounts = Array.from({ length: 4 }, newId);
    for (const account of accounts) for (let n = 0; n < 20; n++) await addJob(account);
    const claims = await Promise.all(Array.from({ length: 12 }, () => claimDue("bookkeeping", 10)));
    const jobs = claims.flat();
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(jobs.length);
    const most = BOUNDS.bookkeeping.perAccount;
    expect(accounts.map((account) => jobs.filter((job) => job.client_id === account).length)).toEqual(
      accounts.map(() => most),
    );
    const [waiting] = await sql`select count(*)::int as n from due_jobs where lease_until is null`;
    expect(waiting?.n).toBe(4 * (20 - most));
    expect((await laneGauges()).find(({ lane }) => lane === "bookkeeping")).toMatchObject({
      running: 4 * most,
      waiting: 4 * (20 - most),
    });
  });

  test("take of one object the earliest job alone, and the next when that is over", async () => {
    const [account, ref] = [newId(), newId()];
    await addJob(account, ref, "buyer.reminder", "bookkeeping", 10);
    await addJob(account, ref, "buyer.confirming", "bookkeeping", 20);
    const [first, ...more] = await claimDue("bookkeeping", 8);
    expect([first?.kind, more]).toEqual(["buyer.confirming", []]);
    expect(await claimDue("bookkeeping", 8)).toEqual([]);
    if (first) await finishJob({ job: first });
    expect((await claimDue("bookkeeping", 8)).map(({ kind }) => kind)).toEqual(["buyer.reminder"]);
  });

  test("read what they take and little else, when many have fallen due of whom the statistics know nothing", async () => {
    const account = newId();
    await sql`
      insert into due_jobs (id, client_id, kind, ref_id, lane, due_at, wake_at, created_at)
      select gen_random_uuid(), ${account}, 'subscription.due', gen_random_uuid(), 'provider', now(), now(), now()
        from generate_series(1, 3000)`;
    const owner = postgres(await testDatabaseUrl(), { max: 1 });
    await owner`vacuum analyze due_jobs`;
    await owner.end();
    const jobs = await claimDue("provider", 8);
    await Promise.all(jobs.map((job) => finishJob({ job })));
    const claim = sent.findLast(({ text }) => text.includes("with recursive waiting"));
    if (!claim) throw new Error("nothing was claimed");
    expect(await rowsReadBy(claim)).toBeLessThan(200);
  });

  test("are fenced: whoever lost its job neither ends it nor puts it back", async () => {
    const account = newId();
    await addJob(account);
    const [stale] = await claimDue("bookkeeping", 1);
    await sql`update due_jobs set lease_until = now() - interval '1 second'`;
    const [fresh] = await claimDue("bookkeeping", 1);
    if (!stale || !fresh) throw new Error("both claims take the job");
    expect(fresh.id).toBe(stale.id);
    await finishJob({ job: stale });
    await putBack(stale, 0);
    const [row] = await sql`select epoch, lease_until > now() as is_held from due_jobs`;
    expect(row).toEqual({ epoch: fresh.epoch, is_held: true });
  });

  test("leave a date alone that was set while the job ran", async () => {
    const shop = await openShop();
    const { id } = await shop.pix();
    const ctx = await shop.context();
    const set = (at: Date) => inTransaction(ctx, (inside) => schedule(inside, "buyer.reminder", id, at));
    await set(addSeconds(realNow(), -1));
    const [job] = await claimDue("bookkeeping", 1);
    const later = addSeconds(realNow(), 3_600);
    await set(later);
    if (job) await finishJob({ job });
    const [row] = await sql`select due_at, lease_until from due_jobs where ref_id = ${id} and kind = 'buyer.reminder'`;
    expect(row).toEqual({ due_at: later, lease_until: null });
  });
});

/** The provider of this account answers queries so late. */
const isSlow = (shop: Shop, ms: number) =>
  sql`update sandbox_transactions set scenario = ${`latency=${ms};step=query;times=0`} where client_id = ${shop.clientId}`;

const expireNow = (shop: Shop) => sql`
  update due_jobs set wake_at = now() - interval '1 minute', due_at = now() - interval '1 minute'
   where client_id = ${shop.clientId} and kind = 'charge.expire'`;

const canceled = async (shop: Shop): Promise<number> => {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from charges where client_id = ${shop.clientId} and status = 'canceled'`;
  return row?.n ?? 0;
};

const runningOf = async (shop: Shop): Promise<number> => {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from due_jobs where client_id = ${shop.clientId} and lease_until > now()`;
  return row?.n ?? 0;
};

test("a provider that is silent holds up no expiry of another, and its own jobs have no lease before they begin", {
  retry: 0,
  timeout: 120_000,
}, async () => {
  const [silent, healthy] = await Promise.all([openShop(), openShop()]);
  const many = BOUNDS.provider.perQueue + 2;
  for (let n = 0; n < many; n++) await silent.pix();
  for (let n = 0; n < 12; n++) await healthy.pix();
  await sql`delete from due_jobs where kind <> 'charge.expire'`;
  await sql`update charges set expires_at = now() - interval '1 minute' where status = 'pending'`;
  await sql`update sandbox_transactions set expires_at = now() - interval '1 minute'`;
  await isSlow(silent, 8_000);
  await expireNow(silent);
  await expireNow(healthy);
  const under = new Set<Promise<void>>();
  const drained = drainLane("provider", { forMs: 60_000, under });
  await expect.poll(() => canceled(healthy), { timeout: 60_000, interval: 20 }).toBe(12);
  // Judged while the silent ones are still under way: nothing healthy waited for them.
  expect([await canceled(silent), await runningOf(silent)]).toEqual([0, BOUNDS.provider.perQueue]);
  const [waiting] = await sql`
    select count(*)::int as n from due_jobs where client_id = ${silent.clientId} and lease_until is null`;
  expect(waiting?.n).toBe(2);
  await sql`delete from due_jobs where client_id = ${silent.clientId} and lease_until is null`;
  await drained;
});

test("a worker killed with jobs of both lanes in its hands leaves them to the next, and each is done once", {
  retry: 0,
  timeout: 120_000,
}, async () => {
  const shop = await openShop();
  const charges = [await shop.pix(), await shop.pix()];
  await sql`delete from due_jobs where kind <> 'charge.expire'`;
  await sql`update charges set expires_at = now() - interval '1 minute' where status = 'pending'`;
  await sql`update sandbox_transactions set expires_at = now() - interval '1 minute'`;
  await isSlow(shop, 60_000);
  await expireNow(shop);
  const reminders = Array.from({ length: 3 }, newId);
  for (const refId of reminders) await addJob(shop.clientId, refId, "webhook.probe");
  const bundle = join(process.cwd(), ".data", "test", `drain-process.${process.pid}.mjs`);
  await build({
    entryPoints: ["lib/testing/drain-process.ts"],
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
  // What the bookkeeping reads first is held here, so that its jobs are under way when the worker dies.
  const locked = await sql.reserve();
  await locked`begin`;
  await locked`lock table webhooks in access exclusive mode`;
  const worker = spawn(process.execPath, [bundle], { stdio: ["ignore", "ignore", "inherit"], env: process.env });
  await expect
    .poll(
      async () => {
        const rows = await sql<{ lane: string; n: number }[]>`
        select lane, count(*)::int as n from due_jobs where lease_until > now() group by lane order by lane`;
        return rows.map(({ lane, n }) => `${lane} ${n}`);
      },
      { timeout: 60_000, interval: 50 },
    )
    .toEqual(["bookkeeping 3", "provider 2"]);
  worker.kill("SIGKILL");
  await once(worker, "exit");
  await locked`rollback`;
  locked.release();
  rmSync(bundle);
  const [left] = await sql`select count(*)::int as n from due_jobs`;
  expect(left?.n).toBe(5);
  // Real time ends the leases; here their end is brought forward.
  await sql`update due_jobs set lease_until = now() - interval '1 second'`;
  await sql`update charges set lease_until = now() - interval '1 second' where lease_until is not null`;
  await sql`update sandbox_transactions set scenario = null`;
  await drainDueJobs();
  const [end] = await sql`select count(*)::int as n from due_jobs where lane = 'bookkeeping'`;
  expect(end?.n).toBe(0);
  for (const { id } of charges) {
    expect((await shop.charge(id)).status).toBe("canceled");
    const [told] = await sql`select count(*)::int as n from events where entity_id = ${id} and event = 'canceled'`;
    expect(told?.n).toBe(1);
  }
});
