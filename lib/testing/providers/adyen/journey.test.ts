import { afterAll, beforeAll, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { receiveNotification } from "@/lib/provider-webhooks/receive";
import { openShop } from "@/lib/providers/sandbox/api/testing";
import { secretOf } from "@/lib/providers/secret";
import { type AdyenMock, startAdyen } from "@/lib/testing/providers/adyen/mock";
import { adyenFields, delivered } from "@/lib/testing/providers/adyen/rig";

process.env.PROVIDER_TIMEOUT_MS = "10000";

let mock: AdyenMock;
beforeAll(async () => {
  mock = await startAdyen();
  process.env.PROVIDER_TEST_HOSTS = JSON.stringify({ ADYEN: mock.url });
});
afterAll(() => mock.close());

/** A shop whose every payment goes to Adyen. */
async function adyenShop() {
  const shop = await openShop();
  const fields = adyenFields(newId().replaceAll("-", ""));
  const { id } = await shop.make<{ id: string }>("POST", `/v1/merchants/${shop.merchantId}/providers`, {
    body: { name: "Adyen", priority: 1, credentials: { type: "ADYEN", environment: "test", ...fields } },
  });
  await systemSql()`update providers set priority = 10 where merchant_id = ${shop.merchantId} and kind = 'SANDBOX'`;
  const tell = async () => {
    for (const news of mock.news.filter(({ account }) => account === fields.merchantAccount)) {
      await receiveNotification(newId(), id, new Headers(), Buffer.from(delivered(news, secretOf(fields))));
    }
    await shop.advance("PT1M");
  };
  return { shop, tell };
}

test("a refund whose answer was lost is asked about under its key: taken is known, and waited for", async () => {
  const { shop, tell } = await adyenShop();
  const card = {
    cardHolderName: "approve",
    cardNumber: "4111111111111111",
    cardCvv: "123",
    cardExpirationDate: "12/2031",
  };
  const { id } = (await shop.pay(card.cardNumber, { paymentSource: { sourceType: "card", card } })).body;
  await tell();
  expect((await shop.charge(id)).status).toBe("authorized");
  mock.plan("lost_after", "refund");
  await shop.call("POST", `/v1/charges/${id}/void`, { body: { amount: 20_00 } });
  await shop.advance("P1D");
  const [row] = await systemSql()<{ review: string | null }[]>`
    select review_reason as review from charges where id = ${id}`;
  expect([(await shop.charge(id)).status, row?.review]).toEqual(["refund_pending", null]);
  await tell();
  expect(await shop.charge(id)).toMatchObject({ status: "authorized", refundedAmount: 20_00 });
  const entry = mock.books.entries.find(({ charge }) => charge === id);
  expect(entry?.refunds.map(({ amount }) => amount)).toEqual([20_00]);
  expect(mock.breaches).toEqual([]);
});
