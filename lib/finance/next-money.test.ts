import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { addDays, creditSettlementDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { moneyOverview, nextMoney } from "@/lib/finance/overview";
import { prepaymentOverview } from "@/lib/finance/prepayments";
import { openClient } from "@/lib/testing/api";
import { payByCard, withMerchant } from "@/lib/testing/payments";
import { person } from "@/lib/testing/people";

const PREPAYMENTS = "/v1/subacquirer/prepayment";

test("a credit of today is the next one until its statement has it, and tells of which orders it is", async () => {
  const shop = await withMerchant(await openClient());
  const { client, merchant } = shop;
  const { now } = await client.make<{ now: string }>("GET", "/v1/sandbox/clock");
  const today = saoPauloDay(new Date(now));
  const changes = { orderId: "order-78", paymentMethod: { paymentType: "credit", installments: 2 } };
  await payByCard(shop, { amount: 20_000, capture: true, changes });
  const { id, paymentDate } = await client.make<{ id: string; paymentDate: string }>("POST", PREPAYMENTS, {
    body: { receiptDates: [creditSettlementDay(today, 1)] },
  });
  await client.make("POST", `${PREPAYMENTS}/${id}/commit`, { body: {} });
  const ctx = async () => ({ ...(await person(client, "owner")), account: (await client.context()).account });
  const before = await nextMoney(await ctx(), "owner");
  expect(before.next).toMatchObject({ day: paymentDate, count: 1 });
  const { items } = await prepaymentOverview(await ctx(), "owner", id, undefined);
  expect(items.map(({ payment }) => payment)).toMatchObject([{ orderId: "order-78", installment: 1 }]);

  await client.make("POST", "/v1/sandbox/clock", { body: { to: `${paymentDate}T10:00:00-03:00` } });
  expect((await nextMoney(await ctx(), "owner")).next).toEqual(before.next);
  const { ownNext, rows } = await moneyOverview(await ctx(), "owner", { day: paymentDate });
  expect([ownNext, rows?.items.length]).toEqual([before.next, 1]);

  await systemSql()`update merchant_days set statements_through = ${paymentDate} where merchant_id = ${merchant.id}`;
  expect((await nextMoney(await ctx(), "owner")).next?.day).toBe(creditSettlementDay(today, 2));
  await client.make("POST", "/v1/sandbox/clock", { body: { to: `${addDays(paymentDate, 1)}T10:00:00-03:00` } });
  expect((await nextMoney(await ctx(), "owner")).next?.day).toBe(creditSettlementDay(today, 2));
}, 60_000);
