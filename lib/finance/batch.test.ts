import { expect, test } from "vitest";
import { nextBankDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { batchOverview } from "@/lib/finance/batch";
import { batchCsv } from "@/lib/payouts/batch-file";
import type { List } from "@/lib/testing/api-client";
import { payByPix, withMerchant } from "@/lib/testing/payments";
import { openPastNoon, to } from "@/lib/testing/payouts";
import { person } from "@/lib/testing/people";

test("each line of a batch names the merchant's own order of its payment, on its page and in its file", {
  timeout: 60_000,
}, async () => {
  const shop = await withMerchant(await openPastNoon());
  const { client } = shop;
  const pay = async (changes: Record<string, unknown>) => {
    const { id } = (await payByPix(shop, { amount: 8_000, changes })).body;
    await client.make("POST", `/v1/sandbox/pix/${id}/pay`, { body: {} });
    return id;
  };
  const ids = [await pay({ orderId: "order-1" }), await pay({ orderId: '=1+1,"' }), await pay({})];
  const { now } = await client.make<{ now: string }>("GET", "/v1/sandbox/clock");
  await to(client, nextBankDay(saoPauloDay(new Date(now))), "12:00:00");
  const { items } = await client.make<List<{ id: string }>>("GET", "/v1/payouts/payment-batches");
  const batchId = items[0]?.id ?? "";
  const ctx = { ...(await person(client, "finance")), account: (await client.context()).account };
  const { lines } = await batchOverview(ctx, "finance", batchId, {});
  const shown = new Map(lines.items.map(({ payment }) => [payment?.id, payment?.orderId]));
  expect(ids.map((id) => shown.get(id))).toEqual(["order-1", '=1+1,"', null]);
  const [head = "", ...rows] = (await batchCsv(ctx, batchId)).split("\r\n");
  expect(head.split(",").at(-1)).toBe("merchantOrderId");
  const fileOf = (id: string | undefined) =>
    rows
      .find((row) => row.includes(id ?? "-"))
      ?.split(",")
      .slice(9)
      .join(",");
  // What a merchant wrote is never a formula of a spreadsheet.
  expect(ids.map(fileOf)).toEqual(["order-1", `"'=1+1,"""`, ""]);
});
