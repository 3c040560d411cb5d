import type { MailData, MailTemplate } from "@/lib/mail/templates";

const URL = "https://pay.example/0192f220-0000-7000-8000-000000000001/p/5e1b2c";
const LINK = "https://pay.example/0192f220-0000-7000-8000-000000000001";
const HELD = [
  { brand: "Visa", last4: "1111", amount: 60_00 },
  { brand: "Elo", last4: "4242", amount: 40_00 },
];

const PIX_CODE = "00020126360014BR.GOV.BCB.PIX0114+5511999990000520400005303986540510.005802BR6304ABCD";

const RETURNED = {
  amount: 100_00,
  endToEndId: "E1234567820261120140312345678901",
  at: "2026-11-20T14:03:07.120Z",
};

const SUBSCRIBED = {
  name: "Plano Ouro",
  amount: 49_90,
  interval: "monthly",
  card: { brand: "Visa", last4: "1111" },
  receiptsTo: "an•••@exemplo.com",
  url: "https://pay.example/s/0192f220-0000-7000-8000-000000000002?t=5e1b2c",
} as const;
const BY_BANK = { isByBank: true, card: null, url: null } as const;
const SUBSCRIPTION_PAYMENT = {
  id: "0192f220-0000-7000-8000-000000000009",
  at: "2026-11-20T14:03:07.120Z",
  authorizationCode: "A1B2C3",
  nsu: "000123",
};

/** Of a boleto. */
const LATE = {
  fine: { cents: null, percentage: 2, days: 1 },
  interest: { cents: null, percentage: 1, days: 1 },
  until: "2026-12-01",
};

