import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { receiveNotification } from "@/lib/provider-webhooks/receive";
import { openShop, type Shop } from "@/lib/providers/sandbox/api/testing";
import { type BankMock, startBank } from "@/lib/testing/providers/pix-bacen/mock";
import { bankSecret, useBank } from "@/lib/testing/providers/pix-bacen/rig";

/** Connecting to a bank takes longer than the simulator's answers, on a busy machine much longer. */
process.env.PROVIDER_TIMEOUT_MS = "10000";

let mock: BankMock;
beforeAll(async () => {
  mock = await startBank();
  useBank("BB", mock);
});
afterAll(() => mock.close());

/** A shop whose every Pix goes to the bank. */
async function bankShop(): Promise<{ shop: Shop; providerId: string }> {
  const shop = await openShop();
  const credentials = {
    type: "BB",
    environment: "test",
    mtlsPassPhrase: "unused",
    ...bankSecret(mock, newId()).reveal(),
  };
  const { id: providerId } = await shop.make<{ id: string }>("POST", `/v1/merchants/${shop.merchantId}/providers`, {
    body: { name: "Bank", priority: 1, credentials },
  });
  await systemSql()`update providers set priority = 10 where merchant_id = ${shop.merchantId} and kind = 'SANDBOX'`;
  return { shop, providerId };
}

const newest = () => {
  const entry = mock.books.entries.at(-1);
  if (!entry) throw new Error("the bank has no charge");
  return entry;
};

test("a Pix is made, paid and refunded at a bank, by the API and its notifications", async () => {
  const { shop, providerId } = await bankShop();
  const made = await shop.pix(50_00);
  expect(made.status).toBe("pending");
  mock.books.pay(newest());
  const tell = async () => {
    for (const { body } of mock.notices.slice()) {
      await receiveNotification(newId(), providerId, new Headers(), Buffer.from(JSON.stringify(body)));
    }
    await shop.advance("PT1M");
  };
  await tell();
  expect(await shop.charge(made.id)).toMatchObject({ status: "authorized", capturedAmount: 50_00 });
  const { status } = await shop.call("POST", `/v1/charges/${made.id}/void`, { body: { amount: 20_00 } });
  expect(status).toBeLessThan(300);
  await tell();
  expect(await shop.charge(made.id)).toMatchObject({ refundedAmount: 20_00 });
  expect(mock.breaches).toEqual([]);
});

describe("a Pix that the bank made and nobody heard of", () => {
  /** Its answer is lost, and so is every notification. */
  async function lost(): Promise<{ shop: Shop; id: string; made: Record<string, unknown> }> {
    const { shop } = await bankShop();
    mock.plan("lost_after", "PUT cob");
    const { id, status, paymentMethod } = await shop.pix(50_00);
    expect(status).toBe("pending");
    return { shop, id, made: paymentMethod };
  }

  test("gives the buyer its code once it is known, and is captured when it is paid", async () => {
    const { shop, id, made } = await lost();
    expect(made.qrCodeData ?? null).toBeNull();
    await shop.advance("PT1M");
    const known = await shop.charge(id);
    expect(known.status).toBe("pending");
    expect(known.paymentMethod.qrCodeData).toContain(newest().id);
    mock.books.pay(newest());
    await shop.advance("PT1H");
    expect(await shop.charge(id)).toMatchObject({ status: "authorized", capturedAmount: 50_00 });
  });

  test("is captured when it was paid before it was known", async () => {
    const { shop, id } = await lost();
    mock.books.pay(newest());
    await shop.advance("PT1M");
    expect(await shop.charge(id)).toMatchObject({ status: "authorized", capturedAmount: 50_00 });
  });

  test("is canceled when it ended unpaid before it was known", async () => {
    const { shop, id } = await lost();
    mock.books.cancel(newest());
    await shop.advance("PT1M");
    expect(await shop.charge(id)).toMatchObject({ status: "canceled", capturedAmount: 0 });
  });

  test("stays open while the bank cannot be asked, and is never called failed", async () => {
    const { shop, id } = await lost();
    mock.books.pay(newest());
    mock.faultOf = () => "http_500";
    await shop.advance("PT30M");
    expect((await shop.charge(id)).status).toBe("pending");
    mock.faultOf = undefined;
    await shop.advance("PT1H");
    expect(await shop.charge(id)).toMatchObject({ status: "authorized", capturedAmount: 50_00 });
  });
});
