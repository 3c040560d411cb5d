import { describe, expect, test, vi } from "vitest";
import { systemSql } from "@/db/client";
import { merchantDay } from "@/lib/bank-day/merchant-day";
import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { inTransaction, now } from "@/lib/context";
import * as registry from "@/lib/providers/registry";
import { momentOn } from "@/lib/receivables/merchant-day";
import * as comparison from "@/lib/settlement/compare";
import { compareSettlement, toldThrough } from "@/lib/settlement/compare";
import { daysOf, keepDay } from "@/lib/settlement/days";
import { readStatements, takeLines } from "@/lib/settlement/statements";
import { openClient, type TestClient } from "@/lib/testing/api";
import { addProvider, payByCard, payByPix, type Shop, voidIt, withMerchant } from "@/lib/testing/payments";

const advance = (client: TestClient, by: string) => client.make("POST", "/v1/sandbox/clock", { body: { advance: by } });

/** Balances of a merchant by kind of account; debit +, credit −. */
async function booksOf({ merchant }: Shop): Promise<Record<string, number>> {
  const rows = await systemSql()<{ kind: string; balance: number }[]>`
    select a.kind, sum(p.amount)::int as balance from postings p join ledger_accounts a on a.id = p.account_id
     where a.merchant_id = ${merchant.id} and not a.memo group by 1 having sum(p.amount) <> 0`;
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, balance]));
}

const breaksOf = ({ merchant }: Shop) => systemSql()<{ kind: string; expected: number; found: number }[]>`
  select kind, expected::int as expected, found::int as found from settlement_breaks
   where merchant_id = ${merchant.id} and closed_at is null order by kind`;

const sell = async (shop: Shop, amount: number, installments: number): Promise<string> => {
  const changes = { paymentMethod: { paymentType: "credit", installments } };
  return (await payByCard(shop, { amount, capture: true, changes })).body.id;
};

