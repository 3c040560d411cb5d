import { beforeAll, describe, expect, test, vi } from "vitest";
import { openClient } from "@/lib/testing/api";
import { cardFields, formsOf, PERSON, pathOf } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { type ChargeReply, type Shop, withMerchant } from "@/lib/testing/payments";
import { CREDIT, openSession, PIX, type SessionReply, unlikeRows } from "@/lib/testing/sessions";

/** Several pages and payments each, beside whatever else the machine does. */
vi.setConfig({ testTimeout: 60_000 });

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

const charges = async ({ id }: SessionReply): Promise<ChargeReply[]> =>
  (await shop.client.make<{ items: ChargeReply[] }>("GET", "/v1/charges", { query: { sessionId: id, limit: 100 } }))
    .items;
const many = <T>(count: number, run: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: count }, run));
const bare = (path: string): string => path.split("?")[0] ?? "";

const RACERS = 20;
const BUYERS = 30;

describe("one payment", () => {
  test(`of ${RACERS} presses at once, by the form and by the script`, async () => {
    const link = await openSession(shop, { maxPayments: -1 });
    const buyer = await newBuyer();
    const page = await buyer.open(pathOf(link, "?method=card"));
    const ends = await many(RACERS / 2, async () => {
      const [one, other] = await Promise.all([
        buyer.send(page, "card", cardFields()).then(({ path }) => path),
        buyer.sendByScript<{ next?: string }>(page, "card", cardFields()).then(({ next }) => next ?? ""),
      ]);
      return [bare(one), bare(other)];
    });
    expect(new Set(ends.flat()).size).toBe(1);
    expect((await charges(link)).map(({ status }) => status)).toEqual(["authorized"]);
  });

  test("of two tabs of one visit, also when they use different methods", async () => {
    const link = await openSession(shop);
    const buyer = await newBuyer();
    const [one, other] = [
      await buyer.open(pathOf(link, "?method=card")),
      await buyer.open(pathOf(link, "?method=pix")),
    ];
    const paid = await buyer.send(one, "card", cardFields());
    const late = await buyer.send(other, "pix", PERSON);
    expect([paid.state, bare(late.path)]).toEqual(["paid", bare(late.path)]);
    expect(formsOf(late).filter((form) => form !== "new-link")).toEqual([]);
    expect(await charges(link)).toHaveLength(1);
  });

  test("after a reload while it runs, and by the way back after it is paid", async () => {
    const link = await openSession(shop, { maxPayments: -1 });
    const buyer = await newBuyer();
    const page = await buyer.open(pathOf(link, "?method=card"));
    const running = await buyer.send(page, "card", cardFields("pending_then_approved"));
    expect(running.state).toBe("processing");
    // The same form sent once more, as browsers do on a reload, and the link opened anew.
    expect(bare((await buyer.send(page, "card", cardFields())).path)).toBe(bare(running.path));
    expect(bare((await buyer.open(pathOf(link, "?method=card"))).path)).toBe(bare(running.path));
    await shop.client.make("POST", "/v1/sandbox/clock", { body: { advance: "PT10M" } });
    expect((await buyer.open(running.path)).state).toBe("paid");
    expect(bare((await buyer.send(page, "card", cardFields())).path)).toBe(bare(running.path));
    expect(await charges(link)).toHaveLength(1);
  });

  test("of a browser that keeps no cookies", async () => {
    const link = await openSession(shop, { maxPayments: -1 });
    const buyer = await newBuyer({ keepsCookies: false });
    const page = await buyer.open(pathOf(link, "?method=card"));
    const paths = await many(3, async () => bare((await buyer.send(page, "card", cardFields())).path));
    expect(new Set(paths).size).toBe(1);
    expect((await buyer.open(paths[0] ?? "")).state).toBe("paid");
    expect(await charges(link)).toHaveLength(1);
  });

  test(`of ${BUYERS} buyers of a link for one: the others are told that somebody was quicker`, async () => {
    const link = await openSession(shop, { paymentMethods: [CREDIT, PIX] });
    const opened = await many(BUYERS, async () => {
      const buyer = await newBuyer();
      return { buyer, page: await buyer.open(pathOf(link, "?method=card")) };
    });
    const ends = await Promise.all(opened.map(({ buyer, page }) => buyer.send(page, "card", cardFields())));
    expect(ends.filter((end) => end.state === "paid" && formsOf(end).length === 0)).not.toEqual([]);
    const winners = ends.filter(({ path }) => path.includes("/p/"));
    expect(winners).toHaveLength(1);
    const told = ends.filter(({ path }) => !path.includes("/p/"));
    expect(
      told.filter(({ text }) => !/Outra pessoa pagou|Há um pagamento em andamento/.test(text)).map(({ text }) => text),
    ).toEqual([]);
    expect((await charges(link)).filter(({ capturedAmount }) => capturedAmount > 0)).toHaveLength(1);
    expect(await unlikeRows(shop)).toEqual([]);
  }, 60_000);
});
