import { beforeAll, describe, expect, test } from "vitest";
import { dispatch } from "@/app/api/registry";
import { POST as continueAtBank } from "@/app/sandbox/3ds/[id]/route";
import { systemSql } from "@/db/client";
import { attemptKeyFor } from "@/lib/checkout/checkout-attempts";
import { openTyped, sealTyped } from "@/lib/checkout/typed-before";
import { newVisit } from "@/lib/checkout/visit";
import { newId } from "@/lib/ids";
import type { SandboxOutcome } from "@/lib/reference/sandbox-pans";
import { openClient } from "@/lib/testing/api";
import { type Buyer, cardFields, pathOf, valuesOf } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { type ChargeReply, type Shop, withMerchant } from "@/lib/testing/payments";
import { CREDIT, openSession, PIX } from "@/lib/testing/sessions";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
  // The simulated bank decides by itself after ten seconds of this clock.
  await shop.client.make("POST", "/v1/sandbox/clock", { body: { freeze: true } });
});

const TYPED = { cardHolderName: "ANA SOUZA", document: "123.456.789-09", email: "ana@example.com", installments: "3" };
const KEPT = { ...TYPED, cardNumber: "", cardCvv: "" };

async function challenged(outcome: SandboxOutcome, buyer?: Buyer) {
  const link = await openSession(shop, { paymentMethods: [PIX, { ...CREDIT, installments: 3 }] });
  const who = buyer ?? (await newBuyer({ language: "en" }));
  const form = { ...cardFields(outcome), ...TYPED };
  const page = await who.send(await who.open(pathOf(link, "?method=card")), "card", form);
  expect(page.state).toBe("authenticate");
  const { items } = await shop.client.make<{ items: ChargeReply[] }>("GET", "/v1/charges", {
    query: { sessionId: link.id },
  });
  return { link, buyer: who, page, id: items[0]?.id ?? "" };
}

/** The buyer goes on at the simulated bank, which says no, and comes back. */
async function failAtBank({ buyer, id: chargeId }: { buyer: Buyer; id: string }) {
  const [{ id }] = await systemSql()<[{ id: string }]>`
    select id from sandbox_transactions where charge_id = ${chargeId} and method = 'card'`;
  const request = new Request(`http://trilho.test/sandbox/3ds/${id}`, { method: "POST", body: "" });
  const answer = await continueAtBank(request, { params: Promise.resolve({ id }) });
  const back = await dispatch(new Request(answer.headers.get("location") ?? ""));
  const { pathname, search } = new URL(back.headers.get("location") ?? "");
  return buyer.open(`${pathname}${search}`);
}

test("who chooses another way than the code they asked for finds what was typed in every form", async () => {
  const link = await openSession(shop, { paymentMethods: [PIX, CREDIT] });
  const buyer = await newBuyer({ language: "en" });
  const person = { name: "Ana Souza", document: "123.456.789-09", email: "ana@example.com" };
  expect((await buyer.send(await buyer.open(pathOf(link, "?method=pix")), "pix", person)).state).toBe("pix");
  const open = await buyer.open(pathOf(link, "?other=1"));
  expect([open.state, valuesOf(open, "pix"), valuesOf(open, "card")]).toMatchObject([
    "open",
    person,
    { cardHolderName: "Ana Souza", document: person.document, email: person.email },
  ]);
  const other = await newBuyer({ language: "en" });
  expect(valuesOf(await other.open(pathOf(link, "?other=1")), "pix")).toMatchObject({ name: "", document: "" });
});

const actionsOf = (html: string): string[] =>
  [...html.matchAll(/href="([^"]*)" data-action="/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));

