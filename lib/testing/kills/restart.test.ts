import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { closePools, systemSql } from "@/db/client";
import { type Embedded, startEmbedded, stopEmbedded } from "@/db/embedded";
import { isAlive } from "@/db/embedded/lock";
import { migrate } from "@/db/migrate";
import { pipelined } from "@/lib/pipeline";
import { openClient } from "@/lib/testing/api";
import { cells } from "@/lib/testing/kills/cells";
import { underReview, wrongsOf } from "@/lib/testing/kills/judge";
import { begin, cellAt, described, environment, keptCards, recover } from "@/lib/testing/kills/runs";
import { POINTS } from "@/lib/testing/kills/seams";
import { startWorker } from "@/lib/testing/kills/worker";
import { withMerchant } from "@/lib/testing/payments";
import { freePort } from "@/lib/testing/ports";
import { proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { bundled } from "@/lib/testing/simulator/bundle";
import { pause } from "@/lib/wait";
import { SYNC_HOOKS } from "@/scripts/sync-hooks";

const IN_SUITE = 8;
const AT_ONCE = 8;
const LOOK_AGAIN_MS = 20;
const DATABASE = "trilho";
/** Each connection of a pool may be told once more what its server said last. */
const MOST_REFUSALS = 100;

test("PostgreSQL is stopped at once and started again at every step: no process falls, and the records agree", {
  timeout: proofTimeout(600_000),
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "restart-"));
  spawnSync("chmod", ["755", folder]);
  const cluster = join(folder, "postgres");
  const given = process.env.DATABASE_URL;
  // It has to come back where it was.
  const settings = { port: await freePort(), shared_buffers: "32MB" };
  // A server that keeps what it has confirmed, as in production.
  const start = () => startEmbedded({ cluster, database: DATABASE, durable: true, settings });
  const program = await bundled("lib/testing/kills/worker-program.ts", "restart-worker", POINTS);
  try {
    let server = await start();
    await migrate(server.url, SYNC_HOOKS, { runtimeUrl: server.runtimeUrl });
    process.env.DATABASE_URL = server.runtimeUrl;
    const client = await openClient();
    const shop = await withMerchant(client);
    const cardOf = keptCards(client);
    const all = cells();
    const first = proofFrom();
    const runs = proofRuns(IN_SUITE);
    const violations: string[] = [];
    const points = new Set<string>();
    const figures = { databaseStops: 0, operationsInterrupted: 0, operationsNotInterrupted: 0, underReview: 0 };
    const worker = await startWorker(program, environment());
    for (let done = 0; done < runs; done += AT_ONCE) {
      const chosen = Array.from({ length: Math.min(AT_ONCE, runs - done) }, (_, index) =>
        cellAt(all, first + done + index),
      );
      const begun = (await pipelined(chosen.map((cell) => begin(shop, cardOf, cell)))).filter(
        (one) => one !== undefined,
      );
      const ids = begun.map(({ operationId }) => operationId);
      for (const { operationId, cell } of begun) {
        worker.give({ ...client, id: operationId, operationId, stopAt: cell.stopAt, holdsLocks: true });
      }
      await worker.settled(ids);
      const held = worker.told.filter(({ id, at }) => at !== undefined && ids.includes(id));
      figures.operationsInterrupted += held.length;
      figures.operationsNotInterrupted += chosen.length - held.length;
      for (const { at = "" } of held) points.add(at);
      await stopAtOnce(server);
      figures.databaseStops += 1;
      server = await start();
      worker.go();
      await worker.settled(ids, true);
      if (worker.child.exitCode !== null) violations.push("restart: the worker's process ended");
      await served();
      await recover(client);
      const purchases = begun.map(({ purchaseId }) => purchaseId);
      const wrongs = await wrongsOf(purchases);
      figures.underReview += await underReview(purchases);
      violations.push(...wrongs.map((wrong) => `restart: ${wrong} ${described(begun, wrong)}`));
    }
    worker.child.kill("SIGKILL");
    recordProof({ ran: runs, violations, figures, met: { points: [...points] } });
    expect(violations).toEqual([]);
    expect(figures.operationsInterrupted).toBeGreaterThan(0);
  } finally {
    await closePools();
    process.env.DATABASE_URL = given;
    await stopEmbedded(cluster);
    rmSync(folder, { recursive: true, force: true });
    rmSync(program, { force: true });
  }
});

/** Nothing is finished and nothing written down, as when the machine loses its power; the next start replays the log. */
async function stopAtOnce({ pid }: Embedded): Promise<void> {
  process.kill(pid, "SIGQUIT");
  while (isAlive(pid)) await pause(LOOK_AGAIN_MS);
}

async function served(): Promise<void> {
  for (let refused = 0; ; refused++) {
    try {
      await pipelined(Array.from({ length: 8 }, () => systemSql()`select 1`));
      return;
    } catch (thrown) {
      if (refused > MOST_REFUSALS) throw thrown;
      await pause(LOOK_AGAIN_MS);
    }
  }
}
