import { beforeEach, describe, expect, test } from "vitest";
import { inSnapshot } from "@/lib/context";
import { getFlow } from "@/lib/flows/queries";
import { MOST_TESTS, removeTest, runTests, saveTest } from "@/lib/flows/saved-tests";
import { newId } from "@/lib/ids";
import { openClient } from "@/lib/testing/api";
import { addProvider, type Shop, withMerchant } from "@/lib/testing/payments";

let shop: Shop;
let first: string;
let second: string;

beforeEach(async () => {
  shop = await withMerchant(await openClient());
  first = shop.merchant.providerId;
  second = await addProvider(shop, { name: "Second", priority: 2 });
});

interface Reply {
  id: string;
  status: string;
  flow: { version: string };
}

const to = (id: string) => ({ rule: "provider", id });
const large = (yes: string, no: string) => ({
  rule: "condition",
  id: "large",
  if: { field: "amount", operator: "gte", value: 50_000 },
  then: [to(yes)],
  else: [to(no)],
});
const make = (root: unknown[], more: Record<string, unknown> = {}) =>
  shop.client.make<Reply>("POST", "/v1/flows", {
    body: { name: "Cards", paymentMethod: "credit", merchantId: shop.merchant.id, flow: { root }, ...more },
  });
const patch = (id: string, body: Record<string, unknown>) =>
  shop.client.call<Reply>("PATCH", `/v1/flows/${id}`, { body });
const save = async (id: string, amount: number, unit = newId()) =>
  saveTest(await shop.client.context(), id, { name: `of ${amount}`, facts: { amount }, unit });
const results = async (id: string) =>
  inSnapshot(await shop.client.context(), async (inside) => runTests(inside, await getFlow(inside, id)));

describe("a test that was saved for a flow", () => {
  test("keeps every later version that differs from deciding, and tells which test and how", async () => {
    const { id } = await make([large(second, first)], { status: "active" });
    await save(id, 50_000);
    await save(id, 49_999);
    const next = (await patch(id, { version: "1.0.0", flow: { root: [large(first, second)] } })).body;
    const refused = await patch(next.id, { version: "2.0.0", status: "active" });
    expect([refused.status, refused.error?.businessCode, refused.error?.details]).toEqual([
      400,
      "flow_invalid",
      ["test of 50000: expected Second; is Simulator", "test of 49999: expected Simulator; is Second"],
    ]);
    const straight = { version: "1.0.0", status: "active", flow: { root: [to(second)] } };
    expect((await patch(id, straight)).error?.businessCode).toBe("flow_invalid");
    const child = { name: "Cards", paymentMethod: "credit", merchantId: shop.merchant.id, parentId: id };
    const made = await shop.client.call("POST", "/v1/flows", {
      body: { ...child, status: "active", flow: { root: [to(second)] } },
    });
    expect(made.error?.businessCode).toBe("flow_invalid");
    const mended = await patch(next.id, { version: "2.0.0", flow: { root: [large(second, first), to(first)] } });
    expect((await patch(next.id, { version: "2.0.1", status: "active" })).error?.details).toEqual([
      "test of 50000: expected Second; is Second > Simulator",
    ]);
    const fits = await patch(next.id, { version: mended.body.flow.version, flow: { root: [large(second, first)] } });
    const active = await patch(next.id, { version: fits.body.flow.version, status: "active" });
    expect(active.body.status).toBe("active");
  });

  test("asks the rules alone: a pause changes nothing, and a share shows the same side each time", async () => {
    const half = {
      rule: "share",
      id: "half",
      by: "random",
      weights: [first, second].map((one) => ({ weight: 50, then: [to(one)] })),
    };
    const { id } = await make([half]);
    for (let draw = 0; draw < 8; draw++) await save(id, 1_000 + draw);
    await shop.client.make("PATCH", `/v1/providers/${second}`, { body: { paused: true } });
    const ran = await results(id);
    expect(ran.map(({ isMet }) => isMet)).toEqual(Array.from({ length: 8 }, () => true));
    expect(ran.every(({ expected }) => expected.providers.length === 1)).toBe(true);
    expect(await results(id)).toEqual(ran);
  });

  test("is not run where its merchant is none of the version's, and is gone once it was removed", async () => {
    const other = await withMerchant(shop.client);
    const { id } = await make([to(second)]);
    await save(id, 1_000);
    const merchants = [{ merchantId: other.merchant.id }];
    const root = [to(other.merchant.providerId)];
    const next = await make(root, { merchantId: undefined, merchants, parentId: id });
    expect(await results(next.id)).toMatchObject([{ found: undefined, isMet: true }]);
    expect((await patch(next.id, { version: "2.0.0", status: "active" })).body.status).toBe("active");

    const ctx = await shop.client.context();
    const [{ test: saved } = { test: undefined }] = await results(id);
    const stranger = await (await openClient()).context();
    await expect(removeTest(stranger, id, saved?.id ?? "")).rejects.toMatchObject({ status: 404 });
    await removeTest(ctx, id, saved?.id ?? "");
    await expect(removeTest(ctx, id, saved?.id ?? "")).rejects.toMatchObject({ status: 404 });
    expect(await results(id)).toEqual([]);
  });

  test("has a name and a merchant of the flow, and there are not too many", async () => {
    const other = await withMerchant(shop.client);
    const { id } = await make([to(first)]);
    const ctx = await shop.client.context();
    const unit = newId();
    await expect(saveTest(ctx, id, { name: "", facts: {}, unit })).rejects.toMatchObject({ status: 400 });
    const elsewhere = { name: "x", facts: { merchantId: other.merchant.id }, unit };
    await expect(saveTest(ctx, id, elsewhere)).rejects.toMatchObject({ businessCode: "merchant_not_found" });
    for (let place = 0; place < MOST_TESTS; place++) await save(id, place, unit);
    await expect(save(id, 1, unit)).rejects.toMatchObject({ status: 400 });
  });
});
