import { expect, it } from "vitest";
import { newId } from "@/lib/ids";
import { openClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";

interface Plan {
  id: string;
  isDefault: boolean;
  rates: {
    paymentMethod: string;
    installmentFrom: number;
    installmentTo: number;
    percentage: number;
    fixedAmount: number;
  }[];
  [member: string]: unknown;
}

it("a sandbox account begins with one default plan and its prices", async () => {
  const client = await openClient();
  const { items, meta } = await client.make<List<Plan>>("GET", "/v1/subacquirer/plans", {
    query: { isDefault: "true" },
  });
  expect(meta.totalItems).toBe(1);
  expect(items[0]).toMatchObject({
    isDefault: true,
    status: "active",
    monthlyRate: 1.5,
    markup: 2,
    withdrawalFee: 367,
    minimumPayout: 0,
  });
  const prices = items[0]?.rates.map((rate) => [
    rate.paymentMethod,
    `${rate.installmentFrom}-${rate.installmentTo}`,
    rate.percentage,
    rate.fixedAmount,
  ]);
  expect(prices?.toSorted()).toEqual(
    [
      ["credit", "1-1", 3.99, 39],
      ["credit", "2-6", 4.59, 39],
      ["credit", "7-12", 5.19, 39],
      ["credit", "13-24", 5.99, 39],
      ["debit", "1-24", 1.99, 0],
      ["pix", "1-24", 0.99, 0],
      ["boleto", "1-24", 0, 349],
    ].toSorted(),
  );
  expect(await client.make("GET", `/v1/subacquirer/plans/${items[0]?.id}`)).toEqual(items[0]);
  expect(await client.call("GET", "/v1/subacquirer/plans", { query: { isDefault: "false" } })).toMatchObject({
    body: { items: [] },
  });
});

it("a live account charges nothing until somebody sets a price", async () => {
  const client = await openClient({ mode: "live" });
  const { items } = await client.make<List<Plan>>("GET", "/v1/subacquirer/plans");
  expect(items).toMatchObject([{ isDefault: true, rates: [], monthlyRate: 0, markup: 0, withdrawalFee: 0 }]);
});

it("what cannot be understood or found is refused", async () => {
  const client = await openClient();
  expect(await client.call("GET", `/v1/subacquirer/plans/${newId()}`)).toMatchObject({ status: 404 });
  expect(await client.call("GET", "/v1/subacquirer/plans/7")).toMatchObject({ status: 400 });
  expect(await client.call("GET", "/v1/subacquirer/plans", { query: { isDefault: "maybe" } })).toMatchObject({
    status: 400,
  });
});
