import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { systemSql } from "@/db/client";
import { merchantDay } from "@/lib/bank-day/merchant-day";
import { nextBankDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { inTransaction } from "@/lib/context";
import { newId } from "@/lib/ids";
import { balancesOf, checkpoint } from "@/lib/ledger/checkpoints";
import { post } from "@/lib/ledger/post";
import { instalments, sumOf } from "@/lib/money";
import { paymentArrangementOf, receivableAccountOf } from "@/lib/receivables/arrangement";
import { readDrafts } from "@/lib/receivables/book";
import { givingBack } from "@/lib/receivables/giving-back";
import { refundMovement } from "@/lib/receivables/movements";
import { releaseDue } from "@/lib/receivables/release";
import { receivablesOf } from "@/lib/receivables/shares";
import { openClient, type TestClient } from "@/lib/testing/api";
import { payByBoleto, payByCard, payByPix, type Shop, voidIt, withMerchant } from "@/lib/testing/payments";

interface Row {
  type: string;
  status: string;
  installment: number | null;
  gross: number;
  date: string;
  reduces: number | null;
}

const receivablesIn = (chargeId: string): Promise<Row[]> => systemSql()<Row[]>`
  select r.type, r.status, r.installment, r.gross::int as gross, r.payment_date::text as date, c.installment as reduces
    from receivables r left join receivables c on c.id = r.reduces
   where r.charge_id = ${chargeId} order by r.type, r.installment, r.gross`;

/** Balances of a merchant by kind of account; debit +, credit −. */
async function booksOf({ merchant }: Shop): Promise<Record<string, number>> {
  const rows = await systemSql()<{ kind: string; balance: number }[]>`
    select a.kind, sum(p.amount)::int as balance from postings p join ledger_accounts a on a.id = p.account_id
     where a.merchant_id = ${merchant.id} and not a.memo group by 1 having sum(p.amount) <> 0`;
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, balance]));
}

const broken = async (client: TestClient) => {
  const report = await client.make<{ invariants: { id: string; violations: number; ids: string[] }[] }>(
    "GET",
    "/v1/invariants",
  );
  return report.invariants.filter(({ violations }) => violations > 0);
};

/** Sold in instalments, captured at once. */
const sell = async (shop: Shop, amount: number, installments: number): Promise<string> => {
  const changes = { paymentMethod: { paymentType: "credit", installments } };
  return (await payByCard(shop, { amount, capture: true, changes })).body.id;
};

/** And stands still: on a busy machine a second of ours is longer than one of its. */
const move = (client: TestClient, to: string) =>
  client.make("POST", "/v1/sandbox/clock", { body: { to, freeze: true } });
/** São Paulo has been three hours behind UTC since 2019. */
const at = (day: string, time: string) => `${day}T${time}-03:00`;

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

