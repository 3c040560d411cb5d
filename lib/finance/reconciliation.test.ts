import { expect, test } from "vitest";
import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { dayRows, reconciliation } from "@/lib/finance/reconciliation";
import { openClient } from "@/lib/testing/api";
import { payByCard, withMerchant } from "@/lib/testing/payments";
import { person } from "@/lib/testing/people";
import { openSellers } from "@/lib/testing/sellers";

const PREPAYMENTS = "/v1/subacquirer/prepayment";

test("a sale whose own part alone was paid early falls due once, whole, on the day on which its acquirer pays it", async () => {
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
  ]);
  expect(days[0]?.day).toBe(paymentDate);
  expect(days.map(({ expected, found }) => expected - found)).toEqual([0, 0]);
  const rows = await dayRows(ctx, "owner", { day: paymentDate, providerId: days[0]?.providerId ?? "", state: "all" });
  expect(rows.items).toMatchObject([{ installment: 1, state: "matched" }]);
}, 60_000);
