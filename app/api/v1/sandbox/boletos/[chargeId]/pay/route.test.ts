import { describe, expect, test } from "vitest";
import { addDays, nextBankDay, saoPauloDay, startOfSaoPauloDay } from "@/lib/brazil/bank-calendar";
import { BUYER, type ChargeReply, openShop, type Shop } from "@/lib/providers/sandbox/api/testing";

const pay = (shop: Shop, id: string, body: Record<string, unknown> = {}) =>
  shop.call<ChargeReply>("POST", `/v1/sandbox/boletos/${id}/pay`, { body });

const ADDRESS = {
  street: "Rua das Flores",
  streetNumber: "100",
  zipCode: "01310100",
  country: "BR",
  state: "SP",
  city: "São Paulo",
  district: "Bela Vista",
};
const livingAt = (zipCode: string) => ({
  paymentSource: { sourceType: "customer", customer: { ...BUYER, address: { ...ADDRESS, zipCode } } },
});

describe("POST /v1/sandbox/boletos/{chargeId}/pay", () => {
  test("200: paid and confirmed at once", async () => {
    const shop = await openShop();
    const { id } = await shop.boleto(25_000);
    const { status, body } = await pay(shop, id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "authorized", amount: 25_000, capturedAmount: 25_000 });
    expect((await pay(shop, id)).error?.businessCode).toBe("invalid_status_transition");
  });

  test.each([
    ["01046010", 9_001],
    ["57400000", 11_001],
    ["01310100", 10_001],
  ])("200: a buyer of CEP %s pays %d of 10001", async (zipCode, paid) => {
    const shop = await openShop();
    const { id } = await shop.boleto(10_001, livingAt(zipCode));
    expect((await pay(shop, id)).body).toMatchObject({ status: "authorized", amount: paid, originalAmount: 10_001 });
  });

  test("200: paid on a day, confirmed when the clock passes the next bank day", async () => {
    const shop = await openShop();
    const { id, createdAt } = await shop.boleto();
    const paidOn = addDays(saoPauloDay(new Date(String(createdAt))), 1);
    expect((await pay(shop, id, { paidOn })).body.status).toBe("pending");
    const confirmed = startOfSaoPauloDay(nextBankDay(paidOn));
    await shop.make("POST", "/v1/sandbox/clock", {
      body: { to: new Date(confirmed.getTime() - 60_000).toISOString() },
    });
    expect((await shop.charge(id)).status).toBe("pending");
    await shop.advance("PT2M");
    expect((await shop.charge(id)).status).toBe("authorized");
  });

  test("200: paid on its last day, it is not canceled while its bank has yet to tell of it", async () => {
    const shop = await openShop();
    const { id, expiresAt } = await shop.boleto(7_700);
    const paidOn = saoPauloDay(new Date(String(expiresAt)));
    await pay(shop, id, { paidOn });
    const confirmed = startOfSaoPauloDay(nextBankDay(paidOn));
    for (const minutes of [-60, -1]) {
      const to = new Date(confirmed.getTime() + minutes * 60_000).toISOString();
      await shop.make("POST", "/v1/sandbox/clock", { body: { to } });
      expect((await shop.charge(id)).status).toBe("pending");
    }
    // It is asked again at the latest a minute after.
    await shop.advance("PT5M");
    expect(await shop.charge(id)).toMatchObject({ status: "authorized", capturedAmount: 7_700 });
  });

  test("200: canceled unpaid after its last day; money that still comes is kept apart", async () => {
    const shop = await openShop();
    const { id } = await shop.boleto(7_700);
    await shop.advance("P20D");
    expect((await shop.charge(id)).status).toBe("canceled");
    const { body } = await pay(shop, id);
    expect(body).toMatchObject({ status: "canceled", capturedAmount: 0 });
    expect(body.transactionRequests[0]).toMatchObject({
      requestStatusReason: "paid_after_cancellation",
      amount: 7_700,
    });
  });

  test("400: not a boleto, a bad day, a bad amount", async () => {
    const shop = await openShop();
    const pix = await shop.pix();
    expect((await pay(shop, pix.id)).error?.businessCode).toBe("invalid_status_transition");
    const { id } = await shop.boleto();
    for (const body of [{ paidOn: "2026-02-30" }, { amount: 0 }]) {
      expect((await pay(shop, id, body)).error?.type).toBe("bad_request");
    }
  });
});
