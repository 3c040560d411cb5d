import { beforeAll, describe, expect, test } from "vitest";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openClient } from "@/lib/testing/api";
import { cardFields, PERSON, pathOf, severalCards, valuesOf } from "@/lib/testing/buyer";
import { newBuyer, serveCheckout } from "@/lib/testing/checkout-routes";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { work } from "@/lib/testing/purchases";
import { CREDIT, openSession, PIX } from "@/lib/testing/sessions";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
  await shop.client.make("POST", "/v1/sandbox/clock", { body: { freeze: true } });
});

const LINKS = { "for one": {}, "paid often": { maxPayments: -1 } };

describe.each(Object.entries(LINKS))("a link %s, loaded again in the middle of a payment", (_name, changes) => {
  test.each([
    ["a card whose bank says nothing", "card", cardFields("pending_forever"), "processing"],
    [
      "a card whose bank asks its buyer",
      "card",
      { ...cardFields(), cardNumber: sandboxPan("3ds_challenge_ok") },
      "authenticate",
    ],
    [
      "several cards",
      "cards",
      { ...severalCards(["approve", "approve"]), count: "2", amount0: "60,00", amount1: "45,00" },
      "running",
    ],
    ["a Pix that waits", "pix", PERSON, changes === LINKS["for one"] ? "in_use" : "open"],
  ])("%s: what is happening", async (_what, method, fields, state) => {
    const link = await openSession(shop, changes);
    const buyer = await newBuyer();
    await buyer.send(await buyer.open(pathOf(link)), method, fields);
    const again = await buyer.open(pathOf(link));
    expect(again.state).toBe(state);
    // A Pix may still give way to another method; of the others nothing else can be paid.
    expect(/\/pay\/[^"]+\/p\/[\w-]{22}/.test(again.path + again.html)).toBe(true);
    const stranger = await (await newBuyer()).open(pathOf(link));
    expect(stranger.html).not.toMatch(method === "pix" && state === "in_use" ? /-$/ : /\/p\/[\w-]{22}/);
    await work(shop.client);
  });
});

test("an answer that is still awaited is called so after 25 seconds", async () => {
  const link = await openSession(shop);
  const buyer = await newBuyer();
  const page = await buyer.send(await buyer.open(pathOf(link)), "card", cardFields("pending_forever"));
  expect([page.state, /"confirmingInSeconds":25\b/.test(page.html)]).toEqual(["processing", true]);
  await shop.client.make("POST", "/v1/sandbox/clock", { body: { advance: "PT26S" } });
  expect((await buyer.open(page.path)).state).toBe("confirming");
  expect((await buyer.open(pathOf(link))).state).toBe("confirming");
});

describe("a payment that was declined while its page was loaded again", () => {
  const declined = async (method: string, fields: Record<string, string>, changes = {}) => {
    const link = await openSession(shop, { maxPayments: -1, paymentMethods: [CREDIT, PIX], ...changes });
    const buyer = await newBuyer();
    await buyer.sendByScript(await buyer.open(pathOf(link)), method, fields);
    await work(shop.client);
    return { link, buyer, page: await buyer.open(pathOf(link)) };
  };

  test("is told with its reason and what to do, over the form of its method, and no more once that is done", async () => {
    const { buyer, page, link } = await declined("card", cardFields("decline:insufficient_funds"));
    expect(page.state).toBe("open");
    expect(page.text).toContain("Pagamento não aprovado O limite do cartão não cobre este valor. Nada foi cobrado.");
    expect(/<details[^>]* open=""[^>]*data-method="(\w+)"/.exec(page.html)?.[1]).toBe("card");
    const [pix = ""] = /\/pay\/[^"]*method=pix[^"]*/.exec(page.html) ?? [];
    const next = await buyer.open(pix.replaceAll("&amp;", "&"));
    expect(next.text).not.toContain("não aprovado");
    expect(/<details[^>]* open=""[^>]*data-method="(\w+)"/.exec(next.html)?.[1]).toBe("pix");
    expect((await (await newBuyer()).open(pathOf(link))).text).not.toContain("não aprovado");
    await buyer.send(next, "pix", PERSON);
    expect((await buyer.open(pathOf(link))).text).not.toContain("não aprovado");
  });

  test("of several cards says which, over as many", async () => {
    const fields = {
      ...severalCards(["approve", "approve", "decline:lost_card"]),
      count: "3",
      amount0: "35,00",
      amount1: "35,00",
      amount2: "35,00",
    };
    const { page } = await declined("cards", fields);
    expect(page.text).toContain("O cartão 3 foi recusado");
    expect(page.html).toContain('name="cardNumber2"');
  });

  test("keeps its amounts for as many cards, and the first one's for another number: they add up", async () => {
    const fields = {
      ...severalCards(["approve", "decline:lost_card"]),
      count: "2",
      amount0: "60,00",
      amount1: "45,00",
    };
    const { buyer, link } = await declined("cards", fields);
    const amounts = async (cards: number) => {
      const form = valuesOf(await buyer.open(pathOf(link, `?method=cards&cards=${cards}`)), "cards");
      return [form.amount0, form.amount1, form.amount2];
    };
    expect((await amounts(2)).slice(0, 2)).toEqual(["60,00", "45,00"]);
    expect(await amounts(3)).toEqual(["60,00", "22,50", "22,50"]);
  });

  test("is told no more after half an hour", async () => {
    const { buyer, link } = await declined("card", cardFields("decline:insufficient_funds"));
    await shop.client.make("POST", "/v1/sandbox/clock", { body: { advance: "PT31M" } });
    expect((await buyer.open(pathOf(link))).text).not.toContain("não aprovado");
  });
});

describe("a link that is paid often, loaded again by who has paid", () => {
  test("says so with the receipt, and asks before it is paid again", async () => {
    const link = await openSession(shop, { maxPayments: -1 });
    const buyer = await newBuyer();
    const paid = await buyer.send(await buyer.open(pathOf(link)), "card", cardFields());
    expect(paid.state).toBe("paid");
    const again = await buyer.open(pathOf(link, "?method=card"));
    expect([again.state, again.heading]).toEqual(["paid_here", "Você pagou R$ 105,00"]);
    expect(again.html).not.toContain("<form");
    expect(again.html).toContain(paid.path.split("?")[0] ?? "-");
    const form = await buyer.open(pathOf(link, "?again=1"));
    expect(form.state).toBe("open");
    const byScript = await buyer.sendByScript(form, "card", cardFields());
    expect(JSON.stringify(byScript).match(/Pagar de novo\?/g)).toHaveLength(1);
    const asked = await buyer.send(form, "card", cardFields());
    expect(asked.text.match(/Pagar de novo\?/g)).toHaveLength(1);
    expect((await buyer.send(asked, "card", cardFields())).state).toBe("paid");
    const stranger = await (await newBuyer()).open(pathOf(link));
    expect(stranger.state).toBe("open");
    expect(stranger.html).not.toMatch(/\/p\/[\w-]{22}/);
  });

  test("tells of a decline that came after, and of a code that waits", async () => {
    const link = await openSession(shop, { maxPayments: -1, paymentMethods: [CREDIT, PIX] });
    const buyer = await newBuyer();
    await buyer.send(await buyer.open(pathOf(link)), "card", cardFields());
    const form = await buyer.open(pathOf(link, "?again=1"));
    const other = { ...cardFields("decline:insufficient_funds", { brand: "mastercard" }), again: "1" };
    await buyer.sendByScript(form, "card", other);
    const page = await buyer.open(pathOf(link));
    expect(page.text).toContain("O limite do cartão não cobre este valor.");
    await buyer.send(page, "pix", { ...PERSON, again: "1" });
    expect((await buyer.open(pathOf(link))).text).toContain("Há um pagamento em andamento");
  });

  test("is a link for something new the next day", async () => {
    const link = await openSession(shop, { maxPayments: -1 });
    const buyer = await newBuyer();
    await buyer.send(await buyer.open(pathOf(link)), "card", cardFields());
    await shop.client.make("POST", "/v1/sandbox/clock", { body: { advance: "PT25H" } });
    expect((await buyer.open(pathOf(link))).state).toBe("open");
  });
});

describe("after a decline without scripts", () => {
  test("what is offered next can work: a card would ask for a proof that only a script gives", async () => {
    const link = await openSession(shop, { paymentMethods: [CREDIT, PIX] });
    const buyer = await newBuyer();
    const declined = await buyer.send(await buyer.open(pathOf(link)), "card", cardFields("decline:insufficient_funds"));
    const actions = [...declined.html.matchAll(/data-action="(\w+)"/g)].map(([, action]) => action);
    expect(actions).toEqual(["pix"]);
    expect(/<details[^>]* open=""[^>]*data-method="(\w+)"/.exec(declined.html)?.[1]).toBe("pix");
    expect((await buyer.send(declined, "pix", PERSON)).state).toBe("pix");
  });
});

test("inside a shop's page the visit is kept in a jar of that page alone", async () => {
  const link = await openSession(shop);
  const ask = (headers: Record<string, string>) =>
    serveCheckout(new Request(`http://trilho.test${pathOf(link)}`, { headers }));
  const [embedded, alone] = await Promise.all([ask({ "sec-fetch-dest": "iframe" }), ask({})]);
  expect(embedded.headers.getSetCookie()[0]).toMatch(/HttpOnly; SameSite=None; Secure; Partitioned$/);
  expect(alone.headers.getSetCookie()[0]).toMatch(/HttpOnly; SameSite=Lax$/);
});
