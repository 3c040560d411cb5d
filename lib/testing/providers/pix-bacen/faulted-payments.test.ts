import { afterAll, beforeAll, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { receiveNotification } from "@/lib/provider-webhooks/receive";
import { openShop, type Shop } from "@/lib/providers/sandbox/api/testing";
import { proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import type { MockFault } from "@/lib/testing/providers/kit/server";
import { type BankMock, givenBack, startBank } from "@/lib/testing/providers/pix-bacen/mock";
import { bankSecret, useBank } from "@/lib/testing/providers/pix-bacen/rig";
import { drawsFor } from "@/lib/testing/simulator/seeded";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

const IN_SUITE = 12;
const ROUND = 48;
const AT_ONCE = 8;
const FAULTS: readonly (MockFault | "none")[] = [
  "none",
  "none",
  "none",
  "lost_after",
  "lost_before",
  "http_500",
  "http_500_after",
  "truncated",
  "doubled",
  "contradicting",
  "rate_limited",
];

/** Connecting to a bank takes longer than the simulator's answers, on a busy machine much longer. */
process.env.PROVIDER_TIMEOUT_MS = "10000";

let mock: BankMock;
beforeAll(async () => {
  mock = await startBank();
  useBank("BB", mock);
});
afterAll(() => mock.close());

interface Bank {
  shop: Shop;
  account: string;
  tell(how: { copies: number; isHalf?: boolean }): Promise<void>;
}

/** A shop whose every Pix goes to the bank. */
async function bankShop(): Promise<Bank> {
  const shop = await openShop();
  const secret = bankSecret(mock, newId()).reveal();
  const credentials = { type: "BB", environment: "test", mtlsPassPhrase: "unused", ...secret };
  const { id } = await shop.make<{ id: string }>("POST", `/v1/merchants/${shop.merchantId}/providers`, {
    body: { name: "Bank", priority: 1, credentials },
  });
  await systemSql()`update providers set priority = 10 where merchant_id = ${shop.merchantId} and kind = 'SANDBOX'`;
  const account = secret.authBasic ?? "";
  return {
    shop,
    account,
    async tell({ copies, isHalf = false }) {
      const own = mock.notices.filter((one) => one.account === account);
      for (const [index, { body }] of own.entries()) {
        if (isHalf && index % 2 === 1) continue;
        for (let copy = 0; copy < copies; copy++) {
          await receiveNotification(newId(), id, new Headers(), Buffer.from(JSON.stringify(body)));
        }
      }
    },
  };
}

/** Drawn from the step and how often it was asked for, of a charge at the bank. */
function faultsFrom(seed: number): (about: { step: string; charge: string }) => MockFault | undefined {
  const asked = new Map<string, number>();
  let places = 0;
  const placeOf = new Map<string, number>();
  return ({ step, charge }) => {
    const place = placeOf.get(charge) ?? places++;
    placeOf.set(charge, place);
    const name = `${place} ${step}`;
    const times = asked.get(name) ?? 0;
    asked.set(name, times + 1);
    const fault = drawsFor(`pix ${seed} ${name} ${times}`).pick(FAULTS);
    return fault === "none" ? undefined : fault;
  };
}

interface Row {
  id: string;
  status: string;
  captured: number;
  refunded: number;
  review: string | null;
  references: string[];
}

const rowsOf = (clientId: string) => systemSql()<Row[]>`
  select c.id, c.status, coalesce(c.captured_amount, 0)::int as captured, c.refunded_amount::int as refunded,
         c.review_reason as review,
         array_agg(t.reference) filter (where t.kind = 'pix') as "references"
    from charges c join transaction_requests t on t.charge_id = c.id
   where c.client_id = ${clientId} group by c.id`;

test("faulted Pix payments at a bank: one charge each, and every cent that came is captured or gave back", {
  timeout: proofTimeout(180_000),
}, async () => {
  const [first, runs] = [proofFrom(), proofRuns(IN_SUITE)];
  const violations: string[] = [];
  const figures = { charged: 0, paid: 0, paidTwice: 0, refunded: 0, underReview: 0 };
  for (let begun = 0; begun < runs; begun += ROUND) {
    const { shop, account, tell } = await bankShop();
    const seeds = Array.from({ length: Math.min(ROUND, runs - begun) }, (_, index) => first + begun + index);
    mock.faultOf = faultsFrom(first + begun);
    for (let at = 0; at < seeds.length; at += AT_ONCE) {
      await Promise.all(seeds.slice(at, at + AT_ONCE).map((seed) => shop.pix(1_000 + (seed % 9_000))));
    }
    await shop.advance("PT5M");
    const entries = mock.books.entries.filter((one) => one.account === account);
    for (const [index, entry] of entries.entries()) {
      const { chance } = drawsFor(`buyer ${first + begun + index}`);
      if (chance(0.3)) continue;
      mock.books.pay(entry);
      if (chance(0.2)) mock.books.pay(entry);
    }
    await tell({ copies: 2, isHalf: true });
    await shop.advance("PT10M");
    for (const { id, status, captured } of await rowsOf(shop.clientId)) {
      if (status !== "authorized" || !drawsFor(`refund ${id}`).chance(0.4)) continue;
      await shop.call("POST", `/v1/charges/${id}/void`, { body: { amount: Math.ceil(captured / 2) } });
    }
    await tell({ copies: 1 });
    await shop.advance("PT2H");
    mock.faultOf = undefined;
    await shop.advance("P2D");
    const end = addSeconds(realNow(), 3 * DAY_SECONDS);
    for (const { id, status, captured, refunded, review, references } of await rowsOf(shop.clientId)) {
      const own = mock.books.entries.filter((entry) => (references ?? []).includes(entry.id));
      const came = own.flatMap(({ payments }) => payments).reduce((sum, { amount }) => sum + amount, 0);
      const gone = own.reduce((sum, entry) => sum + givenBack(entry, end), 0);
      const books = `${own.length} at the bank, came ${came}, gone ${gone}; captured ${captured}, refunded ${refunded}`;
      if (own.length > 1) violations.push(`${id} (${status}): asked for twice: ${books}`);
      if (came - gone !== captured - refunded) violations.push(`${id} (${status}): ${books}`);
      if (status === "pending") violations.push(`${id} never ended: ${books}`);
      figures.charged += own.length;
      figures.paid += came > 0 ? 1 : 0;
      figures.paidTwice += own.some(({ payments }) => payments.length > 1) ? 1 : 0;
      figures.refunded += refunded > 0 ? 1 : 0;
      figures.underReview += review === null ? 0 : 1;
    }
  }
  const wrong = [...violations, ...new Set(mock.breaches)];
  recordProof({ ran: runs, violations: wrong, figures });
  expect(wrong).toEqual([]);
  expect(figures.paid).toBeGreaterThan(0);
});
