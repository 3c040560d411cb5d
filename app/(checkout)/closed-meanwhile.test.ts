import { beforeAll, describe, expect, test, vi } from "vitest";
import { openClient } from "@/lib/testing/api";
import { cardFields, PERSON, pathOf } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { CREDIT, openSession } from "@/lib/testing/sessions";

/** Several pages and payments each, beside whatever else the machine does. */
vi.setConfig({ testTimeout: 60_000 });

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});
const english = () => newBuyer({ language: "en" });
const NOTHING = "You have not been charged.";

describe("a link that closed while its form was filled in", () => {
  test.each([
    ["off", (id: string) => shop.client.make("PATCH", `/v1/sessions/${id}`, { body: { isActive: false } })],
    ["canceled", (id: string) => shop.client.make("POST", `/v1/sessions/${id}/cancel`)],
    [
      "paid",
      async (id: string) => {
        const other = await english();
        return other.send(await other.open(pathOf({ id }, "?method=card")), "card", cardFields());
      },
    ],
  ])("%s: says that nothing was charged, to the form and to the script", async (state, close) => {
    const link = await openSession(shop, { paymentMethods: [CREDIT] });
    const buyer = await english();
    const page = await buyer.open(pathOf(link, "?method=card"));
    await close(link.id);
    const sent = await buyer.send(page, "card", cardFields());
    expect([sent.state, sent.text.includes(NOTHING)]).toEqual([state, true]);
    const { next = "" } = await buyer.sendByScript<{ next?: string }>(page, "card", cardFields());
    const told = await buyer.open(next);
    expect([told.state, told.text.includes(NOTHING)]).toEqual([state, true]);
    expect((await buyer.open(pathOf(link))).text).not.toContain(NOTHING);
  });
});

describe("a Pix in one tab and a card in another", () => {
  test("the Pix says that the link was paid another way, with a way to the receipt for who paid", async () => {
    const link = await openSession(shop);
    const buyer = await english();
    const pix = await buyer.send(await buyer.open(pathOf(link)), "pix", PERSON);
    const paid = await buyer.send(await buyer.open(pathOf(link, "?method=card&other=1")), "card", cardFields());
    expect(paid.state).toBe("paid");
    const receipt = paid.path.split("?")[0] ?? "";
    const [own, other] = [await buyer.open(pix.path), await (await english()).open(pix.path)];
    expect([own.heading, own.html.includes(`href="${receipt}?`)]).toEqual(["This was paid another way", true]);
    expect([other.heading, other.html.includes(receipt)]).toEqual(["This was paid another way", false]);
    expect(own.text).not.toContain(NOTHING);
    const again = await buyer.open(pathOf(link));
    expect(again.text).toContain("You have paid.");
    expect([again.text.includes("See the receipt"), again.text.includes("Whoever paid")]).toEqual([true, false]);
  });
});

describe("a second tab that pays with another card", () => {
  test("is told which card was charged; the same card once more is not", async () => {
    const link = await openSession(shop, { paymentMethods: [CREDIT] });
    const buyer = await english();
    const [one, two] = [await buyer.open(pathOf(link)), await buyer.open(pathOf(link))];
    expect((await buyer.send(one, "card", cardFields("approve", { brand: "visa" }))).state).toBe("paid");
    const told = "The other card you entered was not charged.";
    const same = await buyer.send(two, "card", cardFields("approve", { brand: "visa" }));
    const other = await buyer.send(two, "card", cardFields("approve", { brand: "elo" }));
    expect([same.text.includes(told), other.text.includes(told)]).toEqual([false, true]);
  });
});