/** One of each e-mail, as rich as it can be. */
export const MAIL_SAMPLES: { [T in MailTemplate]: readonly MailData<T>[] } = {
  "webhook-failing": [
    {
      accountName: "Loja Azul",
      endpoint: "https://loja.example/avisos",
      event: "transaction.*",
      since: "2026-11-20T14:03:07.120Z",
      lastFailure: "HTTP 503",
      url: "https://trilho.example/dashboard/webhooks/1",
    },
  ],
  "report-ready": [
    {
      accountName: "Loja Azul",
      type: "transactions",
      rows: 73_210,
      since: "2026-11-01T03:00:00.000Z",
      until: "2026-11-21T02:59:59.999Z",
      timezone: "America/Sao_Paulo",
      files: [1, 2].map((page) => ({
        name: `0192f210-0000-7000-8000-000000000001-${page}.csv`,
        url: `https://trilho.example/files/reports/0192f210-0000-7000-8000-000000000001/${page}?token=5e1b2c`,
      })),
      allUrl: "https://trilho.example/files/reports/0192f210-0000-7000-8000-000000000001/files.zip?token=5e1b2c",
      url: "https://trilho.example/dashboard/reports/0192f210-0000-7000-8000-000000000001",
      expiresAt: "2026-12-20T14:03:07.120Z",
    },
    {
      accountName: "Loja Azul",
      type: "receivables",
      rows: 0,
      since: "2026-11-01T03:00:00.000Z",
      until: "2026-11-21T02:59:59.999Z",
      timezone: "America/Sao_Paulo",
      files: [],
      url: "https://trilho.example/dashboard/reports/0192f210-0000-7000-8000-000000000001",
      expiresAt: "2026-12-20T14:03:07.120Z",
    },
  ],
  "report-address": [
    {
      accountName: "Loja Azul",
      url: "https://trilho.example/confirm-address/5e1b2c",
      expiresAt: "2026-11-21T14:03:07.120Z",
    },
  ],
  payout: (["paid", "failed", "returned", "offset"] as const).map((kind) => ({
    kind,
    amount: 6_534,
    day: "2026-11-23",
    accountEnd: "6789",
    reason: kind === "failed" ? "invalid_account" : kind === "returned" ? "account_closed" : null,
    url: "https://trilho.example/files/payment-batches/0192f210-0000-7000-8000-000000000001?until=2026-12-23",
  })),
  "operator-notice": [
    {
      accountName: "Loja Azul",
      kind: "chargeback",
      count: 1,
      notices: [
        {
          id: "1",
          amount: 129_90,
          currency: "BRL",
          at: "2026-11-20T14:03:07.120Z",
          url: "https://trilho.example/dashboard/disputes/1",
        },
      ],
      url: "https://trilho.example/dashboard/disputes/1",
      choicesUrl: "https://trilho.example/dashboard/notices/choices",
    },
    {
      accountName: "Loja Azul",
      kind: "monitor_fired",
      count: 3,
      notices: ["Aprovação", "Sem resposta"].map((name) => ({
        id: name,
        name,
        at: "2026-11-20T14:03:07.120Z",
        url: "https://trilho.example/dashboard/settings/alerts/1",
      })),
      url: "https://trilho.example/dashboard/notices",
      choicesUrl: "https://trilho.example/dashboard/notices/choices",
    },
  ],
  "webhook-disabled": (["gone", "delivery_failures"] as const).map((reason) => ({
    accountName: "Loja Azul",
    endpoint: "https://loja.example/avisos",
    event: "*",
    reason,
    at: "2026-11-20T14:03:07.120Z",
    url: "https://trilho.example/dashboard/webhooks/1",
  })),
  "operator-invitation": [
    {
      accountName: "Loja Azul",
      invitedBy: "Marina Prado",
      role: "finance",
      url: "https://trilho.example/invitations/abc",
      expiresAt: "2026-11-27T14:03:07.120Z",
    },
    {
      accountName: "Loja Azul",
      invitedBy: "Marina Prado",
      role: { name: "Plantão" },
      url: "https://trilho.example/invitations/abc",
      expiresAt: "2026-11-27T14:03:07.120Z",
    },
  ],
  "seller-invitation": [
    {
      sellerName: "Ateliê da Ana",
      url: "https://trilho.example/seller/enter/abc",
      expiresAt: "2026-11-27T15:03:07.120Z",
    },
  ],
  "seller-sign-in": [
    {
      sellerName: "Ateliê da Ana",
      url: "https://trilho.example/seller/enter/abc",
      expiresAt: "2026-11-20T15:18:07.120Z",
    },
  ],
  "seller-review-due": [false, true].map((isReminder) => ({
    sellerName: "Ateliê da Ana",
    url: "https://trilho.example/seller",
    deadline: "2026-12-06T02:59:59.999Z",
    isReminder,
  })),
  "seller-review-closed": (["approved", "rejected", "expired"] as const).map((outcome) => ({
    sellerName: "Ateliê da Ana",
    url: "https://trilho.example/seller",
    outcome,
  })),
  "password-reset": [{ url: "https://trilho.example/reset/abc", expiresAt: "2026-11-20T15:03:07.120Z" }],
  "new-sign-in": [
    {
      at: "2026-11-20T14:03:07.120Z",
      ip: "203.0.113.7",
      device: "Firefox, Linux",
      url: "https://trilho.example/dashboard/settings/security",
    },
  ],
  "pix-code": [
    {
      amount: 123_456,
      orderId: "pedido-7",
      title: "Uniforme do time",
      code: PIX_CODE,
      expiresAt: "2026-11-20T15:03:07.120Z",
      url: URL,
    },
  ],
  boleto: [false, true].map((isReminder) => ({
    amount: 123_456,
    orderId: "pedido-7",
    title: "Uniforme do time",
    digitableLine: "34191.79001 01043.510047 91020.150008 8 99990000123456",
    pixCode: isReminder ? null : PIX_CODE,
    dueOn: "2026-11-30",
    late: isReminder ? LATE : null,
    url: URL,
    isReminder,
    hasFile: true,
  })),
  receipt: [
    {
      paymentId: "0192f220-0000-7000-8000-000000000009",
      status: "paid",
      amount: 100_00,
      at: "2026-11-20T14:03:07.120Z",
      method: "cards",
      orderId: "pedido-7",
      title: "Uniforme do time",
      items: [{ title: "Camiseta", quantity: 2, amount: 100_00 }],
      cards: [
        { ...HELD[0]!, installments: 1, authorizationCode: "A1B2C3", nsu: "000123" },
        { ...HELD[1]!, amount: 40_01, installments: 3, authorizationCode: "D4E5F6", nsu: "000124" },
      ],
      difference: 0,
      url: URL,
    },
    {
      paymentId: "0192f220-0000-7000-8000-000000000009",
      status: "authorized",
      amount: 100_00,
      at: "2026-11-20T14:03:07.120Z",
      method: "card",
      about: "Camisetas com o nome de cada um",
      statement: "LOJA AZUL",
      items: [],
      cards: [{ brand: "Visa", last4: "1111", amount: 100_00, installments: 4 }],
      holdUntil: "2026-11-25T14:03:07.120Z",
      difference: 0,
      url: URL,
    },
    {
      paymentId: "0192f220-0000-7000-8000-000000000009",
      status: "paid",
      amount: 100_00,
      at: "2026-11-20T14:03:07.120Z",
      method: "pix",
      items: [],
      cards: [],
      endToEndId: "E1234567820261120140312345678901",
      difference: 0,
      url: URL,
    },
    {
      paymentId: "0199f0a2-1111-7000-8000-000000000004",
      status: "paid",
      amount: 100_00,
      at: "2026-11-20T14:03:07.120Z",
      method: "pix",
      items: [{ title: "Tênis", quantity: 1, amount: 189_90 }],
      cards: [],
      endToEndId: "E1234567820261120140312345678901",
      difference: -89_90,
      url: URL,
    },
    {
      paymentId: "0199f0a2-1111-7000-8000-000000000005",
      status: "paid",
      amount: 102_00,
      at: "2026-11-20T14:03:07.120Z",
      method: "boleto",
      items: [],
      cards: [],
      digitableLine: "23793.38128 60007.827136 95000.063305 1 84340000010000",
      difference: 2_00,
      url: URL,
    },
  ],
  confirming: [{ amount: 100_00, orderId: "pedido-7", url: URL }],
  confirmation: (["paid", "not_charged"] as const).map((outcome) => ({ outcome, amount: 100_00, url: URL })),
  "holds-released": [
    { amount: 100_00, orderId: "pedido-7", cards: HELD, bankShowsUntil: "2026-11-27", url: LINK },
    {
      amount: 60_00,
      orderId: "pedido-7",
      cards: HELD.slice(0, 1),
      bankShowsUntil: "2026-11-27",
      isByShop: true,
      url: URL,
    },
  ],
  refund: [
    {
      amount: 30_00,
      paidAmount: 100_00,
      refundedAmount: 50_00,
      at: "2026-11-20T14:03:07.120Z",
      method: "card",
      brand: "Visa",
      last4: "1111",
      cards: [],
      orderId: "pedido-7",
      title: "Uniforme do time",
      paymentId: "0192f220-0000-7000-8000-000000000009",
      documents: [
        { kind: "letter", url: `${URL}/letter` },
        { kind: "receipt", url: `${URL}/refund-receipt` },
      ],
      url: URL,
    },
    {
      amount: 100_00,
      paidAmount: 100_00,
      refundedAmount: 100_00,
      at: "2026-11-20T14:03:07.120Z",
      method: "cards",
      cards: HELD,
      orderId: "pedido-7",
      documents: [],
      url: URL,
    },
  ],
  "late-pix-returned": [
    { ...RETURNED, because: "late", url: LINK },
    { ...RETURNED, because: "late_paid", url: LINK },
    { ...RETURNED, because: "late_closed", url: LINK },
    { ...RETURNED, because: "twice", url: URL },
  ],
  "buyer-code": [{ code: "042917", minutes: 10, url: LINK }],
  subscription: [
    { ...SUBSCRIBED, kind: "started", on: "2026-12-04", nextOn: "2026-12-04", cycles: 3, cancel: "shop" },
    { ...SUBSCRIBED, kind: "trialEnds", on: "2026-12-04", nextOn: "2026-12-04", cycles: 3, cancel: "page" },
    { ...SUBSCRIBED, kind: "receipt", nextOn: "2026-12-20", payment: SUBSCRIPTION_PAYMENT },
    { ...SUBSCRIBED, kind: "failed", outlook: "retry", on: "2026-11-21" },
    { ...SUBSCRIBED, kind: "failed", outlook: "ended", card: null },
    { ...SUBSCRIBED, kind: "lastTry", on: "2026-11-27" },
    { ...SUBSCRIBED, kind: "cardExpires", cardUntil: "2026-12-31", nextOn: "2027-01-20" },
    { ...SUBSCRIBED, kind: "failed", outlook: "retry", on: "2026-11-21", ...BY_BANK },
    { ...SUBSCRIBED, kind: "failed", outlook: "ended", ...BY_BANK },
    { ...SUBSCRIBED, kind: "lastTry", on: "2026-11-27", ...BY_BANK },
    { ...SUBSCRIBED, kind: "canceled", url: null, receiptsTo: null },
    { ...SUBSCRIBED, kind: "cardLink" },
    { ...SUBSCRIBED, kind: "freshLink" },
  ],
  "new-link": [{ amount: 100_00, orderId: "pedido-7", message: "Prontinho, pode pagar por aqui!", url: LINK }],
};