describe("the bank day of a merchant", { timeout: 60_000 }, () => {
  test("books what its acquirer settled, less cost and refunds, until nothing is owed; the days repeat nothing", async () => {
    const shop = await withMerchant(await openClient());
    const { client, merchant } = shop;
    await sell(shop, 10_000, 1);
    const given = await sell(shop, 4_000, 1);
    const pix = await payByPix(shop, { amount: 5_000 });
    await client.make("POST", `/v1/sandbox/pix/${pix.body.id}/pay`, { body: {} });
    await voidIt(client, given);
    await advance(client, "P4D");
    // 1 % of the Pix; what a sale that was given back costs all the same is taken at once, and told on its line.
    expect(await booksOf(shop)).toMatchObject({ bank: 5_000 - 50 - 100, "expense:provider_cost": 50 });
    await advance(client, "P34D");
    expect(await booksOf(shop)).toEqual({
      bank: 15_000 - 249 - 50 - 100,
      "expense:provider_cost": 399,
      merchant_available: -15_000,
    });
    expect(await breaksOf(shop)).toEqual([]);
    const ctx = await client.context();
    await systemSql()`update merchant_days set statements_through = '2020-01-01' where merchant_id = ${merchant.id}`;
    await Promise.all([merchantDay(ctx, merchant.id), merchantDay(ctx, merchant.id)]);
    expect((await booksOf(shop)).bank).toBe(15_000 - 249 - 50 - 100);
  });

  test("a line that is missing or wrong is a break, closed when it agrees; a stranger's line is kept apart", async () => {
    const shop = await withMerchant(await openClient());
    const { client, merchant } = shop;
    const id = await sell(shop, 6_000, 1);
    const ctx = await client.context();
    const [sold] = await systemSql()<
      { provider_tx_id: string; provider_id: string }[]
    >`select provider_tx_id, provider_id from charges where id = ${id}`;
    const take = (amount: number, name: string, providerTxId: string) => {
      const line = { id: name, providerTxId, kind: "settlement" as const, instalment: 1, amount, cost: 0 };
      const lines = [{ ...line, settledOn: "2030-01-02" }];
      return inTransaction(ctx, (inside) => takeLines(inside, merchant.id, sold?.provider_id ?? "", lines));
    };
    await systemSql()`update sandbox_movements set amount = amount - 1 where transaction_id = ${sold?.provider_tx_id ?? ""}`;
    await advance(client, "P40D");
    expect(await breaksOf(shop)).toEqual([{ kind: "settlement_mismatch", expected: 6_000, found: 5_999 }]);
    await take(1, "late-cent", sold?.provider_tx_id ?? "");
    await take(777, "of-nobody", "unknown");
    await take(777, "of-nobody", "unknown");
    await sell(shop, 100, 1);
    await advance(client, "P3D");
    const stranger = { kind: "settlement_unowned", expected: 0, found: 777 };
    expect(await breaksOf(shop)).toEqual([stranger]);
    expect((await booksOf(shop)).suspense).toBe(-777);

    const pix = await payByPix(shop, { amount: 2_500 });
    await client.make("POST", `/v1/sandbox/pix/${pix.body.id}/pay`, { body: {} });
    await systemSql()`update sandbox_movements set at = at + interval '1 year' where client_id = ${client.clientId}`;
    await advance(client, "P5D");
    expect(await breaksOf(shop)).toEqual([{ kind: "settlement_missing", expected: 2_500, found: 0 }, stranger]);
  });

  test("an acquirer that does not answer keeps nobody from the statements of the others; its days are asked for again", async () => {
    const shop = await withMerchant(await openClient());
    const own = [shop.merchant.providerId, await addProvider(shop)];
    await sell(shop, 1_000, 1);
    const asked: string[] = [];
    let until = "";
    const { statementReaderOf: statementOf } = registry;
    vi.spyOn(registry, "statementReaderOf").mockImplementation((kind) => {
      const read = statementOf(kind);
      return (call, days) => {
        if (own.includes(call.providerId)) asked.push(call.providerId);
        if (call.providerId === asked[1]) until = days.to;
        if (call.providerId === asked[0]) return Promise.resolve({ kind: "unavailable" });
        return read?.(call, days) ?? Promise.resolve({ kind: "unavailable" });
      };
    });
    // Over the longest row of days without banks.
    await advance(shop.client, "P6D");
    expect(new Set(asked).size).toBe(2);
    // Silent for longer than one question is about.
    const through = addDays(saoPauloDay(new Date()), 40);
    const { silent } = await readStatements(await shop.client.context(), shop.merchant.id, through);
    expect(silent).toEqual(new Set([asked[0]]));
    expect(until).toBe(through);
    // Begun early on a bank day, the day before the first one is known as read: there was nothing to ask for.
    const [days] = await systemSql()`
      select statements_through < ${saoPauloDay(new Date())} as is_before from merchant_days
       where merchant_id = ${shop.merchant.id}`;
    expect(days?.is_before ?? true).toBe(true);
    // What the silent one owes is not missing; what the others owe is, however long it stays silent.
    const comparedAt = async (provider = "") => {
      await systemSql()`update charges set provider_id = ${provider} where merchant_id = ${shop.merchant.id}`;
      const silent = { providers: new Set(asked.slice(0, 1)), since: null };
      await inTransaction(await shop.client.context(), async (inside) => {
        await compareSettlement(inside, shop.merchant.id, through, undefined, silent);
        expect(await toldThrough(inside, shop.merchant.id, through, silent)).toBeNull();
      });
      return breaksOf(shop);
    };
    expect(await comparedAt(asked[0])).toEqual([]);
    const missing = [{ kind: "settlement_missing", expected: 1_000, found: 0 }];
    expect(await comparedAt(own.find((id) => id !== asked[0]))).toEqual(missing);
    // Found missing before its acquirer fell silent, it is missing still.
    expect(await comparedAt(asked[0])).toEqual(missing);
  });

  test("books that no longer say what the rows say are a break of that day", async () => {
    const shop = await withMerchant(await openClient());
    await sell(shop, 3_000, 1);
    await systemSql()`
      insert into receivables (id, client_id, merchant_id, charge_id, journal_id, type, status, installment, installments,
        currency, gross, payment_method, payment_date, original_payment_date, created_at, updated_at)
      select gen_random_uuid(), client_id, merchant_id, charge_id, journal_id, type, status, 2, 2, currency, 1,
             payment_method, payment_date, original_payment_date, created_at, updated_at
        from receivables where merchant_id = ${shop.merchant.id}`;
    await advance(shop.client, "P4D");
    expect(await breaksOf(shop)).toEqual([{ kind: "identity", expected: 3_001, found: 3_000 }]);
  });

  test("a day whose comparison failed is read and compared again, however long it failed", async () => {
    const shop = await withMerchant(await openClient());
    const { client, merchant } = shop;
    const pix = await payByPix(shop, { amount: 2_500 });
    await client.make("POST", `/v1/sandbox/pix/${pix.body.id}/pay`, { body: {} });
    await systemSql()`update sandbox_movements set at = at + interval '1 year' where client_id = ${client.clientId}`;
    const ctx = await client.context();
    const today = saoPauloDay(now(ctx));
    const liveOn = (day: string) => {
      const clock = { offsetSeconds: 0, frozenAt: momentOn(day, "statements") };
      return merchantDay({ ...ctx, account: { ...ctx.account, clock } }, merchant.id);
    };
    const readThrough = async () =>
      (await inTransaction(ctx, (inside) => daysOf(inside, merchant.id))).statementsThrough;
    const before = addDays(today, -1);
    await inTransaction(ctx, (inside) => keepDay(inside, merchant.id, "statementsThrough", before));
    const failing = vi.spyOn(comparison, "compareSettlement").mockRejectedValue(new Error("no comparison"));
    await expect(liveOn(addDays(today, 10))).rejects.toThrow("no comparison");
    expect(await readThrough()).toBe(before);
    failing.mockRestore();
    await liveOn(addDays(today, 30));
    expect(await readThrough()).toBe(addDays(today, 29));
    expect(await breaksOf(shop)).toEqual([{ kind: "settlement_missing", expected: 2_500, found: 0 }]);
  });
});
