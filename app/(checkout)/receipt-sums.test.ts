import { describe, expect, test, vi } from "vitest";
import { addDays, isBankDay, saoPauloDay, weekday } from "@/lib/brazil/bank-calendar";
import { writeBuyerMails } from "@/lib/buyer-mails/write";
import { receiptFile } from "@/lib/checkout/documents";
import { loadPayment } from "@/lib/checkout/load";
import { paymentIdOf, paymentPathOf } from "@/lib/checkout/payment-token";
import { rememberBuyer } from "@/lib/checkout/remember-buyer";
import { inTransaction } from "@/lib/context";
import { sumOf } from "@/lib/money";
import { readPdf } from "@/lib/payment-documents/testing";
import type { SandboxOutcome } from "@/lib/reference/sandbox-pans";
import { openClient } from "@/lib/testing/api";
import { cardFields, PERSON, pathOf } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { sendQueued, type WrittenMail } from "@/lib/testing/mail";
import { capture, cardData, newCustomer, openToken, type Shop, voidIt, withMerchant } from "@/lib/testing/payments";
import { advance, bought, changePurchase, readPurchase, work } from "@/lib/testing/purchases";
import { added, dayOf, firstMoney, moneysIn, named, ofMail, ofPage, ofPaper, plain } from "@/lib/testing/receipt-lines";
import { CREDIT, chargeByPix, openSession, PIX, type SessionReply } from "@/lib/testing/sessions";
import { realNow } from "@/lib/time";

/** Several pages, papers and e-mails each, beside whatever else the machine does. */
vi.setConfig({ testTimeout: 60_000 });

interface Paid {
  readonly shop: Shop;
  readonly session: SessionReply;
  readonly id: string;
}

const LATER = "P2D";
const TO = "ana@example.com";

async function remembered(shop: Shop, session: SessionReply, payment: { chargeId: string } | { purchaseId: string }) {
  const buyer = {
    sessionId: session.id,
    merchantId: shop.merchant.id,
    email: TO,
    locale: "pt-BR" as const,
  };
  await inTransaction(await shop.client.context(), (inside) => rememberBuyer(inside, payment, buyer));
}

const linkOf = (shop: Shop, amount: number, changes: Record<string, unknown> = {}) =>
  openSession(shop, { items: [{ name: "Tênis", unitPrice: amount, quantity: 1 }], ...changes });

async function byCard(amount: number, installments: number, isCaptured = true): Promise<Paid> {
  const shop = await withMerchant(await openClient());
  const session = await linkOf(shop, amount, { paymentMethods: [CREDIT, PIX], capture: isCaptured });
  const buyer = await newBuyer();
  const fields = { ...cardFields(), name: PERSON.name, email: TO, installments: String(installments) };
  const { path } = await buyer.send(await buyer.open(pathOf(session, "?method=card")), "card", fields);
  const id = paymentIdOf(path.split(/[/?]/).at(4) ?? "");
  if (!id) throw new Error(`no payment: ${path}`);
  return { shop, session, id };
}

const BRANDS = ["visa", "mastercard", "elo"] as const;

async function byCards(
  amounts: readonly (readonly [amount: number, installments: number])[],
  { outcomes = [], isCaptured = true }: { outcomes?: readonly SandboxOutcome[]; isCaptured?: boolean } = {},
): Promise<Paid> {
  const shop = await withMerchant(await openClient());
  const amount = amounts.reduce((sum, [cents]) => sum + cents, 0);
  const session = await linkOf(shop, amount, { capture: isCaptured });
  const payments = [];
  for (const [index, [cents, installments]] of amounts.entries()) {
    const card = cardData(outcomes[index] ?? "approve", BRANDS[index]);
    payments.push({
      amount: cents,
      paymentMethod: { paymentType: "credit", installments },
      paymentSource: { sourceType: "token", tokenId: await openToken(shop.client, card) },
    });
  }
  const changes = { amount, payments, sessionId: session.id };
  const { id } = await bought(shop, { outcomes: [], capture: isCaptured, changes });
  await remembered(shop, session, { purchaseId: id });
  return { shop, session, id };
}