describe("receivables of a sale", () => {
  const sold = { paymentType: "credit", paymentArrangement: "VCC", capturedOn: "2026-11-19" };

  test("fall due as spec/brazil.md section 5 says", () => {
    const share = { party: null, gross: 10_000, processingFee: 0, fares: 0 };
    const due = (paymentType: string, capturedOn: string, installments = 1) =>
      receivablesOf([share], { ...sold, paymentType, capturedOn, installments }).map(({ paymentDate }) => paymentDate);
    expect(due("credit", "2026-11-19", 3)).toEqual(["2026-12-21", "2027-01-18", "2027-02-17"]);
    expect(due("credit", "2026-01-17")).toEqual(["2026-02-18"]);
    expect(due("voucher", "2026-01-17")).toEqual(["2026-02-18"]);
    // The 20th of November is a holiday of the banks, and a Friday.
    const nextDay = ["debit", "boleto", "picpay", "nupay", "drip", "apple_pay", "click_to_pay"];
    for (const next of nextDay) expect(due(next, "2026-11-19")).toEqual(["2026-11-23"]);
    expect(due("pix", "2026-11-21")).toEqual(["2026-11-21"]);
    expect(due("pix", "2026-11-19", 2)).toEqual(["2026-11-23", "2026-11-23"]);
    expect(due("drip", "2026-11-19", 3)).toEqual(Array(3).fill("2026-11-23"));
    expect(() => due("barter", "2026-11-21")).toThrow(/no payment date/);
  });

  test("are exact by party and by instalment, with fees as published", () => {
    // Rede: 1,273.61 in 6 instalments at 2.39 %.
    const rede = receivablesOf([{ party: null, gross: 127_361, processingFee: 3_044, fares: 0 }], {
      ...sold,
      installments: 6,
    });
    expect(rede.map(({ gross }) => gross)).toEqual([21_231, ...Array(5).fill(21_226)]);
    expect(rede.map(({ fee }) => fee)).toEqual([509, ...Array(5).fill(507)]);
    const last = receivablesOf([{ party: null, gross: 10_000, processingFee: 0, fares: 0 }], {
      ...sold,
      installments: 3,
      remainder: "last",
    });
    expect(last.map(({ gross }) => gross)).toEqual([3_333, 3_333, 3_334]);
    // Braspag: A 60 at 5 % and 0.30, B 40 at 4 % and 0.15, kept by the marketplace.
    const [a, b] = [newId(), newId()];
    const braspag = receivablesOf(
      [
        { party: a, gross: 6_000, processingFee: 0, fares: 330 },
        { party: b, gross: 4_000, processingFee: 0, fares: 175 },
      ],
      { ...sold, installments: 1 },
    );
    expect(braspag.map(({ gross, fee }) => gross - fee)).toEqual([5_670, 3_825]);
  });

  test("never cost more than they are: what one cannot bear, the next one does, and then the one before", () => {
    const [of, next] = [newId(), newId()];
    const small = receivablesOf(
      [
        { party: of, gross: 4, processingFee: 4, fares: 0 },
        { party: next, gross: 296, processingFee: 0, fares: 0 },
      ],
      { ...sold, installments: 3 },
    );
    for (const { gross, fee } of small) expect(fee).toBeLessThanOrEqual(gross);
    expect(sumOf(small.map(({ fee }) => fee))).toBe(4);
    expect(() =>
      receivablesOf([{ party: of, gross: 10, processingFee: 11, fares: 0 }], { ...sold, installments: 2 }),
    ).toThrow(/exceed/);
  });

  test("settle in the arrangement of the brand; a voucher in none (K14)", () => {
    expect(paymentArrangementOf("credit", "Visa")).toBe("VCC");
    expect(paymentArrangementOf("apple_pay", "Mastercard")).toBe("MCC");
    expect(paymentArrangementOf("debit", "Elo")).toBe("ECD");
    for (const [paymentType, brand] of [
      ["voucher", "Visa"],
      ["debit", "American Express"],
      ["credit", "Discover"],
      ["credit", undefined],
      ["pix", undefined],
    ] as const) {
      expect(paymentArrangementOf(paymentType, brand)).toBeNull();
    }
    expect(receivableAccountOf("pix", undefined)).toBe("PIX");
    expect(receivableAccountOf("boleto", undefined)).toBe("BOLETO");
    expect(receivableAccountOf("voucher", "Visa")).toBeNull();
  });

  test("are made when it is captured, for the merchant, and remembered as captured then", async () => {
    const id = await sell(shop, 10_000, 3);
    const rows = await receivablesIn(id);
    expect(rows.map(({ gross }) => gross)).toEqual(instalments(10_000, 3));
    expect(rows).toMatchObject(
      [1, 2, 3].map((installment) => ({ type: "credit", status: "waiting_funds", installment, reduces: null })),
    );
    const [charge] = await systemSql()<{ day: Date; arrangement: string; seller: string | null }[]>`
      select c.captured_at as day, r.payment_arrangement as arrangement, r.seller_id as seller
        from charges c join receivables r on r.charge_id = c.id where c.id = ${id} limit 1`;
    expect(charge).toMatchObject({ day: expect.any(Date), arrangement: "VCC", seller: null });
    const { body: held } = await payByCard(shop);
    expect(await receivablesIn(held.id)).toEqual([]);
  });
});

