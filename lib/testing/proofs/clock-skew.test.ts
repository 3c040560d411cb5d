import { rmSync } from "node:fs";
import postgres from "postgres";
import { expect, test } from "vitest";
import { closePools, systemSql } from "@/db/client";
import { sweepOperations } from "@/lib/purchases/sweep";
import { openClient } from "@/lib/testing/api";
import { cells } from "@/lib/testing/kills/cells";
import { underReview, wrongsOf } from "@/lib/testing/kills/judge";
import { begin, cellAt, described, environment, keptCards, recover } from "@/lib/testing/kills/runs";
import { POINTS } from "@/lib/testing/kills/seams";
import { startWorker } from "@/lib/testing/kills/worker";
import { withMerchant } from "@/lib/testing/payments";
import { proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { bundled } from "@/lib/testing/simulator/bundle";

const IN_SUITE = 9;
const AT_ONCE = 3;

/** Whose clock is wrong, and by how much. */
const SKEWS = [
  { name: "a worker an hour ahead", workerMs: 3_600_000, databaseSeconds: 0 },
  { name: "a worker an hour behind", workerMs: -3_600_000, databaseSeconds: 0 },
  { name: "the database five minutes ahead", workerMs: 0, databaseSeconds: 300 },
] as const;

test("the clocks of worker and database differ: nobody takes what another holds, and the acquirer's record and ours agree", {
  timeout: proofTimeout(240_000),
}, async () => {
  const client = await openClient();
  const shop = await withMerchant(client);
  const cardOf = keptCards(client);
  const all = cells();
  const [first, runs] = [proofFrom(), proofRuns(IN_SUITE)];
  const violations: string[] = [];
  const figures = { operationsInterrupted: 0, operationsNotInterrupted: 0, underReview: 0 };
  const met = new Set<string>();
  for (let done = 0; done < runs; done += AT_ONCE) {
    const skew = SKEWS[Math.floor((first + done) / AT_ONCE) % SKEWS.length] ?? SKEWS[0];
    met.add(skew.name);
    const program = await bundled("lib/testing/kills/worker-program.ts", "skewed-worker", [
      ...POINTS,
      { file: "lib/time.ts", find: "=> new Date();", put: `=> new Date(Date.now() + ${skew.workerMs});` },
    ]);
    await setDatabaseClock(skew.databaseSeconds);
    const chosen = Array.from({ length: Math.min(AT_ONCE, runs - done) }, (_, nth) => cellAt(all, first + done + nth));
    const worker = await startWorker(program, environment());
    const begun = [];
    for (const cell of chosen) begun.push(await begin(shop, cardOf, cell));
    const interrupted = begun.filter((run) => run !== undefined);
    const ids = interrupted.map(({ operationId }) => operationId);
    for (const { operationId, cell } of interrupted) {
      worker.give({ ...client, id: operationId, operationId, stopAt: cell.stopAt, holdsLocks: false });
    }
    await worker.settled(ids);
    const held = worker.told.filter(({ id, at }) => at !== undefined && ids.includes(id)).map(({ id }) => id);
    figures.operationsInterrupted += held.length;
    figures.operationsNotInterrupted += chosen.length - held.length;
    // What is leased has minutes to go by every clock: another worker, whose clock is right, must leave it alone.
    const before = await leasesOf(held);
    await sweepOperations();
    const after = await leasesOf(held);
    const taken = before.filter((lease) => !after.includes(lease));
    if (taken.length > 0) violations.push(`${skew.name}: ${taken.length} operations were taken from their worker`);
    worker.go();
    await worker.settled(ids, true);
    worker.child.kill("SIGKILL");
    rmSync(program, { force: true });
    await recover(client);
    await setDatabaseClock(0);
    const purchases = interrupted.map(({ purchaseId }) => purchaseId);
    const wrongs = await wrongsOf(purchases);
    violations.push(...wrongs.map((wrong) => `${skew.name}: ${wrong} ${described(interrupted, wrong)}`));
    figures.underReview += await underReview(purchases);
  }
  recordProof({ ran: runs, violations, figures, met: { skews: [...met] } });
  expect(violations).toEqual([]);
  expect(figures.operationsInterrupted).toBeGreaterThan(0);
});

async function leasesOf(operations: readonly string[]): Promise<string[]> {
  const rows = await systemSql()<{ lease: string }[]>`
    select id || ' ' || epoch as lease from purchase_operations
     where id = any(${[...operations]}::uuid[]) and lease_until > now()`;
  return rows.map(({ lease }) => lease);
}

/** PostgreSQL's own `now()` gives way to one that is ahead; connections opened from here on go by it. */
async function setDatabaseClock(seconds: number): Promise<void> {
  const owner = postgres(process.env.DATABASE_OWNER_URL ?? "", { max: 1, onnotice: () => undefined });
  await owner.unsafe(`
    create schema if not exists skewed;
    create or replace function skewed.now() returns timestamptz language sql stable
      as 'select pg_catalog.now() + interval ''${seconds} seconds''';
    grant usage on schema skewed to public;
    do $$ begin
      execute format('alter database %I set search_path = skewed, public, pg_catalog', current_database()); end $$;`);
  await owner.end({ timeout: 5 });
  await closePools();
}
