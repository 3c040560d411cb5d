import { beforeAll, describe, expect, test } from "vitest";
import { OPERATOR_ROLES } from "@/db/schema/operators";
import { type Context, inTransaction } from "@/lib/context";
import { newId } from "@/lib/ids";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { actOnPurchase, type PurchaseAction, purchaseActionsFor, purchasePlan } from "@/lib/purchases/operator-service";
import { purchaseOverview } from "@/lib/purchases/overview";
import { getPurchase } from "@/lib/purchases/queries";
import { openClient, type TestClient } from "@/lib/testing/api";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { bought, readPurchase, work } from "@/lib/testing/purchases";

let shop: Shop;
let stranger: TestClient;

beforeAll(async () => {
  shop = await withMerchant(await openClient());
  stranger = await openClient();
});

const personOn = async (client: TestClient): Promise<Context> => ({
  ...(await client.context()),
  principal: { kind: "operator", operatorId: newId() },
});
const purchaseNow = async (id: string) =>
  inTransaction(await shop.client.context(), (inside) => getPurchase(inside, id));

async function act(
  id: string,
  action: PurchaseAction,
  more: { key?: string; plan?: string; role?: OperatorRole } = {},
) {
  const { key = newId(), plan = purchasePlan(await purchaseNow(id)), role = "owner" } = more;
  const done = await actOnPurchase(await personOn(shop.client), role, id, action, {
    key,
    plan,
    reason: "the buyer asked",
  });
  await work(shop.client);
  return done;
}

describe("a person on a purchase", () => {
  test("captures what all cards hold, and gives all of it back", async () => {
    const { id } = await bought(shop);
    expect(await act(id, "capture")).toEqual({ kind: "done" });
    expect((await readPurchase(shop.client, id)).status).toBe("paid");
    expect(await act(id, "refund")).toEqual({ kind: "done" });
    expect(await readPurchase(shop.client, id)).toMatchObject({
      status: "cancelled",
      payments: [{ refundedAmount: 5_000 }, { refundedAmount: 5_001 }],
    });
  });

  test("does it once for a key, and not on another state than was confirmed", async () => {
    const { id } = await bought(shop);
    const plan = purchasePlan(await purchaseNow(id));
    const key = newId();
    expect(await act(id, "release", { key, plan })).toEqual({ kind: "done" });
    expect(await act(id, "release", { key, plan })).toEqual({ kind: "done" });
    expect((await readPurchase(shop.client, id)).status).toBe("cancelled");
    expect(await act(id, "release", { plan })).toEqual({ kind: "changed" });
  });

  test("asks about every card without changing it", async () => {
    const { id } = await bought(shop, { capture: true });
    expect(await act(id, "recheck")).toEqual({ kind: "done" });
    expect((await readPurchase(shop.client, id)).status).toBe("paid");
  });

  test.each([
    ["capture", "payments.capture"],
    ["release", "payments.capture"],
    ["refund", "payments.refund"],
    ["recheck", "payments.recheck"],
  ] as const)("%s does not exist for who may not", async (action, right) => {
    const { id } = await bought(shop);
    for (const role of OPERATOR_ROLES.filter((each) => !may(each, right))) {
      await expect(act(id, action, { role }), role).rejects.toMatchObject({ status: 404 });
    }
    const purchase = await purchaseNow(id);
    expect(purchaseActionsFor("viewer", purchase)).toEqual([]);
    // Their own limit is of one card's refund.
    expect(await act(id, "refund", { role: "support" })).toEqual({ kind: "two_people" });
  });

  test("of another account does not see it", async () => {
    const { id } = await bought(shop);
    await expect(purchaseOverview(await personOn(stranger), "owner", id)).rejects.toMatchObject({ status: 404 });
    await expect(
      actOnPurchase(await personOn(stranger), "owner", id, "recheck", { key: newId(), plan: "" }),
    ).rejects.toMatchObject({ businessCode: "purchase_not_found" });
  });
});