async function byPix(amount: number): Promise<Paid> {
  const shop = await withMerchant(await openClient());
  const session = await linkOf(shop, 10_500);
  const { body } = await chargeByPix(shop, session.id);
  await remembered(shop, session, { chargeId: body.id });
  await shop.client.make("POST", `/v1/sandbox/pix/${body.id}/pay`, { body: { amount } });
  return { shop, session, id: body.id };
}

/** A Friday before a Monday on which banks work: what is paid then is three days late. */
const friday = (from = addDays(saoPauloDay(realNow()), 3)): string =>
  weekday(from) === 5 && isBankDay(from) && isBankDay(addDays(from, 3)) ? from : friday(addDays(from, 1));

async function byLateBoleto(amount: number, { daysLate = 3, isConfirmedLater = false } = {}): Promise<Paid> {
  const shop = await withMerchant(await openClient());
  const dueOn = friday();
  const boleto = {
    paymentType: "boleto",
    expiresDate: dueOn,
    fine: { days: 1, amount: 555 },
    interest: { days: 1, amount: 33 },
  };
  const session = await linkOf(shop, 10_500, { paymentMethods: [boleto] });
  const { body } = await shop.client.call<{ id: string }>("POST", `/v1/sessions/${session.id}/charge`, {
    body: {
      paymentMethod: { paymentType: "boleto" },
      paymentSource: { sourceType: "customer", customer: newCustomer() },
    },
  });
  await remembered(shop, session, { chargeId: body.id });
  const day = addDays(dueOn, daysLate);
  await shop.client.make("POST", "/v1/sandbox/clock", { body: { to: `${day}T15:00:00Z` } });
  const paid = isConfirmedLater ? { amount, paidOn: day } : { amount };
  await shop.client.make("POST", `/v1/sandbox/boletos/${body.id}/pay`, { body: paid });
  if (isConfirmedLater) await advance(shop.client, LATER);
  return { shop, session, id: body.id };
}

const refund = async ({ shop, id }: Paid, amount: number, after?: string): Promise<void> => {
  if (after) await advance(shop.client, after);
  const { status } = await voidIt(shop.client, id, { amount });
  expect(status).toBeLessThan(300);
};

const refundOfCard = async ({ shop, id }: Paid, slot: number, amount: number): Promise<void> => {
  const { payments } = await readPurchase(shop.client, id);
  expect((await voidIt(shop.client, payments[slot]?.chargeId ?? "", { amount })).status).toBeLessThan(300);
};

async function voidAll({ shop, id }: Paid, after?: string): Promise<void> {
  if (after) await advance(shop.client, after);
  await changePurchase(shop.client, id, "void");
  await work(shop.client);
}

const dispute = ({ shop }: Paid, chargeId: string, amount: number) =>
  shop.client.make("POST", `/v1/sandbox/charges/${chargeId}/chargeback`, { body: { amount } });

interface Case {
  name: string;
  pay(): Promise<Paid>;
  /** After its receipt was sent. */
  after?(paid: Paid): Promise<void>;
  total: number;
  refunded?: number;
  disputed?: number;
  cards?: number;
  /** The line below the items that says why they are of another amount. */
  beside?: readonly [label: string, amount: number];
}

const TWO = [
  [33_333, 1],
  [66_668, 3],
] as const;
const THREE = [
  [33_334, 1],
  [33_334, 3],
  [33_333, 6],
] as const;

const inPart = async (amount: number, installments: number, taken: number): Promise<Paid> => {
  const paid = await byCard(amount, installments, false);
  await capture(paid.shop.client, paid.id, { amount: taken });
  return paid;
};

