import { afterAll, beforeAll, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { openClient } from "@/lib/testing/api";
import { cells, KINDS_OF_SHARES, KINDS_OVER_TWO } from "@/lib/testing/kills/cells";
import { interruptAll } from "@/lib/testing/kills/interrupt";
import type { Held } from "@/lib/testing/kills/judge";
import { type MirrorServer, startMirror } from "@/lib/testing/mirror/server";
import { deliver, joinMirror, registerMirror } from "@/lib/testing/mirror/shop";
import { withMerchant } from "@/lib/testing/payments";
import { proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { advance } from "@/lib/testing/purchases";
import { openSellers } from "@/lib/testing/sellers";

const IN_SUITE = 50;
const IN_SUITE_OVER_TWO = 8;
const IN_SUITE_OF_SHARES = 10;
/** Where a worker stands still: round every transaction and every call. */
const EVERY_POINT = ["commit", "committed", "send", "sent", "transaction"];

let mirror: MirrorServer;
beforeAll(async () => {
  mirror = await startMirror();
  registerMirror(mirror.url);
});
afterAll(() => mirror.close());

test("workers die, stall and lose their connections at every step: the acquirer's record and ours agree", {
  timeout: proofTimeout(600_000),
}, async () => {
  const runs = proofRuns(IN_SUITE);
  const shop = await withMerchant(await openClient());
  const { violations, figures, points } = await interruptAll({ shop, cells: cells(), runs, atOnce: 10 });
  recordProof({ ran: runs, violations, figures, met: { points } });
  expect(violations).toEqual([]);
  expect(figures.operationsInterrupted + figures.operationsNotInterrupted).toBe(runs);
  if (runs >= IN_SUITE) expect(points.sort()).toEqual(EVERY_POINT);
});

test("workers die at captures and refunds that sellers share: every share is whole", {
  timeout: proofTimeout(600_000),
}, async () => {
  const runs = proofRuns(IN_SUITE_OF_SHARES);
  const shop = await withMerchant(await openClient());
  const sellers = await openSellers(shop.client, shop.merchant.id, 3);
  const splitRules = sellers.map((sellerId, at) => ({
    sellerId,
    percentage: 21 + at,
    processingFee: at < 2,
    liable: at > 0,
  }));
  const { violations, figures, points } = await interruptAll({
    shop,
    cells: cells(KINDS_OF_SHARES),
    runs,
    atOnce: 10,
    splitRules,
  });
  recordProof({ ran: runs, violations, figures, met: { points } });
  expect(violations).toEqual([]);
  expect(figures.operationsInterrupted).toBeGreaterThan(0);
  const [shared] = await systemSql()<{ captured: number; refunded: number }[]>`
    select count(captured_share)::int as captured, count(*) filter (where refunded_share > 0)::int as refunded
      from split_rules where client_id = ${shop.client.clientId}`;
  expect(shared?.captured).toBeGreaterThan(0);
  expect(shared?.refunded).toBeGreaterThan(0);
});

test("the same over two acquirers, the second of which can be asked nothing and tells later", {
  timeout: proofTimeout(600_000),
}, async () => {
  const runs = proofRuns(IN_SUITE_OVER_TWO);
  const shop = await withMerchant(await openClient());
  const { client, merchant } = shop;
  const account = await joinMirror({ clientId: client.clientId, merchantId: merchant.id }, 20);
  const { violations, figures, points } = await interruptAll({
    shop,
    cells: cells(KINDS_OVER_TWO),
    runs,
    atOnce: 2,
    environment: { MIRROR_URL: mirror.url },
    async tell() {
      await deliver(mirror, account);
      await advance(client, "PT1S");
    },
    elsewhere: () => heldAt(mirror),
  });
  const authorizedAtKind = heldAt(mirror).reduce((sum, { holds }) => sum + holds, 0);
  recordProof({ ran: runs, violations, figures: { ...figures, authorizedAtKind }, met: { points } });
  expect(violations).toEqual([]);
  expect(figures.operationsInterrupted).toBeGreaterThan(0);
  expect(authorizedAtKind).toBeGreaterThan(0);
});

const heldAt = ({ transactions }: MirrorServer): Held[] =>
  transactions.map(({ charge, state, captured, refunded }) => ({
    chargeId: charge,
    holds: ["authorized", "captured", "canceled", "expired"].includes(state) ? 1 : 0,
    captured,
    isHeld: state === "authorized",
    givenBack: refunded,
  }));
