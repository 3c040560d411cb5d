import { beforeAll, expect, test } from "vitest";
import { openClient } from "@/lib/testing/api";
import { cardFields, pathOf } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { CREDIT, openSession, PIX } from "@/lib/testing/sessions";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

const countOf = (html: string, text: string): number => html.split(text).length - 1;
const ASKED = "ative o JavaScript";
const OTHERS = "Os outros meios funcionam sem ele.";
const payButtons = (html: string, form: string): string[] =>
  [...(html.split(`data-form="${form}"`)[1] ?? "").matchAll(/<button class="(btn go[^"]*)" type="submit"/g)]
    .map(([, name = ""]) => name)
    .slice(0, 1);

test("where a card is all that is taken and needs a script, that is said once, and no button leads nowhere", async () => {
  const link = await openSession(shop, { paymentMethods: [CREDIT], captchaEnabled: true, amount: 150 });
  const buyer = await newBuyer();
  const page = await buyer.open(pathOf(link));
  const pressed = await buyer.send(page, "card", { ...cardFields(), captcha: "" });
  for (const { html } of [page, pressed]) {
    expect([countOf(html, ASKED), countOf(html, OTHERS)]).toEqual([1, 0]);
    expect(payButtons(html, "card")).toEqual(["btn go js"]);
  }
});

test("beside another method the way without a script is named, and its button stays", async () => {
  const link = await openSession(shop, { paymentMethods: [CREDIT, PIX], captchaEnabled: true, amount: 150 });
  const { html } = await (await newBuyer()).open(pathOf(link, "?method=card"));
  expect([countOf(html, ASKED), countOf(html, OTHERS)]).toEqual([1, 1]);
  expect([payButtons(html, "card"), payButtons(html, "pix")]).toEqual([["btn go js"], ["btn go"]]);
  const free = await openSession(shop, { paymentMethods: [CREDIT] });
  expect(payButtons((await (await newBuyer()).open(pathOf(free))).html, "card")).toEqual(["btn go"]);
});
