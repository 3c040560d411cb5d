import { afterAll, beforeAll, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { receiveNotification } from "@/lib/provider-webhooks/receive";
import { BUYER, openShop } from "@/lib/providers/sandbox/api/testing";
import { secretOf } from "@/lib/providers/secret";
import { type PagarmeMock, startPagarme } from "@/lib/testing/providers/pagarme-v5/mock";
import { keptOf } from "@/lib/testing/providers/pagarme-v5/objects";
import { signedIn } from "@/lib/testing/providers/pagarme-v5/rig";
import { newSeller, type SellerReply } from "@/lib/testing/sellers";

process.env.PROVIDER_TIMEOUT_MS = "10000";

let mock: PagarmeMock;
beforeAll(async () => {
  mock = await startPagarme();
  process.env.PROVIDER_TEST_HOSTS = JSON.stringify({ PAGARME_V5: mock.url });
});
afterAll(() => mock.close());

/** A shop whose every payment goes to Pagar.me. */
async function pagarmeShop() {
  const shop = await openShop();
  const name = newId().replaceAll("-", "");
  const credentials = { secretKey: `sk_test_${name}`, webhookSecret: `trilho:${name}` };
  const { id } = await shop.make<{ id: string }>("POST", `/v1/merchants/${shop.merchantId}/providers`, {
    body: { name: "Pagar.me", priority: 1, credentials: { type: "PAGARME_V5", environment: "test", ...credentials } },
  });
  await systemSql()`update providers set priority = 10 where merchant_id = ${shop.merchantId} and kind = 'SANDBOX'`;
  const tell = async (events: readonly Record<string, unknown>[]) => {
    for (const body of events) {
      const bytes = Buffer.from(JSON.stringify(body));
      await receiveNotification(newId(), id, signedIn(secretOf(credentials)), bytes);
    }
    await shop.advance("PT1M");
  };
  const told = () => mock.events.filter(({ account }) => account === credentials.secretKey).map(({ body }) => body);
  return { shop, tell, told, account: credentials.secretKey };
}

const ADDRESS = {
  street: "Rua A",
  streetNumber: "10",
  country: "BR",
  state: "SP",
  city: "São Paulo",
  district: "Sé",
};

const at = ({ providers }: SellerReply) => providers.find(({ providerType }) => providerType === "PAGARME_V5");

/** What the journals of a charge moved, by kind of account. */
async function booked(chargeId: string): Promise<Record<string, number>> {
  const rows = await systemSql()<{ kind: string; amount: number }[]>`
    select a.kind, sum(p.amount)::int as amount
      from postings p join journals j on j.id = p.journal_id join ledger_accounts a on a.id = p.account_id
     where j.charge_id = ${chargeId} and not p.memo group by a.kind`;
  return Object.fromEntries(rows.map(({ kind, amount }) => [kind, amount]));
}

test("sellers are registered, a split sale is made, paid, refunded in part, and everything is in the books", async () => {
  const { shop, tell, account } = await pagarmeShop();
  const seller = await shop.make<SellerReply>("POST", "/v1/sellers", { body: newSeller(shop.merchantId) });
  const registered = mock.sellers.sellers.find((one) => one.account === account);
  expect(at(seller)).toMatchObject({ status: "pending", externalId: registered?.id });
  if (registered) registered.at = new Date(0);
  await tell([
    {
      id: `hook_${newId()}`,
      type: "recipient.updated",
      created_at: "2026-11-23T12:00:00Z",
      data: { id: registered?.id },
    },
  ]);
  await shop.advance("PT1M");
  expect(at(await shop.make<SellerReply>("GET", `/v1/sellers/${seller.id}`))).toMatchObject({ status: "active" });

  const paid = await shop.pay("4000000000000010", {
    splitRules: [{ sellerId: seller.id, percentage: 60, liable: true }],
    paymentSource: {
      sourceType: "card",
      card: {
        cardHolderName: "approve",
        cardNumber: "4111111111111111",
        cardCvv: "123",
        cardExpirationDate: "12/2031",
      },
    },
  });
  expect(paid.body, paid.text).toMatchObject({ status: "authorized", capturedAmount: 100_00 });
  const entry = mock.books.entries.find((one) => one.charge === paid.body.id);
  if (!entry) throw new Error("it was not taken at Pagar.me");
  expect(keptOf(entry).split).toMatchObject([
    { recipient_id: registered?.id, amount: 60_00, type: "flat" },
    { recipient_id: expect.stringMatching(/^re_own/), amount: 40_00, type: "flat" },
  ]);

  const { status } = await shop.call("POST", `/v1/charges/${paid.body.id}/void`, { body: { amount: 20_00 } });
  expect(status).toBeLessThan(300);
  await shop.advance("PT1M");
  expect(await shop.charge(paid.body.id)).toMatchObject({ status: "authorized", refundedAmount: 20_00 });
  expect(entry.refunds).toMatchObject([{ amount: 20_00, status: "done" }]);
  const books = await booked(paid.body.id);
  expect(Object.values(books).reduce((sum, amount) => sum + amount, 0)).toBe(0);
  // 60 % of the 80.00 that are left.
  expect(Math.abs(books.seller_pending ?? 0)).toBe(48_00);
  expect(mock.breaches).toEqual([]);
});

test("a Pix and a boleto are made, paid and told by notification", async () => {
  const { shop, tell, told } = await pagarmeShop();
  const pix = await shop.pix(50_00);
  const address = { ...ADDRESS, zipCode: "01001000" };
  const customer = { ...BUYER, address };
  const boleto = await shop.boleto(159_90, { paymentSource: { sourceType: "customer", customer } });
  expect([pix.status, boleto.status]).toEqual(["pending", "pending"]);
  for (const { id } of [pix, boleto]) {
    const entry = mock.books.entries.find((one) => one.charge === id);
    // A slip is paid with more than it says.
    if (entry) mock.books.pay(entry, entry.method === "boleto" ? 160_00 : undefined);
  }
  await tell(told());
  expect(await shop.charge(boleto.id)).toMatchObject({ status: "authorized", capturedAmount: 160_00 });
  expect(await shop.charge(pix.id)).toMatchObject({ status: "authorized", capturedAmount: 50_00 });
  expect(mock.breaches).toEqual([]);
});