const CASES: Case[] = [
  { name: "a card", pay: () => byCard(10_500, 3), total: 10_500, cards: 1 },
  {
    name: "a hold captured in part",
    pay: () => inPart(10_500, 3, 7_001),
    total: 7_001,
    cards: 1,
    beside: ["Não cobrado", -3_499],
  },
  {
    name: "a hold captured in part, whose first installment has the remainder",
    pay: () => inPart(100_000, 6, 33_333),
    total: 33_333,
    cards: 1,
    beside: ["Não cobrado", -66_667],
  },
  {
    name: "a hold captured in part, and refunded in part",
    pay: () => inPart(10_500, 3, 7_001),
    after: (paid) => refund(paid, 2_000),
    total: 7_001,
    refunded: 2_000,
    cards: 1,
    beside: ["Não cobrado", -3_499],
  },
  { name: "two cards", pay: () => byCards(TWO), total: 100_001, cards: 2 },
  { name: "three cards", pay: () => byCards(THREE), total: 100_001, cards: 3 },
  {
    name: "a card, voided on the day of the payment",
    pay: () => byCard(10_500, 3),
    after: (paid) => refund(paid, 10_500),
    total: 10_500,
    refunded: 10_500,
    cards: 1,
  },
  {
    name: "a card, refunded in two parts later",
    pay: () => byCard(10_500, 3),
    after: async (paid) => {
      await refund(paid, 4_000, LATER);
      await refund(paid, 1_111, LATER);
    },
    total: 10_500,
    refunded: 5_111,
    cards: 1,
  },
  {
    name: "two cards, voided on the day of the payment",
    pay: () => byCards(TWO),
    after: (paid) => voidAll(paid),
    total: 100_001,
    refunded: 100_001,
    cards: 2,
  },
  {
    name: "two cards, one refunded in part before both were voided on the day of the payment",
    pay: () => byCards(TWO),
    after: async (paid) => {
      await refundOfCard(paid, 1, 20_001);
      await voidAll(paid);
    },
    total: 100_001,
    refunded: 100_001,
    cards: 2,
  },
  {
    name: "three cards, refunded later",
    pay: () => byCards(THREE),
    after: (paid) => voidAll(paid, LATER),
    total: 100_001,
    refunded: 100_001,
    cards: 3,
  },
  {
    name: "two cards, of which the capture of one was refused: the other is given back",
    pay: () => byCards(TWO, { outcomes: ["approve", "capture_refused"] }),
    total: 33_333,
    refunded: 33_333,
    cards: 1,
    beside: ["Não cobrado", -66_668],
  },
  {
    name: "a card, disputed in part",
    pay: () => byCard(10_500, 3),
    after: async (paid) => {
      await advance(paid.shop.client, LATER);
      await dispute(paid, paid.id, 2_501);
    },
    total: 10_500,
    disputed: 2_501,
    cards: 1,
  },
  {
    name: "a card, refunded in part and disputed in part",
    pay: () => byCard(10_500, 3),
    after: async (paid) => {
      await refund(paid, 4_000, LATER);
      await dispute(paid, paid.id, 2_501);
    },
    total: 10_500,
    refunded: 4_000,
    disputed: 2_501,
    cards: 1,
  },
  {
    name: "two cards, one disputed in part",
    pay: () => byCards(TWO),
    after: async (paid) => {
      const { payments } = await readPurchase(paid.shop.client, paid.id);
      await dispute(paid, payments[0]?.chargeId ?? "", 2_501);
    },
    total: 100_001,
    disputed: 2_501,
    cards: 2,
  },
  {
    name: "a boleto, paid late as it was asked",
    pay: () => byLateBoleto(11_154),
    total: 11_154,
    beside: ["Multa e juros", 654],
  },
  {
    name: "a boleto, paid on a Saturday as it was asked, and confirmed on the Monday",
    pay: () => byLateBoleto(11_088, { daysLate: 1, isConfirmedLater: true }),
    total: 11_088,
    beside: ["Multa e juros", 588],
  },
  {
    name: "a boleto, paid late with a cent too much",
    pay: () => byLateBoleto(11_155),
    total: 11_155,
    beside: ["Pago a mais", 655],
  },
  {
    name: "a boleto, paid late without its fine",
    pay: () => byLateBoleto(10_000),
    total: 10_000,
    beside: ["Pago a menos", -500],
  },
  { name: "a Pix, paid with more", pay: () => byPix(11_000), total: 11_000, beside: ["Pago a mais", 500] },
  { name: "a Pix, paid with less", pay: () => byPix(10_000), total: 10_000, beside: ["Pago a menos", -500] },
];

