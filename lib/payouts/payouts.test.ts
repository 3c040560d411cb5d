import { and, eq, sql } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { systemSql } from "@/db/client";
import { payoutTransfers } from "@/db/schema/payouts";
import { merchantDay } from "@/lib/bank-day/merchant-day";
import { nextBankDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { inTransaction, now } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { newId } from "@/lib/ids";
import { compose } from "@/lib/payouts/compose";
import { cutBatches } from "@/lib/payouts/cut";
import { returnTransfer } from "@/lib/payouts/results";
import { isTransferDay } from "@/lib/payouts/transfer-days";
import { workOnTransfers } from "@/lib/payouts/transfers";
import { transferBank } from "@/lib/providers/registry";
import type { TestClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";
import { payByPix, type Shop, withMerchant } from "@/lib/testing/payments";
import { openPastNoon } from "@/lib/testing/payouts";
import { afterDelay, newSeller, openSellers } from "@/lib/testing/sellers";

interface Batch {
  id: string;
  status: string;
  amount: number;
  feeAmount: number;
  withdrawalFeeAmount: number;
  totalFeeAmount: number;
  balanceAmount: number;
  refundAmount: number;
  creditAdjustmentAmount: number;
  finalBalance: number;
  paymentDate: string;
  payoutDate: string | null;
  paymentArrangement: string | null;
  error: { reason: string } | null;
}
interface Balance {
  available: number;
  receivable: number;
  inTransit: number;
  debt: number;
}

const to = (client: TestClient, day: string, time = "12:00:00", freeze = false) =>
  client.make("POST", "/v1/sandbox/clock", { body: { to: `${day}T${time}-03:00`, ...(freeze ? { freeze } : {}) } });
const batches = async (client: TestClient, query = "") =>
  (await client.make<List<Batch>>("GET", `/v1/payouts/payment-batches?limit=100&order=asc&${query}`)).items;
const balance = (client: TestClient, sellerId?: string) =>
  client.make<Balance>("GET", `/v1/payouts/balance${sellerId ? `?sellerId=${sellerId}` : ""}`);
const broken = async ({ client, merchant }: Shop) => {
  const report = await client.make<{ invariants: { id: string; violations: number }[] }>("GET", "/v1/invariants");
  const open = await systemSql()`
    select kind, subject, expected::int, found::int from settlement_breaks
     where merchant_id = ${merchant.id} and closed_at is null`;
  return [...report.invariants.filter(({ violations }) => violations > 0), ...open];
};

/** Which constraint refuses another merchant the same batch, if one does; nothing of it stays. */
const copied = (from: string, merchantId: string): Promise<string> =>
  systemSql()
    .begin(async (sql) => {
      await sql`
        insert into payout_batches
        select (jsonb_populate_record(b, jsonb_build_object('id', gen_random_uuid(), 'merchant_id', ${merchantId}::text))).*
          from payout_batches b where b.merchant_id = ${from}`;
      throw Object.assign(new Error("undone"), { constraint_name: "" });
    })
    .catch((thrown: { constraint_name: string }) => thrown.constraint_name);

interface Split extends Shop {
  a: string;
  b: string;
}
async function withSellers(changes: Record<string, unknown> = {}): Promise<Split> {
  const shop = await withMerchant(await openPastNoon());
  const [a = "", b = ""] = await openSellers(shop.client, shop.merchant.id, 2, {
    transferPolicy: { transferInterval: "daily", transferDay: 0, transferEnabled: true },
    ...changes,
  });
  return { ...shop, a, b };
}
/** Paid at once: its money is there with the next bank day. */
const sellByPix = async (shop: Shop, splitRules: unknown[], amount = 10_000) => {
  const { body } = await payByPix(shop, { amount, changes: { splitRules } });
  await shop.client.make("POST", `/v1/sandbox/pix/${body.id}/pay`, { body: {} });
  return body;
};
/** Whatever was paid by Pix today stands in a batch on that day. */
const afterRelease = async (client: TestClient): Promise<string> => {
  const { now } = await client.make<{ now: string }>("GET", "/v1/sandbox/clock");
  return nextBankDay(saoPauloDay(new Date(now)));
};

describe("transfer days", () => {
  const on = (
    transferInterval: "daily" | "weekly" | "monthly",
    transferDay: string,
    day: string,
    after: string | null,
  ) => isTransferDay({ transferInterval, transferDay }, day, after);
  test("are those that the policy names, rolled forward to a bank day; what was left out is made up for", () => {
    expect(on("daily", "0", "2026-11-20", null)).toBe(false);
    expect(on("daily", "0", "2026-11-19", null)).toBe(true);
    expect(["2026-11-16", "2026-11-17"].map((day) => on("weekly", "1", day, null))).toEqual([true, false]);
    // The 20th is a holiday: Friday's sellers are paid on Monday.
    expect(on("weekly", "5", "2026-11-23", "2026-11-19")).toBe(true);
    expect(["2026-02-27", "2026-03-02"].map((day) => on("monthly", "31", day, null))).toEqual([false, true]);
    expect(on("monthly", "1", "2026-03-02", "2026-02-27")).toBe(true);
    expect(on("weekly", "1", "2026-11-18", "2026-11-13")).toBe(true);
    expect(on("weekly", "1", "2026-11-18", "2026-11-16")).toBe(false);
  });
});

test("a debt that is written off before it stands in a batch is not paid out instead", () => {
  const owed = { id: newId(), type: "refund", chargeId: newId(), gross: -10_000, fee: 0, anticipationFee: 0 } as const;
  const rows = [{ ...owed, paymentMethod: "pix", paymentArrangement: null }];
  const terms = { planId: newId(), withdrawalFee: 367, minimumPayout: 0 };
  const made = compose(rows, [{ id: newId(), kind: "write_off", amount: 10_000 }], [], terms, newId);
  expect(made.map(({ status, amounts }) => [status, amounts.finalBalance])).toEqual([
    ["offset", -10_000],
    ["offset", 0],
  ]);
});

describe("payment batches", { timeout: 60_000 }, () => {
  test("paid, offset twice, carried once and paid; balances, orders, lines and events agree", async () => {
    const shop = await withSellers({ minNegativeBalance: 10_000 });
    const { client, a, b } = shop;
    const rules = [
      { sellerId: a, amount: 7_000, processingFee: true, liable: true },
      { sellerId: b, amount: 3_000 },
    ];
    const charge = await sellByPix(shop, rules);
    const first = await afterRelease(client);
    await to(client, first, "05:30:00");
    expect(await balance(client, a)).toMatchObject({ available: 6_901, receivable: 0, inTransit: 0, debt: 0 });
    await to(client, first);
    const [ofA] = await batches(client, `sellerId=${a}`);
    expect(ofA).toMatchObject({
      status: "pending",
      amount: 7_000,
      feeAmount: 99,
      withdrawalFeeAmount: 367,
      totalFeeAmount: 466,
      finalBalance: 6_534,
      paymentDate: first,
      payoutDate: null,
      paymentMethod: "pix",
      paymentArrangement: null,
    });
    expect(await balance(client, a)).toMatchObject({ available: 0, receivable: 0, inTransit: 6_534 });
    await client.make("POST", `/v1/sandbox/pix/${charge.id}/med`, { body: { amount: 4_000 } });
    expect(await balance(client, a)).toMatchObject({ available: -4_000, debt: 4_000 });
    // A worker that was killed before it kept the day lives it again: what came since waits for the next one.
    await systemSql()`update merchant_days set cut_on = cut_on - 1 where merchant_id = ${shop.merchant.id}`;
    await merchantDay(await client.context(), shop.merchant.id);
    await to(client, await afterRelease(client));
    await sellByPix(shop, [{ sellerId: a, amount: 1_000 }], 1_000);
    await to(client, await afterRelease(client));
    const all = await batches(client, `sellerId=${a}`);
    const shown = all.map((one) => [one.status, one.balanceAmount, one.refundAmount, one.finalBalance]);
    expect(shown).toEqual([
      ["paid", 0, 0, 6_534],
      ["offset", 0, 4_000, -4_000],
      ["offset", -4_000, 0, -3_000],
    ]);
    expect(all[0]?.payoutDate).toBe(first);
    expect(await balance(client, a)).toMatchObject({ available: -3_000, receivable: 0, inTransit: 0, debt: 3_000 });
    await sellByPix(shop, [{ sellerId: a, amount: 5_000 }], 5_000);
    await to(client, await afterRelease(client));
    const last = (await batches(client, `sellerId=${a}`)).at(-1);
    expect(last).toMatchObject({ balanceAmount: -3_000, amount: 5_000, withdrawalFeeAmount: 367, finalBalance: 1_633 });
    const path = `/v1/payouts/payment-batches/${last?.id}/lines`;
    const lines = await client.make<List<{ type: string; amount: number }>>("GET", path);
    expect(lines.items.map(({ type, amount }) => [type, amount])).toEqual([
      ["credit", 5_000],
      ["carried", -3_000],
      ["withdrawal", -367],
    ]);
    const orders = await client.make<List<{ type: string; amount: number }>>(
      "GET",
      `/v1/payouts/orders?sellerId=${a}&chargeId=${charge.id}&order=asc`,
    );
    expect(orders.items.map(({ type, amount }) => [type, amount])).toEqual([
      ["authorization", 6_901],
      ["charge_back", -4_000],
    ]);
    const events = await systemSql()<{ event: string }[]>`
      select event from events where object = 'payout' and entity_id = ${ofA?.id ?? ""} order by id`;
    expect(events.map(({ event }) => event)).toEqual(["pending", "paid"]);
    expect(await broken(shop)).toEqual([]);
  });

  test("the merchant's own: what it has of its sales, paid when its acquirer's statement says so", async () => {
    const shop = await withMerchant(await openPastNoon());
    const { client } = shop;
    await sellByPix(shop, [], 8_000);
    const day = await afterRelease(client);
    await to(client, day);
    expect(await batches(client)).toMatchObject([
      {
        status: "pending",
        sellerId: null,
        amount: 8_000,
        withdrawalFeeAmount: 0,
        finalBalance: 8_000,
        paymentDate: day,
      },
    ]);
    expect(await balance(client)).toMatchObject({ available: 0, receivable: 0, inTransit: 8_000 });
    // One of its kind and day for each merchant, its own as a seller's (K1).
    expect(await copied(shop.merchant.id, shop.merchant.id)).toBe("payout_batches_group");
    expect(await copied(shop.merchant.id, (await withMerchant(client)).merchant.id)).toBe("");
    await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P4D" } });
    expect(await batches(client, "status=paid")).toMatchObject([{ payoutDate: day }]);
    expect(await broken(shop)).toEqual([]);
  });

  test("a refused transfer gives everything back, once; its lines stand in the next batch when the account changed", async () => {
    const shop = await withMerchant(await openPastNoon());
    const { client, merchant } = shop;
    const seller = newSeller(merchant.id, {
      transferPolicy: { transferInterval: "daily", transferDay: 0, transferEnabled: true },
    });
    const body = { ...seller, bankAccount: { ...seller.bankAccount, accountNumber: "0000000" } };
    const { id } = await client.make<{ id: string }>("POST", "/v1/sellers", { body });
    await afterDelay(client);
    await sellByPix(shop, [{ sellerId: id, amount: 10_000 }]);
    const day = await afterRelease(client);
    await to(client, day);
    await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P5D" } });
    const [failed, ...others] = await batches(client, `sellerId=${id}`);
    expect([failed, others]).toMatchObject([{ status: "failed", error: { reason: "invalid_account" } }, []]);
    expect(await balance(client, id)).toMatchObject({ available: 10_000, inTransit: 0 });
    await client.make("PATCH", `/v1/sellers/${id}`, { body: { bankAccount: { accountNumber: "9999999" } } });
    await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P5D" } });
    const again = (await batches(client, `sellerId=${id}`)).at(-1);
    expect(again).toMatchObject({ status: "paid", amount: 10_000, finalBalance: 9_633 });
    const [line] = (
      await client.make<List<{ previousBatchId: string }>>("GET", `/v1/payouts/payment-batches/${again?.id}/lines`)
    ).items;
    expect(line?.previousBatchId).toBe(failed?.id);
    // The bank gives it back within days: paid it stays, and what came back is available and held.
    await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P7D" } });
    expect((await batches(client, `sellerId=${id}`)).map(({ status }) => status)).toEqual(["failed", "paid"]);
    expect(await balance(client, id)).toMatchObject({ available: 9_633, debt: 0 });
    const [returned] = await systemSql()<{ n: number }[]>`
      select count(*)::int as n from events where client_id = ${client.clientId} and object = 'payout' and event = 'returned'`;
    expect(returned?.n).toBe(1);
    expect(await broken(shop)).toEqual([]);
  });

  test("a transfer that never left is told a minute later; one without an answer is asked about, never sent again", async () => {
    const shop = await withMerchant(await openPastNoon());
    const { client, merchant } = shop;
    const seller = newSeller(merchant.id, {
      transferPolicy: { transferInterval: "daily", transferDay: 0, transferEnabled: true },
    });
    const body = { ...seller, bankAccount: { ...seller.bankAccount, accountNumber: "8888888" } };
    const { id } = await client.make<{ id: string }>("POST", "/v1/sellers", { body });
    await afterDelay(client);
    await sellByPix(shop, [{ sellerId: id, amount: 10_000 }]);
    const day = await afterRelease(client);
    // Stopped: a second of ours is often longer than one of its.
    await to(client, day, "06:29:59", true);
    const statusOf = async () =>
      (await systemSql()<{ status: string }[]>`select status from payout_transfers where seller_id = ${id}`)[0]?.status;
    expect(await statusOf()).toBe("created");
    const closed = vi.spyOn(transferBank(), "send").mockResolvedValueOnce({ kind: "not_sent" });
    await to(client, day, "06:30:00");
    expect(await statusOf()).toBe("created");
    const before = await client.context();
    const attempted = (at: string | null) =>
      systemSql()`update payout_transfers set attempted_at = ${at}, sent_on = ${at && day} where seller_id = ${id}`;
    // Who told the bank says that nothing left while somebody else asks about it: nothing is unknown of it.
    await attempted(`${day}T06:29:00-03:00`);
    const asked = vi.spyOn(transferBank(), "ask").mockImplementationOnce(async () => {
      await attempted(null);
      return { kind: "found", states: new Map() };
    });
    await workOnTransfers(before, merchant.id);
    expect([asked.mock.calls.length, await statusOf()]).toEqual([1, "created"]);
    asked.mockRestore();
    await inTransaction(before, (inside) =>
      schedule(inside, "transfer.query", merchant.id, new Date(`${day}T06:31:00-03:00`)),
    );
    await to(client, day, "06:31:00");
    closed.mockRestore();
    const ctx = await client.context();
    expect(["unknown", "sent"]).toContain(await statusOf());
    await Promise.all(Array.from({ length: 5 }, () => workOnTransfers(ctx, merchant.id)));
    expect(await statusOf()).toBe("sent");
    await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P4D" } });
    expect(await statusOf()).toBe("settled");
    const told = await systemSql()`select 1 from sandbox_transfers where client_id = ${client.clientId}`;
    expect(told).toHaveLength(1);
    expect(await broken(shop)).toEqual([]);
  });

  test("each is told while its claim is fresh, however slow the bank; what follows an account that changed goes to the new one", async () => {
    const shop = await withMerchant(await openPastNoon());
    const { client, merchant } = shop;
    const sellers = await openSellers(client, merchant.id, 12, {
      transferPolicy: { transferInterval: "daily", transferDay: 0, transferEnabled: true },
    });
    await sellByPix(
      shop,
      sellers.map((sellerId) => ({ sellerId, amount: 1_000 })),
      12_000,
    );
    const day = await afterRelease(client);
    await to(client, day, "06:29:59");
    const [moved = ""] = sellers;
    await client.make("PATCH", `/v1/sellers/${moved}`, { body: { bankAccount: { accountNumber: "7654321" } } });
    const { account, ...rest } = await client.context();
    const clock = { ...account.clock, offsetSeconds: account.clock.offsetSeconds + 60 };
    const ctx = { ...rest, account: { ...account, clock } };
    const bank = transferBank();
    const send = bank.send;
    let isLate = false;
    let told = 0;
    const slow = vi.spyOn(bank, "send").mockImplementation(async (call, order) => {
      told += 1;
      // Somebody else takes over while the eleventh is under way, two minutes after the first.
      if (told === 11) await workOnTransfers(ctx, merchant.id);
      const sent = await send.call(bank, call, order);
      if (told === 10 && !isLate) {
        isLate = true;
        clock.offsetSeconds += 120;
      }
      return sent;
    });
    await workOnTransfers(ctx, merchant.id);
    slow.mockRestore();
    const states = await systemSql()<{ status: string; n: number }[]>`
      select status, count(*)::int as n from payout_transfers where merchant_id = ${merchant.id} group by 1 order by 1`;
    const told11 = await systemSql()`select 1 from sandbox_transfers where client_id = ${client.clientId}`;
    expect([[...states], told11.length]).toEqual([
      [
        { status: "failed", n: 1 },
        { status: "sent", n: 11 },
      ],
      11,
    ]);
    expect(await balance(client, moved)).toMatchObject({ available: 1_000, inTransit: 0 });
    await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P8D" } });
    const accounts = await systemSql()<{ status: string; number: string }[]>`
      select status, destination #>> '{account,accountNumber}' as number from payout_transfers
       where seller_id = ${moved} order by id`;
    expect(accounts.map(({ status, number }) => [status, number])).toEqual([
      ["failed", "56789"],
      ["settled", "7654321"],
    ]);
    // What comes back from an account that was replaced says nothing of the new one.
    await client.make("PATCH", `/v1/sellers/${moved}`, { body: { bankAccount: { accountNumber: "1212121" } } });
    await inTransaction(await client.context(), async (inside) => {
      const [paid] = await inside.db
        .select()
        .from(payoutTransfers)
        .where(and(eq(payoutTransfers.sellerId, moved), eq(payoutTransfers.status, "settled")));
      if (paid) await returnTransfer(inside, paid, "account_closed");
    });
    expect(await balance(client, moved)).toMatchObject({ available: 633 });
    expect(await systemSql()`select 1 from payout_holds where seller_id = ${moved}`).toHaveLength(0);
    expect(await broken(shop)).toEqual([]);
  });

  test("batches that are cut while transfers are looked at have their moment all the same", async () => {
    const shop = await withSellers();
    const { client, merchant, a } = shop;
    await sellByPix(shop, [{ sellerId: a, amount: 5_000 }], 5_000);
    const day = await afterRelease(client);
    await to(client, day, "05:30:00");
    const ctx = await client.context();
    await inTransaction(ctx, (inside) => schedule(inside, "transfer.query", merchant.id, now(ctx)));
    const { looking } = await inTransaction(ctx, async (inside) => {
      await cutBatches(inside, merchant.id, day, null);
      const [self] = await inside.db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      const behind = () =>
        systemSql()`select 1 from pg_stat_activity where ${self?.pid ?? 0} = any(pg_blocking_pids(pid))`;
      const looking = workOnTransfers(ctx, merchant.id);
      await Promise.race([looking, vi.waitFor(async () => expect(await behind()).not.toHaveLength(0), 10_000)]);
      return { looking };
    });
    await looking;
    const [job] = await systemSql()<{ at: Date }[]>`
      select due_at as at from due_jobs where kind = 'transfer.query' and ref_id = ${merchant.id}`;
    expect(job?.at).toEqual(new Date(`${day}T06:30:00-03:00`));
  });

  test("nobody who may not receive is paid, and less than the price of a transfer waits", async () => {
    const shop = await withSellers();
    const { client, a, b } = shop;
    await client.make("PATCH", `/v1/sellers/${a}`, { body: { transferPolicy: { transferEnabled: false } } });
    await sellByPix(shop, [
      { sellerId: a, amount: 5_000 },
      { sellerId: b, amount: 367 },
    ]);
    const day = await afterRelease(client);
    await to(client, day);
    for (const id of [a, b]) expect(await batches(client, `sellerId=${id}`)).toEqual([]);
    expect(await balance(client, b)).toMatchObject({ available: 367 });
    expect((await client.call("GET", "/v1/payouts/payment-batches?status=lost")).status).toBe(400);
    expect((await client.call("GET", "/v1/payouts/balance?sellerId=00000000-0000-7000-8000-000000000000")).status).toBe(
      400,
    );
    expect((await client.call("GET", "/v1/payouts/orders/00000000-0000-7000-8000-000000000000")).status).toBe(404);
  });
});
