import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { type Context, inTransaction, systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { chargedBack } from "@/lib/ledger/journals/charges";
import { payoutCreated, payoutPaid } from "@/lib/ledger/journals/payouts";
import { prepaid } from "@/lib/ledger/journals/prepayment";
import { providerCost, settled } from "@/lib/ledger/journals/settlement";
import { type Draft, post } from "@/lib/ledger/post";
import { allocate, feeOf, feeReturned, prepay } from "@/lib/money";
import { capture, refund } from "@/lib/receivables/book";
import { waitingOf } from "@/lib/receivables/giving-back";
import { captured, refunded } from "@/lib/receivables/movements";
import { releaseDue } from "@/lib/receivables/release";
import { openClient } from "@/lib/testing/api";
import { payByCard, type Shop, withMerchant } from "@/lib/testing/payments";

const CAPTURED_AT = new Date("2026-11-19T15:00:00Z");
/** 30 and 60 days later, on bank days (spec/brazil.md section 5). */
const FIRST = "2026-12-21";
const SECOND = "2027-01-18";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

type Books = Record<string, number>;

interface Run {
  books: Books;
  journals: number;
}

/** spec/money.md section 10: 100.00 in 2 instalments, A 70 with the processing fee, B 30. */
async function referenceRun(refundable: "none" | "mdr"): Promise<Run> {
  const [a, b] = [newId(), newId()];
  const { body: held } = await payByCard(shop, {
    amount: 10_000,
    changes: { paymentMethod: { paymentType: "credit", installments: 2 } },
  });
  const charge = {
    row: {
      id: held.id,
      merchantId: shop.merchant.id,
      currency: "BRL",
      paymentType: "credit",
      installments: 2,
      originalAmount: 10_000,
      capturedAt: null,
    },
    splits: [],
    brand: "Visa",
  };
  const subject = { merchantId: shop.merchant.id, currency: "BRL", chargeId: held.id };
  const before = await booksOf(a, b);
  const ctx = systemContext(await loadAccount(shop.client.clientId), newId());
  const inside = <T>(work: (inner: Context) => Promise<T>) => inTransaction(ctx, work);
  const posting = (...drafts: Draft[]) => inside((inner) => post(inner, drafts));

  const fee = feeOf(10_000, 399, 39);
  expect(fee).toBe(438);
  await posting(
    ...capture(
      captured(charge, newId(), 10_000),
      [
        { party: a, gross: 7_000, processingFee: fee, fares: 0 },
        { party: b, gross: 3_000, processingFee: 0, fares: 0 },
      ],
      CAPTURED_AT,
    ),
  );
  await posting(providerCost(subject, newId(), "VCC", 249));
  await posting(settled(subject, newId(), "VCC", 4_876));
  await releaseDue(ctx, shop.merchant.id, FIRST);
  const batchOfA = { id: newId(), sellerId: a, finalBalance: 2_914, withdrawalFee: 367 };
  await posting(payoutCreated(subject, batchOfA));
  await posting(payoutPaid(subject, batchOfA));
  const price = prepay(1_500, 149, 50, 29);
  expect(price).toEqual({ net: 1_471, fee: 21, markup: 8 });
  const receivableId = await prepayOf(held.id, b, price.fee + price.markup);
  await posting(prepaid(subject, { id: newId(), receivableId, sellerId: b, ...price }));
  const [ofA = 0, ofB = 0] = allocate(2_500, [7_000, 3_000]);
  const returned = refundable === "mdr" ? feeReturned(feeOf(10_000, 399, 0), 7_000, 0, ofA) : 0;
  await inside(async (inner) => {
    const returns = [
      { party: a, amount: ofA, feeReturned: returned },
      { party: b, amount: ofB, feeReturned: 0 },
    ];
    const moment = { at: CAPTURED_AT, waiting: await waitingOf(inner, held.id) };
    await post(inner, [refund(refunded(charge, newId(), 2_500), returns, moment)]);
  });
  await posting(settled(subject, newId(), "VCC", 2_375));
  await releaseDue(ctx, shop.merchant.id, SECOND);
  await posting(chargedBack(subject, `${held.id}:1`, [{ party: a, amount: 7_500 }]));
  const batchOfB = { id: newId(), sellerId: b, finalBalance: 1_854, withdrawalFee: 367 };
  await posting(payoutCreated(subject, batchOfB));
  await posting(payoutPaid(subject, batchOfB));

  const after = await booksOf(a, b);
  const moved = Object.fromEntries(Object.entries(after).map(([kind, sum]) => [kind, sum - (before[kind] ?? 0)]));
  const [row] = await systemSql()<{ journals: number }[]>`
    select count(*)::int as journals from journals where charge_id = ${held.id} and not memo`;
  return { books: moved, journals: row?.journals ?? 0 };
}

/** A receivable of the seller that waits is prepaid, as its commit and its new payment date leave it. */
async function prepayOf(chargeId: string, sellerId: string, cost: number): Promise<string> {
  const [row] = await systemSql()<{ id: string }[]>`
    update receivables set status = 'prepaid', anticipation_fee = ${cost}, available_at = now()
     where charge_id = ${chargeId} and seller_id = ${sellerId} and status = 'waiting_funds' returning id`;
  return row?.id ?? "";
}

/** Balances by account, those of the two sellers by name. Debit +, credit −. */
async function booksOf(a: string, b: string): Promise<Books> {
  const rows = await systemSql()<{ kind: string; seller_id: string | null; balance: number }[]>`
    select a.kind, a.seller_id, sum(p.amount)::float8 as balance
      from postings p join ledger_accounts a on a.id = p.account_id
     where a.merchant_id = ${shop.merchant.id} and not a.memo and (a.seller_id is null or a.seller_id in (${a}, ${b}))
     group by 1, 2`;
  const nameOf = (seller: string | null) => (seller === a ? ":A" : seller === b ? ":B" : "");
  return Object.fromEntries(rows.map(({ kind, seller_id, balance }) => [`${kind}${nameOf(seller_id)}`, balance]));
}

const total = (books: Books): number => Object.values(books).reduce((sum, one) => sum + one, 0);

describe("the reference run of one charge with two sellers", () => {
  test("ends with the balances of the document, in 14 journals", async () => {
    const { books, journals } = await referenceRun("none");
    expect(books).toEqual({
      provider_receivable: 0,
      "seller_pending:A": 0,
      "seller_pending:B": 0,
      "seller_available:A": 5_969,
      "seller_available:B": 0,
      "payout_in_transit:A": 0,
      "payout_in_transit:B": 0,
      bank: -5_017,
      "revenue:platform_fee": -438,
      "revenue:withdrawal_fee": -734,
      "revenue:prepayment": -29,
      "expense:provider_cost": 249,
    });
    expect(total(books)).toBe(0);
    expect(journals).toBe(14);
  });

  test("K2: where the percentage part goes back with a refund, A gives 16.50, B 7.50 and the fee 1.00", async () => {
    const { books, journals } = await referenceRun("mdr");
    expect(books).toMatchObject({
      provider_receivable: 0,
      "seller_pending:A": 0,
      "seller_available:A": 5_869,
      "seller_available:B": 0,
      bank: -5_017,
      "revenue:platform_fee": -338,
    });
    expect(total(books)).toBe(0);
    expect(journals).toBe(14);
  });
});
