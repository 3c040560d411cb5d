import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { addDays, creditSettlementDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { moneyOverview } from "@/lib/finance/overview";
import { dayRows, reconciliation } from "@/lib/finance/reconciliation";
import { openClient, type TestClient } from "@/lib/testing/api";
import { payByCard, type Shop, voidIt, withMerchant } from "@/lib/testing/payments";
import { person } from "@/lib/testing/people";
import { openSellers } from "@/lib/testing/sellers";

const PREPAYMENTS = "/v1/subacquirer/prepayment";

/** 200.00 in two installments, four fifths of them a seller's. */
async function soldInTwo(): Promise<TestClient> {
  const shop = await withMerchant(await openClient());
  const { client, merchant } = shop;
  const [sellerId = ""] = await openSellers(client, merchant.id, 1);
  await payByCard(shop, {
    amount: 20_000,
    capture: true,
    changes: {
      paymentMethod: { paymentType: "credit", installments: 2 },
      splitRules: [{ sellerId, percentage: 80 }],
    },
  });
  return client;
}

test("the own part of a sale that was paid early falls due on that day, and the others' parts on theirs", async () => {
  const client = await soldInTwo();
  const { now } = await client.make<{ now: string }>("GET", "/v1/sandbox/clock");
  const today = saoPauloDay(new Date(now));
  await client.make("POST", "/v1/sandbox/clock", { body: { to: `${addDays(today, 3)}T10:00:00-03:00` } });
  const { id, paymentDate } = await client.make<{ id: string; paymentDate: string }>("POST", PREPAYMENTS, {
    body: { endDate: addDays(today, 40) },
  });
  await client.make("POST", `${PREPAYMENTS}/${id}/commit`, { body: {} });
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P75D" } });
  const ctx = { ...(await person(client, "owner")), account: (await client.context()).account };
  const days = [];
  for (let until = today; until < addDays(today, 80); until = addDays(until, 7))
    days.push(...(await reconciliation(ctx, "owner", { until: addDays(until, 6) })).days);
  expect(days.map(({ count, differing, missing }) => [count, differing, missing])).toEqual([
    [1, 0, 0],
    [1, 0, 0],
    [1, 0, 0],
  ]);
  expect(days[0]?.day).toBe(paymentDate);
  expect(days.map(({ expected, found }) => expected - found)).toEqual([0, 0, 0]);
  // A fifth of an instalment of 100.00 is the merchant's own.
  expect([(days[0]?.found ?? 0) > 1_900, (days[0]?.found ?? 0) < 2_000]).toEqual([true, true]);
  const rows = await dayRows(ctx, "owner", { day: paymentDate, providerId: days[0]?.providerId ?? "", state: "all" });
  expect(rows.items).toMatchObject([{ installment: 1, state: "matched" }]);
  const { count, expected, found } = days[0] ?? {};
  expect(rows.states).toEqual([{ state: "matched", count, expected, found, netted: 0, costAhead: 0 }]);
}, 60_000);

test("a sale whose own parts were all paid early lacks nothing while the others' parts wait for their days", async () => {
  const client = await soldInTwo();
  const today = await dayOf(client);
  await client.make("POST", "/v1/sandbox/clock", { body: { to: `${addDays(today, 3)}T10:00:00-03:00` } });
  const { id } = await client.make<{ id: string }>("POST", PREPAYMENTS, { body: { endDate: addDays(today, 80) } });
  await client.make("POST", `${PREPAYMENTS}/${id}/commit`, { body: {} });
  const told = async () => {
    const lines = await systemSql()<{ installment: number; settled: string }[]>`
      select installment, (amount + cost)::text as settled from statement_lines
       where client_id = ${client.clientId} order by settled_on, installment`;
    const breaks = await systemSql()`select kind from settlement_breaks where client_id = ${client.clientId}`;
    return { lines: lines.map(({ installment, settled }) => [installment, Number(settled)]), breaks: [...breaks] };
  };
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P20D" } });
  const early = await told();
  expect([early.lines.map(([installment]) => installment), early.breaks]).toEqual([[1, 2], []]);
  for (const [, settled = 0] of early.lines) expect(settled > 1_800 && settled < 2_000).toBe(true);
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P60D" } });
  const { lines, breaks } = await told();
  expect([lines.map(([installment]) => installment), breaks]).toEqual([[1, 2, 1, 2], []]);
  // What early payment costs is all that lacks of it.
  const { feeAmount, markupAmount } = await client.make<{ feeAmount: number; markupAmount: number }>(
    "GET",
    `${PREPAYMENTS}/${id}`,
  );
  expect(lines.reduce((sum, [, settled = 0]) => sum + settled, 0)).toBe(20_000 - feeAmount - markupAmount);
}, 60_000);

test("a sale whose seller's part alone was paid early falls due on its usual day: its acquirer pays nothing early", async () => {
  const shop = await withMerchant(await openClient());
  const { client, merchant } = shop;
  const [sellerId = ""] = await openSellers(client, merchant.id, 1);
  await payByCard(shop, { amount: 20_000, capture: true, changes: { splitRules: [{ sellerId, percentage: 80 }] } });
  const today = await dayOf(client);
  await client.make("POST", "/v1/sandbox/clock", { body: { to: `${addDays(today, 3)}T10:00:00-03:00` } });
  const { id, paymentDate } = await client.make<{ id: string; paymentDate: string }>("POST", PREPAYMENTS, {
    body: { endDate: addDays(today, 40), sellerId },
  });
  await client.make("POST", `${PREPAYMENTS}/${id}/commit`, { body: {} });
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P45D" } });
  expect(await dayRowsOf(client, creditSettlementDay(today, 1))).toMatchObject([
    { expected: 20_000, state: "matched" },
  ]);
  expect(await dayRowsOf(client, paymentDate)).toEqual([]);
}, 60_000);

test("an instalment that carries its acquirer's whole cost stands beside what batches have of it, with its order", async () => {
  const shop = await withMerchant(await openClient());
  const { client } = shop;
  const today = await dayOf(client);
  await payByCard(shop, {
    amount: 10_000,
    capture: true,
    changes: { orderId: "order-77", paymentMethod: { paymentType: "credit", installments: 3 } },
  });
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P70D" } });
  const shown = [];
  for (const nth of [1, 2]) shown.push(...(await dayRowsOf(client, creditSettlementDay(today, nth))));
  // 2.49 % of 100.00 are 2.49: the acquirer divides 97.51, and batches 100.00.
  expect(shown).toMatchObject([
    { orderId: "order-77", installment: 1, cost: 249, expected: 3_251 + 249, inBatches: 3_334, state: "matched" },
    { orderId: "order-77", installment: 2, cost: 0, expected: 3_250, inBatches: 3_333, state: "matched" },
  ]);
  const { items } = await client.make<{ items: { id: string }[] }>("GET", "/v1/payouts/payment-batches");
  const lines = await Promise.all(
    items.map(({ id }) =>
      client.make<{ items: { amount: number }[] }>("GET", `/v1/payouts/payment-batches/${id}/lines`),
    ),
  );
  expect(lines.flatMap((batch) => batch.items.map(({ amount }) => amount)).sort()).toEqual([3_333, 3_334]);
}, 60_000);

/** 541.13 in six, of which 5.00 go back. */
async function sellInSixAndRefund(shop: Shop): Promise<void> {
  const changes = { paymentMethod: { paymentType: "credit", installments: 6 } };
  const { body } = await payByCard(shop, { amount: 54_113, capture: true, changes });
  expect(await voidIt(shop.client, body.id, { amount: 500 })).toMatchObject({ status: 201 });
}

test("a refund smaller than the cost that stands in the first instalment is netted all the same", async () => {
  const shop = await withMerchant(await openClient());
  const { client } = shop;
  const today = await dayOf(client);
  await sellInSixAndRefund(shop);
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P200D" } });
  // 2.49 % of 541.13 are 13.47: 527.66 in six parts, of which the first lacks the refund.
  expect(await dayRowsOf(client, creditSettlementDay(today, 1))).toMatchObject([
    { cost: 1_347, expected: 8_796 + 1_347, found: 8_796 + 1_347 - 500, state: "netted" },
  ]);
  for (const nth of [2, 3, 4, 5, 6])
    expect(await dayRowsOf(client, creditSettlementDay(today, nth))).toMatchObject([{ state: "matched" }]);
}, 60_000);

test("so it is where the whole sale was prepaid", async () => {
  const shop = await withMerchant(await openClient());
  const { client } = shop;
  const today = await dayOf(client);
  await sellInSixAndRefund(shop);
  const { id, paymentDate } = await client.make<{ id: string; paymentDate: string }>("POST", PREPAYMENTS, {
    body: { endDate: addDays(today, 200) },
  });
  await client.make("POST", `${PREPAYMENTS}/${id}/commit`, { body: {} });
  // Until the day comes, what is to be received still holds what having it early costs.
  const ctx = { ...(await person(client, "owner")), account: (await client.context()).account };
  const { own, next } = await moneyOverview(ctx, "owner", {});
  expect(own?.earlyCost).toBeGreaterThan(0);
  expect((own?.receivable ?? 0) - (own?.earlyCost ?? 0)).toBe(next?.net);
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P10D" } });
  const rows = await dayRowsOf(client, paymentDate);
  expect(rows.map(({ state }) => state)).toEqual(["netted", ...Array(5).fill("matched")]);
  expect(rows.reduce((sum, { expected, found }) => sum + expected - found, 0)).toBe(500);
}, 60_000);

test("a day to come is expected less the refunds already made, as payouts have it", async () => {
  const shop = await withMerchant(await openClient());
  const { client } = shop;
  const today = await dayOf(client);
  const changes = { paymentMethod: { paymentType: "credit", installments: 2 } };
  const { body } = await payByCard(shop, { amount: 20_000, capture: true, changes });
  await payByCard(shop, { amount: 10_000, capture: true });
  expect(await voidIt(client, body.id, { amount: 3_000 })).toMatchObject({ status: 201 });
  const ctx = { ...(await person(client, "owner")), account: (await client.context()).account };
  const day = creditSettlementDay(today, 1);
  const { days } = await reconciliation(ctx, "owner", { until: day });
  // 100.00 of two instalments and 100.00 in one, less half of the refund.
  expect(days).toMatchObject([{ day, waiting: 2, expected: 20_000, netted: 1_500, found: 0 }]);
  const { next } = await moneyOverview(ctx, "owner", {});
  expect([next?.day, next?.net]).toEqual([day, 20_000 - 1_500]);
  const rows = (await dayRowsOf(client, day)).map(({ expected, netted }) => [expected, netted]);
  expect(rows).toEqual(
    expect.arrayContaining([
      [10_000, 1_500],
      [10_000, 0],
    ]),
  );
}, 60_000);

test("without a day asked for, the newest week that has something is shown, or the first that will have", async () => {
  const shop = await withMerchant(await openClient());
  const { client } = shop;
  const today = await dayOf(client);
  await payByCard(shop, { amount: 10_000, capture: true });
  const due = creditSettlementDay(today, 1);
  const shown = async () => {
    const ctx = { ...(await person(client, "owner")), account: (await client.context()).account };
    const { days, until } = await reconciliation(ctx, "owner", {});
    return [until, days.map(({ day }) => day)];
  };
  expect(await shown()).toEqual([due, [due]]);
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P90D" } });
  expect(await shown()).toEqual([due, [due]]);
}, 60_000);

/** Sold to be settled in three, of which the second and the third are paid early and the first on its day. */
async function prepayLastTwo(shop: Shop, sales: number): Promise<{ charges: string[]; paymentDate: string }> {
  const { client } = shop;
  const today = await dayOf(client);
  const charges = [];
  for (let sale = 0; sale < sales; sale++) {
    const changes = { paymentMethod: { paymentType: "credit", installments: 3 } };
    charges.push((await payByCard(shop, { amount: 10_500, capture: true, changes })).body.id);
  }
  const { id, paymentDate } = await client.make<{ id: string; paymentDate: string }>("POST", PREPAYMENTS, {
    body: { receiptDates: [2, 3].map((nth) => creditSettlementDay(today, nth)) },
  });
  await client.make("POST", `${PREPAYMENTS}/${id}/commit`, { body: {} });
  return { charges, paymentDate };
}

test("what an early instalment lacks of a cost that comes with the first is cost, and no refund", async () => {
  const shop = await withMerchant(await openClient());
  const { client } = shop;
  const { charges, paymentDate } = await prepayLastTwo(shop, 2);
  expect(await voidIt(client, charges[1] ?? "", { amount: 5_000 })).toMatchObject({ status: 201 });
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P7D" } });
  // 2.49 % of 105.00 are 2.61: 102.39 in three parts of 34.13. The refund takes the first and 15.87 of the second.
  const rows = await dayRowsOf(client, paymentDate);
  const of = (chargeId: string | undefined) =>
    rows
      .filter(({ paymentId }) => paymentId === chargeId)
      .map(({ installment, state, netted, costAhead, expected, found }) => [
        installment,
        state,
        netted,
        costAhead,
        expected - found,
      ]);
  expect(of(charges[0])).toEqual([
    [2, "costed", 0, 87, 87],
    [3, "costed", 0, 87, 87],
  ]);
  expect(of(charges[1])).toEqual([
    [2, "netted", 1_587, 87, 1_674],
    [3, "costed", 0, 87, 87],
  ]);
  const ctx = { ...(await person(client, "owner")), account: (await client.context()).account };
  const { days } = await reconciliation(ctx, "owner", { until: paymentDate });
  const [one] = days;
  expect(one).toMatchObject({ uneven: 0, netted: 1_587, costAhead: 4 * 87 });
  expect((one?.expected ?? 0) - 1_587 - 4 * 87).toBe(one?.found);
  // Once the first has said what the sale cost, the others are expected without it.
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P40D" } });
  expect(
    (await dayRowsOf(client, paymentDate)).map(({ state, netted, costAhead }) => [state, netted, costAhead]),
  ).toEqual(
    expect.arrayContaining([
      ["matched", 0, 0],
      ["netted", 1_587, 0],
    ]),
  );
}, 60_000);

test("more than a sale can cost is told as it is", async () => {
  const shop = await withMerchant(await openClient());
  const { client } = shop;
  const { paymentDate } = await prepayLastTwo(shop, 1);
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P7D" } });
  const [row] = await dayRowsOf(client, paymentDate);
  expect(row).toMatchObject({ state: "costed" });
  await systemSql()`
    insert into statement_lines (id, client_id, merchant_id, provider_id, external_id, provider_tx_id, charge_id, kind,
                                 installment, amount, cost, settled_on, created_at)
    select gen_random_uuid(), client_id, merchant_id, provider_id, external_id || '-less', provider_tx_id, charge_id, kind,
           installment, -1000, 0, settled_on, created_at
      from statement_lines where merchant_id = ${shop.merchant.id}`;
  expect((await dayRowsOf(client, paymentDate)).map(({ state, costAhead }) => [state, costAhead])).toEqual([
    ["uneven", 0],
    ["uneven", 0],
  ]);
}, 60_000);

async function dayOf(client: TestClient): Promise<string> {
  const { now } = await client.make<{ now: string }>("GET", "/v1/sandbox/clock");
  return saoPauloDay(new Date(now));
}

/** Of the only acquirer of the account. */
async function dayRowsOf(client: TestClient, day: string) {
  const ctx = { ...(await person(client, "owner")), account: (await client.context()).account };
  const { days } = await reconciliation(ctx, "owner", { until: day });
  const of = { day, providerId: days[0]?.providerId ?? "", state: "all" };
  return (await dayRows(ctx, "owner", of)).items;
}
