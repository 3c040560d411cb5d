import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { PaymentPage } from "@/components/checkout/payment-page";
import { NO_COLOURS } from "@/lib/branding/palette";
import { LIVE_STATES } from "@/lib/checkout/live-states";
import { type SampleLink, type SampleState, sampleOf } from "@/lib/checkout/samples";
import type { Frame, PaymentView } from "@/lib/checkout/view";
import { textOf } from "@/lib/testing/buyer";

const AT = new Date("2026-11-20T15:00:00Z");
const PIX = { paymentType: "pix", expiresIn: 3_600 };
const CREDIT = { paymentType: "credit", installments: 1 };
const NUPAY = { paymentType: "nupay" };
const BOLETO = { paymentType: "boleto", expiresDate: "2026-12-01" };

const ORDER = {
  amount: 10_001,
  currency: "BRL",
  title: "Tênis",
  description: null,
  statement: null,
  items: [],
  adjustment: 0,
  dueAt: null,
  orderId: null,
};

const FRAME: Frame = {
  locale: "en",
  nonce: "n",
  base: "/pay/link",
  languages: { "pt-BR": "?lang=pt-BR", en: "?lang=en" },
  shop: { name: "Mercado", logo: null, siteUrl: null, supportEmail: null, colours: NO_COLOURS },
  isSandbox: false,
  isEmbedded: false,
  scheme: null,
  embedder: null,
  script: (name) => `/${name}.js`,
  currency: "BRL",
};

type Shown = [
  state: SampleState,
  methods: SampleLink["methods"],
  changes?: Partial<PaymentView>,
  frame?: Partial<Frame>,
];
const shown = (...of: Shown): string => textOf(drawn(...of));

const LINK = {
  amount: 10_001,
  name: "Tênis",
  item: "Tênis",
  orderId: "A-77",
  dueAt: null,
  captcha: false,
  takesSeveralCards: false,
  subscription: null,
};

function drawn(...[state, methods, changes = {}, frame = {}]: Shown): string {
  const sample = sampleOf(state, { ...LINK, methods }, AT);
  if (sample.kind !== "payment") throw new Error("not a payment");
  const view = { ...sample.view, ...changes };
  return renderToStaticMarkup(<PaymentPage frame={{ ...FRAME, ...frame }} view={view} />);
}

const CARD = {
  index: 0,
  brand: "Visa",
  last4: "0002",
  amount: 10_001,
  installments: 1,
  authorizationCode: null,
  nsu: null,
  refusal: null,
};

test("a hold that was released is named by its card, its amount and its order", () => {
  const held = (word: "released" | "paid") =>
    shown("payment.canceled", [CREDIT], {
      state: "canceled",
      method: "credit",
      cards: [{ ...CARD, word }],
      order: { ...ORDER, orderId: "A-1001" },
    });
  expect(held("released")).toContain("This amount is no longer held");
  expect(held("released")).toContain("Visa ending in 0002 R$100.01 Order A-1001");
  expect(held("paid")).not.toContain("no longer held");
});

test("a page that says that an amount is held hears how that ends", () => {
  expect(LIVE_STATES.has("authorised")).toBe(true);
});

const TRIAL = {
  interval: "monthly",
  amount: 10_001,
  cycles: null,
  trialDays: 7,
  firstOn: "2026-11-27",
  nextOn: "2026-12-27",
  nextChargeOn: "2026-11-27",
  page: null,
  receiptsTo: null,
} as const;

describe("another method is offered where the link has one", () => {
  test.each([
    ["payment.pix", PIX],
    ["payment.pixExpired", PIX],
    ["payment.boleto", BOLETO],
    ["payment.wallet", NUPAY],
    ["payment.walletExpired", NUPAY],
  ] as const)("%s", (state, own) => {
    const other = /Choose another method|choose another method/;
    expect(shown(state, [own])).not.toMatch(other);
    expect(shown(state, [own, CREDIT])).toMatch(other);
  });
});

test.each(["payment.declined", "payment.released"] as const)(
  "%s on a link that takes no other payment leads to what became of it",
  (state) => {
    const over = { canPayAgain: false };
    expect(shown(state, [CREDIT, PIX], over)).toContain("See the payment link");
    // Inside the shop's page nobody was sent a link.
    const embedded = { isEmbedded: true, embedder: "https://loja.example" };
    expect(shown(state, [CREDIT, PIX], over, embedded)).not.toContain("link");
  },
);

