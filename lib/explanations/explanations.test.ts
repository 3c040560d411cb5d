import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { nextBankDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { inTransaction } from "@/lib/context";
import { behind } from "@/lib/explanations/behind";
import { FIGURE_NAMES } from "@/lib/explanations/names";
import { explainForOperator } from "@/lib/explanations/service";
import { newId } from "@/lib/ids";
import { checkpoint } from "@/lib/ledger/checkpoints";
import { shownName } from "@/lib/operators/buyers";
import { readPdf } from "@/lib/payment-documents/testing";
import { moneyText } from "@/lib/payment-documents/words";
import { madeReport, textOf } from "@/lib/reports/testing";
import { statementFile } from "@/lib/statements/document";
import { MOST_PAYOUTS, monthlyStatement } from "@/lib/statements/service";
import { openClient, type TestClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";
import { payByCard, payByPix, type Shop, voidIt, withMerchant } from "@/lib/testing/payments";
import { openSellers } from "@/lib/testing/sellers";

interface Explanation {
  value: number;
  formula: string;
  rows: {
    id: string;
    amount: number;
    chargeId: string | null;
    journalId: string | null;
    ruleId: string | null;
    requestId: string | null;
    source: { type: string; id: string };
  }[];
  next: string | null;
  rowCount: number;
  ruleIds: string[];
  journals: string[];
}
interface Ids {
  id: string;
}

let shop: Shop;
let client: TestClient;
let sellers: string[];

/** Every page of it. */
async function explained(figure: string, subject: Record<string, string> = {}, next?: string): Promise<Explanation> {
  const limit = figure.startsWith("balance") ? "5" : "100";
  const query = { figure, limit, ...subject, ...(next === undefined ? {} : { next }) };
  const page = await client.make<Explanation>("GET", "/v1/explanations", { query });
  if (page.next === null) return page;
  return { ...page, rows: [...page.rows, ...(await explained(figure, subject, page.next)).rows] };
}

const to = (day: string, time: string) =>
  client.make("POST", "/v1/sandbox/clock", { body: { to: `${day}T${time}-03:00`, freeze: true } });
const bankDay = async () => {
  const { now } = await client.make<{ now: string }>("GET", "/v1/sandbox/clock");
  return nextBankDay(saoPauloDay(new Date(now)));
};

beforeAll(async () => {
  shop = await withMerchant(await openClient());
  client = shop.client;
  sellers = await openSellers(client, shop.merchant.id, 2, {
    transferPolicy: { transferInterval: "daily", transferDay: 0, transferEnabled: true },
    minNegativeBalance: 50_000,
    fareMdr: 1.5,
    fareFee: 7,
  });
  const [a = "", b = ""] = sellers;
  const splitRules = [
    { sellerId: a, percentage: 70.01, processingFee: true, liable: true },
    { sellerId: b, percentage: 20 },
  ];
  const pix = (await payByPix(shop, { amount: 10_000, changes: { splitRules } })).body;
  await client.make("POST", `/v1/sandbox/pix/${pix.id}/pay`, { body: {} });
  await payByPix(shop);
  const cards: string[] = [];
  for (const [amount, installments] of [
    [30_007, 7],
    [20_000, 1],
  ] as const) {
    const changes = { paymentMethod: { paymentType: "credit", installments }, splitRules };
    cards.push((await payByCard(shop, { amount, capture: true, changes })).body.id);
  }
  const first = await bankDay();
  await to(first, "14:00:00");
  await voidIt(client, cards[0] ?? "", { amount: 5_001 });
  await voidIt(client, pix.id);
  await client.make("POST", `/v1/sandbox/charges/${cards[1]}/chargeback`, { body: {} });
  for (const sellerId of [a, undefined]) {
    const body = { endDate: "2031-01-01", ...(sellerId ? { sellerId } : {}) };
    const { id } = await client.make("POST", "/v1/subacquirer/prepayment", { body });
    await client.make("POST", `/v1/subacquirer/prepayment/${id}/commit`, { body: {} });
  }
  for (let day = nextBankDay(first), n = 0; n < 2; n++, day = nextBankDay(day)) await to(day, "12:00:00");
}, 90_000);

describe("every figure", { timeout: 60_000 }, () => {
  test("is the sum of its rows, whose journals, prices and calls are there", async () => {
    const list = async (path: string) =>
      (await client.make<List<Ids & Record<string, unknown>>>("GET", path, { query: { limit: "100", sellerId: "*" } }))
        .items;
    const charges = (await client.make<List<Ids>>("GET", "/v1/charges")).items;
    const orders = await list("/v1/payouts/orders");
    const batches = await list("/v1/payouts/payment-batches");
    const prepayments = (await client.make<List<Ids>>("GET", "/v1/subacquirer/prepayment")).items;
    const report = await madeReport(client, { fields: ["transaction__id", "transaction__amount"] });
    const parties: Record<string, string>[] = [{}, ...sellers.map((sellerId) => ({ sellerId }))];
    const perCharge = charges.map(({ id: chargeId }) => ({ chargeId }));
    const subjects = (figure: string): Record<string, string>[] => {
      const [area] = figure.split(".");
      if (area === "split") return shared.map(({ chargeId, sellerId }) => ({ chargeId, sellerId }));
      if (area === "customer") return customers.map(({ id: customerId }) => ({ customerId }));
      if (figure === "calendar.day") return waiting.map(({ sellerId, day }) => ({ sellerId, day }));
      if (figure === "calendar.month") {
        const months = new Set(waiting.map(({ day }) => `${day.slice(0, "2026-11".length)}-01`));
        const whose = [...parties, { whose: "own" }, { whose: "sellers" }];
        return whose.flatMap((one) => [...months].map((month) => ({ ...one, month })));
      }
      if (area === "settlement") return charges.map(({ id: paymentId }) => ({ paymentId }));
      if (figure === "calendar.total") return sellers.map((sellerId) => ({ sellerId }));
      if (area === "subscriptions" && !["subscriptions.monthly", "subscriptions.atRisk"].includes(figure))
        return [{ month: "2026-11-01" }];
      if (figure === "balance.broughtForward") return [...points].map((checkpointId) => ({ checkpointId }));
      if (figure === "batch.line") return [...lines].map((lineId) => ({ lineId }));
      if (figure === "balance.next" || area === "sellers" || area === "subscriptions") return [{}];
      if (area === "balance") return parties;
      if (figure === "charge.net") return perCharge.flatMap((one) => parties.map((party) => ({ ...one, ...party })));
      if (area === "charge") return perCharge;
      if (area === "receivable") return orders.map(({ id }) => ({ receivableId: id }));
      if (area === "batch") return batches.map(({ id }) => ({ batchId: id }));
      if (area === "prepayment") return prepayments.map(({ id }) => ({ prepaymentId: id }));
      return [{ reportId: report.id, column: "transaction__amount" }];
    };
    const shared = await systemSql()<{ chargeId: string; sellerId: string }[]>`
      select charge_id as "chargeId", seller_id as "sellerId" from split_rules where client_id = ${client.clientId}`;
    const customers = await systemSql()<Ids[]>`select id from customers where client_id = ${client.clientId}`;
    const waiting = await systemSql()<{ sellerId: string; day: string }[]>`
      select distinct seller_id as "sellerId", payment_date::text as day from receivables
       where client_id = ${client.clientId} and seller_id is not null and status <> 'paid'`;
    const requests = new Set(
      (
        await systemSql()<{ id: string }[]>`select request_id as id from charges where client_id = ${client.clientId}`
      ).map(({ id }) => id),
    );
    const nothing: string[] = [];
    // Both grow while rows are read: a checkpoint leads to the one before it, and a batch to its lines.
    const [points, lines] = [new Set<string>(), new Set<string>()];
    const order = (figure: string) => ["balance.broughtForward", "batch.line"].indexOf(figure);
    const seen = { journals: new Set<string>(), rules: new Set<string>() };
    for (const figure of FIGURE_NAMES.toSorted((a, b) => order(a) - order(b))) {
      let moved = 0;
      for (const subject of subjects(figure)) {
        const { value, rows, rowCount } = await explained(figure, subject);
        expect(
          rows.reduce((sum, { amount }) => sum + amount, 0),
          `${figure} ${JSON.stringify(subject)}`,
        ).toBe(value);
        expect(new Set(rows.map(({ id }) => id)).size).toBe(rowCount);
        for (const { id, chargeId, requestId, journalId, ruleId, source } of rows) {
          if (source.type === "checkpoint") points.add(source.id);
          if (figure === "batch.finalBalance") lines.add(id);
          expect(chargeId === null || requests.has(requestId ?? "")).toBe(true);
          if (journalId) seen.journals.add(journalId);
          if (ruleId) seen.rules.add(ruleId);
        }
        moved += rows.length;
      }
      if (moved === 0) nothing.push(figure);
    }
    // Sellers owe and everything was paid; whoever is known by name got all back; nobody was credited by hand, nothing was won back, nobody subscribed.
    expect(nothing).toEqual([
      "sellers.available",
      "sellers.inTransit",
      "sellers.pendingBatches",
      "customer.paid",
      "batch.creditAmount",
      "batch.debitAdjustmentAmount",
      "batch.creditAdjustmentAmount",
      "subscriptions.monthly",
      "subscriptions.atRisk",
      "subscriptions.declined",
      "subscriptions.recovered",
      "subscriptions.retried",
      "subscriptions.lost",
    ]);
    expect(seen.rules.size).toBeGreaterThan(0);
    const [{ n } = { n: 0 }] = await systemSql()<{ n: number }[]>`
      select count(*)::int as n from journals where client_id = ${client.clientId} and id = any(${[...seen.journals]}::uuid[])`;
    expect(n).toBe(seen.journals.size);
  });

  test("is the one that its own list states", async () => {
    const [a = ""] = sellers;
    const { items } = await client.make<List<Ids & Record<string, number>>>("GET", "/v1/payouts/payment-batches", {
      query: { sellerId: a, limit: "100" },
    });
    for (const batch of items) {
      for (const member of ["amount", "feeAmount", "refundAmount", "balanceAmount", "finalBalance"]) {
        expect((await explained(`batch.${member}`, { batchId: batch.id })).value).toBe(batch[member]);
      }
    }
    const books = await systemSql()<{ kind: string; amount: number }[]>`
      select a.kind, -sum(p.amount)::int as amount from postings p join ledger_accounts a on a.id = p.account_id
       where a.seller_id = ${a} group by 1`;
    for (const [figure, kind] of [
      ["balance.available", "seller_available"],
      ["balance.receivable", "seller_pending"],
      ["balance.inTransit", "payout_in_transit"],
    ] as const) {
      const found = books.find((one) => one.kind === kind)?.amount ?? 0;
      expect((await explained(figure, { sellerId: a })).value, figure).toBe(found);
    }
    // Also where something was paid early, whose new day has come.
    for (const sellerId of sellers) {
      const { value } = await explained("balance.receivable", { sellerId });
      expect((await explained("calendar.total", { sellerId })).value).toBe(value);
    }
  });
});

test("monthly statements add up to what the books moved, line by line, and print it in both languages", async () => {
  const ctx = await client.context();
  const months = await systemSql()<{ month: string }[]>`
    select distinct to_char(payment_date, 'YYYY-MM') as month from receivables where client_id = ${client.clientId} order by 1`;
  const add = (all: readonly { net: number }[]) => all.reduce((sum, { net }) => sum + net, 0);
  for (const sellerId of [null, ...sellers]) {
    let [net, settled, paidOut, others] = [0, 0, 0, 0];
    for (const { month } of months) {
      const { days, rows, total, ...statement } = await monthlyStatement(ctx, {
        merchantId: shop.merchant.id,
        sellerId,
        month,
      });
      expect([add(days), add(rows), rows.length], month).toEqual([total.net, total.net, total.count]);
      for (const day of days) expect(add(rows.filter((row) => row.day === day.day))).toBe(day.net);
      const { sales, fees, early, refunds, chargebacks } = total;
      expect(sales + fees + early + refunds + chargebacks).toBe(total.net);
      [net, settled, paidOut] = [net + total.net, settled + total.settled, paidOut + statement.paidOut];
      others += statement.otherTotal;
      expect(statement.others.reduce((sum, { amount }) => sum + amount, 0)).toBe(statement.otherTotal);
    }
    const kinds = sellerId ? ["seller_pending", "seller_available"] : ["merchant_pending", "merchant_available"];
    // Payouts themselves stand apart: they move what is available into transit, and back.
    const books = await systemSql()<{ kind: string; moved: number; balance: number }[]>`
      select a.kind, sum(case when a.id = x.credit_account then x.amount else -x.amount end)
                filter (where o.kind <> 'payout_in_transit')::int as moved,
             sum(case when a.id = x.credit_account then x.amount else -x.amount end)::int as balance
        from transfers x join ledger_accounts a on a.id in (x.debit_account, x.credit_account)
        join ledger_accounts o on o.id in (x.debit_account, x.credit_account) and o.id <> a.id
       where a.client_id = ${client.clientId} and a.seller_id is not distinct from ${sellerId} and a.kind = any(${kinds}) group by 1`;
    const moved = books.reduce((sum, each) => sum + each.moved, 0);
    expect(net + others, sellerId ?? "own").toBe(moved);
    expect(net - settled).toBe(books.find(({ kind }) => kind === kinds[0])?.balance ?? 0);
    if (sellerId === null) continue;
    const [sent] = await systemSql()<{ paid: number }[]>`
      select coalesce(sum(final_balance), 0)::int as paid from payout_batches where seller_id = ${sellerId} and status = 'paid'`;
    expect(paidOut).toBe(sent?.paid);
  }
  const of = { merchantId: shop.merchant.id, sellerId: sellers[0] ?? null, month: months[0]?.month ?? "" };
  const { total } = await monthlyStatement(ctx, of);
  for (const [locale, title] of [
    ["pt-BR", "Extrato de"],
    ["en", "Statement for"],
  ] as const) {
    const { lines, pages } = readPdf((await statementFile(ctx, of, { locale, role: "finance" })).content);
    expect(lines).toContain(title);
    expect(lines.replace(/[\u00a0\u202f]/g, " ")).toContain(
      moneyText(locale, total.net).replace(/[\u00a0\u202f]/g, " "),
    );
    expect(pages).toBe(2);
  }
  const stranger = await (await openClient()).context();
  await expect(monthlyStatement(stranger, of)).rejects.toMatchObject({ status: 404 });
});

test("a month of more payouts than a statement lists counts and sums them all", async () => {
  const own = await withMerchant(await openClient());
  const many = MOST_PAYOUTS + 3;
  await systemSql()`
    insert into payout_batches (id, client_id, merchant_id, status, amount, fee_amount, withdrawal_fee_amount,
                                total_fee_amount, balance_amount, credit_amount, refund_amount, debit_adjustment_amount,
                                credit_adjustment_amount, final_balance, payment_date, payout_date, feature,
                                payment_arrangement, created_at, updated_at)
    select gen_random_uuid(), ${own.client.clientId}, ${own.merchant.id}, 'paid', 101, 0, 0, 0, 0, 0, 0, 0, 0, 101,
           '2026-03-02', '2026-03-02', 'general', n::text, now(), now() from generate_series(1, ${many}) n`;
  const of = { merchantId: own.merchant.id, sellerId: null, month: "2026-03" };
  const ctx = await own.client.context();
  const { payouts, payoutCount, paidOut } = await monthlyStatement(ctx, of);
  expect([payouts.length, payoutCount, paidOut]).toEqual([MOST_PAYOUTS, many, many * 101]);
  const { lines } = readPdf((await statementFile(ctx, of, { locale: "en" })).content);
  expect(lines).toContain(`The first ${MOST_PAYOUTS} of ${many} payouts`);
});

test("a balance reads no further back than its newest checkpoint, which leads to every entry before it", {
  timeout: 30_000,
}, async () => {
  const [sellerId = ""] = sellers;
  const context = await client.context();
  let { rows } = await explained("balance.available", { sellerId });
  // A checkpoint counts what was booked before the oldest transaction under way, of whatever database of the server.
  const kept = async () => {
    await inTransaction(context, (inside) => checkpoint(inside, shop.merchant.id));
    ({ rows } = await explained("balance.available", { sellerId }));
    return rows.length;
  };
  await expect.poll(kept, { timeout: 20_000, interval: 200 }).toBeLessThan(8);
  const entries: string[] = [];
  for (let steps = 0; rows.length > 0; steps++) {
    expect(steps).toBeLessThan(10);
    entries.push(...rows.flatMap(({ source }) => (source.type === "journal" ? [source.id] : [])));
    // After the first step what was booked before it is still to be read.
    if (steps === 0) expect(entries.length).toBeLessThan(8);
    const [point, ...more] = rows.filter(({ source }) => source.type === "checkpoint");
    expect(more).toEqual([]);
    if (!point) break;
    const before = await explained("balance.broughtForward", { checkpointId: point.source.id });
    expect(before.value).toBe(point.amount);
    rows = before.rows;
  }
  const books = await systemSql()<{ id: string }[]>`
    select p.journal_id as id from postings p join ledger_accounts a on a.id = p.account_id
     where a.seller_id = ${sellerId} and a.kind = 'seller_available'`;
  expect(entries.sort()).toEqual(books.map(({ id }) => id).sort());
});

test("an address that names no figure of a page opens nothing", async () => {
  const ctx = await client.context();
  for (const asked of [
    { figure: "receivable.fee" },
    { figure: "receivable.fee", receivableId: "abc" },
    { figure: "charge.net", chargeId: newId(), sellerId: "abc" },
    { figure: "batch.amount" },
    { figure: "balance.available", next: "abc" },
  ] as const) {
    expect(await explainForOperator(ctx, "finance", asked), JSON.stringify(asked)).toBeUndefined();
  }
  expect(await explainForOperator(ctx, "finance", { figure: "balance.available", limit: 25 })).toBeDefined();
});

test("reports of orders and payouts hold the rows of their lists", async () => {
  for (const [type, path, field, member] of [
    ["payout_orders", "/v1/payouts/orders", "order__amount", "amount"],
    ["payout_batches", "/v1/payouts/payment-batches", "batch__final_balance", "finalBalance"],
  ] as const) {
    const query = { sellerId: "*", limit: "100", order: "asc" };
    const { items } = await client.make<List<Ids & Record<string, number>>>("GET", path, { query });
    const report = await madeReport(client, { type, fields: [`${field.split("__")[0]}__id`, field] });
    const rows = (await textOf(client, report)).trim().split("\r\n").slice(1);
    expect(rows).toEqual(items.map((one) => `${one.id},${one[member]}`));
  }
});

test("what is not a figure, or of nobody, is refused", async () => {
  const ask = async (query: Record<string, string>, of = client) => {
    const { status, error } = await of.call("GET", "/v1/explanations", { query });
    return [status, error?.businessCode ?? error?.details[0]];
  };
  const { items } = await client.make<List<Ids>>("GET", "/v1/charges");
  const chargeId = items[0]?.id ?? "";
  expect(await ask({ figure: "charge.net", chargeId }, await openClient())).toEqual([404, undefined]);
  expect((await ask({ figure: "balance.available", sellerId: sellers[0] ?? "" }, await openClient()))[1]).toBe(
    "seller_not_found",
  );
  for (const [query, why] of [
    [{ figure: "balance.all" }, "figure:"],
    [{ figure: "charge.net" }, "chargeId: names what"],
    [{ figure: "charge.captured", chargeId, sellerId: sellers[0] ?? "" }, "sellerId: has nothing to do"],
    [{ figure: "balance.available", next: "bm8gd2F5" }, "next: must be"],
  ] as const) {
    const { status, error } = await client.call("GET", "/v1/explanations", { query });
    expect([status, error?.details.join()]).toEqual([400, expect.stringContaining(why)]);
  }
});

test("rows name the order and the buyer of their payment, as the role sees people", async () => {
  const ctx = await client.context();
  const figure = "balance.next" as const;
  const shown = await explainForOperator(ctx, "owner", { figure });
  const ids = (shown?.rows ?? []).flatMap(({ chargeId }) => chargeId ?? []);
  expect(ids.length).toBeGreaterThan(0);
  if (!shown) throw new Error("an owner sees it");
  await systemSql()`update charges set order_id = 'A-1001' where id = ${ids[0] ?? ""}`;
  const [full, masked] = await Promise.all([behind(ctx, "owner", shown), behind(ctx, "finance", shown)]);
  expect(full.payments.get(ids[0] ?? "")?.orderId).toBe("A-1001");
  const name = full.payments.get(ids[0] ?? "")?.buyer;
  expect(name).toBeTruthy();
  expect(masked.payments.get(ids[0] ?? "")?.buyer).toBe(shownName("finance", name ?? ""));
});
