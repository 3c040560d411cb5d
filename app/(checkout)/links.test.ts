import { beforeAll, describe, expect, test } from "vitest";
import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { openClient } from "@/lib/testing/api";
import { cardFields, PERSON, pathOf } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { ADDRESS } from "@/lib/testing/checkout-scenes";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { BOLETO, CREDIT, openSession, PIX } from "@/lib/testing/sessions";
import { DAY_SECONDS, realNow } from "@/lib/time";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

const BACK = /href="(\/pay\/[^"]+\/p\/[^"?]+)[^"]*">See the payment</;

describe("a link that ran out while a code of its buyer can still be paid", () => {
  test.each([
    ["off", (id: string) => shop.client.make("PATCH", `/v1/sessions/${id}`, { body: { isActive: false } })],
    ["canceled", (id: string) => shop.client.make("POST", `/v1/sessions/${id}/cancel`)],
  ])("%s: the buyer is led to what became of it, and nobody else is", async (state, change) => {
    const link = await openSession(shop, { maxPayments: -1, paymentMethods: [PIX] });
    const buyer = await newBuyer({ language: "en" });
    const pix = await buyer.send(await buyer.open(pathOf(link)), "pix", PERSON);
    await change(link.id);
    const [own, other] = [
      await buyer.open(pathOf(link)),
      await (await newBuyer({ language: "en" })).open(pathOf(link)),
    ];
    expect([own.state, other.state, BACK.test(other.html)]).toEqual([state, state, false]);
    const isOpen = (await buyer.open(pix.path)).state === "pix";
    expect(BACK.exec(own.html)?.[1] ?? null).toBe(isOpen ? (pix.path.split(/[?#]/)[0] ?? "") : null);
    expect(isOpen).toBe(state === "off");
  });
});

describe("a link past its date while a code of its buyer still lives", () => {
  const RECEIPT = /href="(\/pay\/[^"]+\/p\/[^"?]+)[^"]*">See the receipt</;

  test.each([
    ["for one payment", null, "in_use", "paid", true],
    ["for many", -1, "expired", "expired", false],
  ])(
    "%s: its buyer is led back to it, pays it and finds the receipt; nobody begins another payment",
    async (...given) => {
      const [, maxPayments, before, after, isForAnybody] = given;
      const { client } = shop;
      const { now } = await client.make<{ now: string }>("POST", "/v1/sandbox/clock", { body: { freeze: true } });
      const dueDate = addDays(saoPauloDay(new Date(now)), 1);
      const paymentMethods = [{ ...PIX, expiresIn: 3 * DAY_SECONDS }];
      const link = await openSession(shop, { dueDate, paymentMethods, ...(maxPayments ? { maxPayments } : {}) });
      const [buyer, stranger] = [await newBuyer({ language: "en" }), await newBuyer({ language: "en" })];
      const pix = await buyer.send(await buyer.open(pathOf(link)), "pix", PERSON);
      const code = pix.path.split(/[?#]/)[0] ?? "";
      await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P2D" } });

      const [own, other] = [await buyer.open(pathOf(link)), await stranger.open(pathOf(link))];
      expect([own.state, BACK.exec(own.html)?.[1], other.state]).toEqual([before, code, before]);
      expect(BACK.test(other.html)).toBe(isForAnybody);
      expect(other.html).not.toContain("other=1");
      expect((await stranger.open(pathOf(link, "?other=1"))).state).toBe(before);

      expect((await buyer.open(pix.path)).state).toBe("pix");
      const { items } = await client.make<{ items: { id: string }[] }>("GET", "/v1/charges", {
        query: { sessionId: link.id },
      });
      await client.make("POST", `/v1/sandbox/pix/${items[0]?.id}/pay`, { body: {} });
      expect((await buyer.open(pix.path)).state).toBe("paid");
      const [mine, strange] = [await buyer.open(pathOf(link)), await stranger.open(pathOf(link))];
      expect([mine.state, RECEIPT.exec(mine.html)?.[1]]).toEqual([after, code]);
      expect([strange.state, strange.html.includes("/p/")]).toEqual([after, false]);
    },
  );
});

describe("a card whose data the buyer corrects", () => {
  const tryCards = async (...tries: Record<string, string>[]) => {
    const link = await openSession(shop, { maxPayments: -1, paymentMethods: [CREDIT] });
    const buyer = await newBuyer({ language: "en" });
    const told: string[] = [];
    for (const fields of tries) {
      const shown = await buyer.send(await buyer.open(pathOf(link, "?method=card")), "card", fields);
      told.push(/This card has already been declined/.test(shown.text) ? "never again" : shown.state);
    }
    return told;
  };

  test("another expiry date is asked of the bank, the same one never again", async () => {
    const expired = cardFields("decline:expired_card", { brand: "elo" });
    expect(await tryCards(expired, expired, { ...expired, cardExpiration: "11/39" })).toEqual([
      "open",
      "never again",
      "open",
    ]);
  });

  test("a security code is corrected twice, and not guessed", async () => {
    const wrong = cardFields("decline:invalid_cvv", { brand: "elo" });
    const codes = ["111", "222", "333", "444"].map((cardCvv) => ({ ...wrong, cardCvv }));
    expect(await tryCards(...codes)).toEqual(["open", "open", "open", "never again"]);
  });

  test("a card that the network bars stays barred, whatever is typed anew", async () => {
    const lost = cardFields("decline:lost_card", { brand: "elo" });
    expect(await tryCards(lost, { ...lost, cardExpiration: "11/39", cardCvv: "999" })).toEqual(["open", "never again"]);
  });
});

describe("whoever asks for several cards", () => {
  const formOf = async (query: string, changes: object = {}): Promise<[method: string, cards: number]> => {
    const link = await openSession(shop, { paymentMethods: [PIX, CREDIT], ...changes });
    const { html } = await (await newBuyer({ language: "en" })).open(pathOf(link, query));
    const method = /<details class="method" name="method" open="" data-method="(\w+)"/.exec(html)?.[1] ?? "";
    return [method, [...html.matchAll(/<fieldset data-card="\d">/g)].length];
  };

  test.each([
    ["?cards=2", "cards", 2],
    ["?cards=3", "cards", 3],
    ["?cards=3&method=cards", "cards", 3],
    ["?cards=3&method=bitcoin", "cards", 3],
    // Another method, named: the number waits in its form.
    ["?cards=3&method=pix", "pix", 3],
    ["?cards=3&method=card", "card", 3],
    // No such number: as without it.
    ["", "pix", 2],
    ["?cards=1", "pix", 2],
    ["?cards=4", "pix", 2],
    ["?cards=", "pix", 2],
    ["?cards=three", "pix", 2],
    ["?cards=9&method=cards", "cards", 2],
  ])("%s opens %s, with %i cards in the form of several", async (query, method, cards) => {
    expect(await formOf(query)).toEqual([method, cards]);
  });

  test("finds two where the amount is too little for three, and one where the shop takes no more", async () => {
    expect(await formOf("?cards=3", { items: [{ name: "Café", unitPrice: 250, quantity: 1 }] })).toEqual(["cards", 2]);
    expect(await formOf("?cards=3", { items: [{ name: "Café", unitPrice: 150, quantity: 1 }] })).toEqual(["card", 0]);
    expect(await formOf("?cards=3", { paymentMethods: [PIX, BOLETO] })).toEqual(["pix", 0]);
  });
});

describe("a payment that ended unpaid, of a link that takes no more", () => {
  test.each([
    ["pix", { ...PIX, expiresIn: 600 }, PERSON, "pixExpired", /Get a new Pix code/],
    [
      "boleto",
      { ...BOLETO, expiresDate: addDays(saoPauloDay(realNow()), 5) },
      { ...PERSON, ...ADDRESS },
      "boletoClosed",
      // Its due date is the link's: no other boleto can be had there.
      /ask the shop for a new link/,
    ],
    ["nupay", { paymentType: "nupay" }, PERSON, "walletExpired", /You can start again/],
  ] as const)("%s: promises no other one, and leads to what became of the link", async (...given) => {
    const [kind, method, fields, state, again] = given;
    const own = await withMerchant(await openClient());
    const link = await openSession(own, { paymentMethods: [method] });
    const buyer = await newBuyer({ language: "en" });
    const { path } = await buyer.send(await buyer.open(pathOf(link)), kind, fields);
    await own.client.make("POST", "/v1/sandbox/clock", { body: { advance: "P40D" } });
    expect((await buyer.open(path)).text).toMatch(again);
    await own.client.make("POST", `/v1/sessions/${link.id}/cancel`);
    const over = await buyer.open(path);
    expect([over.state, /get a new|start again/i.test(over.text)]).toEqual([state, false]);
    const out = /class="btn[^"]*" href="([^"]*)">See the payment link</.exec(over.html)?.[1]?.replaceAll("&amp;", "&");
    expect(await buyer.open(out ?? "")).toMatchObject({ state: "canceled", heading: "This link was canceled" });
  });
});
