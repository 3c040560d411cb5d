import { describe, expect, test } from "vitest";
import { type ChargeReply, openShop, type Shop } from "@/lib/providers/sandbox/api/testing";
import { sandboxPan } from "@/lib/reference/sandbox-pans";

const dispute = (shop: Shop, id: string, body: Record<string, unknown> = {}) =>
  shop.call<ChargeReply>("POST", `/v1/sandbox/charges/${id}/chargeback`, { body });
const win = (shop: Shop, id: string) => shop.call<ChargeReply>("POST", `/v1/sandbox/charges/${id}/chargeback/reverse`);

describe("POST /v1/sandbox/charges/{id}/chargeback", () => {
  test("200: disputed in full, won, disputed again in part", async () => {
    const shop = await openShop();
    const { id } = (await shop.pay(sandboxPan("approve"))).body;
    const first = await dispute(shop, id, { reason: "fraud" });
    expect([first.status, first.body.status, first.body.isDispute]).toEqual([200, "charged_back", true]);
    expect(first.body.transactionRequests[0]).toMatchObject({ requestType: "charge_back", amount: 10_000 });
    const won = await win(shop, id);
    expect([won.status, won.body.status, won.body.isDispute]).toEqual([200, "authorized", false]);
    expect(won.body.transactionRequests[0]).toMatchObject({ requestType: "dispute_closed", amount: 10_000 });
    const again = await dispute(shop, id, { amount: 4_000 });
    expect([again.body.status, again.body.transactionRequests[0]?.amount]).toEqual(["charged_back", 4_000]);
  });

  test("400: held, disputed already, more than is left; not disputed", async () => {
    const shop = await openShop();
    const held = (await shop.pay(sandboxPan("approve"), { capture: false })).body;
    expect((await dispute(shop, held.id)).error?.businessCode).toBe("invalid_status_transition");
    expect((await win(shop, held.id)).error?.businessCode).toBe("invalid_status_transition");
    const { id } = (await shop.pay(sandboxPan("approve"))).body;
    expect((await dispute(shop, id, { amount: 10_001 })).error?.businessCode).toBe("amount_exceeds_remaining");
    await dispute(shop, id);
    expect((await dispute(shop, id)).error?.businessCode).toBe("invalid_status_transition");
  });

  test("404: another account's", async () => {
    const [shop, other] = await Promise.all([openShop(), openShop()]);
    const { id } = (await shop.pay(sandboxPan("approve"))).body;
    expect((await dispute(other, id)).status).toBe(404);
    expect((await win(other, id)).status).toBe(404);
    expect((await shop.charge(id)).status).toBe("authorized");
  });
});
