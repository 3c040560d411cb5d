import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { savedCardsOf } from "@/lib/checkout/saved-cards";
import { newVisit } from "@/lib/checkout/visit";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openClient } from "@/lib/testing/api";
import { openLink, paymentOf, pressPay, reopen, seePayment, typedCard } from "@/lib/testing/checkout";
import { type ChargeReply, cardData, newCustomer, openToken, type Shop, withMerchant } from "@/lib/testing/payments";
import { type PurchaseReply, work } from "@/lib/testing/purchases";
import { newSession, type SessionReply } from "@/lib/testing/sessions";
import { readCvv } from "@/lib/vault/cvv";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

interface Kept {
  id: string;
}

async function openCustomer(): Promise<string> {
  const { id } = await shop.client.make<Kept>("POST", "/v1/customers?force=true", { body: newCustomer() });
  return id;
}

async function keepCard(customer: string, card: Record<string, unknown> = cardData()): Promise<string> {
  const tokenId = await openToken(shop.client, card);
  const { id } = await shop.client.make<Kept>("POST", "/v1/cards", { body: { tokenId } });
  await shop.client.call("POST", `/v1/customers/${customer}/cards`, { body: { cardId: id } });
  return id;
}

const shownTo = async (customerId: string | undefined) => {
  const { ctx, session } = await openLink(shop, { customerId });
  return savedCardsOf(ctx, session);
};

describe("saved cards", () => {
  test("are the customer's of the link, newest first, by brand, last four and expiry", async () => {
    const customer = await openCustomer();
    const visa = await keepCard(customer);
    const elo = await keepCard(customer, cardData("approve", "elo"));
    await keepCard(await openCustomer(), cardData("approve", "mastercard"));
    expect(await shownTo(customer)).toEqual([
      { id: elo, brand: "Elo", last4: "0002", expiry: "12/31" },
      { id: visa, brand: "Visa", last4: "0002", expiry: "12/31" },
    ]);
  });

  test("a number kept twice is one card; an expired, a removed or another customer's is none", async () => {
    const customer = await openCustomer();
    await keepCard(customer);
    const newest = await keepCard(customer);
    const expired = await keepCard(customer, cardData("approve", "elo"));
    await systemSql()`update cards set expiration_year = '2020' where id = ${expired}`;
    const gone = await keepCard(customer, cardData("approve", "mastercard"));
    await shop.client.call("DELETE", `/v1/cards/${gone}`);
    expect((await shownTo(customer)).map(({ id }) => id)).toEqual([newest]);
  });

  test("are shown on no link without a customer, nor on one that a public key opened", async () => {
    const customer = await openCustomer();
    await keepCard(customer);
    expect(await shownTo(undefined)).toEqual([]);
    const { publicKey } = await shop.client.make<{ publicKey: string }>("POST", "/v1/auth", {
      body: { expires: 3_600, scope: ["sessions", "customers"] },
    });
    const { body } = await shop.client.call<SessionReply>("POST", "/v1/sessions", {
      key: publicKey,
      body: newSession(shop, { customerId: customer }),
    });
    const { ctx, session } = await reopen(body.id);
    expect([session.customerId, await savedCardsOf(ctx, session)]).toEqual([customer, []]);
  });

  test("one pays with its security code alone, and without it with nothing", async () => {
    const customer = await openCustomer();
    const savedCard = await keepCard(customer);
    const opened = await openLink(shop, { customerId: customer });
    const fields = { savedCard, document: "", installments: "2", captcha: "sandbox-ok" };
    expect(await pressPay(opened, newVisit(), "card", fields)).toEqual({
      kind: "notice",
      notice: { kind: "fields", fields: [{ field: "cardCvv", isEmpty: true }] },
    });
    const outcome = await pressPay(opened, newVisit(), "card", { ...fields, cardCvv: "120" });
    expect(await seePayment(opened, outcome)).toMatchObject({
      state: "paid",
      cards: [{ brand: "Visa", last4: "0002", installments: 2 }],
    });
    const charge = await shop.client.make<ChargeReply>("GET", `/v1/charges/${paymentOf(outcome)}`);
    expect(charge.paymentSource).toMatchObject({ sourceType: "card", cardId: savedCard });
    const [row] = await systemSql()`select fraud_analysis from charges where id = ${charge.id}`;
    expect(row?.fraud_analysis).toMatchObject({ customer: { identity: "52998224725" } });
  });

  test("one is among several cards, by its security code, which reaches the bank", async () => {
    const customer = await openCustomer();
    // No number of the sandbox's table: of these the security code counts.
    const saved = await keepCard(customer, { ...cardData(), cardNumber: "4000000000000184" });
    const typed = Object.fromEntries(
      Object.entries(typedCard(sandboxPan("approve", "elo"))).map(([k, v]) => [`${k}1`, v]),
    );
    const fields = {
      ...typed,
      count: "2",
      savedCard0: saved,
      savedCard1: "",
      installments0: "1",
      captcha: "sandbox-ok",
    };
    const amounts = { amount0: "60,00", amount1: "45,00" };
    const opened = await openLink(shop, { customerId: customer });
    expect(await pressPay(opened, newVisit(), "cards", { ...fields, ...amounts })).toMatchObject({
      notice: { fields: [{ field: "cardCvv", card: 0 }] },
    });
    const wrong = await openLink(shop, { customerId: customer });
    const refused = await pressPay(wrong, newVisit(), "cards", { ...fields, ...amounts, cardCvv0: "620" });
    await work(shop.client);
    expect(await seePayment(wrong, refused)).toMatchObject({
      state: "released",
      declinedCard: 0,
      refusal: "invalid_cvv",
    });
    const paid = await pressPay(opened, newVisit(), "cards", { ...fields, ...amounts, cardCvv0: "120" });
    await work(shop.client);
    expect(await seePayment(opened, paid)).toMatchObject({
      state: "paid",
      cards: [
        { brand: "Visa", last4: "0184", amount: 6_000 },
        { brand: "Elo", amount: 4_500 },
      ],
    });
    const { payments } = await shop.client.make<PurchaseReply>("GET", `/v1/purchases/${paymentOf(paid)}`);
    expect(payments[0]?.paymentSource).toEqual({ sourceType: "card", cardId: saved });
    const [slot] = await systemSql()`
      select client_id, token_id from purchase_payments where purchase_id = ${paymentOf(paid)} and slot_index = 0`;
    expect(await readCvv(slot?.client_id, slot?.token_id)).toBeUndefined();
  });

  test("another customer's card is refused before anything is made of it", async () => {
    const [customer, other] = [await openCustomer(), await openCustomer()];
    await keepCard(customer);
    const foreign = await keepCard(other);
    for (const given of [{ customerId: customer }, {}]) {
      const opened = await openLink(shop, given);
      const outcome = await pressPay(opened, newVisit(), "card", { savedCard: foreign, cardCvv: "120" });
      expect(outcome).toEqual({ kind: "notice", notice: { kind: "problem", problem: "stale" } });
      const made = await shop.client.make<{ meta: { totalItems: number } }>(
        "GET",
        `/v1/charges?sessionId=${opened.session.id}`,
      );
      expect(made.meta.totalItems).toBe(0);
    }
  });
});
