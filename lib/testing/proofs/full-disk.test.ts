import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type TestContext, test } from "vitest";
import { closePools, systemSql } from "@/db/client";
import { startEmbedded, stopEmbedded } from "@/db/embedded";
import { isAlive } from "@/db/embedded/lock";
import { migrate } from "@/db/migrate";
import { openClient } from "@/lib/testing/api";
import { leftOutIf } from "@/lib/testing/left-out";
import { withMerchant } from "@/lib/testing/payments";
import { freePort } from "@/lib/testing/ports";
import { proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { ask, ordersOf, settleOrders, workOn } from "@/lib/testing/proofs/orders";
import { pause } from "@/lib/wait";
import { SYNC_HOOKS } from "@/scripts/sync-hooks";

const IN_SUITE = 12;
const AT_ONCE = 12;
const DISK_MB = 512;
const KILOBYTE = 1_024;
/** Left free when it is filled: some orders still go through, others stop half-way. */
const LEFT_KB = [0, 64, 256] as const;
const PATIENCE = 600;
const LOOK_AGAIN_MS = 50;

test("the database's disk is full: nothing is half done, and with room again the acquirer's record and ours agree", {
  timeout: proofTimeout(300_000),
}, async (context: TestContext) => {
  const folder = mkdtempSync(join(tmpdir(), "disk-"));
  const disk = join(folder, "disk");
  mkdirSync(disk);
  const given = process.env.DATABASE_URL;
  const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m,mode=755`, "tmpfs", disk]).status === 0;
  if (!isMounted) rmSync(folder, { recursive: true, force: true });
  leftOutIf(context, isMounted ? undefined : "a disk that can be filled takes the right to mount one");
  spawnSync("chmod", ["755", folder]);
  const cluster = join(disk, "postgres");
  const filler = join(disk, "filler");
  // It has to come back where it was.
  const settings = { port: await freePort(), shared_buffers: "32MB", max_wal_size: "64MB" };
  const start = () => startEmbedded({ cluster, database: "trilho", durable: true, settings });
  try {
    let server = await start();
    await migrate(server.url, SYNC_HOOKS);
    process.env.DATABASE_URL = server.url;
    await closePools();
    const client = await openClient();
    const shop = await withMerchant(client);
    const [first, runs] = [proofFrom(), proofRuns(IN_SUITE)];
    const violations: string[] = [];
    const figures = { timesFull: 0, requestsUnanswered: 0, stepsFailed: 0, databaseStops: 0 };
    for (let done = 0; done < runs; done += AT_ONCE) {
      const orders = await ordersOf(shop, first + done, Math.min(AT_ONCE, runs - done));
      const left = LEFT_KB[Math.floor((first + done) / AT_ONCE) % LEFT_KB.length] ?? 0;
      fill(disk, filler, left);
      await Promise.all(orders.map((order) => ask(client, order)));
      figures.stepsFailed += await workOn(client, orders);
      const unanswered = orders.reduce((sum, order) => sum + order.unanswered, 0);
      if (unanswered > 0) figures.timesFull += 1;
      figures.requestsUnanswered += unanswered;
      rmSync(filler, { force: true });
      // Without room for its log PostgreSQL ends itself; whoever runs it starts it again.
      if (!isAlive(server.pid)) {
        figures.databaseStops += 1;
        server = await start();
      }
      await served();
      violations.push(...(await settleOrders(client, orders)));
    }
    recordProof({ ran: runs, violations, figures });
    expect(violations).toEqual([]);
    expect(figures.timesFull).toBeGreaterThan(0);
  } finally {
    rmSync(filler, { force: true });
    await closePools();
    process.env.DATABASE_URL = given;
    await stopEmbedded(cluster);
    spawnSync("umount", [disk]);
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Takes all room but so many kilobytes; none is left where the database took more of it meanwhile. */
function fill(disk: string, filler: string, leftKb: number): void {
  const { stdout } = spawnSync("df", ["--output=avail", "-k", disk], { encoding: "utf8" });
  const free = Number(stdout.trim().split("\n").at(-1));
  try {
    writeFileSync(filler, Buffer.alloc(Math.max(0, free - leftKb) * KILOBYTE, 1));
  } catch (failed) {
    if (!(failed instanceof Error && "code" in failed && failed.code === "ENOSPC")) throw failed;
  }
}

async function served(): Promise<void> {
  for (let looked = 0; looked < PATIENCE; looked++) {
    try {
      await systemSql()`select 1`;
      return;
    } catch {
      await pause(LOOK_AGAIN_MS);
    }
  }
  throw new Error("the database does not serve again");
}
