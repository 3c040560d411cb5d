import { beforeAll, describe, expect, test } from "vitest";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openClient } from "@/lib/testing/api";
import { cardFields, PERSON, pathOf, severalCards } from "@/lib/testing/buyer";
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
