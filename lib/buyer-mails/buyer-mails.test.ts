import { beforeEach, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { reminderMoment } from "@/lib/buyer-mails/moments";
import { sendNewLink } from "@/lib/buyer-mails/new-link";
import { writeBuyerMails } from "@/lib/buyer-mails/write";
import { boletoFile, receiptFile } from "@/lib/checkout/documents";
import { loadPayment } from "@/lib/checkout/load";
import { rememberBuyer } from "@/lib/checkout/remember-buyer";
import { inTransaction } from "@/lib/context";
import type { Locale } from "@/lib/i18n/locales";
import { newId } from "@/lib/ids";
import { readPdf, scan } from "@/lib/payment-documents/testing";
import type { SandboxOutcome } from "@/lib/reference/sandbox-pans";
import { openClient } from "@/lib/testing/api";
import { queuedMails, sendQueued } from "@/lib/testing/mail";
import { addProvider, capture, newCustomer, type Shop, voidIt, withMerchant } from "@/lib/testing/payments";
import { advance, bought, changePurchase, readPurchase, work } from "@/lib/testing/purchases";
import { CREDIT, chargeByCard, chargeByPix, openSession, PIX, type SessionReply } from "@/lib/testing/sessions";
import { realNow } from "@/lib/time";

let shop: Shop;
beforeEach(async () => {
  shop = await withMerchant(await openClient());
});

const TO = "ana@example.com";

async function remember(
  session: SessionReply,
  payment: { chargeId: string } | { purchaseId: string },
  { email = TO, locale = "pt-BR" as Locale } = {},
): Promise<void> {
  await inTransaction(await shop.client.context(), (inside) =>
    rememberBuyer(inside, payment, { sessionId: session.id, merchantId: shop.merchant.id, email, locale }),
  );
}

/** What is queued after everything that happened so far, oldest first. */
async function letters(): Promise<{ template: string; data: Record<string, unknown>; to: string }[]> {
  await Promise.all([writeBuyerMails(), writeBuyerMails()]);
  const rows = await queuedMails(shop.client.clientId);
  // Guarantee: what the template's own schema made.
  return rows.map(({ template, data, recipient }) => ({
    template,
    data: data as Record<string, unknown>,
    to: recipient,
  }));
}
const templates = async (): Promise<string[]> => (await letters()).map(({ template }) => template);

const pixSession = async () => {
  const session = await openSession(shop, { orderId: "A-1001" });
  const { body } = await chargeByPix(shop, session.id);
  await remember(session, { chargeId: body.id });
  return { session, id: body.id };
};

/** In a month, by the real clock. */
const DUE_ON = addDays(saoPauloDay(realNow()), 30);
const DAY_BEFORE = addDays(DUE_ON, -1);
const BOLETO = {
  paymentType: "boleto",
  expiresDate: DUE_ON,
  instructions: "Pagar até o vencimento",
  fine: { days: 1, percentage: 2 },
};
const boletoSession = async (locale: Locale = "pt-BR") => {
  const session = await openSession(shop, { paymentMethods: [BOLETO] });
  const { body } = await shop.client.call<{ id: string }>("POST", `/v1/sessions/${session.id}/charge`, {
    body: {
      paymentMethod: { paymentType: "boleto" },
      paymentSource: { sourceType: "customer", customer: newCustomer() },
    },
  });
  await remember(session, { chargeId: body.id }, { locale });
  return { session, id: body.id };
};

const cardSession = async (outcome: SandboxOutcome = "approve", changes: Record<string, unknown> = {}) => {
  const session = await openSession(shop, { paymentMethods: [CREDIT, PIX], ...changes });
  const { body } = await chargeByCard(shop, session.id, { outcome });
  await remember(session, { chargeId: body.id });
  return { session, id: body.id };
};

const cardsSession = async (outcomes: readonly SandboxOutcome[], isCaptured = true) => {
  const session = await openSession(shop, {
    capture: isCaptured,
    items: [{ name: "Tênis", unitPrice: outcomes.length === 2 ? 10_001 : 15_003, quantity: 1 }],
  });
  const purchase = await bought(shop, { outcomes, capture: isCaptured, changes: { sessionId: session.id } });
  return { session, id: purchase.id };
};

const pay = (kind: "pix" | "boletos", id: string, body: Record<string, unknown> = {}) =>
  shop.client.make("POST", `/v1/sandbox/${kind}/${id}/pay`, { body });

describe("Pix", () => {
  test("its code is sent once, then its receipt", async () => {
    const { session, id } = await pixSession();
    const [code, ...more] = await letters();
    expect(more).toEqual([]);
    expect(code).toMatchObject({
      template: "pix-code",
      to: TO,
      data: { amount: 10_500, orderId: "A-1001", title: "Pedido 1001", code: expect.stringMatching(/^000201/) },
    });
    expect(code?.data.url).toContain(`/pay/${session.id}/p/`);
    await pay("pix", id);
    expect(await templates()).toEqual(["pix-code", "receipt"]);
    expect((await letters())[1]?.data).toMatchObject({
      status: "paid",
      method: "pix",
      amount: 10_500,
      endToEndId: expect.stringMatching(/^E/),
      items: [{ title: "Tênis", quantity: 1, amount: 10_500 }],
    });
    expect(await templates()).toHaveLength(2);
  });

  test("a code that is paid before anybody could write is not sent any more", async () => {
    const { id } = await pixSession();
    await pay("pix", id);
    expect(await templates()).toEqual(["receipt"]);
  });

  test("money that came beyond what was asked is told of when it has gone back", async () => {
    const { id } = await pixSession();
    await letters();
    await pay("pix", id, { times: 2 });
    await advance(shop.client, "PT10M");
    const late = (await letters()).filter(({ template }) => template === "late-pix-returned");
    expect(late).toHaveLength(1);
    expect(late[0]?.data).toMatchObject({
      amount: 10_500,
      endToEndId: expect.stringMatching(/^E/),
      because: "twice",
      url: expect.stringContaining(`/p/`),
    });
  });

  test("money for a code that ended is told of with what is true of its link", async () => {
    const { id, session } = await pixSession();
    await pay("pix", id, { after: "expiry" });
    await advance(shop.client, "P2D");
    const first = (await letters()).find(({ template }) => template === "late-pix-returned");
    expect(first?.data).toMatchObject({
      because: "late",
      url: expect.stringMatching(new RegExp(`/pay/${session.id}$`)),
    });
  });

  test("a receipt says what was paid above what was asked for, or below it", async () => {
    const short = await pixSession();
    await pay("pix", short.id, { amount: 10_000 });
    expect((await letters()).at(-1)).toMatchObject({
      template: "receipt",
      data: { amount: 10_000, difference: -500 },
    });
  });

  test("each refund is told of, with what is given back so far", async () => {
    const { id } = await pixSession();
    await pay("pix", id);
    await voidIt(shop.client, id, { amount: 1_000 });
    await voidIt(shop.client, id);
    await advance(shop.client, "P1D");
    const refunds = (await letters()).filter(({ template }) => template === "refund").map(({ data }) => data);
    expect(refunds).toEqual([
      expect.objectContaining({ amount: 1_000, refundedAmount: 1_000, paidAmount: 10_500, method: "pix" }),
      expect.objectContaining({ amount: 9_500, refundedAmount: 10_500, paidAmount: 10_500, method: "pix" }),
    ]);
  });
});

describe("boleto", () => {
  test("is sent with its PDF, and once more at nine on the day before it is due", async () => {
    const { id } = await boletoSession();
    expect(await templates()).toEqual(["boleto"]);
    const [mail] = await sendQueued(shop.client.clientId);
    expect(mail?.text).toContain("R$");
    expect(mail?.text).toContain("anexado em PDF");
    expect(mail?.text).toContain(
      "Multa de 2% a partir do dia seguinte ao vencimento. Depois do vencimento, pode ser pago",
    );
    await shop.client.make("POST", "/v1/sandbox/clock", { body: { to: `${DAY_BEFORE}T11:59:00Z` } });
    expect(await templates()).toEqual([]);
    await advance(shop.client, "PT2M");
    const [reminder] = await letters();
    expect(reminder).toMatchObject({ template: "boleto", data: { isReminder: true, dueOn: DUE_ON } });
    await pay("boletos", id);
    expect((await letters()).filter(({ template }) => template === "receipt")).toHaveLength(1);
  });

  test("paid in time is not reminded of", async () => {
    const { id } = await boletoSession();
    await pay("boletos", id);
    await shop.client.make("POST", "/v1/sandbox/clock", { body: { to: `${addDays(DUE_ON, 10)}T12:00:00Z` } });
    expect((await letters()).filter(({ data }) => data.isReminder)).toEqual([]);
  });

  test("nine in the morning is São Paulo's, also in the years with daylight saving", () => {
    expect(reminderMoment("2026-11-27").toISOString()).toBe("2026-11-26T12:00:00.000Z");
    expect(reminderMoment("2018-12-20").toISOString()).toBe("2018-12-19T11:00:00.000Z");
  });

  test("its papers: a slip that banks read, a receipt once it is paid", async () => {
    const { session, id } = await boletoSession();
    const paper = async (make: typeof boletoFile, locale: Locale) => {
      const ctx = await shop.client.context();
      const loaded = await loadPayment(ctx, session.id, id);
      return loaded && make(ctx, loaded.session, loaded.view, locale);
    };
    const slip = readPdf((await paper(boletoFile, "pt-BR")) ?? new Uint8Array());
    expect(scan(slip)).toMatch(/^0009\d{40}$/);
    expect(slip.lines).toContain("Ana Souza - 529.982.247-25");
    expect(slip.lines).toContain("Pagar até o vencimento");
    expect(await paper(receiptFile, "en")).toBeUndefined();
    await pay("boletos", id);
    const receipt = readPdf((await paper(receiptFile, "en")) ?? new Uint8Array());
    expect(receipt.lines).toContain("Payment approved");
  });
});

describe("a card", () => {
  test("has a receipt when it is paid, with its last four digits", async () => {
    await cardSession();
    const [receipt, ...more] = await letters();
    expect(more).toEqual([]);
    expect(receipt).toMatchObject({
      template: "receipt",
      data: { status: "paid", method: "card", cards: [{ last4: expect.stringMatching(/^\d{4}$/), installments: 1 }] },
    });
  });

  test("held and captured later has a receipt of each", async () => {
    const { id } = await cardSession("approve", { capture: false });
    expect((await letters()).map(({ data }) => data.status)).toEqual(["authorized"]);
    await capture(shop.client, id);
    expect((await letters()).map(({ data }) => data.status)).toEqual(["authorized", "paid"]);
  });

  test("declined says nothing", async () => {
    await cardSession("decline:insufficient_funds");
    await advance(shop.client, "PT10M");
    expect(await letters()).toEqual([]);
  });

  describe("that is analyzed for fraud", () => {
    beforeEach(async () => {
      await addProvider(shop, {
        priority: 2,
        credentials: { type: "SANDBOX_ANTIFRAUD", apiKey: "any text" },
        options: { type: "ANTIFRAUD" },
      });
    });

    const pageOf = async (session: SessionReply, id: string) => {
      const loaded = await loadPayment(await shop.client.context(), session.id, id);
      return loaded?.view;
    };

    test("is not called authorized before the verdict, and has its receipt once it is taken", async () => {
      const { session, id } = await cardSession("antifraud_review_approve");
      expect(await pageOf(session, id)).toMatchObject({ state: "confirming", isAnalysed: true });
      await advance(shop.client, "PT1H");
      expect(await pageOf(session, id)).toMatchObject({ state: "paid" });
      expect(await letters()).toMatchObject([{ template: "receipt", data: { status: "paid" } }]);
    });

    test("and refused is declined, and its buyer is told that nothing was charged", async () => {
      const { session, id } = await cardSession("antifraud_review_deny");
      expect(await letters()).toEqual([]);
      await advance(shop.client, "PT1H");
      expect(await pageOf(session, id)).toMatchObject({ state: "declined", refusal: "antifraud" });
      expect(await letters()).toMatchObject([{ template: "confirmation", data: { outcome: "not_charged" } }]);
    });

    test("promises no receipt of a hold that nobody took", async () => {
      const { session, id } = await cardSession("antifraud_review_approve", { capture: false });
      expect(await templates()).toEqual(["receipt"]);
      expect(await pageOf(session, id)).toMatchObject({ state: "authorised" });
    });
  });

  test("unknown for a minute is told of once, and how it ended", async () => {
    await cardSession("pending_then_declined");
    await advance(shop.client, "PT59S");
    const early = await templates();
    await advance(shop.client, "PT30M");
    const all = await templates();
    expect(early.length === 0 || early[0] === "confirming").toBe(true);
    expect(all.filter((template) => template === "confirming").length).toBeLessThanOrEqual(1);
    expect(all.includes("confirming")).toBe(all.includes("confirmation"));
  });

  test("an outcome that stays unknown", async () => {
    await cardSession("pending_forever");
    await advance(shop.client, "PT90S");
    expect(await templates()).toEqual(["confirming"]);
    await advance(shop.client, "PT10M");
    expect(await templates()).toEqual(["confirming"]);
  });
});

test("a wallet whose time ran out: who was told that it is unknown is told that nothing was charged", async () => {
  const session = await openSession(shop, { paymentMethods: [{ paymentType: "nupay" }] });
  const { body } = await shop.client.call<{ id: string }>("POST", `/v1/sessions/${session.id}/charge`, {
    body: {
      paymentMethod: { paymentType: "nupay" },
      paymentSource: { sourceType: "customer", customer: newCustomer() },
    },
  });
  await remember(session, { chargeId: body.id });
  await systemSql()`update payment_buyers set confirming_at = now() where payment_id = ${body.id}`;
  await advance(shop.client, "P1D");
  expect(await letters()).toMatchObject([{ template: "confirmation", data: { outcome: "not_charged" } }]);
});

describe("several cards", () => {
  test("paid: one receipt with a line for each", async () => {
    const { session, id } = await cardsSession(["approve", "approve"]);
    await remember(session, { purchaseId: id });
    const [receipt, ...more] = await letters();
    expect(more).toEqual([]);
    expect(receipt?.data).toMatchObject({ status: "paid", method: "cards", amount: 10_001 });
    expect(receipt?.data.cards).toHaveLength(2);
  });

  test("failed: the holds that were released", async () => {
    const { session, id } = await cardsSession(["approve", "decline:insufficient_funds"]);
    await remember(session, { purchaseId: id });
    const [released, ...more] = await letters();
    expect(more).toEqual([]);
    expect(released).toMatchObject({ template: "holds-released", data: { cards: [{ amount: 5_000 }] } });
  });

  const refundsOf = async () =>
    (await letters()).filter(({ template }) => template === "refund").map(({ data }) => data);
  const paidByThree = async () => {
    const { session, id } = await cardsSession(["approve", "approve", "approve"]);
    await remember(session, { purchaseId: id });
    await letters();
    return id;
  };

  /** As while cards are still being refunded; what it answers ends it. */
  const refundRunning = async (purchaseId: string) => {
    const id = newId();
    await systemSql()`insert into purchase_operations (id, client_id, purchase_id, type, requested_by, created_at, updated_at)
      values (${id}, ${shop.client.clientId}, ${purchaseId}, 'refund', 'client', now(), now())`;
    return async () => {
      for (const status of ["processing", "completed"])
        await systemSql()`update purchase_operations set status = ${status} where id = ${id}`;
    };
  };

  test("refunded: one e-mail with the total, what was paid and a line for each card", async () => {
    const id = await paidByThree();
    console.log(await templates());
    console.log((await changePurchase(shop.client, id, "void")).status, (await readPurchase(shop.client, id)).status);
    await work(shop.client);
    const refunds = await refundsOf();
    expect(refunds).toMatchObject([
      {
        amount: 15_003,
        paidAmount: 15_003,
        refundedAmount: 15_003,
        method: "cards",
        cards: [{ amount: 5_000 }, { amount: 5_001 }, { amount: 5_002 }],
      },
    ]);
    expect(refunds[0]?.cards).toEqual(
      Array(3).fill(expect.objectContaining({ brand: "Visa", last4: expect.any(String) })),
    );
    expect(await refundsOf()).toHaveLength(1);
  });

  test("refunded one by one: whatever is written meanwhile, one e-mail once the last is refunded", async () => {
    const id = await paidByThree();
    console.log(await templates());
    console.log((await changePurchase(shop.client, id, "void")).status, (await readPurchase(shop.client, id)).status);
    await work(shop.client);
    const end = await refundRunning(id);
    expect(await refundsOf()).toEqual([]);
    await end();
    expect(await refundsOf()).toMatchObject([{ amount: 15_003 }]);
  });

  test("a card that takes long keeps nobody from hearing of the others, and is told of by itself", async () => {
    const id = await paidByThree();
    console.log(await templates());
    console.log((await changePurchase(shop.client, id, "void")).status, (await readPurchase(shop.client, id)).status);
    await work(shop.client);
    const { payments } = await readPurchase(shop.client, id);
    const last = payments[2]?.chargeId ?? "";
    const end = await refundRunning(id);
    const kept = await systemSql()<{ event_id: string; payment_id: string; client_id: string }[]>`
      delete from buyer_moments where done_at is null
        and event_id in (select id from events where entity_id = ${last}) returning event_id, payment_id, client_id`;
    await systemSql()`update charges set refunded_amount = 0 where id = ${last}`;
    await advance(shop.client, "PT11M");
    expect(await refundsOf()).toMatchObject([
      { amount: 10_001, paidAmount: 15_003, refundedAmount: 10_001, cards: [{ amount: 5_000 }, { amount: 5_001 }] },
    ]);
    await systemSql()`update charges set refunded_amount = captured_amount where id = ${last}`;
    await systemSql()`insert into buyer_moments ${systemSql()(kept)}`;
    await end();
    expect(await refundsOf()).toMatchObject([
      { amount: 10_001 },
      { amount: 5_002, paidAmount: 15_003, refundedAmount: 15_003, cards: [{ amount: 5_002 }] },
    ]);
  });

  test("refunded in part: only the card it went to is named", async () => {
    const id = await paidByThree();
    const { payments } = await readPurchase(shop.client, id);
    await voidIt(shop.client, payments[1]?.chargeId ?? "", { amount: 1_000 });
    expect(await refundsOf()).toMatchObject([
      { amount: 1_000, paidAmount: 15_003, refundedAmount: 1_000, cards: [{ amount: 1_000 }] },
    ]);
  });

  test("a refund that failed after all is not told of", async () => {
    const id = await paidByThree();
    const { payments } = await readPurchase(shop.client, id);
    await voidIt(shop.client, payments[0]?.chargeId ?? "", { amount: 1_000 });
    await systemSql()`update charges set refunded_amount = 0 where id = ${payments[0]?.chargeId ?? ""}`;
    expect(await refundsOf()).toEqual([]);
  });
});

test("who left no address is told nothing", async () => {
  const session = await openSession(shop);
  const { body } = await chargeByPix(shop, session.id);
  await remember(session, { chargeId: body.id }, { email: "" });
  await pay("pix", body.id);
  expect(await letters()).toEqual([]);
});

test("a payment of the API is its shop's to tell of", async () => {
  const session = await openSession(shop);
  await chargeByPix(shop, session.id);
  expect(await letters()).toEqual([]);
});

test("a new link is sent once to whoever asked", async () => {
  const session = await openSession(shop);
  const ctx = await shop.client.context();
  for (const to of ["ana@example.com", "ANA@example.com"]) {
    await inTransaction(ctx, (inside) =>
      sendNewLink(inside, { sessionId: session.id, to, locale: "en", message: "Hi" }),
    );
  }
  const mails = await sendQueued(shop.client.clientId);
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).toContain(`/pay/${session.id}`);
});

describe("a hold that the shop releases", () => {
  test("its buyer, who was told of it, is told that nothing is held any more", async () => {
    const { id, session } = await cardSession("approve", { capture: false });
    expect(await templates()).toEqual(["receipt"]);
    await voidIt(shop.client, id);
    const [, released, ...more] = await letters();
    expect(more).toEqual([]);
    expect(released).toMatchObject({
      template: "holds-released",
      to: TO,
      data: { isByShop: true, amount: 10_500, cards: [{ amount: 10_500 }] },
    });
    expect(released?.data.url).toContain(`/pay/${session.id}/p/`);
  });

  test("whoever was never told of it is told nothing", async () => {
    const { id } = await cardSession("approve", { capture: false });
    await voidIt(shop.client, id);
    expect(await templates()).toEqual([]);
  });
});
