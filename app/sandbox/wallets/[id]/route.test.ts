import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { POST as act, GET as show } from "@/app/sandbox/wallets/[id]/route";
import { systemSql } from "@/db/client";
import { env } from "@/lib/env";
import { BUYER } from "@/lib/providers/sandbox/api/testing";
import { openClient } from "@/lib/testing/api";
import { type Buyer, PERSON, pathOf, type Shown, unescaped } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { type ChargeReply, type Shop, withMerchant } from "@/lib/testing/payments";
import { openSellers } from "@/lib/testing/sellers";
import { CREDIT, openSession, PIX, type SessionReply } from "@/lib/testing/sessions";

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

/** What the wallet was told of where its buyers go on. */
async function toldOf(charge: ChargeReply | undefined): Promise<unknown> {
  const [call] = await systemSql()<{ request: { returnUrl?: string; cancelUrl?: string } }[]>`
    select request from sandbox_calls where charge_id = ${charge?.id ?? ""} and request ->> 'method' is not null`;
  return { returnUrl: call?.request.returnUrl, cancelUrl: call?.request.cancelUrl };
}

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
    expect([answer.status, back.pathname]).toEqual([303, `${pathOf(link)}/return`]);
    const shown = await buyer.open(`${back.pathname}${back.search}`);
    expect([shown.state, shown.path.split(/[?#]/)[0]]).toEqual([state, page.path.split(/[?#]/)[0]]);
    expect((await chargeOf(link))?.status).toBe(status);
    for (const again of ["pay", "decline", "cancel"]) {
      const refused = await press(url, again);
      const html = await refused.text();
      expect([refused.status, html.includes(over), html.includes("<form")], again).toEqual([409, true, false]);
      expect(unescaped(html)).toContain(`href="${back.href}"`);
    }
    expect((await chargeOf(link))?.status).toBe(status);
  });

  test("a declined payment is told as a wallet's, and offers what the link has: no other card, where none was used", async () => {
    const { buyer, link, page, url } = await atWallet({ paymentMethods: [NUPAY, PIX, CREDIT] });
    await press(url, "decline");
    const refused = await buyer.open(page.path);
    expect(refused.text).toContain("The wallet did not approve this payment.");
    expect(refused.text).toContain("You have not been charged.");
    expect([...refused.html.matchAll(/data-action="(\w+)"/g)].map(([, action]) => action)).toEqual([
      "pix",
      "byCard",
      "nupay",
    ]);
    expect(refused.text).toContain("Pay by card");
    expect(refused.text).not.toMatch(/bank|another card/i);
    expect(refused.html).toMatch(/\?method=nupay&amp;[^"]*" data-action="nupay"/);
    const again = await buyer.open(pathOf(link, "?method=nupay"));
    expect((await buyer.send(again, "nupay", PERSON)).state).toBe("wallet");
  });

  test("a declined payment of a link with no other method offers the same wallet again", async () => {
    const buyer = await newBuyer({ language: "en" });
    const link = await openSession(shop, { paymentMethods: [DRIP] });
    const drip = await buyer.send(await buyer.open(pathOf(link)), "drip", PERSON);
    await press(walletUrl(drip), "decline");
    const declined = await buyer.open(drip.path);
    expect([declined.state, declined.text.includes("Pay with Drip")]).toEqual(["declined", true]);
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
    const html = await (await at(url)).text();
    expect(html).not.toContain("<form");
    expect(html).toContain("The time for this payment ran out. Nothing was charged.");
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

  test.each([
    ["nupay", { returnUrl: "https://loja.example/pago", cancelUrl: "https://loja.example/desistiu" }],
    ["drip", { successRedirectUrl: "https://loja.example/pago", cancelRedirectUrl: "https://loja.example/desistiu" }],
  ])("%s is told the way back: of a link its own page, of a session's payment the shop's", async (kind, addresses) => {
    const given = { paymentMethods: [{ paymentType: kind, ...addresses }] };
    const link = await openSession(shop, given);
    const buyer = await newBuyer({ language: "en" });
    await buyer.send(await buyer.open(pathOf(link)), kind, PERSON);
    const ours = expect.stringMatching(new RegExp(`/pay/${link.id}/return\\?attempt=[0-9a-f-]{36}&lang=en$`));
    expect(await toldOf(await chargeOf(link))).toEqual({ returnUrl: ours, cancelUrl: ours });
    const session = await openSession(shop, { ...given, createLink: false });
    const charge = await shop.client.make<ChargeReply>("POST", `/v1/sessions/${session.id}/charge`, {
      body: {
        paymentMethod: { paymentType: kind, returnUrl: "https://elsewhere.example" },
        paymentSource: { sourceType: "customer", customer: BUYER },
      },
    });
    expect(await toldOf(charge)).toEqual({
      returnUrl: "https://loja.example/pago",
      cancelUrl: "https://loja.example/desistiu",
    });
  });

  test("is told who gets what of a payment that is split", async () => {
    const [sellerId = ""] = await openSellers(shop.client, shop.merchant.id, 1);
    const charge = await shop.client.make<ChargeReply>("POST", "/v1/charges", {
      body: {
        merchantId: shop.merchant.id,
        amount: 5_000,
        paymentMethod: NUPAY,
        paymentSource: { sourceType: "customer", customer: BUYER },
        splitRules: [{ sellerId, percentage: 30 }],
      },
    });
    const [call] = await systemSql()<{ split: { amount: number }[] | null }[]>`
      select request -> 'split' as split from sandbox_calls where charge_id = ${charge.id}`;
    expect(call?.split?.map(({ amount }) => amount)).toEqual([1_500, 3_500]);
  });

  test.each([
    ["nupay", { returnUrl: "https://loja.example/pago", cancelUrl: "https://loja.example/desistiu" }],
    ["drip", { successRedirectUrl: "https://loja.example/pago", cancelRedirectUrl: "https://loja.example/desistiu" }],
  ])("%s: a payment of the shop's own page goes on where the shop said", async (paymentType, addresses) => {
    const charge = (paymentMethod: object) =>
      shop.client.make<ChargeReply>("POST", "/v1/charges", {
        body: {
          merchantId: shop.merchant.id,
          amount: 5_000,
          paymentMethod: { paymentType, ...paymentMethod },
          paymentSource: { sourceType: "customer", customer: BUYER },
        },
      });
    const urlOf = ({ paymentMethod }: ChargeReply) => String((paymentMethod as { paymentUrl: string }).paymentUrl);
    const paid = await press(urlOf(await charge(addresses)), "pay");
    const html = await paid.text();
    // A policy of the page's forms would stop them on their way there.
    expect(html).toContain('content="0;url=https://loja.example/pago"');
    expect(html).toContain('href="https://loja.example/pago"');
    const leaving = urlOf(await charge(addresses));
    const left = await press(leaving, "cancel");
    expect(await left.text()).toContain('href="https://loja.example/desistiu"');
    expect(await (await at(leaving)).text()).toContain('href="https://loja.example/desistiu"');
    const nowhere = await press(urlOf(await charge({})), "pay");
    expect([nowhere.status, (await nowhere.text()).includes("This payment was made.")]).toEqual([200, true]);
  });
});
