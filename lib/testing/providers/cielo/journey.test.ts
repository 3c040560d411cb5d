import { afterAll, beforeAll, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { receiveNotification } from "@/lib/provider-webhooks/receive";
import { openShop } from "@/lib/providers/sandbox/api/testing";
import { secretOf } from "@/lib/providers/secret";
import { type CieloMock, startCielo } from "@/lib/testing/providers/cielo/mock";
import { eventWith } from "@/lib/testing/providers/cielo/objects";
import { withSecret } from "@/lib/testing/providers/cielo/rig";

process.env.PROVIDER_TIMEOUT_MS = "10000";

let mock: CieloMock;
const asked: { charge: string | undefined; method: string }[] = [];
beforeAll(async () => {
  mock = await startCielo();
  mock.watch = ({ headers, method }) => void asked.push({ charge: headers.requestid, method });
  process.env.PROVIDER_TEST_HOSTS = JSON.stringify({ CIELO: { api: mock.url, query: mock.url } });
});
afterAll(() => mock.close());

/** A shop whose every payment goes to Cielo. */
async function cieloShop() {
  const shop = await openShop();
  const name = newId().replaceAll("-", "");
  const credentials = { merchantId: name, merchantKey: `key_${name}`, webhookSecret: `secret_${name}` };
  const { id } = await shop.make<{ id: string }>("POST", `/v1/merchants/${shop.merchantId}/providers`, {
    body: { name: "Cielo", priority: 1, credentials: { type: "CIELO", environment: "test", ...credentials } },
  });
  await systemSql()`update providers set priority = 10 where merchant_id = ${shop.merchantId} and kind = 'SANDBOX'`;
  const tell = async (paymentId: string) => {
    const bytes = Buffer.from(JSON.stringify(eventWith(paymentId, 1)));
    await receiveNotification(newId(), id, withSecret(secretOf(credentials)), bytes);
    await shop.advance("PT1M");
  };
  return { shop, tell };
}

const entryOf = (charge: string) => {
  const entry = mock.books.entries.find((one) => one.charge === charge);
  if (!entry) throw new Error("it was not taken at Cielo");
  return entry;
};
const sends = (id: string, by = "POST"): number =>
  asked.filter(({ charge, method }) => charge === id && method === by).length;

/** A card's payment of 100, captured. */
async function sold({ pay }: Awaited<ReturnType<typeof cieloShop>>["shop"]): Promise<string> {
  const card = {
    cardHolderName: "approve",
    cardNumber: "4111111111111111",
    cardCvv: "123",
    cardExpirationDate: "12/2031",
  };
  const { body } = await pay(card.cardNumber, { paymentSource: { sourceType: "card", card } });
  return body.id;
}

test("a Pix that nobody heard of is never made a second time", async () => {
  const { shop } = await cieloShop();
  mock.plan("lost_before", "create");
  const lost = await shop.pix(50_00);
  mock.plan("lost_after", "create");
  const made = await shop.pix(60_00);
  await shop.advance("PT1H");
  expect((await shop.charge(lost.id)).status).toBe("failed");
  expect((await shop.charge(made.id)).status).toBe("pending");
  expect([sends(lost.id), sends(made.id)]).toEqual([1, 1]);
  // Were it paid all the same, the money would be the charge's.
  mock.books.pay(entryOf(made.id));
  await shop.advance("PT2H");
  expect(await shop.charge(made.id)).toMatchObject({ status: "authorized", capturedAmount: 60_00 });
});

test("of a sum each refund is booked once: one whose answer was lost, one made at Cielo, one after both", async () => {
  const { shop, tell } = await cieloShop();
  const id = await sold(shop);
  const entry = entryOf(id);
  const refunded = async () => (await shop.charge(id)).refundedAmount;
  mock.plan("lost_after", "refund");
  await shop.call("POST", `/v1/charges/${id}/void`, { body: { amount: 20_00 } });
  await shop.advance("PT30M");
  expect(await refunded()).toBe(20_00);
  expect(mock.books.refund(entry, 10_00, "", newId()).kind).toBe("done");
  await tell(entry.id);
  expect(await refunded()).toBe(30_00);
  expect((await shop.call("POST", `/v1/charges/${id}/void`, { body: { amount: 5_00 } })).status).toBeLessThan(300);
  await tell(entry.id);
  expect(await refunded()).toBe(35_00);
  expect(entry.refunds.map(({ amount }) => amount)).toEqual([20_00, 10_00, 5_00]);
  expect(mock.breaches).toEqual([]);
});

test("a refund that was lost is sent again only when it can no longer be done late; one that was refused is none", async () => {
  const { shop, tell } = await cieloShop();
  const id = await sold(shop);
  const entry = entryOf(id);
  const before = sends(id, "PUT");
  mock.plan("lost_before", "refund");
  await shop.call("POST", `/v1/charges/${id}/void`, { body: { amount: 20_00 } });
  await shop.advance("PT4M");
  expect(sends(id, "PUT") - before).toBe(1);
  await shop.advance("PT30M");
  expect([sends(id, "PUT") - before, (await shop.charge(id)).refundedAmount]).toEqual([2, 20_00]);
  // Nobody has heard of it yet: with another sum than the books have, nothing is sent.
  expect(mock.books.refund(entry, 7_00, "", newId()).kind).toBe("done");
  await shop.call("POST", `/v1/charges/${id}/void`, { body: { amount: 3_00 } });
  await tell(entry.id);
  const { refundedAmount, transactionRequests } = await shop.charge(id);
  expect([refundedAmount, entry.refunds.map(({ amount }) => amount)]).toEqual([27_00, [20_00, 7_00]]);
  expect(transactionRequests.find(({ amount }) => amount === 3_00)?.requestStatus).toBe("failed");
});

test("a Pix that was paid too late goes back once, also when that is done hours after it was taken", async () => {
  const { shop, tell } = await cieloShop();
  const { id } = await shop.pix(40_00);
  await shop.advance("PT2H");
  expect((await shop.charge(id)).status).toBe("canceled");
  const entry = entryOf(id);
  Object.assign(entry, { state: "pending", outcome: "refund_pending_done" });
  mock.books.pay(entry);
  await tell(entry.id);
  await shop.advance("PT30M");
  expect(entry.refunds.map(({ amount }) => amount)).toEqual([40_00]);
  for (const refund of entry.refunds) refund.status = "done";
  await shop.advance("PT6H");
  const { status, transactionRequests } = await shop.charge(id);
  expect(status).toBe("canceled");
  const returned = transactionRequests.filter(
    ({ requestType, requestStatusReason }) => requestType === "void" && requestStatusReason === "surplus_payment",
  );
  expect(returned).toMatchObject([{ requestStatus: "success", amount: 40_00 }]);
  expect(entry.refunds).toHaveLength(1);
});

test("a refund that was taken may be done days later: people look into it only when nobody asks any more", async () => {
  const { shop } = await cieloShop();
  const [done, never] = [await sold(shop), await sold(shop)];
  for (const id of [done, never]) {
    entryOf(id).outcome = "refund_pending_done";
    await shop.call("POST", `/v1/charges/${id}/void`, { body: { amount: 20_00 } });
  }
  const seen = async (id: string) => {
    const { status, refundedAmount } = await shop.charge(id);
    const [row] = await systemSql()<{ review: string | null }[]>`
      select review_reason as review from charges where id = ${id}`;
    return [status, refundedAmount, row?.review];
  };
  await shop.advance("P3D");
  expect([await seen(done), await seen(never)]).toEqual([
    ["refund_pending", 0, null],
    ["refund_pending", 0, null],
  ]);
  for (const refund of entryOf(done).refunds) refund.status = "done";
  await shop.advance("P10D");
  expect([await seen(done), await seen(never)]).toEqual([
    ["authorized", 20_00, null],
    ["refund_pending", 0, "reconciliation_failed"],
  ]);
});

test("people are called while nobody knows what became of a payment, and no longer once it is known", async () => {
  const { shop } = await cieloShop();
  mock.plan("lost_after", "create");
  mock.faultOf = () => "http_500";
  const id = await sold(shop);
  const seen = async () => {
    const [row] = await systemSql()<{ review: string | null; since: Date | null }[]>`
      select review_reason as review, review_since as since from charges where id = ${id}`;
    return [(await shop.charge(id)).status, row?.review, row?.since !== null];
  };
  await shop.advance("PT4H");
  expect(await seen()).toEqual(["pending", "reconciliation_failed", true]);
  mock.faultOf = undefined;
  await shop.advance("P1D");
  expect(await seen()).toEqual(["authorized", null, false]);
  const { status } = await shop.call("POST", `/v1/charges/${id}/void`, { body: { amount: 20_00 } });
  expect(status).toBeLessThan(300);
});
