import { createTranslator } from "next-intl";
import { beforeAll, expect, test, vi } from "vitest";
import { APPROVED, TAKEN } from "@/app/(dashboard)/dashboard/_home/why-figure";
import { paymentFilters } from "@/app/(dashboard)/dashboard/payments/filters";
import { reportOfList } from "@/app/(dashboard)/dashboard/payments/report-of-list";
import { paymentWords, shownItem } from "@/app/(dashboard)/dashboard/payments/words";
import type { Context } from "@/lib/context";
import { messages } from "@/lib/i18n/messages";
import { paymentFiguresOf } from "@/lib/insights/figures";
import { listPayments } from "@/lib/search/payments";
import { openClient } from "@/lib/testing/api";
import { payByCard, type Shop, voidIt, withMerchant } from "@/lib/testing/payments";
import { bought, changePurchase, work } from "@/lib/testing/purchases";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

const request = vi.hoisted(() => ({ locale: "en" as "en" | "pt-BR" }));
vi.mock("next-intl/server", () => ({
  getTranslations: async (namespace: never) =>
    createTranslator({ locale: request.locale, messages: messages[request.locale], namespace }),
}));

let shop: Shop;
let ctx: Context;
const DAY = "2026-11-22";
const HOUR_MS = 3_600_000;

beforeAll(async () => {
  shop = await withMerchant(await openClient());
  ctx = await shop.client.context();
  const { client } = shop;
  const pay = async (amount: number, capture = true): Promise<string> =>
    (await payByCard(shop, { amount, capture })).body.id;
  await pay(1_000);
  await voidIt(client, await pay(2_000));
  await voidIt(client, await pay(3_000), { amount: 500 });
  await voidIt(client, await pay(4_000, false));
  await voidIt(client, await pay(5_000, false), {}, { scenario: "fault=drop_request;step=void" });
  const whole = await bought(shop, { capture: true });
  await changePurchase(client, whole.id, "void");
  const released = await bought(shop);
  await changePurchase(client, released.id, "void");
  await work(client);
}, 60_000);

test("the figures of the home page open exactly the payments they count", async () => {
  const until = new Date((Math.floor(realNow().getTime() / HOUR_MS) + 1) * HOUR_MS);
  const from = addSeconds(until, -DAY_SECONDS);
  const span = { from, until, before: addSeconds(from, -DAY_SECONDS), beforeUntil: from, merchantId: undefined };
  const { now } = await paymentFiguresOf(ctx, "owner", { ...span, step: "hour" });
  const opened = (status: string[]) =>
    listPayments(ctx, "owner", { ...paymentFilters({ status }, DAY, "pt-BR"), limit: 100 });
  const approved = await opened(APPROVED.status);
  expect([now.approved, now.volume]).toEqual([approved.counted, approved.sums?.amount]);
  const taken = await opened(TAKEN.status);
  expect([now.captured, now.refunded]).toEqual([taken.sums?.captured, taken.sums?.refunded]);
  expect(taken.items).toHaveLength(4);
});

test("nothing of an authorization that was released looks like a refund", async () => {
  const said = async (locale: typeof request.locale) => {
    request.locale = locale;
    const words = await paymentWords();
    const { items } = await listPayments(
      ctx,
      "owner",
      paymentFilters({ status: ["canceled", "released"] }, DAY, "pt-BR"),
    );
    return items.map((item) => [words.item(item), shownItem(item).status]);
  };
  expect(await said("en")).toEqual([
    ["Canceled", "canceled"],
    ["Voiding", "refund_pending"],
    ["Voided", "canceled"],
  ]);
  expect((await said("pt-BR")).map(([text]) => text)).toEqual(["Cancelado", "Liberando", "Liberado"]);
});

test("an address of before opens what was refunded", () => {
  expect(paymentFilters({ status: ["voided", "refund_pending"] }, DAY, "pt-BR").status).toEqual(["refunded"]);
  expect(paymentFilters({ status: ["authorized", "nonsense"] }, DAY, "pt-BR").status).toEqual(["authorized"]);
});

test("a report is offered where its rows are those of the list", () => {
  const report = (status: string[]) => reportOfList({ status }, paymentFilters({ status }, DAY, "pt-BR"));
  expect(report(["authorized"])).toContain("status=authorized");
  expect(report([])).toContain("type=transactions");
  expect(report(["voided"])).toContain("status=refunded");
  expect(report(["canceled", "released"])).toContain("status=canceled&status=released");
  expect(reportOfList({ q: "x" }, paymentFilters({}, DAY, "pt-BR"))).toBeUndefined();
});

test("in Portuguese a payment is masculine in every place that names its state", () => {
  const state = /^(status|purchase|s|p)[A-Z]/;
  const feminine =
    /^(Não (foi )?)?(Sendo )?(Pag|Recusad|Reembolsad|Cancelad|Liberad|Expirad|Contestad|Criad|Concluíd|Capturad|Cobrad|Pré-autorizad)a( |$)/i;
  const said = Object.entries(messages["pt-BR"].payments).filter(([key]) => state.test(key));
  expect(said.length).toBeGreaterThan(30);
  expect(said.filter(([, text]) => feminine.test(text))).toEqual([]);
});