describe("after a bank that asked the buyer, what was typed is still there", () => {
  test("who leaves for another way finds it in every form, and the installments still chosen", async () => {
    const { buyer, page } = await challenged("3ds_challenge_ok");
    const open = await buyer.send(page, "leave");
    expect([open.status, open.state]).toEqual([200, "open"]);
    expect(valuesOf(open, "card")).toMatchObject(KEPT);
    const { cardHolderName: name, document, email } = TYPED;
    expect(valuesOf(open, "pix")).toMatchObject({ name, document, email });
    expect((await buyer.send(open, "pix")).state).toBe("pix");
  });

  test("who failed there finds it by each way that is offered, and by the link itself", async () => {
    const asked = await challenged("3ds_challenge_failed");
    const { buyer, link } = asked;
    const declined = await failAtBank(asked);
    expect(declined.state).toBe("declined");
    const ways = actionsOf(declined.html);
    expect(ways.length).toBeGreaterThan(1);
    for (const way of [...ways, pathOf(link)]) {
      const open = await buyer.open(way);
      expect([way, open.state, open.html.match(/<details[^>]*data-method=/g)?.length]).toEqual([way, "open", 3]);
      expect(valuesOf(open, "card")).toMatchObject(KEPT);
    }
    const again = await buyer.open(pathOf(link, "?method=card"));
    const { cardNumber, cardExpiration, cardCvv, captcha } = cardFields("approve") as Record<string, string>;
    const card = { cardNumber, cardExpiration, cardCvv, captcha } as Record<string, string>;
    expect((await buyer.send(again, "card", card)).state).toBe("paid");
  });

  test("a browser that opens the address of a form's answer again comes to the form, and not to an error", async () => {
    const { buyer, page, link } = await challenged("3ds_challenge_ok");
    const own = page.path.split(/[?#]/)[0];
    expect((await buyer.open(`${own}/leave`)).state).toBe("authenticate");
    await buyer.send(page, "leave");
    expect((await buyer.open(`${own}/leave`)).state).toBe("declined");
    const form = await buyer.open(`${pathOf(link)}/card`);
    expect([form.status, form.state]).toEqual([200, "open"]);
    expect(valuesOf(form, "card")).toMatchObject(KEPT);
    for (const path of [`${pathOf(link)}/elsewhere`, "/pay/..%2F%2Fevil.example/card", `${pathOf(link)}/p/x/leave`])
      expect([path, (await buyer.open(path)).status]).toEqual([path, 404]);
  });

  test("nobody else finds it, nor a later payment", async () => {
    const { buyer, page, link } = await challenged("3ds_challenge_ok");
    await buyer.send(page, "leave");
    const other = await (await newBuyer({ language: "en" })).open(pathOf(link, "?method=card"));
    expect(other.html).not.toContain("ana@example.com");
    // Half an hour later the same browser may be in other hands.
    await shop.client.make("POST", "/v1/sandbox/clock", { body: { advance: "PT31M", freeze: true } });
    expect((await buyer.open(pathOf(link, "?method=card"))).html).not.toContain("ana@example.com");
  });

  test("the card is not among it, and it opens for its own payment alone", () => {
    const [session, visit] = [newId(), newVisit()];
    const [first, second] = [0, 1].map((ended) => attemptKeyFor(session, visit, "card", ended));
    if (!first || !second) throw new Error("no keys");
    const typed = { ...TYPED, cardNumber: "4111220000000002", cardNumber1: "4111220000000002", cardCvv: "120" };
    const sealed = sealTyped(session, first, { ...typed, cardExpiration: "12/39", captcha: "x", attempt: "y" });
    expect(openTyped(session, first.key, sealed)).toEqual({
      ...TYPED,
      name: "ANA SOUZA",
      cardHolderName0: "ANA SOUZA",
    });
    expect(openTyped(session, second.key, sealed)).toEqual({});
    expect(openTyped(newId(), first.key, sealed)).toEqual({});
    expect(openTyped(session, first.key, `${sealed?.slice(0, -2)}AA`)).toEqual({});
    expect(sealTyped(session, first, { street: "x".repeat(3_000) })).toBeUndefined();
  });
});
