import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { POST as act, GET as show } from "@/app/sandbox/wallets/[id]/route";
import { env } from "@/lib/env";
import { BUYER } from "@/lib/providers/sandbox/api/testing";
import { openClient } from "@/lib/testing/api";
import { type Buyer, PERSON, pathOf, type Shown, unescaped } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { type ChargeReply, type Shop, withMerchant } from "@/lib/testing/payments";
import { openSession, PIX, type SessionReply } from "@/lib/testing/sessions";

const settings = vi.hoisted(() => ({ changes: {} }));
vi.mock("@/lib/env", async (original) => {
  const real = await original<typeof import("@/lib/env")>();
  return { ...real, env: () => ({ ...real.env(), ...settings.changes }) };
});
afterEach(() => {
  settings.changes = {};
});

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

const NUPAY = { paymentType: "nupay" };
const DRIP = { paymentType: "drip" };
const idIn = (url: string): string => url.split("/").at(-1) ?? "";

/** At the wallet's page, as a browser asks for it. */
const at = (url: string) =>
  show(new Request(url, { headers: { "accept-language": "en" } }), { params: Promise.resolve({ id: idIn(url) }) });

const press = (url: string, what: string, site = "same-origin") =>
  act(
    new Request(url, {
      method: "POST",
      headers: { "accept-language": "en", "sec-fetch-site": site },
      body: new URLSearchParams({ act: what }),
    }),
    { params: Promise.resolve({ id: idIn(url) }) },
  );

const walletUrl = ({ html }: Shown): string =>
  unescaped(/href="([^"]*\/sandbox\/wallets\/[^"]*)"/.exec(html)?.[1] ?? "");

async function atWallet(changes: object = {}): Promise<{ buyer: Buyer; link: SessionReply; page: Shown; url: string }> {
  const link = await openSession(shop, { paymentMethods: [NUPAY, PIX], ...changes });
  const buyer = await newBuyer({ language: "en" });
  const page = await buyer.send(await buyer.open(pathOf(link, "?method=nupay")), "nupay", PERSON);
  expect(page.state).toBe("wallet");
  return { buyer, link, page, url: walletUrl(page) };
}

const chargeOf = async ({ id }: SessionReply): Promise<ChargeReply | undefined> =>
  (await shop.client.make<{ items: ChargeReply[] }>("GET", "/v1/charges", { query: { sessionId: id } })).items[0];

