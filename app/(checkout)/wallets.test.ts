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
    expect([open.state, open.text.includes("The open payment is canceled first.")]).toEqual(["open", true]);
    expect((await stranger.send(open, "pix", PERSON)).state).toBe("pix");
  });
});
