import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { openClient, type TestClient } from "@/lib/testing/api";
import { payByCard, type Shop, voidIt, withMerchant } from "@/lib/testing/payments";
import { openSellers } from "@/lib/testing/sellers";

const PREPAYMENTS = "/v1/subacquirer/prepayment";

interface Priced {
  id: string;
  grossAmount: number;
  netAmount: number;
  paymentDate: string;
}

const dayOf = async (client: TestClient): Promise<string> => {
  const { now } = await client.make<{ now: string }>("GET", "/v1/sandbox/clock");
  return saoPauloDay(new Date(now));
};

const advance = (client: TestClient, duration: string) =>
  client.make("POST", "/v1/sandbox/clock", { body: { advance: duration } });

async function sell(shop: Shop, amount: number, installments: number, splitRules: object[] = []): Promise<string> {
  const changes = {
    paymentMethod: { paymentType: "credit", installments },
    ...(splitRules.length > 0 ? { splitRules } : {}),
  };
  return (await payByCard(shop, { amount, capture: true, changes })).body.id;
}

async function prepay(client: TestClient, chosen: object): Promise<Priced> {
  const priced = await client.make<Priced>("POST", PREPAYMENTS, { body: chosen });
  await client.make("POST", `${PREPAYMENTS}/${priced.id}/commit`, { body: {} });
  return priced;
}

/** Every discrepancy that ever was: one that closed by itself was raised all the same. */
const everBroken = ({ merchant }: Shop) => systemSql()`
  select kind, expected::int, found::int from settlement_breaks where merchant_id = ${merchant.id}`;

/** What the acquirer has settled so far, by day, before its cost. */
async function settledBy({ merchant }: Shop): Promise<[string, number][]> {
  const rows = await systemSql()<{ day: string; amount: number }[]>`
    select settled_on::text as day, sum(amount + cost)::int as amount from statement_lines
     where merchant_id = ${merchant.id} group by 1 order by 1`;
  return rows.map(({ day, amount }) => [day, amount]);
}

test("a sale of which a part was refunded is paid early to its last cent, and no discrepancy ever opens", {
  timeout: 60_000,
}, async () => {
  const shop = await withMerchant(await openClient());
  const { client } = shop;
  const charge = await sell(shop, 33_300, 1);
  expect(await voidIt(client, charge, { amount: 3_300 })).toMatchObject({ status: 201 });
  const { grossAmount, netAmount, paymentDate } = await prepay(client, { endDate: addDays(await dayOf(client), 60) });
  expect(grossAmount).toBe(30_000);
  await advance(client, "P6D");
  expect(await settledBy(shop)).toEqual([[paymentDate, netAmount]]);
  expect(await everBroken(shop)).toEqual([]);
  await advance(client, "P40D");
  expect(await settledBy(shop)).toEqual([[paymentDate, netAmount]]);
  expect(await everBroken(shop)).toEqual([]);
});

test("where it was sold in instalments, all that is left of it comes early, whatever the refund was taken from", {
  timeout: 60_000,
}, async () => {
  const shop = await withMerchant(await openClient());
  const { client } = shop;
  const charge = await sell(shop, 30_000, 3);
  expect(await voidIt(client, charge, { amount: 3_000 })).toMatchObject({ status: 201 });
  const { grossAmount, netAmount, paymentDate } = await prepay(client, { endDate: addDays(await dayOf(client), 120) });
  expect(grossAmount).toBe(27_000);
  await advance(client, "P100D");
  expect((await settledBy(shop)).filter(([, amount]) => amount !== 0)).toEqual([[paymentDate, netAmount]]);
  expect(await everBroken(shop)).toEqual([]);
});

test("of instalments one of which is paid early, it brings what the books priced, and the others the rest", {
  timeout: 60_000,
}, async () => {
  const shop = await withMerchant(await openClient());
  const { client } = shop;
  const charge = await sell(shop, 30_000, 3);
  expect(await voidIt(client, charge, { amount: 3_000 })).toMatchObject({ status: 201 });
  const { grossAmount, netAmount, paymentDate } = await prepay(client, { endDate: addDays(await dayOf(client), 40) });
  expect(grossAmount).toBe(9_000);
  await advance(client, "P100D");
  const lines = (await settledBy(shop)).filter(([, amount]) => amount !== 0);
  // The first line says what the whole sale cost: 2.49 % of 300.00.
  expect(lines[0]).toEqual([paymentDate, netAmount + 747]);
  expect(lines.reduce((sum, [, amount]) => sum + amount, 0)).toBe(netAmount + 18_000);
  expect(await everBroken(shop)).toEqual([]);
});

test("of a split sale the account's own part comes early in full, and the seller's on its day", {
  timeout: 60_000,
}, async () => {
  const shop = await withMerchant(await openClient());
  const { client, merchant } = shop;
  const [sellerId = ""] = await openSellers(client, merchant.id, 1);
  const charge = await sell(shop, 20_000, 1, [{ sellerId, percentage: 80 }]);
  expect(await voidIt(client, charge, { amount: 5_000 })).toMatchObject({ status: 201 });
  const { grossAmount, netAmount, paymentDate } = await prepay(client, { endDate: addDays(await dayOf(client), 60) });
  expect(grossAmount).toBe(3_000);
  await advance(client, "P45D");
  const lines = await settledBy(shop);
  expect(lines[0]).toEqual([paymentDate, netAmount]);
  expect(lines.map(([, amount]) => amount)).toEqual([netAmount, 12_000]);
  expect(await everBroken(shop)).toEqual([]);
});

test("a refund between confirmation and the new day leaves that day what is left of the sale", {
  timeout: 60_000,
}, async () => {
  const shop = await withMerchant(await openClient());
  const { client } = shop;
  const charge = await sell(shop, 30_000, 1);
  expect(await voidIt(client, charge, { amount: 3_000 })).toMatchObject({ status: 201 });
  const { netAmount, paymentDate } = await prepay(client, { endDate: addDays(await dayOf(client), 60) });
  expect(await voidIt(client, charge, { amount: 2_000 })).toMatchObject({ status: 201 });
  await advance(client, "P45D");
  expect(await settledBy(shop)).toEqual([[paymentDate, netAmount - 2_000]]);
  expect(await everBroken(shop)).toEqual([]);
});

test("the refund stands on the day of the instalment that it was taken from, when that day becomes another", {
  timeout: 60_000,
}, async () => {
  const shop = await withMerchant(await openClient());
  const { client } = shop;
  const charge = await sell(shop, 33_300, 1);
  expect(await voidIt(client, charge, { amount: 3_300 })).toMatchObject({ status: 201 });
  const { paymentDate } = await prepay(client, { endDate: addDays(await dayOf(client), 60) });
  const rows = await systemSql()<{ type: string; day: string }[]>`
    select type, payment_date::text as day from receivables where charge_id = ${charge} order by type`;
  expect([...rows]).toEqual([
    { type: "credit", day: paymentDate },
    { type: "refund", day: paymentDate },
  ]);
});
