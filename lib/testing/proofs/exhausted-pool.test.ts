import { expect, test } from "vitest";
import { closePools } from "@/db/client";
import { openClient } from "@/lib/testing/api";
import { withMerchant } from "@/lib/testing/payments";
import { proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { ask, ordersOf, settleOrders, workOn } from "@/lib/testing/proofs/orders";

const IN_SUITE = 24;
const AT_ONCE = 24;

test("each pool has one connection for many payments at once: none waits for ever, and the acquirer's record and ours agree", {
  timeout: proofTimeout(180_000),
}, async () => {
  const client = await openClient();
  const shop = await withMerchant(client);
  const [first, runs] = [proofFrom(), proofRuns(IN_SUITE)];
  const violations: string[] = [];
  const figures = { requestsUnanswered: 0, stepsFailed: 0 };
  for (let done = 0; done < runs; done += AT_ONCE) {
    const orders = await ordersOf(shop, first + done, Math.min(AT_ONCE, runs - done));
    const given = process.env.DATABASE_POOL;
    await closePools();
    process.env.DATABASE_POOL = "1";
    try {
      await Promise.all(orders.map((order) => ask(client, order)));
      figures.stepsFailed += await workOn(client, orders);
    } finally {
      await closePools();
      if (given === undefined) delete process.env.DATABASE_POOL;
      else process.env.DATABASE_POOL = given;
    }
    figures.requestsUnanswered += orders.reduce((sum, { unanswered }) => sum + unanswered, 0);
    violations.push(...(await settleOrders(client, orders)));
  }
  if (figures.requestsUnanswered + figures.stepsFailed > 0) {
    violations.push(`${figures.requestsUnanswered} requests and ${figures.stepsFailed} steps failed`);
  }
  recordProof({ ran: runs, violations, figures });
  expect(violations).toEqual([]);
});
