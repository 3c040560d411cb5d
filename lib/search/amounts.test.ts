import { beforeAll, expect, test } from "vitest";
import type { MeantTerm } from "@/lib/charges/search-terms";
import { inSnapshot } from "@/lib/context";
import { withCommonAmounts } from "@/lib/search/amounts";
import { searchEverything } from "@/lib/search/everything";
import { type ListFilters, listPayments } from "@/lib/search/payments";
import { openClient } from "@/lib/testing/api";
import { cardData, openCustomer, openToken, payByPix, type Shop, withMerchant } from "@/lib/testing/payments";
import { bought } from "@/lib/testing/purchases";

let shop: Shop;
const listed = async (filters: ListFilters) =>
  (await listPayments(await shop.client.context(), "owner", filters)).items.map((item) => item.orderId);

beforeAll(async () => {
  shop = await withMerchant(await openClient());
  const customerId = await openCustomer(shop.client, { name: "Otília Prado" });
  await payByPix(shop, { amount: 33_300, changes: { orderId: "a" } });
  await payByPix(shop, { amount: 33_301, changes: { orderId: "b" } });
  await payByPix(shop, { amount: 10_500, changes: { orderId: "c", customerId } });
  await payByPix(shop, { amount: 10_500, changes: { orderId: "d" } });
  await payByPix(shop, { amount: 500, changes: { orderId: "PED-333" } });
  const payments = [20_000, 100_000].map(async (amount) => ({
    amount,
    paymentMethod: { paymentType: "credit" },
    paymentSource: { sourceType: "token", tokenId: await openToken(shop.client, cardData("approve")) },
  }));
  await bought(shop, { changes: { orderId: "e", amount: 120_000, payments: await Promise.all(payments) } });
});

test.each([
  ["333", ["PED-333", "a"]],
  ["R$ 333", ["a"]],
  ["105", ["d", "c"]],
  ["otilia 105", ["c"]],
  ["105 Otília Prado hoje", ["c"]],
  ["otilia 333", []],
  ["1200", ["e"]],
  ["1000", ["e"]],
  ["334", []],
])("%s finds the payments of that amount, besides what else the number is", async (typed, orders) => {
  expect(await listed({ search: typed })).toEqual(orders);
  const { payments } = await searchEverything(await shop.client.context(), "owner", typed, { isPatient: true });
  expect(payments.map((item) => item.orderId)).toEqual(orders);
});

const readings = (amount: number): MeantTerm[] => [
  { kind: "amount", value: amount },
  { kind: "order", value: "b" },
];

test("an amount that more share than are counted is marked, apart for orders on several cards", async () => {
  const ctx = await shop.client.context();
  const commonOf = async (amount: number, most: number) =>
    (await withCommonAmounts(ctx, [readings(amount)], 0, most))[0]?.[0];
  expect(await commonOf(10_500, 1)).toMatchObject({ isCommon: { charge: true, purchase: false } });
  expect(await commonOf(10_500, 2)).toMatchObject({ isCommon: { charge: false, purchase: false } });
  expect(await commonOf(120_000, 0)).toMatchObject({ isCommon: { charge: false, purchase: true } });
  // Read as nothing else, it walks its index.
  const alone: MeantTerm[] = [{ kind: "amount", value: 10_500 }];
  expect(await withCommonAmounts(ctx, [alone], 0, 1)).toEqual([alone]);
});

test.each([
  [10_500, ["d", "c", "b"]],
  [120_000, ["e", "b"]],
  [20_000, ["e", "b"]],
])("the payments of %d are the same, listed by its index or met while the list is walked", async (value, orders) => {
  const others = { orders: [], begun: undefined, whole: [], buyers: undefined, links: [], held: undefined };
  for (const is of [true, false]) {
    const amount: MeantTerm = { kind: "amount", value, isCommon: { charge: is, purchase: is } };
    const terms = [[amount, ...readings(value).slice(1)]];
    expect(await listed({ meant: { ...others, terms } }), String(is)).toEqual(orders);
  }
});

test.each([
  ["charges", "original_amount", /charges_original_amount/],
  ["purchases", "amount", /purchases_amount/],
  ["purchase_payments", "amount", /purchase_payments_amount/],
])("%s of an amount are found by an index, under row security", async (table, column, index) => {
  const ctx = await shop.client.context();
  const plan = await inSnapshot(ctx, async ({ db }) => {
    await db.execute("set local enable_seqscan = off");
    return db.execute<{ "QUERY PLAN": string }>(
      `explain select 1 from ${table} where client_id = '${ctx.account.id}' and ${column} = 33300 offset 10000`,
    );
  });
  const read = plan.map((row) => row["QUERY PLAN"]).join("\n");
  expect(read).toMatch(index);
  expect(read).not.toMatch(/Seq Scan/);
});