describe("what a refund takes", () => {
  test("comes from the instalments still waiting, by what is left of them, and then from what is available", () => {
    const waiting = [3_334, 3_333, 0].map((open, index) => ({
      id: `${index}`,
      sellerId: null,
      installment: index + 1,
      paymentDate: "2026-12-21",
      originalPaymentDate: "2026-12-21",
      open,
    }));
    const taken = givingBack(null, 1_000, waiting);
    expect(taken.reductions.map(({ receivable, amount }) => [receivable.reduces, amount])).toEqual([
      ["0", 500],
      ["1", 500],
    ]);
    expect(taken.available).toBe(0);
    expect(givingBack(null, 7_000, waiting)).toMatchObject({
      sources: [
        { account: { kind: "merchant_pending" }, amount: 6_667 },
        { account: { kind: "merchant_available" }, amount: 333 },
      ],
      available: 333,
    });
    expect(givingBack(newId(), 7_000, waiting)).toMatchObject({ reductions: [], available: 7_000 });
  });

  test("is written beside the sale, and the whole of it leaves nothing to release", async () => {
    const own = await withMerchant(await openClient());
    const id = await sell(own, 10_000, 2);
    await voidIt(own.client, id, { amount: 2_500 });
    const rows = await receivablesIn(id);
    expect(rows.map(({ type, gross, reduces }) => [type, gross, reduces])).toEqual([
      ["credit", 5_000, null],
      ["credit", 5_000, null],
      ["refund", -1_250, 1],
      ["refund", -1_250, 2],
    ]);
    expect(await booksOf(own)).toEqual({ provider_receivable: 7_500, merchant_pending: -7_500 });
    await voidIt(own.client, id);
    expect(await booksOf(own)).toEqual({});
    await releaseDue(await own.client.context(), own.merchant.id, "2999-12-31");
    expect((await receivablesIn(id)).map(({ status }) => status)).toEqual(Array(6).fill("paid"));
    expect(await booksOf(own)).toEqual({});
    expect(await broken(own.client)).toEqual([]);
  });

  test("comes from what is available once it was released", async () => {
    const own = await withMerchant(await openClient());
    const id = await sell(own, 9_000, 2);
    const [first] = await receivablesIn(id);
    await releaseDue(await own.client.context(), own.merchant.id, first?.date ?? "");
    expect(await booksOf(own)).toMatchObject({ merchant_pending: -4_500, merchant_available: -4_500 });
    await voidIt(own.client, id, { amount: 6_000 });
    expect(await booksOf(own)).toEqual({ provider_receivable: 3_000, merchant_available: -3_000 });
    expect(await broken(own.client)).toEqual([]);
  });

  test("and what is released are never the same money, whoever comes first", async () => {
    const own = await withMerchant(await openClient());
    const ctx = await own.client.context();
    for (let round = 0; round < 12; round++) {
      const id = await sell(own, 1_001 + round, 2);
      await Promise.all([
        releaseDue(ctx, own.merchant.id, "2999-12-31"),
        voidIt(own.client, id, { amount: 700 }),
        releaseDue(ctx, own.merchant.id, "2999-12-31"),
      ]);
    }
    await releaseDue(ctx, own.merchant.id, "2999-12-31");
    const books = await booksOf(own);
    expect(books.merchant_pending ?? 0).toBe(0);
    expect((books.merchant_available ?? 0) + (books.provider_receivable ?? 0)).toBe(0);
    expect(await broken(own.client)).toEqual([]);
  });

  test("is not released as well by a run that already waited for it", async () => {
    const own = await withMerchant(await openClient());
    const id = await sell(own, 9_000, 2);
    const ctx = await own.client.context();
    const sale = { currency: "BRL", paymentType: "credit", installments: 2, originalAmount: 9_000, capturedAt: null };
    const row = { id, merchantId: own.merchant.id, ...sale };
    const releasing = await inTransaction(ctx, async (inside) => {
      await post(
        inside,
        await readDrafts(inside, [refundMovement({ row, brand: "Visa", splits: [] }, newId(), 2_000)]),
      );
      const [self] = await inside.db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      const run = releaseDue(ctx, own.merchant.id, "2999-12-31");
      const behind = () =>
        systemSql()`select 1 from pg_stat_activity where ${self?.pid ?? 0} = any(pg_blocking_pids(pid))`;
      await vi.waitFor(async () => expect(await behind()).not.toHaveLength(0), 10_000);
      return { run };
    });
    await releasing.run;
    expect(await booksOf(own)).toEqual({ provider_receivable: 7_000, merchant_available: -7_000 });
  });
});

