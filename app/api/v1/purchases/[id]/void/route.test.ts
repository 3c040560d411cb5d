import { describe, expect, it } from "vitest";
import { systemSql } from "@/db/client";
import { openClient } from "@/lib/testing/api";
import { readCharge, voidIt, withMerchant } from "@/lib/testing/payments";
import { advance, bought, changePurchase, readPurchase, work } from "@/lib/testing/purchases";

const openShop = async () => withMerchant(await openClient());

it("202: void while the cards are held, refund when they have paid", async () => {
  const shop = await openShop();
  const held = await changePurchase(shop.client, (await bought(shop)).id, "void");
  const paid = await changePurchase(shop.client, (await bought(shop, { capture: true })).id, "void");
  expect([held.status, held.body.operation?.type]).toEqual([202, "void"]);
  expect([paid.status, paid.body.operation?.type]).toEqual([202, "refund"]);
});

it("409: a finished purchase; 400: a body", async () => {
  const shop = await openShop();
  const { id } = await bought(shop, { outcomes: ["decline:generic", "approve"] });
  expect((await changePurchase(shop.client, id, "void")).error?.businessCode).toBe("purchase_invalid_state");
  expect((await changePurchase(shop.client, id, "void", { amount: 1 })).error?.businessCode).toBe("invalid_request");
});

const ROUNDS = Number(process.env.ROUNDS ?? 4);
const RACERS = 50;
it(`${RACERS} racers that capture and void: exactly one 202 a round`, { timeout: 60_000 }, async () => {
  const shop = await openShop();
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await bought(shop);
    const replies = await Promise.all(
      Array.from({ length: RACERS }, (_, racer) =>
        changePurchase(shop.client, id, racer % 2 === round % 2 ? "capture" : "void"),
      ),
    );
    const refused = replies.filter(({ status }) => status !== 202);
    expect(refused).toHaveLength(RACERS - 1);
    expect(new Set(refused.map(({ error }) => error?.businessCode))).toEqual(
      new Set(["purchase_operation_in_progress"]),
    );
    await work(shop.client);
    expect(["paid", "cancelled"]).toContain((await readPurchase(shop.client, id)).status);
  }
});

describe("POST /v1/charges/{id}/void of a card of a purchase", () => {
  it("201: a part is given back, then the rest; the purchase is cancelled when every card is", async () => {
    const shop = await openShop();
    const purchase = await bought(shop, { capture: true });
    const [one, other] = purchase.payments.map(({ chargeId }) => chargeId ?? "");
    const part = await voidIt(shop.client, one ?? "", { amount: 2_000 });
    expect([part.status, part.body.status, part.body.refundedAmount], part.text).toEqual([201, "authorized", 2_000]);
    let read = await readPurchase(shop.client, purchase.id);
    expect(read).toMatchObject({
      status: "paid",
      payments: [{ status: "authorized", refundedAmount: 2_000 }, { refundedAmount: 0 }],
    });
    expect(read.activeOperation).toBeUndefined();
    await voidIt(shop.client, one ?? "");
    read = await readPurchase(shop.client, purchase.id);
    expect(read).toMatchObject({
      status: "paid",
      payments: [{ status: "voided", refundedAmount: 5_000 }, { status: "authorized" }],
    });
    await voidIt(shop.client, other ?? "", {});
    expect((await readPurchase(shop.client, purchase.id)).status).toBe("cancelled");
    const types = await systemSql()`
      select type || ' ' || status as name from purchase_operations where purchase_id = ${purchase.id} order by id`;
    expect(types.map(({ name }) => name)).toEqual([
      "authorize completed",
      "capture completed",
      "refund completed",
      "refund completed",
      "refund completed",
    ]);
  });

  it("201: refused by the provider: the charge with the error, the purchase stays paid", async () => {
    const shop = await openShop();
    const purchase = await bought(shop, {
      capture: true,
      outcomes: ["refund_refused_insufficient_balance", "approve"],
    });
    await advance(shop.client, "P1D");
    const reply = await voidIt(shop.client, purchase.payments[0]?.chargeId ?? "", { amount: 100 });
    expect(reply).toMatchObject({
      status: 201,
      body: { status: "authorized", error: { businessCode: "provider_refused" } },
    });
    expect(await readPurchase(shop.client, purchase.id)).toMatchObject({
      status: "paid",
      payments: [{ refundedAmount: 0 }, {}],
    });
  });

  it("400: more than is left; 409: while held, while the purchase runs an operation, and every capture", async () => {
    const shop = await openShop();
    const held = await bought(shop);
    const chargeId = held.payments[0]?.chargeId ?? "";
    const code = async (verb: "void" | "capture", id: string, body = {}) =>
      (await shop.client.call("POST", `/v1/charges/${id}/${verb}`, { body })).error?.businessCode;
    expect(await code("void", chargeId)).toBe("purchase_slot_charge");
    expect(await code("capture", chargeId)).toBe("purchase_slot_charge");
    await changePurchase(shop.client, held.id, "capture");
    expect(await code("void", chargeId)).toBe("purchase_operation_in_progress");
    await work(shop.client);
    expect(await code("void", chargeId, { amount: 5_001 })).toBe("amount_exceeds_remaining");
    expect((await readCharge(shop.client, chargeId)).refundedAmount).toBe(0);
  });
});
