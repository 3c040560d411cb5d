import { createFormatter, createTranslator } from "next-intl";
import { expect, test, vi } from "vitest";
import { payoutWords } from "@/app/(dashboard)/dashboard/payouts/words";
import { batchOverview } from "@/lib/finance/batch";
import { listBatchesForOperator } from "@/lib/finance/batches";
import { messages } from "@/lib/i18n/messages";
import { openClient } from "@/lib/testing/api";
import { payByBoleto, withMerchant } from "@/lib/testing/payments";
import { person } from "@/lib/testing/people";

const locale = "en";
vi.mock("next-intl/server", () => ({
  getTranslations: async (namespace: never) => createTranslator({ locale, messages: messages[locale], namespace }),
  getFormatter: async () => createFormatter({ locale, timeZone: "UTC" }),
  getLocale: async () => locale,
}));

test("a batch of boletos is named so, in the list and on its page; one that no sale stands in is not", async () => {
  const shop = await withMerchant(await openClient());
  const { client } = shop;
  const { body } = await payByBoleto(shop, { amount: 25_000 });
  await client.make("POST", `/v1/sandbox/boletos/${body.id}/pay`, { body: {} });
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P8D" } });
  const ctx = { ...(await person(client, "owner")), account: (await client.context()).account };
  const { items } = await listBatchesForOperator(ctx, "owner", {});
  const { group } = await payoutWords();
  expect(items.map(({ row, paidWith }) => group(row, paidWith))).toEqual(["Boleto"]);
  const { row, paidWith } = await batchOverview(ctx, "owner", items[0]?.row.id ?? "", {});
  expect([group(row, paidWith), group(row, ["boleto", "voucher"]), group(row, [])]).toEqual([
    "Boleto",
    "Boleto and Voucher",
    "Other",
  ]);
}, 60_000);
