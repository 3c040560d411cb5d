import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { inTransaction } from "@/lib/context";
import { newId } from "@/lib/ids";
import { addRate } from "@/lib/sale-plans/operator-service";
import { openClient, type TestClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";
import {
  addProvider,
  type ChargeReply,
  cardData,
  openToken,
  payByBoleto,
  payByCard,
  payByPix,
  type Shop,
  withMerchant,
} from "@/lib/testing/payments";
import { bought, buy } from "@/lib/testing/purchases";
import { newSeller, openSellers } from "@/lib/testing/sellers";
import { newSession } from "@/lib/testing/sessions";

/** Debit +, credit −, by kind of account and seller; accounts at zero are left out. */
async function booksOf(client: TestClient, names: Record<string, string>): Promise<Record<string, number>> {
  const rows = await systemSql()<{ kind: string; seller: string | null; balance: number }[]>`
    select a.kind, a.seller_id as seller, sum(p.amount)::float8 as balance
      from postings p join ledger_accounts a on a.id = p.account_id
     where a.client_id = ${client.clientId} and not a.memo group by 1, 2 having sum(p.amount) <> 0`;
  const books = rows.map(({ kind, seller, balance }) => [seller ? `${kind}:${names[seller]}` : kind, balance] as const);
  expect(books.reduce((sum, [, balance]) => sum + balance, 0)).toBe(0);
  return Object.fromEntries(books);
}

interface Split extends Shop {
  a: string;
  b: string;
  names: Record<string, string>;
}

async function withSellers(changes: Record<string, unknown> = {}): Promise<Split> {
  const shop = await withMerchant(await openClient());
  // What is released stays: no transfer takes it.
  const transferPolicy = { transferInterval: "daily", transferDay: 0, transferEnabled: false };
  const [a = "", b = ""] = await openSellers(shop.client, shop.merchant.id, 2, { transferPolicy, ...changes });
  return { ...shop, a, b, names: { [a]: "A", [b]: "B" } };
}

const pay = (shop: Shop, splitRules: unknown[], changes: Record<string, unknown> = {}) =>
  payByCard(shop, { amount: 10_000, capture: true, changes: { splitRules, ...changes } });
const inTwo = { paymentMethod: { paymentType: "credit", installments: 2 } };
const advance = (client: TestClient, by: string) => client.make("POST", "/v1/sandbox/clock", { body: { advance: by } });
const giveBack = (client: TestClient, id: string, body: Record<string, unknown> = {}) =>
  client.call<ChargeReply>("POST", `/v1/charges/${id}/void`, { body });

describe("a split sale in two instalments, with the prices of the default plan (4.59 % + 0.39)", () => {
  test("capture, refund, chargeback lost and won, and the rest given back: every cent where it belongs", async () => {
    const shop = await withSellers();
    const { client, a, b, names } = shop;
    const rules = [
      { sellerId: a, amount: 7_000, processingFee: true, liable: true },
      { sellerId: b, amount: 3_000 },
    ];
    const { body: charge } = await pay(shop, rules, inTwo);
    expect(charge).toMatchObject({
      status: "authorized",
      splitRules: [
        { sellerId: a, amount: 7_000, liable: true },
        { sellerId: b, liable: false },
      ],
    });
    expect(await booksOf(client, names)).toEqual({
      provider_receivable: 10_000,
      "seller_pending:A": -6_502,
      "seller_pending:B": -3_000,
      "revenue:platform_fee": -498,
    });
    const [due] = await systemSql()`
      select array_agg(gross::int order by seller_id = ${b}, installment) as gross,
             array_agg(fee::int order by seller_id = ${b}, installment) as fee from receivables where charge_id = ${charge.id}`;
    expect([due?.gross, due?.fee]).toEqual([
      [3_500, 3_500, 1_500, 1_500],
      [249, 249, 0, 0],
    ]);

    expect((await giveBack(client, charge.id, { amount: 2_500 })).body.refundedAmount).toBe(2_500);
    const afterRefund = {
      provider_receivable: 7_500,
      "seller_pending:A": -4_867,
      "seller_pending:B": -2_250,
      "revenue:platform_fee": -383,
    };
    expect(await booksOf(client, names)).toEqual(afterRefund);

    await client.make("POST", `/v1/sandbox/charges/${charge.id}/chargeback`, { body: { amount: 5_000 } });
    expect(await booksOf(client, names)).toEqual({ ...afterRefund, "seller_available:A": 5_000, bank: -5_000 });
    await client.make("POST", `/v1/sandbox/charges/${charge.id}/chargeback/reverse`, { body: {} });
    expect(await booksOf(client, names)).toEqual(afterRefund);

    // The fixed part of the fee stays: A has it no more, and may owe nothing, so the merchant bears it.
    expect((await giveBack(client, charge.id)).body.status).toBe("voided");
    expect(await booksOf(client, names)).toEqual({ "revenue:platform_fee": -39, merchant_available: 39 });
  });

  test("one cent at a time to zero leaves nothing with anybody", async () => {
    const shop = await withSellers();
    const rules = [
      { sellerId: shop.a, percentage: 33, fares: { mdr: 7.5 } },
      { sellerId: shop.b, percentage: 33, chargeRemainderFee: true },
    ];
    const { body: charge } = await pay(shop, rules, { amount: 23 });
    for (let cent = 0; cent < 23; cent++)
      expect((await giveBack(shop.client, charge.id, { amount: 1 })).status).toBe(201);
    expect(await booksOf(shop.client, shop.names)).toEqual({});
  });

  test("what was released is taken from what is available, down to what the seller may owe", async () => {
    const shop = await withSellers({ minNegativeBalance: 500 });
    const { client, a, b, names } = shop;
    const { body: charge } = await pay(shop, [
      { sellerId: a, percentage: 60 },
      { sellerId: b, percentage: 40 },
    ]);
    await advance(client, "P40D");
    expect(await booksOf(client, names)).toMatchObject({ "seller_available:A": -6_000, "seller_available:B": -4_000 });
    const { body: other } = await pay(shop, [{ sellerId: a, percentage: 100, liable: true }]);
    await client.make("POST", `/v1/sandbox/charges/${other.id}/chargeback`, { body: {} });
    // A owes 4,000 now and may owe 500: of the refund's 6,000 nothing can be taken, and the merchant bears them.
    await giveBack(client, charge.id);
    expect(await booksOf(client, names)).toMatchObject({ "seller_available:A": 4_000, merchant_available: 6_000 });
  });
});

test("of a seller that has nothing the merchant bears the refund, and of its fee no more comes back than can", async () => {
  const shop = await withSellers();
  const { client, a, names } = shop;
  const { body: charge } = await pay(shop, [{ sellerId: a, percentage: 60, processingFee: true }]);
  await advance(client, "P40D");
  const { body: other } = await pay(shop, [{ sellerId: a, percentage: 100, liable: true }]);
  await client.make("POST", `/v1/sandbox/charges/${other.id}/chargeback`, { body: {} });
  for (const amount of [5_000, 2_500, 2_500]) await giveBack(client, charge.id, { amount });
  const books = await booksOf(client, names);
  // 3.99 % of 100.00 goes back in the end, 0.39 stays.
  expect(books).toMatchObject({ "revenue:platform_fee": -39, "seller_available:A": 4_438 });
});

test("a fee that grew above the share is cut to it, and the rest is the merchant's own", async () => {
  const shop = await withSellers();
  const { client, a, names } = shop;
  const held = await payByCard(shop, {
    amount: 10_000,
    changes: { splitRules: [{ sellerId: a, percentage: 5, processingFee: true }] },
  });
  const [plan] = await systemSql()<{ id: string }[]>`select id from sale_plans where client_id = ${client.clientId}`;
  const rate = { paymentMethod: "credit", installmentFrom: 1, installmentTo: 1, refundable: "mdr" } as const;
  const dear = { ...rate, percentage: 1_000, fixedAmount: 39, effectiveFrom: saoPauloDay(new Date()) };
  await inTransaction(await client.context(), (inside) =>
    addRate(inside, plan?.id ?? "", { ...dear, brand: undefined }),
  );
  await client.make("POST", `/v1/charges/${held.body.id}/capture`, { body: {} });
  expect(await booksOf(client, names)).toEqual({
    provider_receivable: 10_000,
    merchant_pending: -(9_500 - 539),
    "revenue:platform_fee": -1_039,
  });
  const [own] = await systemSql()`
    select sum(fee)::int as fee from receivables where charge_id = ${held.body.id} and seller_id is null`;
  expect(own?.fee).toBe(539);
});

describe("refunds by rule", () => {
  test("each seller gives what the rule says, the merchant the rest; no more than it has", async () => {
    const shop = await withSellers();
    const { client, a, b, names } = shop;
    const { body: charge } = await pay(shop, [
      { sellerId: a, amount: 5_000 },
      { sellerId: b, amount: 3_000 },
    ]);
    const parts = (...splitRules: unknown[]) => ({ amount: 2_500, splitRules });
    const codeOf = async (body: Record<string, unknown>) =>
      (await giveBack(client, charge.id, body)).error?.businessCode;
    expect(await codeOf(parts({ sellerId: a, amount: 2_501 }))).toBe("split_total_exceeded");
    expect(await codeOf(parts({ sellerId: newId(), amount: 1 }))).toBe("seller_not_found");
    expect(await codeOf({ amount: 4_000, splitRules: [{ sellerId: b, amount: 3_001 }] })).toBe(
      "amount_exceeds_remaining",
    );
    expect((await giveBack(client, charge.id, parts({ sellerId: b, amount: 2_000 }))).body.refundedAmount).toBe(2_500);
    expect(await booksOf(client, names)).toEqual({
      provider_receivable: 7_500,
      "seller_pending:A": -5_000,
      "seller_pending:B": -1_000,
      merchant_pending: -1_500,
    });
    expect(await codeOf({ amount: 2_000, splitRules: [{ sellerId: b, amount: 1_001 }] })).toBe(
      "amount_exceeds_remaining",
    );
  });

  test("after its days a seller gives nothing back: refused by rule, the merchant's without", async () => {
    const shop = await withSellers({ maxRefundDays: 2 });
    const { client, a, names } = shop;
    const { body: charge } = await pay(shop, [{ sellerId: a, amount: 5_000 }]);
    await advance(client, "P4D");
    const byRule = await giveBack(client, charge.id, { amount: 100, splitRules: [{ sellerId: a, amount: 100 }] });
    expect(byRule.error).toMatchObject({ businessCode: "refund_window_expired", details: [a] });
    await giveBack(client, charge.id, { amount: 4_000 });
    expect(await booksOf(client, names)).toMatchObject({ "seller_pending:A": -5_000, merchant_pending: -1_000 });
  });
});

describe("who may share", () => {
  test.each([
    [
      "both modes",
      (a: string, b: string) => [
        { sellerId: a, amount: 1 },
        { sellerId: b, percentage: 1 },
      ],
      "split_rules_mixed",
    ],
    [
      "more than there is",
      (a: string, b: string) => [
        { sellerId: a, percentage: 60 },
        { sellerId: b, percentage: 40.01 },
      ],
      "split_total_exceeded",
    ],
    ["three decimals", (a: string) => [{ sellerId: a, percentage: 1.005 }], undefined],
    ["more fees than share", (a: string) => [{ sellerId: a, amount: 10, processingFee: true }], undefined],
  ])("%s is refused, and nothing is written", async (_name, rulesOf, code) => {
    const shop = await withSellers();
    const reply = await pay(shop, rulesOf(shop.a, shop.b));
    expect([reply.status, reply.error?.businessCode]).toEqual([400, code]);
    if (code === undefined) expect(reply.error?.details[0]).toContain("splitRules.0");
    expect((await shop.client.make<List>("GET", "/v1/charges")).meta.totalItems).toBe(0);
  });

  test("not a seller of another merchant, one that is switched off, one still pending", async () => {
    const shop = await withSellers();
    const elsewhere = await withMerchant(shop.client);
    const [foreign = ""] = await openSellers(shop.client, elsewhere.merchant.id, 1);
    await shop.client.make("PATCH", `/v1/sellers/${shop.b}`, { body: { status: "inactive" } });
    const { id: pending } = await shop.client.make("POST", "/v1/sellers", {
      body: newSeller(shop.merchant.id, { createAsync: true }),
    });
    for (const sellerId of [foreign, shop.b, pending, newId()]) {
      const reply = await pay(shop, [{ sellerId, percentage: 10 }]);
      expect(reply.error).toMatchObject({ businessCode: "seller_not_found", details: [sellerId] });
    }
  });

  test("not one that is blocked, nor more than 100: on charges, links and purchases; nothing is written", async () => {
    const shop = await withSellers();
    const { client, a } = shop;
    await client.make("POST", `/v1/sellers/${a}/registration-reviews`, { body: { requestedFields: ["owner.name"] } });
    await advance(client, "P20D");
    expect(await client.make("GET", `/v1/sellers/${a}`)).toMatchObject({ status: "blocked" });
    const many = Array.from({ length: 101 }, () => ({ sellerId: newId(), percentage: 1 }));
    for (const [splitRules, told] of [
      [[{ sellerId: a, percentage: 10 }], a],
      [many, "splitRules"],
    ] as const) {
      const session = newSession(shop, { splitRules });
      const replies = [
        await pay(shop, [...splitRules]),
        await client.call("POST", "/v1/sessions", { body: session }),
        await buy(shop, { changes: { splitRules } }),
      ];
      expect(replies.map(({ status }) => status)).toEqual([400, 400, 400]);
      for (const { error } of replies) expect(error?.details[0]).toMatch(new RegExp(`^(${told}|splitRules)`));
    }
    const [written] = await systemSql()`
      select (select count(*) from charges where client_id = ${client.clientId})::int as charges,
             (select count(*) from sessions where client_id = ${client.clientId})::int as sessions,
             (select count(*) from purchases where client_id = ${client.clientId})::int as purchases`;
    expect(written).toEqual({ charges: 0, sessions: 0, purchases: 0 });
  });

  test("a provider where one of them is not registered is left out", async () => {
    const shop = await withMerchant(await openClient());
    await addProvider(shop, { priority: 2 });
    const partial = await shop.client.make("POST", "/v1/sellers", { body: newSeller(shop.merchant.id, {}, 6) });
    await advance(shop.client, "PT10S");
    const paid = await pay(shop, [{ sellerId: partial.id, percentage: 10 }]);
    expect(paid.body).toMatchObject({ status: "authorized" });
    const declined = await payByCard(shop, {
      amount: 10_000,
      outcome: "decline:try_again",
      changes: { splitRules: [{ sellerId: partial.id, percentage: 10 }] },
    });
    expect(
      declined.body.transactionRequests.filter(({ requestType }) => requestType === "pre_authorization"),
    ).toHaveLength(1);
  });

  test("a rule says what it says, else its seller's own terms hold; a session's rules too", async () => {
    const shop = await withSellers({ processingFee: true, liable: true, fareMdr: 2.5, fareFee: 10 });
    const { body: charge } = await pay(shop, [
      { sellerId: shop.a, percentage: 50 },
      { sellerId: shop.b, percentage: 10, liable: false, fares: { mdr: 0 } },
    ]);
    expect(charge.splitRules).toMatchObject([
      { processingFee: true, liable: true, fareMdr: 2.5, fareFee: 10 },
      { processingFee: true, liable: false, fareMdr: 0, fareFee: 10 },
    ]);
    const session = await shop.client.make("POST", "/v1/sessions", {
      body: {
        merchantId: shop.merchant.id,
        paymentMethods: [{ paymentType: "credit", installments: 1 }],
        items: [{ name: "Mesa", unitPrice: 10_000, quantity: 1 }],
        splitRules: [{ sellerId: shop.a, percentage: 50 }],
      },
    });
    expect(session.splitRules).toMatchObject([{ processingFee: true, liable: true, fareMdr: 2.5, fareFee: 10 }]);
    const tokenId = await openToken(shop.client, cardData());
    const paid = await shop.client.make("POST", `/v1/sessions/${session.id}/charge`, {
      body: {
        paymentMethod: { paymentType: "credit", installments: 1 },
        paymentSource: { sourceType: "token", tokenId },
      },
    });
    expect(await shop.client.make("GET", `/v1/charges/${paid.id}`)).toMatchObject({ splitRules: [{ fareMdr: 2.5 }] });
    await shop.client.make("PATCH", `/v1/sellers/${shop.a}`, { body: { status: "inactive" } });
    const other = await shop.client.make("POST", "/v1/sessions", {
      body: {
        merchantId: shop.merchant.id,
        paymentMethods: [{ paymentType: "credit", installments: 1 }],
        items: [{ name: "Mesa", unitPrice: 10_000, quantity: 1 }],
      },
    });
    expect(other.splitRules).toEqual([]);
  });
});

describe("other ways to pay", () => {
  test("a Pix that was paid with more: amounts as agreed, the surplus the merchant's; its return is borne by who is liable", async () => {
    const shop = await withSellers();
    const { client, a, names } = shop;
    const changes = { splitRules: [{ sellerId: a, amount: 4_000, liable: true }] };
    const { body: charge } = await payByPix(shop, { amount: 10_000, changes });
    await client.make("POST", `/v1/sandbox/pix/${charge.id}/pay`, { body: { amount: 11_000 } });
    expect(await booksOf(client, names)).toEqual({
      provider_receivable: 11_000,
      "seller_pending:A": -4_000,
      merchant_pending: -7_000,
    });
    await client.make("POST", `/v1/sandbox/pix/${charge.id}/med`, { body: { amount: 1_000 } });
    expect(await booksOf(client, names)).toMatchObject({ provider_receivable: 10_000, "seller_available:A": 1_000 });
  });

  test("a boleto that was paid with less: amounts in proportion", async () => {
    const shop = await withSellers();
    const { client, a, b, names } = shop;
    const splitRules = [
      { sellerId: a, amount: 5_000 },
      { sellerId: b, amount: 3_000 },
    ];
    const { body: charge } = await payByBoleto(shop, { amount: 10_000, changes: { splitRules } });
    await client.make("POST", `/v1/sandbox/boletos/${charge.id}/pay`, { body: { amount: 9_000 } });
    expect(await booksOf(client, names)).toEqual({
      provider_receivable: 9_000,
      "seller_pending:A": -4_500,
      "seller_pending:B": -2_700,
      merchant_pending: -1_800,
    });
  });

  test("half of a hold captured: percentages anew, and the platform fee on what was captured", async () => {
    const shop = await withSellers();
    const { client, a, names, merchant } = shop;
    await client.make("PATCH", `/v1/merchants/${merchant.id}/platform-fee/enabled`, { body: { enabled: true } });
    await client.make("POST", `/v1/merchants/${merchant.id}/platform-fee`, {
      body: [{ paymentMethod: "default", percentage: 3, fixedAmount: 10 }],
    });
    const held = await payByCard(shop, {
      amount: 10_000,
      changes: { splitRules: [{ sellerId: a, percentage: 50, processingFee: true }] },
    });
    expect(held.body).toMatchObject({ platformFee: { amount: 310, percentage: 3, fixedAmount: 10 } });
    const captured = await client.make("POST", `/v1/charges/${held.body.id}/capture`, { body: { amount: 5_001 } });
    expect(await client.make("GET", `/v1/charges/${captured.id}`)).toMatchObject({ platformFee: { amount: 160 } });
    expect(await booksOf(client, names)).toEqual({
      provider_receivable: 5_001,
      "seller_pending:A": -(2_501 - 160),
      merchant_pending: -2_500,
      "revenue:platform_fee": -160,
    });
  });

  test("two cards: exact for every seller and every card", async () => {
    const shop = await withSellers();
    const { client, a, b, names } = shop;
    const splitRules = [
      { sellerId: a, percentage: 33, processingFee: false, liable: true },
      { sellerId: b, percentage: 33, processingFee: false, liable: false },
    ];
    const purchase = await bought(shop, { capture: true, changes: { splitRules } });
    expect(purchase).toMatchObject({ status: "paid" });
    const [cards] = await systemSql()`
      select count(*)::int as n, sum(r.gross)::int as gross, sum(distinct c.captured_amount)::int as taken
        from receivables r join charges c on c.id = r.charge_id where c.purchase_id = ${purchase.id}`;
    expect(cards?.gross).toBe(cards?.taken);
    const books = await booksOf(client, names);
    expect(books["seller_pending:A"]).toBe(-Math.round((cards?.gross ?? 0) * 0.33));
    expect(books["seller_pending:B"]).toBe(books["seller_pending:A"]);
  });
});