describe("a chargeback", () => {
  test("takes what is available, into debt, and gives it back when it is won", async () => {
    const own = await withMerchant(await openClient());
    const id = await sell(own, 8_000, 1);
    await own.client.make("POST", `/v1/sandbox/charges/${id}/chargeback`, { body: { amount: 3_000 } });
    expect(await booksOf(own)).toEqual({
      provider_receivable: 8_000,
      merchant_pending: -8_000,
      merchant_available: 3_000,
      bank: -3_000,
    });
    expect(await receivablesIn(id)).toMatchObject([
      { type: "chargeback", status: "paid", gross: -3_000, installment: null },
      { type: "credit", status: "waiting_funds", gross: 8_000 },
    ]);
    expect(await broken(own.client)).toEqual([]);
    await own.client.make("POST", `/v1/sandbox/charges/${id}/chargeback/reverse`, { body: {} });
    expect(await booksOf(own)).toEqual({ provider_receivable: 8_000, merchant_pending: -8_000 });
    expect(await broken(own.client)).toEqual([]);
  });

  test("of a Pix (MED) is evidence of a refund and taken like a chargeback", async () => {
    const own = await withMerchant(await openClient());
    const { body: pix } = await payByPix(own, { amount: 4_000 });
    await own.client.make("POST", `/v1/sandbox/pix/${pix.id}/pay`, { body: {} });
    await own.client.make("POST", `/v1/sandbox/pix/${pix.id}/med`, { body: { amount: 1_500 } });
    expect(await receivablesIn(pix.id)).toMatchObject([
      { type: "chargeback", gross: -1_500 },
      { type: "credit", gross: 4_000 },
    ]);
    expect(await booksOf(own)).toEqual({
      provider_receivable: 2_500,
      merchant_pending: -4_000,
      merchant_available: 1_500,
    });
    expect(await broken(own.client)).toEqual([]);
  });
});

