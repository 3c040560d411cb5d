import { beforeAll, describe, expect, test } from "vitest";
import { simulatePixPayment } from "@/lib/providers/sandbox/pay";
import { openClient } from "@/lib/testing/api";
import { PERSON, pathOf, type Shown } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { type ChargeReply, type Shop, withMerchant } from "@/lib/testing/payments";
import { openSession, PIX, type SessionReply } from "@/lib/testing/sessions";
import { realNow } from "@/lib/time";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

const chargesOf = async ({ id }: SessionReply) =>
  (await shop.client.make<{ items: ChargeReply[] }>("GET", "/v1/charges", { query: { sessionId: id } })).items;
const other = ({ html }: Shown): string =>
  /href="([^"]*\?other=1[^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";

const later = (advance: string) => shop.client.make("POST", "/v1/sandbox/clock", { body: { advance } });
const backOf = ({ html }: Shown): string =>
  /class="btn" href="([^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";

async function atWallet(kind: "nupay" | "drip", changes: object = {}) {
  const link = await openSession(shop, { paymentMethods: [{ paymentType: kind }, PIX], ...changes });
  const buyer = await newBuyer({ language: "en" });
  const page = await buyer.send(await buyer.open(pathOf(link, `?method=${kind}`)), kind, PERSON);
  expect(page.state).toBe("wallet");
  return { link, buyer, page };
}

describe("who went to a wallet and takes another method", () => {
  test.each(["nupay", "drip"] as const)("%s: is let, and the wallet's payment is canceled first", async (kind) => {
    const { link, buyer, page } = await atWallet(kind);
    expect(page.text).toContain("Choose another method");
    const open = await buyer.open(other(page));
    expect(open.state).toBe("open");
    const pix = await buyer.send(open, "pix", PERSON);
    expect(pix.state).toBe("pix");
    expect((await buyer.open(page.path)).state).toBe("canceled");
    expect((await chargesOf(link)).map(({ status }) => status).sort()).toEqual(["canceled", "pending"]);
  });

  test("who paid meanwhile has paid, and pays nothing again", async () => {
    const { link, buyer, page } = await atWallet("nupay");
    const open = await buyer.open(other(page));
    const [charge] = await chargesOf(link);
    // Only the wallet knows of it.
    await simulatePixPayment(String(charge?.clientId), { chargeId: charge?.id ?? "" }, {}, realNow);
    expect((await buyer.send(open, "pix", PERSON)).state).toBe("paid");
    expect((await buyer.open(page.path)).state).toBe("paid");
    expect((await chargesOf(link)).map(({ status }) => status)).toEqual(["authorized"]);
  });

  test("on a link for many the wallet of this visit is closed too", async () => {
    const { link, buyer, page } = await atWallet("nupay", { maxPayments: -1 });
    expect((await buyer.send(await buyer.open(other(page)), "pix", PERSON)).state).toBe("pix");
    expect((await chargesOf(link)).map(({ status }) => status).sort()).toEqual(["canceled", "pending"]);
  });

  test("anybody else with the link finds the payment, or another way to pay", async () => {
    const { link } = await atWallet("nupay");
    const stranger = await newBuyer({ language: "en" });
    const inUse = await stranger.open(pathOf(link));
    expect([inUse.state, inUse.text.includes("See the payment")]).toEqual(["in_use", true]);
    const open = await stranger.open(other(inUse));
    expect([open.state, open.text.includes("If you choose another, the open payment is canceled.")]).toEqual([
      "open",
      true,
    ]);
    expect((await stranger.send(open, "pix", PERSON)).state).toBe("pix");
  });
});

describe("a wallet's payment whose time ran out", () => {
  test.each([
    ["en", "The time to pay has run out", "You have not been charged. You can start again or choose another method."],
    ["pt-BR", "O tempo para pagar acabou", "Nada foi cobrado. Você pode começar de novo ou escolher outro meio."],
  ] as const)("in %s: says so, and the same wallet is one press away", async (language, heading, next) => {
    const { link, page } = await atWallet("nupay");
    await later("P2D");
    const buyer = await newBuyer({ language });
    const over = await buyer.open(page.path.split("?")[0] ?? "");
    expect([over.state, over.heading]).toEqual(["walletExpired", heading]);
    expect(over.text).toContain(next);
    expect((await chargesOf(link)).map(({ status }) => status)).toEqual(["canceled"]);
    const again = await buyer.open(backOf(over));
    expect(await buyer.send(again, "nupay", PERSON)).toMatchObject({ state: "wallet" });
  });

  test("on a link that takes no payment now promises no other one", async () => {
    const { link, buyer, page } = await atWallet("nupay");
    await later("P2D");
    await shop.client.make("POST", `/v1/sessions/${link.id}/cancel`);
    const over = await buyer.open(page.path);
    expect([over.state, over.text.includes("You have not been charged.")]).toEqual(["walletExpired", true]);
    expect(over.text).not.toContain("start again");
  });

  test("one that its buyer gave up stays canceled, however late somebody looks", async () => {
    const { buyer, page } = await atWallet("nupay");
    await buyer.send(await buyer.open(other(page)), "pix", PERSON);
    await later("P2D");
    expect((await buyer.open(page.path)).state).toBe("canceled");
  });
});