async function mailsOf(shop: Shop): Promise<WrittenMail[]> {
  await writeBuyerMails();
  return sendQueued(shop.client.clientId);
}

async function paperOf(shop: Shop, session: SessionReply, id: string) {
  const ctx = await shop.client.context();
  const loaded = await loadPayment(ctx, session.id, id);
  const paper = loaded && (await receiptFile(ctx, loaded.session, loaded.view, "pt-BR"));
  if (!loaded || !paper) throw new Error("no receipt of it");
  return { paper, printed: plain(readPdf(paper).lines), view: loaded.view };
}

describe("what a receipt says adds up, on the page, on paper and in the e-mail", () => {
  test.each(CASES)("$name", async (one) => {
    const { total, refunded = 0, disputed = 0, cards = 0, beside } = one;
    const paid = await one.pay();
    const { shop, session, id } = paid;
    const receipt = (await mailsOf(shop)).find(({ template }) => template === "receipt");
    await one.after?.(paid);
    const later = await mailsOf(shop);

    const page = await (await newBuyer()).open(paymentPathOf(session.id, id));
    const { paper, printed: text, view } = await paperOf(shop, session, id);

    const sums = {
      items: total,
      installments: cards > 0 ? total : 0,
      cards,
      refunded,
      disputed,
      beside: beside ? [beside] : [],
    };
    const [shown, printed] = [ofPage(page.html), ofPaper(paper)];
    expect(firstMoney(/<p class="amount">([\s\S]*?)<\/p>/.exec(page.html)?.[1] ?? "")).toBe(total);
    expect(added(shown, total)).toEqual(sums);
    expect(added(printed, total)).toEqual(sums);
    expect(firstMoney(text)).toBe(total);
    if (refunded > 0 && disputed === 0)
      expect(moneysIn(page.heading)).toEqual(refunded === total ? [refunded] : [refunded, total]);
    if (disputed > 0) {
      expect(moneysIn(page.text).slice(0, 2)).toEqual([disputed, total]);
      expect(text).toMatch(/R\$ 25,01 de R\$ [\d.,]+ foram contestados/);
    }
    // Each refund is told once: together they are what went back.
    const told = later.filter(({ template }) => template === "refund");
    expect(sumOf(told.map(({ subject }) => firstMoney(subject)))).toBe(receipt ? refunded : 0);
    // Which card each line of several belongs to.
    if (view.method === "cards")
      for (const line of [...named(shown, "Devolução"), ...named(printed, "Devolução"), ...named(shown, "Contestação")])
        expect(line).toMatch(/^R\$ [\d.]+,\d\d em .+, (Visa|Mastercard|Elo) final \d{4}$/);
    expect(dayOf(printed)).toBe(dayOf(shown));
    if (!receipt) return;
    const written = ofMail(receipt);
    expect(added(written, total)).toEqual({ ...sums, refunded: 0, disputed: 0 });
    expect(firstMoney(receipt.subject)).toBe(total);
    expect(dayOf(written)).toBe(dayOf(shown));
  });
});

test("a hold on two cards says until when, on the page and on paper, and its date is the authorization's", async () => {
  const { shop, session, id } = await byCards(TWO, { isCaptured: false });
  await advance(shop.client, LATER);
  const page = await (await newBuyer()).open(paymentPathOf(session.id, id));
  const until = /nos seus cartões até (\d+ de .+? de \d{4})\./.exec(page.text)?.[1];
  expect(until).toBeDefined();
  const { printed, view } = await paperOf(shop, session, id);
  expect(printed).toContain(`A reserva vale até ${until}.`);
  expect(saoPauloDay(view.endedAt)).toBe(saoPauloDay(view.createdAt));
});
