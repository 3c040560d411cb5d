import { beforeAll, describe, expect, test } from "vitest";
import { NO_LOOK } from "@/lib/settings/look";
import { saveLook } from "@/lib/settings/save-look";
import { openClient } from "@/lib/testing/api";
import { type Buyer, cardFields, PERSON, pathOf, type Shown, severalCards, unescaped } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { ADDRESS } from "@/lib/testing/checkout-scenes";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { BOLETO, CREDIT, openSession, PIX } from "@/lib/testing/sessions";

const SITE = "https://loja-embutida.example";
const EMBEDDED = "?embed=1";

/** Not every browser says what a page is loaded into; these buyers' never does. */
let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
  const { status } = await shop.client.call("POST", "/v1/settings", {
    headers: { "x-merchant-id": shop.merchant.id },
    body: {
      mainColor: "#1155cc",
      SecondaryColor: "#223344",
      backgroundColor: "#ffffff",
      attentionColor: "#b45309",
      errorColor: "#b91c1c",
      successColor: "#15803d",
      companyUrl: `${SITE}/inicio`,
    },
  });
  expect(status).toBeLessThan(300);
});

/** Where a page leads without saying that it is in a frame; a file is shown in no frame. */
function leaving({ html }: Shown): string[] {
  const own = (address: string) => address.startsWith("/pay/") || address.startsWith("?");
  const links = [...html.matchAll(/<a\b[^>]*\shref="([^"]*)"/g)]
    .map(([, address = ""]) => unescaped(address))
    .filter((address) => own(address) && !address.includes(".pdf") && !address.includes("embed=1"));
  const forms = [...html.matchAll(/<form\b[^>]*\saction="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].flatMap(
    ([, address = "", inner = ""]) => (own(address) && !inner.includes('name="embed"') ? [address] : []),
  );
  return [...links, ...forms];
}

function expectFramed(shown: Shown, state?: string): Shown {
  if (state) expect(shown.state).toBe(state);
  expect(shown.headers.get("content-security-policy")).toContain(`frame-ancestors ${SITE}`);
  expect(leaving(shown), shown.state).toEqual([]);
  // The buyer is on that site already.
  expect(shown.html).not.toContain(`href="${SITE}`);
  return shown;
}

async function expectFile(buyer: Buyer, shown: Shown, name: string): Promise<void> {
  const [tag = "", address = ""] = /<a\b[^>]*\shref="([^"]*\.pdf[^"]*)"[^>]*>/.exec(shown.html) ?? [];
  expect(tag).toContain('target="_blank" rel="noopener noreferrer"');
  const { headers } = await buyer.open(unescaped(address));
  expect(headers.get("content-disposition")).toMatch(new RegExp(`^attachment; filename="${name}-[0-9a-f]{8}\\.pdf"$`));
}

/** Follows the first link of a page whose address holds these words. */
async function follow(buyer: Buyer, { html }: Shown, words: string): Promise<Shown> {
  const [, address = ""] =
    [...html.matchAll(/<a\b[^>]*\shref="([^"]*)"/g)].find(([, href = ""]) => href.includes(words)) ?? [];
  expect(address, words).not.toBe("");
  return buyer.open(unescaped(address));
}

describe("in a shop's page every link, form and redirect stays in the frame", () => {
  test("Pix, another method in its place, and the card that is declined", async () => {
    const link = await openSession(shop, { paymentMethods: [PIX, CREDIT] });
    const buyer = await newBuyer();
    const open = expectFramed(await buyer.open(pathOf(link, EMBEDDED)), "open");
    const pix = expectFramed(await buyer.send(open, "pix", PERSON), "pix");
    expectFramed(await buyer.send(pix, "check"), "pix");
    const inUse = expectFramed(await buyer.open(pathOf(link, EMBEDDED)), "in_use");
    const other = expectFramed(await follow(buyer, inUse, "other=1"), "open");
    expectFramed(await buyer.send(other, "card", cardFields("decline:insufficient_funds")));
  });

  test("the receipt and the slip leave it where it is: a file each, in a tab of its own", async () => {
    const link = await openSession(shop, { paymentMethods: [BOLETO, CREDIT] });
    const buyer = await newBuyer();
    const open = await buyer.open(pathOf(link, EMBEDDED));
    const slip = await buyer.send(open, "boleto", { ...PERSON, ...ADDRESS });
    await expectFile(buyer, slip, "boleto");
    const other = await openSession(shop);
    const paid = await buyer.send(await buyer.open(pathOf(other, EMBEDDED)), "card", cardFields());
    await expectFile(buyer, paid, "recibo");
  });

  test("a card that is paid, and a link that can be paid again", async () => {
    const link = await openSession(shop, { maxPayments: -1, paymentMethods: [PIX, CREDIT] });
    const buyer = await newBuyer();
    expectFramed(await buyer.send(await buyer.open(pathOf(link, EMBEDDED)), "card", cardFields()), "paid");
    const paid = expectFramed(await buyer.open(pathOf(link, EMBEDDED)), "paid_here");
    const again = expectFramed(await follow(buyer, paid, "again=1"), "open");
    expectFramed(await follow(buyer, again, "cards=3"), "open");
  });

  test("a payment that runs when its link is loaded again, and a code that has expired", async () => {
    await shop.client.make("POST", "/v1/sandbox/clock", { body: { freeze: true } });
    const buyer = await newBuyer();
    const running = await openSession(shop);
    await buyer.send(await buyer.open(pathOf(running, EMBEDDED)), "card", cardFields("pending_forever"));
    expectFramed(await buyer.open(pathOf(running, EMBEDDED)), "processing");
    const cards = await openSession(shop);
    const told = await buyer.sendByScript<{ watch: string }>(await buyer.open(pathOf(cards, EMBEDDED)), "cards", {
      ...severalCards(["approve", "approve"]),
      count: "2",
      amount0: "60,00",
      amount1: "45,00",
    });
    expect(told.watch).toContain("embed=1");
    const link = await openSession(shop, { paymentMethods: [PIX] });
    const pix = await buyer.send(await buyer.open(pathOf(link, EMBEDDED)), "pix", PERSON);
    await shop.client.make("POST", "/v1/sandbox/clock", { body: { advance: "PT25H" } });
    const expired = expectFramed(await buyer.open(pix.path), "pixExpired");
    expectFramed(await buyer.send(expired, "renew"), "pix");
  });

  test.each(["light", "dark"])("in %s, where the shop's page is, and so through every page", async (scheme) => {
    const plain = await withMerchant(await openClient());
    await saveLook(await plain.client.context(), null, { ...NO_LOOK, logo: "keep", siteUrl: SITE });
    const buyer = await newBuyer();
    const wears = ({ html }: Shown) => {
      expect(html).toContain(`:root{color-scheme:${scheme};`);
      expect(html).not.toContain("prefers-color-scheme");
    };
    const open = await buyer.open(pathOf(await openSession(plain), `?embed=${scheme}`));
    wears(open);
    const pix = await buyer.send(open, "pix", PERSON);
    wears(pix);
    expect([pix.state, pix.path]).toEqual(["pix", expect.stringContaining(`embed=${scheme}`)]);
    wears(await follow(buyer, pix, "other=1"));
    expect(pix.html).toMatch(new RegExp(`<a lang="en"[^>]*embed=${scheme}`));
    const own = await buyer.open(pathOf(await openSession(plain), "?embed=1"));
    expect(own.html).toContain("prefers-color-scheme");
  });

  test("a link that is canceled takes the request for another one", async () => {
    const link = await openSession(shop);
    const buyer = await newBuyer();
    await shop.client.make("POST", `/v1/sessions/${link.id}/cancel`, { body: {} });
    const canceled = expectFramed(await buyer.open(pathOf(link, EMBEDDED)), "canceled");
    expect([canceled.heading, (await buyer.open(pathOf(link))).heading]).toEqual([
      "Este pagamento foi cancelado",
      "Este link foi cancelado",
    ]);
    expectFramed(await buyer.send(canceled, "new-link"));
  });
});