test("a trial is called no payment while its card is checked, or its code is made", () => {
  const card = { ...TRIAL };
  expect(shown("payment.processing", [CREDIT], { plan: card })).toContain("Checking your card");
  expect(shown("payment.processing", [CREDIT], { plan: card, method: "pix" })).toContain("Preparing your code");
  expect(shown("payment.processing", [CREDIT])).toContain("Processing your payment");
});

test("what was not charged is told of the day it began, whenever it is read", () => {
  expect(shown("payment.started", [CREDIT], { plan: TRIAL })).toContain("Nothing was charged when you subscribed.");
});

test.each([
  "payment.pixExpired",
  "payment.pixLate",
  "payment.boletoClosed",
  "payment.walletExpired",
  "payment.canceled",
  "payment.mandateEnded",
] as const)("%s says what it was about", (state) => {
  const page = shown(state, [PIX, BOLETO, NUPAY]);
  for (const told of ["Tênis", "Order A-77", "R$100.01"]) expect(page).toContain(told);
});

test("the way to a wallet names the wallet, the amount and the order", () => {
  const page = shown("payment.wallet", [NUPAY]);
  expect(page).toContain("Pay R$100.01 with NuPay");
  expect(page).toContain("Order A-77");
  expect(page).toContain("Continue at wallet.example");
});

test("the code that authorizes a trial says how many charges there are, and what a simulated bank does", () => {
  const plan = { ...TRIAL, cycles: 10 };
  expect(shown("payment.mandate", [PIX], { plan })).toContain("10 charges in all");
  expect(shown("payment.mandate", [PIX], { plan: { ...plan, cycles: 1, nextOn: null } })).not.toContain("in all");
  const simulated = "Test environment: the simulated bank answers by itself after a few seconds.";
  expect(shown("payment.mandate", [PIX], { plan }, { isSandbox: true })).toContain(simulated);
  expect(shown("payment.mandate", [PIX], { plan })).not.toContain(simulated);
});

test("what is typed for a subscription that a bank pays is used for it, and not for one payment", () => {
  const page = shown("payment.mandate", [PIX], { plan: TRIAL });
  expect(page).toContain("Your data is used only for this subscription.");
  expect(page).not.toContain("for this payment only");
});

test("a receipt tells what the shop wrote of the order apart from its items", () => {
  const html = drawn("payment.paid", [CREDIT], { order: { ...ORDER, description: "Size 42, blue" } });
  expect(html).toContain("<dt>Details</dt><dd>Size 42, blue</dd>");
  expect(html.match(/Size 42, blue/g)).toHaveLength(1);
});

