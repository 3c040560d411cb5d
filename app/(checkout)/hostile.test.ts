import { beforeAll, describe, expect, test, vi } from "vitest";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { newMerchant, newProvider, openClient } from "@/lib/testing/api";
import { cardFields, PERSON, pathOf, type Shown, unescaped } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { INJECTIONS } from "@/lib/testing/injections";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { CREDIT, openSession, PIX } from "@/lib/testing/sessions";

/** Several pages and payments each, beside whatever else the machine does. */
vi.setConfig({ testTimeout: 60_000 });

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

/** Every element in order with the names of its attributes: what somebody wrote may change none of it. */
const skeleton = ({ html }: Shown): string[] =>
  [...html.matchAll(/<[!/]?[a-z][^>]*>/gi)].map(([tag]) => tag.replace(/="[^"]*"/g, "").replace(/\s+/g, " "));
const squeezed = (text: string): string => text.replace(/\s+/g, " ").trim();

async function pagesOf(link: { id: string }, name: string): Promise<Shown[]> {
  const buyer = await newBuyer();
  const open = await buyer.open(pathOf(link));
  const pix = await buyer.send(open, "pix", { ...PERSON, name });
  const again = await buyer.open(pathOf(link));
  const wrong = await buyer.send(await buyer.open(pathOf(link, "?other=1&method=pix")), "pix", {
    ...PERSON,
    name,
    document: "1",
  });
  return [open, pix, again, wrong];
}

const items = (names: readonly string[]) => names.map((name) => ({ name, unitPrice: 100, quantity: 1 }));

describe("80 texts that want to be more than text", () => {
  test("are 80", () => expect(new Set(INJECTIONS).size).toBe(80));

  test("as items: the page has the elements it has with plain names, and shows each of them", async () => {
    const [hostile, plain] = await Promise.all(
      [INJECTIONS, INJECTIONS.map(() => "Tênis")].map(async (names) => openSession(shop, { items: items(names) })),
    );
    const [seen, meant] = [await pagesOf(hostile!, "Ana"), await pagesOf(plain!, "Ana")];
    for (const [index, page] of seen.entries()) expect(skeleton(page)).toEqual(skeleton(meant[index]!));
    const shown = squeezed(unescaped(seen[0]!.html));
    expect(INJECTIONS.filter((text) => !shown.includes(squeezed(text)))).toEqual([]);
  });

  test("as names of shop, link, order and buyer", async () => {
    const plain = { items: items(["Tênis"]), name: "Pedido", description: "Pedido", orderId: "1" };
    const meant = await pagesOf(await openSession(shop, plain), "Ana Souza");
    // Five at a time in one page.
    for (let from = 0; from < INJECTIONS.length; from += 5) {
      const [shopName, name, orderId, item, buyer] = INJECTIONS.slice(from, from + 5);
      const { id } = await shop.client.make("POST", "/v1/merchants", {
        body: newMerchant({ name: shopName, merchantName: shopName, providers: [newProvider()] }),
      });
      const changes = {
        merchantId: id,
        items: items([item ?? ""]),
        name,
        description: name,
        orderId: orderId?.slice(0, 64),
      };
      for (const [index, page] of (await pagesOf(await openSession(shop, changes), buyer ?? "")).entries())
        expect(skeleton(page), INJECTIONS.slice(from, from + 5).join(" · ")).toEqual(skeleton(meant[index]!));
    }
  }, 60_000);

  test("as colours and addresses of a shop are refused, or are only where they are harmless", async () => {
    const colours = {
      mainColor: "#1B4DFF",
      SecondaryColor: "#0B1F66",
      attentionColor: "#F5A623",
      errorColor: "#D0021B",
      successColor: "#1E9E5A",
      backgroundColor: "#FFFFFF",
    };
    const save = (changes: object) =>
      shop.client.call("POST", "/v1/settings", {
        body: { ...colours, companyUrl: "https://loja.example", ...changes },
        headers: { "x-merchant-id": shop.merchant.id },
      });
    for (const text of INJECTIONS) {
      expect((await save({ mainColor: text })).status, text).toBe(400);
      expect((await save({ companyUrl: text })).status, text).toBe(400);
    }
    const good = await save({});
    expect(good.status, good.text).toBeLessThan(300);
    const page = await (await newBuyer()).open(pathOf(await openSession(shop)));
    const hrefs = [...page.html.matchAll(/\shref="([^"]*)"/g)].map(([, href = ""]) => unescaped(href));
    expect(hrefs.filter((href) => !/^(\/|\?|#|https:\/\/loja\.example)/.test(href))).toEqual([]);
  });

  test("in the address of the page", async () => {
    const link = await openSession(shop);
    const buyer = await newBuyer();
    for (let from = 0; from < INJECTIONS.length; from += 4) {
      const [method, cards, lang, other] = INJECTIONS.slice(from, from + 4).map(encodeURIComponent);
      const page = await buyer.open(pathOf(link, `?method=${method}&cards=${cards}&lang=${lang}&${other}=${other}`));
      expect([page.status, page.state]).toEqual([200, "open"]);
      for (const text of INJECTIONS.slice(from, from + 4))
        expect(page.html.includes(text) && text.includes("<")).toBe(false);
    }
  });
});

test("a card number in the place of a name is refused: it would be kept in clear", async () => {
  const link = await openSession(shop, { paymentMethods: [PIX, CREDIT] });
  const buyer = await newBuyer();
  const number = sandboxPan("approve");
  for (const name of [number, `Ana ${number}`]) {
    const card = { ...cardFields(), ...PERSON, cardHolderName: name };
    expect((await buyer.send(await buyer.open(pathOf(link, "?method=card")), "card", card)).state).toBe("open");
    expect((await buyer.send(await buyer.open(pathOf(link)), "pix", { ...PERSON, name })).state).toBe("open");
  }
});
