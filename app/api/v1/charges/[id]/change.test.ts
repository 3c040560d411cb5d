import { describe, expect, test } from "vitest";
import { aKey, openClient } from "@/lib/testing/api";
import {
  capture,
  payByBoleto,
  payByCard,
  payByPix,
  readCharge,
  type Shop,
  voidIt,
  withMerchant,
} from "@/lib/testing/payments";

const openShop = async (): Promise<Shop> => withMerchant(await openClient());

describe("POST /v1/charges/{id}/capture", () => {
  test("201: in full", async () => {
    const shop = await openShop();
    const { body: held } = await payByCard(shop);
    const { status, body } = await capture(shop.client, held.id);
    expect([status, body.status, body.amount, body.capturedAmount]).toEqual([201, "authorized", 10_500, 10_500]);
  });

  test("201: a part becomes the amount, the rest is released, and no second capture exists", async () => {
    const shop = await openShop();
    const { body: held } = await payByCard(shop);
    const { body } = await capture(shop.client, held.id, { amount: 7_000 });
    expect([body.status, body.amount, body.capturedAmount, body.originalAmount]).toEqual([
      "authorized",
      7_000,
      7_000,
      10_500,
    ]);
    const again = await capture(shop.client, held.id, { amount: 1 });
    expect([again.status, again.error?.businessCode]).toEqual([400, "charge_invalid_state"]);
  });

  test("201: a refused capture leaves the hold and says why", async () => {
    const shop = await openShop();
    const { body: held } = await payByCard(shop, { outcome: "capture_refused" });
    const { status, body } = await capture(shop.client, held.id);
    expect([status, body.status]).toEqual([201, "pre_authorized"]);
    expect(body.error).toMatchObject({ type: "failed_dependency", code: 424, businessCode: "provider_refused" });
  });

  test("201: an amount of 991 is refused by the simulator", async () => {
    const shop = await openShop();
    const { body: held } = await payByCard(shop);
    expect((await capture(shop.client, held.id, { amount: 991 })).body).toMatchObject({
      status: "pre_authorized",
      error: { code: 424 },
    });
  });

  test("400: more than is held; a charge that is not held", async () => {
    const shop = await openShop();
    const { body: held } = await payByCard(shop);
    expect((await capture(shop.client, held.id, { amount: 10_501 })).error?.businessCode).toBe(
      "amount_exceeds_remaining",
    );
    const { body: failed } = await payByCard(shop, { outcome: "decline:generic" });
    expect((await capture(shop.client, failed.id)).error?.businessCode).toBe("charge_invalid_state");
  });

  test("201: one key captures once, with equal bytes, also at the same time", async () => {
    const shop = await openShop();
    const { body: held } = await payByCard(shop);
    const idempotencyKey = aKey();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => capture(shop.client, held.id, {}, { idempotencyKey })),
    );
    const texts = new Set(replies.filter((reply) => reply.status === 201).map((reply) => reply.text));
    expect(texts.size).toBe(1);
    expect(
      (await readCharge(shop.client, held.id)).transactionRequests.filter(
        (attempt) => attempt.requestType === "capture",
      ),
    ).toHaveLength(1);
  });

  test("of a capture and a void that race, exactly one is carried out", async () => {
    const shop = await openShop();
    for (let round = 0; round < 10; round++) {
      const { body: held } = await payByCard(shop);
      const replies = await Promise.all([capture(shop.client, held.id), voidIt(shop.client, held.id)]);
      const { status } = await readCharge(shop.client, held.id);
      const done = replies.filter((reply) => reply.status === 201).map((reply) => reply.body.status);
      // One after the other is also allowed: a capture that was then refunded.
      expect(done.at(-1) === status || done.includes(status)).toBe(true);
      expect(["authorized", "voided"]).toContain(status);
    }
  });

  test("404: another client's charge does not exist", async () => {
    const shop = await openShop();
    const { body: held } = await payByCard(shop);
    const stranger = await openClient();
    const theirs = await capture(stranger, held.id);
    const nobodys = await capture(stranger, aKey());
    expect([theirs.status, theirs.text]).toEqual([404, nobodys.text]);
  });
});

describe("POST /v1/charges/{id}/void", () => {
  test("201: a hold is released", async () => {
    const shop = await openShop();
    const { body: held } = await payByCard(shop);
    expect((await voidIt(shop.client, held.id)).body).toMatchObject({
      status: "voided",
      amount: 10_500,
      refundedAmount: 0,
    });
  });

  test("201: captured money goes back in parts, to the last cent and no further", async () => {
    const shop = await openShop();
    const { body: paid } = await payByCard(shop, { capture: true });
    const first = await voidIt(shop.client, paid.id, { amount: 2_500 });
    expect(first.body).toMatchObject({
      status: "authorized",
      amount: 8_000,
      refundedAmount: 2_500,
      originalAmount: 10_500,
    });
    const second = await voidIt(shop.client, paid.id, { amount: 2_500 });
    expect(second.body).toMatchObject({ status: "authorized", amount: 5_500, refundedAmount: 5_000 });
    expect((await voidIt(shop.client, paid.id, { amount: 5_501 })).error?.businessCode).toBe(
      "amount_exceeds_remaining",
    );
    const rest = await voidIt(shop.client, paid.id);
    expect(rest.body).toMatchObject({ status: "voided", refundedAmount: 10_500 });
    expect((await voidIt(shop.client, paid.id)).error?.businessCode).toBe("charge_invalid_state");
  });

  test("201: void refused as settled becomes a refund", async () => {
    const shop = await openShop();
    const { body: paid } = await payByCard(shop, { outcome: "void_refused_settled", capture: true });
    expect((await voidIt(shop.client, paid.id)).body).toMatchObject({ status: "voided", refundedAmount: 10_500 });
  });

  test("201: a refused refund leaves the money where it is", async () => {
    const shop = await openShop();
    const { body: paid } = await payByCard(shop, { outcome: "refund_refused_insufficient_balance", capture: true });
    const { body } = await voidIt(shop.client, paid.id, { amount: 100 });
    expect(body).toMatchObject({
      status: "authorized",
      amount: 10_500,
      refundedAmount: 0,
      error: { businessCode: "provider_refused" },
    });
  });

  test("201: an unpaid Pix or boleto is canceled", async () => {
    const shop = await openShop();
    const pix = await payByPix(shop);
    const boleto = await payByBoleto(shop);
    expect((await voidIt(shop.client, pix.body.id)).body.status).toBe("canceled");
    expect((await voidIt(shop.client, boleto.body.id)).body.status).toBe("canceled");
  });

  test("400: part of a hold", async () => {
    const shop = await openShop();
    const { body: held } = await payByCard(shop);
    expect((await voidIt(shop.client, held.id, { amount: 100 })).error?.businessCode).toBe("charge_invalid_state");
  });

  test("of many refunds that race, none exceeds what was captured", async () => {
    const shop = await openShop();
    const { body: paid } = await payByCard(shop, { capture: true });
    await Promise.all(Array.from({ length: 12 }, () => voidIt(shop.client, paid.id, { amount: 3_000 })));
    const { refundedAmount, amount } = await readCharge(shop.client, paid.id);
    expect(refundedAmount % 3_000).toBe(0);
    expect(refundedAmount).toBeGreaterThan(0);
    expect(refundedAmount + amount).toBe(10_500);
  });

  test("403: a public key moves no money", async () => {
    const shop = await openShop();
    const { body: held } = await payByCard(shop);
    const key = await shop.client.publicKey("*");
    expect((await voidIt(shop.client, held.id, {}, { key })).status).toBe(403);
  });
});