describe("the simulated wallet", () => {
  test("shows shop, amount and wallet, and a form for each thing a buyer can do", async () => {
    const { url } = await atWallet({ items: [{ name: "Tênis", unitPrice: 12_345, quantity: 1 }] });
    expect(url).toMatch(new RegExp(`^${env().BASE_URL}/sandbox/wallets/[0-9a-f-]{36}$`));
    const page = await at(url);
    const html = await page.text();
    expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(html).toContain("NuPay");
    expect(html).toContain("R$123.45");
    expect([...html.matchAll(/<button[^>]* value="(\w+)"/g)].map(([, value]) => value)).toEqual([
      "pay",
      "decline",
      "cancel",
    ]);
    expect(html).not.toContain("<script");
  });

  test.each([
    ["pay", "paid", "authorized", "This payment was made."],
    ["decline", "declined", "failed", "This payment was declined."],
    ["cancel", "canceled", "canceled", "This payment was canceled."],
  ])("%s: the buyer is back at the payment, which is %s, and is refused a second time", async (...given) => {
    const [what, state, status, over] = given;
    const { buyer, link, page, url } = await atWallet();
    const answer = await press(url, what);
    const back = new URL(answer.headers.get("location") ?? "");
    expect([answer.status, back.pathname, back.hash]).toEqual([303, page.path.split(/[?#]/)[0], "#heading"]);
    expect((await buyer.open(back.pathname)).state).toBe(state);
    expect((await chargeOf(link))?.status).toBe(status);
    for (const again of ["pay", "decline", "cancel"]) {
      const refused = await press(url, again);
      const html = await refused.text();
      expect([refused.status, html.includes(over), html.includes("<form")], again).toEqual([409, true, false]);
      expect(html).toContain(`href="${back.href}"`);
    }
    expect((await chargeOf(link))?.status).toBe(status);
  });

  test("a declined payment offers the other methods of the link; with none, the way back to it", async () => {
    const { buyer, page, url } = await atWallet();
    await press(url, "decline");
    expect((await buyer.open(page.path)).html).toMatch(/data-action="pix"/);
    const link = await openSession(shop, { paymentMethods: [DRIP] });
    const drip = await buyer.send(await buyer.open(pathOf(link)), "drip", PERSON);
    await press(walletUrl(drip), "decline");
    const declined = await buyer.open(drip.path);
    expect([declined.state, declined.text.includes("Back to the payment")]).toEqual(["declined", true]);
    expect((await buyer.open(pathOf(link))).state).toBe("open");
  });

  test("takes nothing from other sites, and nothing that is no choice", async () => {
    const { link, url } = await atWallet();
    expect((await press(url, "pay", "cross-site")).status).toBe(403);
    for (const what of ["", "refund", "constructor"]) expect((await press(url, what)).status, what).toBe(400);
    expect((await chargeOf(link))?.status).toBe("pending");
  });

  test("is over once the payment's time is", async () => {
    const { url } = await atWallet();
    await shop.client.make("POST", "/v1/sandbox/clock", { body: { advance: "P2D" } });
    expect((await press(url, "pay")).status).toBe(409);
    expect(await (await at(url)).text()).not.toContain("<form");
  });

  test("404: a payment that is none, that is no wallet's, and where there is no sandbox", async () => {
    const base = `${env().BASE_URL}/sandbox/wallets`;
    for (const id of ["x", "0192f1c4-8a10-7c3e-9b55-0d2f6a7e1c01"]) {
      expect((await at(`${base}/${id}`)).status).toBe(404);
      expect((await press(`${base}/${id}`, "pay")).status).toBe(404);
    }
    const { url } = await atWallet();
    settings.changes = { SANDBOX_ENABLED: false };
    expect((await at(url)).status).toBe(404);
    expect((await press(url, "pay")).status).toBe(404);
  });

  test("a checkout on a host of its own is gone back to by a page, which no form's policy stops", async () => {
    const { url } = await atWallet();
    settings.changes = { CHECKOUT_URL: "https://pay.trilho.test" };
    const answer = await press(url, "pay");
    const html = await answer.text();
    expect([answer.status, /content="0;url=https:\/\/pay\.trilho\.test\/[^"]+#heading"/.test(html)]).toEqual([
      200,
      true,
    ]);
  });

  test("a payment of the shop's own page goes on where the shop said", async () => {
    const charge = (paymentMethod: object) =>
      shop.client.make<ChargeReply>("POST", "/v1/charges", {
        body: {
          merchantId: shop.merchant.id,
          amount: 5_000,
          paymentMethod,
          paymentSource: { sourceType: "customer", customer: BUYER },
        },
      });
    const urlOf = ({ paymentMethod }: ChargeReply) => String((paymentMethod as { paymentUrl: string }).paymentUrl);
    const addresses = { returnUrl: "https://loja.example/pago", cancelUrl: "https://loja.example/desistiu" };
    const paid = await press(urlOf(await charge({ ...NUPAY, ...addresses })), "pay");
    expect(await paid.text()).toContain(`href="${addresses.returnUrl}"`);
    const left = await press(urlOf(await charge({ ...NUPAY, ...addresses })), "cancel");
    expect(await left.text()).toContain(`href="${addresses.cancelUrl}"`);
    const nowhere = await press(urlOf(await charge(NUPAY)), "pay");
    expect([nowhere.status, (await nowhere.text()).includes("This payment was made.")]).toEqual([200, true]);
  });
});