test("amounts and numbers beside their names are whole on a narrow phone, and long codes may break", () => {
  const cards = [{ ...CARD, word: "paid" as const, installments: 3, authorizationCode: "A1B2C3", nsu: "688395" }];
  const refunds = [{ amount: 4_000, at: AT }];
  const receipt = drawn("payment.partlyRefunded", [CREDIT], { cards, refunds });
  const two = drawn("payment.partlyRefunded", [CREDIT], {
    method: "cards",
    cards: [...cards, { ...CARD, index: 1, word: "paid" as const }],
  });
  const hold = drawn("payment.canceled", [CREDIT], { method: "credit", cards: [{ ...CARD, word: "released" }] });
  const slip = sampleOf("payment.boletoOverdue", { ...LINK, methods: [BOLETO] }, AT);
  const boleto = slip.kind === "payment" && slip.view.boleto ? { ...slip.view.boleto, owed: 10_714 } : null;
  const overdue = drawn("payment.boletoOverdue", [BOLETO], { boleto });
  const bank = drawn("payment.authenticate", [CREDIT], { cards });
  for (const [html, told] of [
    [receipt, ["A1B2C3", "688395", "R$40.00", "R$33.35"]],
    [two, ["688395", "R$100.01"]],
    [hold, ["R$100.01"]],
    [overdue, ["R$100.01", "R$107.14", "Nov"]],
    [bank, ["R$100.01", "R$33.35"]],
  ] as const) {
    const cells = [...html.matchAll(/<dd( class="[^"]*")?>([^<]*)</g)];
    for (const each of told) {
      const [, kind] = cells.find(([, , text = ""]) => text.includes(each)) ?? [];
      expect([each, kind]).toEqual([each, expect.stringMatching(/whole|sums/)]);
    }
  }
  const endToEndId = "E12345678202611201500aBcDeFgHiJk";
  expect(drawn("payment.paid", [PIX], { endToEndId })).toContain(`<dd>${endToEndId}</dd>`);
});

test("how long it takes is one sentence, which gives way to the next", () => {
  // components/checkout/islands/live.ts hides the first where it shows the second.
  expect(drawn("payment.processing", [CREDIT])).toContain('<p id="soon">This takes a few seconds.</p>');
});

test("the shop's site is linked once", () => {
  const shop = { name: "Mercado", logo: null, siteUrl: "https://m.example", supportEmail: null, colours: NO_COLOURS };
  const links = (state: SampleState, changes: Partial<PaymentView> = {}) =>
    drawn(state, [CREDIT, PIX], changes, { shop }).match(/https:\/\/m\.example/g);
  expect(links("payment.review")).toHaveLength(1);
  expect(links("payment.paid", { difference: 100, method: "pix", cards: [] })).toHaveLength(1);
  expect(links("payment.paid")).toHaveLength(1);
});

test("a price of one of many keeps its digits together", () => {
  const items = [{ name: "Tênis", quantity: 12, unitPrice: 12_345_678 }];
  const html = drawn("payment.pix", [PIX], { order: { ...ORDER, items } });
  expect(html.replaceAll("\u00a0", " ")).toContain('<small class="each"> 12 × R$123,456.78</small>');
});

test.each([
  ["en", "The amount is held on your cards until Nov 25, 2026.", "The amount is held on your card until Nov 25, 2026."],
  [
    "pt-BR",
    "O valor fica reservado nos seus cartões até 25 de nov. de 2026.",
    "O valor fica reservado no seu cartão até 25 de nov. de 2026.",
  ],
] as const)("in %s a hold on two cards is told of both, and until when", (locale, several, single) => {
  const word = "paid" as const;
  const hold = (...cards: PaymentView["cards"]) =>
    shown("payment.authorised", [CREDIT], { cards, holdUntil: new Date("2026-11-25T15:00:00Z") }, { locale });
  expect(hold({ ...CARD, word }, { ...CARD, index: 1, word })).toContain(several);
  expect(hold({ ...CARD, word })).toContain(single);
});

test("a dispute is told with its own day and, of a part, with its amount", () => {
  const at = new Date("2026-12-02T15:00:00Z");
  const disputed = (amount: number) => shown("payment.disputed", [CREDIT], { disputes: [{ amount, at }] });
  expect(disputed(2_501)).toContain("R$25.01 of R$100.01 was disputed with the bank on Dec 2, 2026.");
  expect(disputed(10_001)).toContain("This payment was disputed with the bank on Dec 2, 2026.");
  expect(disputed(2_501)).toContain("Dispute R$25.01 on Dec 2, 2026");
});

test("of a hold captured in part the receipt says what was charged of what was authorized", () => {
  const order = { ...ORDER, items: [{ name: "Tênis", quantity: 1, unitPrice: 10_001 }] };
  const page = shown("payment.paid", [CREDIT], { order, amount: 7_001, notCharged: 3_000 });
  expect(page).toContain("The shop charged R$70.01 of the R$100.01 authorized. The rest will not be charged.");
  expect(page).toContain("Not charged -R$30.00");
  expect(page).not.toContain("received in part");
});

test.each([
  [["0002", "0002"], "The refund goes to your card."],
  [["0002", "0007"], "The refund goes to the cards used for this payment."],
])("what goes back to cards %j is told of as many as there are", (numbers, told) => {
  const refunds = numbers.map((last4) => ({ amount: 1_000, at: AT, card: { brand: "Visa", last4 } }));
  expect(shown("payment.partlyRefunded", [CREDIT], { method: "cards", refunds })).toContain(told);
});
