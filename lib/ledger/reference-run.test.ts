import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { addDays, isBankDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { inTransaction } from "@/lib/context";
import { addRate, changeTerms } from "@/lib/sale-plans/operator-service";
import { openClient, type TestClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";
import { payByCard, voidIt, withMerchant } from "@/lib/testing/payments";
import { broken } from "@/lib/testing/payouts";
import { openSellers } from "@/lib/testing/sellers";

const to = (client: TestClient, day: string, time: string) =>
  client.make("POST", "/v1/sandbox/clock", { body: { to: `${day}T${time}-03:00` } });

/** Both instalments, and the day after the first, are bank days: what is prepaid then is prepaid by 29 days. */
async function firstDay(client: TestClient): Promise<string> {
  const { now } = await client.make<{ now: string }>("GET", "/v1/sandbox/clock");
  let day = addDays(saoPauloDay(new Date(now)), 1);
  while (![0, 30, 31, 60].every((after) => isBankDay(addDays(day, after)))) day = addDays(day, 1);
  return day;
}

/** Prices of the run, for sales in two instalments. */
async function price(client: TestClient, refundable: "none" | "mdr"): Promise<void> {
  const [plan] = await systemSql()<{ id: string }[]>`select id from sale_plans where client_id = ${client.clientId}`;
  const id = plan?.id ?? "";
  await inTransaction(await client.context(), async (inside) => {
    await changeTerms(inside, id, { name: "Run", monthlyRate: 149, markup: 50, withdrawalFee: 367, minimumPayout: 0 });
    await addRate(inside, id, {
      paymentMethod: "credit",
      brand: undefined,
      installmentFrom: 2,
      installmentTo: 2,
      percentage: 399,
      fixedAmount: 39,
      refundable,
      effectiveFrom: saoPauloDay(new Date()),
    });
  });
}

/** spec/money.md section 10: 100.00 in 2 instalments, A 70 with the processing fee, B 30; all of it through the API. */
async function referenceRun(refundable: "none" | "mdr") {
  const shop = await withMerchant(await openClient());
  const { client, merchant } = shop;
  const policy = (transferEnabled: boolean) => ({
    transferPolicy: { transferInterval: "daily", transferDay: 0, transferEnabled },
  });
  const [a = ""] = await openSellers(client, merchant.id, 1, policy(true));
  const [b = ""] = await openSellers(client, merchant.id, 1, policy(false));
  await price(client, refundable);
  const day = await firstDay(client);
  const after = (days: number, time: string) => to(client, addDays(day, days), time);

  await after(0, "12:00:00");
  const splitRules = [
    { sellerId: a, amount: 7_000, processingFee: true, liable: true },
    { sellerId: b, amount: 3_000 },
  ];
  const changes = { splitRules, paymentMethod: { paymentType: "credit", installments: 2 } };
  const { body: charge } = await payByCard(shop, { amount: 10_000, capture: true, changes });
  // The first instalment is settled and released, and A's part of it sent.
  await after(30, "12:00:00");
  await client.make("PATCH", `/v1/sellers/${a}`, { body: policy(false) });
  const prepayment = await client.make("POST", "/v1/subacquirer/prepayment", {
    body: { sellerId: b, receiptDates: [addDays(day, 60)] },
  });
  expect(prepayment).toMatchObject({ grossAmount: 1_500, netAmount: 1_471, feeAmount: 21, markupAmount: 8 });
  await client.make("POST", `/v1/subacquirer/prepayment/${prepayment.id}/commit`, { body: {} });
  await after(31, "23:45:00");
  const paidToA = await client.make<List<{ finalBalance: number; status: string }>>(
    "GET",
    `/v1/payouts/payment-batches?sellerId=${a}`,
  );
  expect(paidToA.items).toMatchObject([{ status: "paid", amount: 3_500, feeAmount: 219, finalBalance: 2_914 }]);
  expect((await voidIt(client, charge.id, { amount: 2_500 })).body.refundedAmount).toBe(2_500);
  await after(60, "12:00:00");
  await client.make("POST", `/v1/sandbox/charges/${charge.id}/chargeback`, { body: { amount: 7_500 } });
  await client.make("PATCH", `/v1/sellers/${b}`, { body: policy(true) });
  await after(66, "12:00:00");
  const paidToB = await client.make<List>("GET", `/v1/payouts/payment-batches?sellerId=${b}&status=paid`);
  expect(paidToB.items).toMatchObject([{ finalBalance: 1_854, withdrawalFeeAmount: 367 }]);

  const rows = await systemSql()<{ kind: string; seller: string | null; balance: number }[]>`
    select a.kind, a.seller_id as seller, sum(p.amount)::float8 as balance
      from postings p join ledger_accounts a on a.id = p.account_id
     where a.merchant_id = ${merchant.id} and not a.memo group by 1, 2 having sum(p.amount) <> 0`;
  const nameOf = (seller: string | null) => (seller === a ? ":A" : seller === b ? ":B" : "");
  const journals = await systemSql()<{ type: string }[]>`
    select event_type as type from journals where merchant_id = ${merchant.id} and not memo order by created_at, id`;
  return {
    books: Object.fromEntries(rows.map(({ kind, seller, balance }) => [`${kind}${nameOf(seller)}`, balance])),
    journals: journals.map(({ type }) => type),
    broken: await broken(client),
  };
}

const RUN = {
  "seller_available:A": 5_969,
  bank: -5_017,
  "revenue:platform_fee": -438,
  "revenue:withdrawal_fee": -734,
  "revenue:prepayment": -29,
  "expense:provider_cost": 249,
};

test("the reference run ends with the balances of the document, in 14 journals", { timeout: 60_000 }, async () => {
  const run = await referenceRun("none");
  expect(run.books).toEqual(RUN);
  expect(run.journals.toSorted()).toEqual(
    [
      ...["capture", "fee", "provider_cost", "settlement", "release", "payout", "payout_paid", "prepayment"],
      ...["refund", "settlement", "release", "chargeback", "payout", "payout_paid"],
    ].toSorted(),
  );
  expect(run.broken).toEqual([]);
});

test("K2: where the percentage part goes back, A gives 16.50, B 7.50 and the fee 1.00", {
  timeout: 60_000,
}, async () => {
  const run = await referenceRun("mdr");
  expect(run.books).toEqual({ ...RUN, "seller_available:A": 5_869, "revenue:platform_fee": -338 });
  expect(run.journals).toHaveLength(14);
  expect(run.broken).toEqual([]);
});
