import { expect, test } from "vitest";
import { closePools } from "@/db/client";
import { openClient } from "@/lib/testing/api";
import { withMerchant } from "@/lib/testing/payments";
import { proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { commitProxy } from "@/lib/testing/proofs/commit-proxy";
import { ask, ordersOf, settleOrders, workOn } from "@/lib/testing/proofs/orders";
import { drawsFor } from "@/lib/testing/simulator/seeded";

const IN_SUITE = 8;
const AT_ONCE = 8;
/** Of the COMMITs under way. */
const SWALLOWED = 0.12;

test("the answer of a COMMIT is lost: what is asked again is done once, and the acquirer's record and ours agree", {
  timeout: proofTimeout(180_000),
}, async () => {
  const client = await openClient();
  const shop = await withMerchant(client);
  const [first, runs] = [proofFrom(), proofRuns(IN_SUITE)];
  const direct = process.env.DATABASE_URL ?? "";
  const violations: string[] = [];
  const figures = { commitsUnanswered: 0, requestsUnanswered: 0, stepsFailed: 0 };
  for (let done = 0; done < runs; done += AT_ONCE) {
    const orders = await ordersOf(shop, first + done, Math.min(AT_ONCE, runs - done));
    const draws = drawsFor(`commits ${first + done}`);
    const proxy = await commitProxy(new URL(direct), () => draws.chance(SWALLOWED));
    try {
      await through(direct, proxy.port);
      await Promise.all(orders.map((order) => ask(client, order)));
      figures.stepsFailed += await workOn(client, orders);
    } finally {
      await through(direct);
      await proxy.close();
    }
    figures.commitsUnanswered += proxy.swallowed();
    figures.requestsUnanswered += orders.reduce((sum, { unanswered }) => sum + unanswered, 0);
    violations.push(...(await settleOrders(client, orders)));
  }
  recordProof({ ran: runs, violations, figures });
  expect(violations).toEqual([]);
  expect(figures.commitsUnanswered).toBeGreaterThan(0);
});

/** The pools are opened again, on another way to the same database. */
async function through(direct: string, port?: number): Promise<void> {
  const url = new URL(direct);
  if (port !== undefined) url.port = String(port);
  process.env.DATABASE_URL = url.href;
  await closePools();
}