describe("the day of a merchant", () => {
  test("releases at 05:00 of the payment date, on the account's clock, and not before", async () => {
    const own = await withMerchant(await openClient());
    const id = await sell(own, 10_000, 2);
    const [first, second] = await receivablesIn(id);
    await move(own.client, at(first?.date ?? "", "04:59:59"));
    expect((await receivablesIn(id)).map(({ status }) => status)).toEqual(["waiting_funds", "waiting_funds"]);
    await move(own.client, at(first?.date ?? "", "05:00:00"));
    expect((await receivablesIn(id)).map(({ status }) => status)).toEqual(["paid", "waiting_funds"]);
    expect(await booksOf(own)).toMatchObject({ merchant_pending: -5_000, merchant_available: -5_000 });
    await move(own.client, at(second?.date ?? "", "05:00:00"));
    expect(await booksOf(own)).toMatchObject({ merchant_available: -10_000 });
    expect(await broken(own.client)).toEqual([]);
  });

  test("releases Pix and boleto with the next run", async () => {
    const own = await withMerchant(await openClient());
    const { body: pix } = await payByPix(own);
    await own.client.make("POST", `/v1/sandbox/pix/${pix.id}/pay`, { body: {} });
    const { body: boleto } = await payByBoleto(own);
    await own.client.make("POST", `/v1/sandbox/boletos/${boleto.id}/pay`, { body: {} });
    const [ofBoleto] = await receivablesIn(boleto.id);
    const day = ofBoleto?.date ?? "";
    const [ofPix] = await receivablesIn(pix.id);
    expect(day > (ofPix?.date ?? "")).toBe(true);
    await move(own.client, at(day, "05:00:00"));
    for (const { id } of [pix, boleto]) expect(await receivablesIn(id)).toMatchObject([{ status: "paid" }]);
    expect(await broken(own.client)).toEqual([]);
  });

  test("leaves what is sold on the day itself to the next run, whatever else the day does later", async () => {
    const own = await withMerchant(await openClient());
    const day = nextBankDay(saoPauloDay(new Date()));
    await move(own.client, at(day, "12:00:00"));
    const { body: pix } = await payByPix(own);
    await own.client.make("POST", `/v1/sandbox/pix/${pix.id}/pay`, { body: {} });
    await move(own.client, at(day, "23:59:59"));
    expect(await receivablesIn(pix.id)).toMatchObject([{ status: "waiting_funds", date: day }]);
    await move(own.client, at(nextBankDay(day), "05:00:00"));
    expect(await receivablesIn(pix.id)).toMatchObject([{ status: "paid" }]);
  });

  test("repeated, moves nothing; it comes again on the next bank day", async () => {
    const own = await withMerchant(await openClient());
    const id = await sell(own, 5_000, 1);
    const [due] = await receivablesIn(id);
    await move(own.client, at(due?.date ?? "", "05:00:00"));
    const journalsOf = async () => {
      const [row] = await systemSql()<{ n: number }[]>`
        select count(*)::int as n from journals where merchant_id = ${own.merchant.id}`;
      return row?.n;
    };
    const before = await journalsOf();
    const ctx = await own.client.context();
    await merchantDay(ctx, own.merchant.id);
    await Promise.all([merchantDay(ctx, own.merchant.id), merchantDay(ctx, own.merchant.id)]);
    expect(await journalsOf()).toBe(before);
    const [job] = await systemSql()<{ due_at: Date }[]>`
      select due_at from due_jobs where kind = 'merchant.day' and ref_id = ${own.merchant.id}`;
    // The next moment of the same day: nothing is to be paid early on it.
    expect(job?.due_at).toEqual(new Date(at(due?.date ?? "", "06:00:00")));
  });
});

describe("the balance of an account", () => {
  test("is its newest checkpoint and what came after it", async () => {
    const own = await withMerchant(await openClient());
    const ctx = await own.client.context();
    const inside = <T>(work: (inner: typeof ctx) => Promise<T>) => inTransaction(ctx, work);
    const [first, second] = [await sell(own, 3_000, 1), await sell(own, 2_000, 1)];
    await inside((inner) => checkpoint(inner, own.merchant.id));
    await sell(own, 700, 1);
    await inside((inner) => checkpoint(inner, own.merchant.id));
    await voidIt(own.client, first, { amount: 1_000 });
    await releaseDue(ctx, own.merchant.id, "2999-12-31");
    await voidIt(own.client, second, { amount: 500 });
    const accounts = await systemSql()<{ id: string; kind: string }[]>`
      select id, kind from ledger_accounts where merchant_id = ${own.merchant.id} and not memo`;
    const balances = await inside((inner) =>
      balancesOf(
        inner,
        accounts.map(({ id }) => id),
      ),
    );
    const byKind = Object.fromEntries(accounts.map(({ id, kind }) => [kind, balances.get(id)]));
    expect(byKind).toEqual({ provider_receivable: 4_200, merchant_pending: 0, merchant_available: -4_200 });
    expect(await broken(own.client)).toEqual([]);
  });
});
