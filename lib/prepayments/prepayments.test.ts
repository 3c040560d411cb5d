import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { setAccount } from "@/lib/accounts/service";
import { merchantDay } from "@/lib/bank-day/merchant-day";
import { addDays, daysBetween, nextBankDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { confirmPrepayment } from "@/lib/finance/commit";
import { newId } from "@/lib/ids";
import { windowAt } from "@/lib/prepayments/window";
import { openClient, type TestClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";
import { closeDatabaseState, databaseState } from "@/lib/testing/dry-runs/database";
import { payByCard, type Shop, voidIt, withMerchant } from "@/lib/testing/payments";
import { person } from "@/lib/testing/people";
import { openSellers } from "@/lib/testing/sellers";

interface Priced {
  id: string;
  status: string;
  grossAmount: number;
  netAmount: number;
  feeAmount: number;
  markupAmount: number;
  effectiveRate: number;
  paymentDate: string;
  expiresAt: string;
  groups: { receiptDate: string; receivableCount: number; netAmount: number }[];
  items: {
    grossAmount: number;
    netAmount: number;
    feeAmount: number;
    daysToAnticipate: number;
    settlementDate: string;
  }[];
}

const PATH = "/v1/subacquirer/prepayment";
const to = (client: TestClient, day: string, time: string) =>
  client.make("POST", "/v1/sandbox/clock", { body: { to: `${day}T${time}-03:00`, freeze: true } });
const today = async (client: TestClient): Promise<string> => {
  const { now } = await client.make<{ now: string }>("GET", "/v1/sandbox/clock");
  return saoPauloDay(new Date(now));
};
const simulate = (client: TestClient, body: Record<string, unknown>) => client.make<Priced>("POST", PATH, { body });
const commit = (client: TestClient, id: string) => client.call<Priced>("POST", `${PATH}/${id}/commit`, { body: {} });
const sell = async (shop: Shop, amount: number, installments: number, splitRules: unknown[] = []): Promise<string> => {
  const changes = {
    paymentMethod: { paymentType: "credit", installments },
    ...(splitRules.length > 0 ? { splitRules } : {}),
  };
  return (await payByCard(shop, { amount, capture: true, changes })).body.id;
};
const booksOf = async ({ merchant }: Shop): Promise<Record<string, number>> => {
  const rows = await systemSql()<{ kind: string; balance: number }[]>`
    select a.kind, sum(p.amount)::int as balance from postings p join ledger_accounts a on a.id = p.account_id
     where a.merchant_id = ${merchant.id} and not a.memo group by 1 having sum(p.amount) <> 0`;
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, balance]));
};
const broken = async ({ client, merchant }: Shop) => {
  const report = await client.make<{ invariants: { id: string; violations: number }[] }>("GET", "/v1/invariants");
  const open = await systemSql()`
    select kind, subject, expected::int, found::int from settlement_breaks
     where merchant_id = ${merchant.id} and closed_at is null`;
  return [...report.invariants.filter(({ violations }) => violations > 0), ...open];
};

test("the window of a simulation is open up to the last millisecond", () => {
  const at = (day: string, time: string) => windowAt(new Date(`${day}T${time}-03:00`));
  expect(at("2026-11-23", "15:00:00.000")).toEqual({
    expiresAt: new Date("2026-11-23T18:00:00Z"),
    paymentDate: "2026-11-24",
  });
  expect(at("2026-11-23", "15:00:00.001")).toEqual({
    expiresAt: new Date("2026-11-24T18:00:00Z"),
    paymentDate: "2026-11-25",
  });
  // The 20th of November is a holiday of the banks, and a Friday.
  expect(at("2026-11-20", "10:00:00.000")).toEqual({
    expiresAt: new Date("2026-11-23T18:00:00Z"),
    paymentDate: "2026-11-24",
  });
});

describe("prepayment", { timeout: 60_000 }, () => {
  test("a refund takes its locks in the order of a confirmation: the seller's position, then what waits", async () => {
    const shop = await withMerchant(await openClient());
    const [sellerId = ""] = await openSellers(shop.client, shop.merchant.id, 1);
    const id = await sell(shop, 9_000, 3, [{ sellerId, amount: 9_000 }]);
    const sql = systemSql();
    await sql`insert into seller_positions (client_id, merchant_id, seller_id)
              values (${shop.client.clientId}, ${shop.merchant.id}, ${sellerId}) on conflict do nothing`;
    let refunded: ReturnType<typeof voidIt> | undefined;
    await sql.begin(async (confirming) => {
      await confirming`select 1 from seller_positions where seller_id = ${sellerId} for update`;
      refunded = voidIt(shop.client, id, { amount: 100 });
      const waiting = () => sql`
        select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid
         where not l.granted and a.datname = current_database()`;
      await expect.poll(async () => (await waiting()).length, { timeout: 30_000 }).toBeGreaterThan(0);
      await confirming`select 1 from receivables where charge_id = ${id} for update nowait`;
    });
    expect((await refunded)?.status).toBe(201);
  });

  test("a simulation changes nothing but itself and the job that ends it", async () => {
    const shop = await withMerchant(await openClient());
    const { client } = shop;
    await sell(shop, 9_000, 3);
    const before = (await databaseState()).split("\n");
    await simulate(client, { endDate: "2099-12-31" });
    const after = (await databaseState()).split("\n");
    await closeDatabaseState();
    const changed = after.filter((line) => !before.includes(line)).map((line) => line.split(" ")[0]);
    expect(changed).toEqual(["public.due_jobs", "public.prepayment_items", "public.prepayments"]);
  });

  test("of a seller: priced by the days of each, confirmed once at 15:00 sharp, paid on its day at 05:30", async () => {
    const shop = await withMerchant(await openClient());
    const { client } = shop;
    const [sellerId = ""] = await openSellers(client, shop.merchant.id, 1);
    await sell(shop, 30_000, 3, [{ sellerId, amount: 30_000 }]);
    const day = nextBankDay(await today(client));
    await to(client, day, "14:00:00");
    const free = await client.make<{ summary: object; receivables: { settlementDate: string; amount: number }[] }>(
      "GET",
      `${PATH}/receivables?sellerId=${sellerId}`,
    );
    expect(free.summary).toEqual({ availableAmount: 30_000, receivableCount: 3 });
    const dates = free.receivables.slice(0, 2).map(({ settlementDate }) => settlementDate);
    const priced = await simulate(client, { receiptDates: dates, sellerId });
    expect(priced).toMatchObject({ status: "pending", grossAmount: 20_000, paymentDate: nextBankDay(day) });
    for (const item of priced.items) {
      // The sandbox's plan: 1.5 % and 2 % in 30 days, simple interest on what is paid.
      const owed = 3.5 * item.daysToAnticipate;
      const net = Math.floor((item.grossAmount * 3_000) / (3_000 + owed));
      expect([item.netAmount, item.feeAmount]).toEqual([net, Math.round((net * 1.5 * item.daysToAnticipate) / 3_000)]);
    }
    expect(priced.groups.map(({ receiptDate }) => receiptDate)).toEqual(dates);
    const all = await simulate(client, { endDate: addDays(day, 120), sellerId });
    expect(all.grossAmount).toBe(30_000);
    await to(client, day, "15:00:00.000");
    const racers = await Promise.all([priced.id, priced.id, all.id].map((id) => commit(client, id)));
    expect(racers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, error } of racers.filter((one) => one.status !== 200)) {
      expect([
        [409, "prepayment_not_pending", "I-409"],
        [422, "receivables_changed", "I-422"],
      ]).toContainEqual([status, error?.businessCode, error?.key]);
    }
    const won = racers.find(({ status }) => status === 200)?.body ?? priced;
    // Locked from now on, and available on its payment date alone (K7).
    const committed = await booksOf(shop);
    expect([committed.seller_available, committed["revenue:prepayment"]]).toEqual([undefined, undefined]);
    await to(client, day, "15:00:00.001");
    const late = await simulate(client, { endDate: addDays(day, 120), sellerId }).catch(() => undefined);
    await to(client, nextBankDay(day), "05:30:00");
    expect(await booksOf(shop)).toMatchObject({
      seller_available: -won.netAmount,
      "revenue:prepayment": -(won.feeAmount + won.markupAmount),
    });
    expect((await client.make<Priced>("GET", `${PATH}/${won.id}`)).status).toBe("paid");
    if (late) expect((await client.make<Priced>("GET", `${PATH}/${late.id}`)).status).toBe("pending");
    const events = await systemSql()<{ event: string }[]>`
      select event from events where entity_id = ${won.id} order by id`;
    expect(events.map(({ event }) => event)).toEqual(["committed", "paid"]);
    expect(await broken(shop)).toEqual([]);
  });

  test("of the account itself: its acquirer pays the net on the new day, and nothing on the old one", async () => {
    const shop = await withMerchant(await openClient());
    const { client } = shop;
    await sell(shop, 10_000, 1);
    const day = nextBankDay(await today(client));
    await to(client, day, "10:00:00");
    const priced = await simulate(client, { endDate: addDays(day, 60) });
    expect((await commit(client, priced.id)).status).toBe(200);
    await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P40D" } });
    expect(await booksOf(shop)).toEqual({
      bank: priced.netAmount - 249,
      "expense:provider_cost": 249,
      merchant_available: -priced.netAmount,
    });
    expect(await broken(shop)).toEqual([]);
  });

  test("an acquirer that is told late pays on the day it is told: its line is on a statement that is still to come", async () => {
    const shop = await withMerchant(await openClient());
    const { client, merchant } = shop;
    await sell(shop, 10_000, 1);
    const day = nextBankDay(await today(client));
    await to(client, day, "10:00:00");
    const priced = await simulate(client, { endDate: addDays(day, 60) });
    expect((await commit(client, priced.id)).status).toBe(200);
    const late = `${nextBankDay(priced.paymentDate)}T12:00:00-03:00`;
    await systemSql()`update due_jobs set due_at = ${late} where kind = 'merchant.day' and ref_id = ${merchant.id}`;
    await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P8D" } });
    expect((await booksOf(shop)).bank).toBe(priced.netAmount - 249);
    expect(await broken(shop)).toEqual([]);
  });

  test("what changed, is too late, or is not there is refused, and nothing moves", async () => {
    const shop = await withMerchant(await openClient());
    const { client } = shop;
    const refusal = async (method: string, path: string, body?: Record<string, unknown>) => {
      const { status, error } = await client.call(method, path, body ? { body } : {});
      return [status, error?.businessCode, error?.key];
    };
    expect(await refusal("GET", `${PATH}/receivables`)).toEqual([404, "no_receivables", "I-404"]);
    const charge = await sell(shop, 10_000, 2);
    const day = nextBankDay(await today(client));
    await to(client, day, "10:00:00");
    for (const body of [
      {},
      { endDate: "2030-01-01", receiptDates: ["2030-01-01"] },
      { endDate: "2030-13-01" },
      { receiptDates: [] },
    ]) {
      expect(await refusal("POST", PATH, body)).toEqual([400, undefined, "I-400"]);
    }
    expect(await refusal("POST", PATH, { receiptDates: ["2020-01-02"] })).toEqual([422, "nothing_available", "I-422"]);
    expect(await refusal("POST", `${PATH}/00000000-0000-7000-8000-000000000000/commit`, {})).toEqual([
      404,
      undefined,
      "I-404",
    ]);
    const stranger = await openClient();
    const priced = await simulate(client, { endDate: addDays(day, 90) });
    expect((await stranger.call("POST", `${PATH}/${priced.id}/commit`, { body: {} })).status).toBe(404);
    await voidIt(client, charge, { amount: 1 });
    expect(await refusal("POST", `${PATH}/${priced.id}/commit`, {})).toEqual([422, "receivables_changed", "I-422"]);
    const again = await simulate(client, { endDate: addDays(day, 90) });
    expect(again.grossAmount).toBe(9_999);
    await sell(shop, 6_000_000, 2);
    const large = await simulate(client, { endDate: addDays(day, 90) });
    const [first, second] = [await person(client, "owner"), await person(client, "finance")];
    expect([await confirmPrepayment(first, large.id), await confirmPrepayment(first, large.id)]).toEqual([
      "proposed",
      "proposed",
    ]);
    // Asked for twice, told once: whoever may confirm it.
    const told = await systemSql()`
      select path, amount::int from notices where client_id = ${client.clientId} and kind = 'prepayment_waiting'`;
    expect(told).toEqual([{ path: `/dashboard/payouts/prepayments/${large.id}`, amount: large.grossAmount }]);
    await to(client, day, "15:00:00.001");
    for (const late of [first, second]) {
      await expect(confirmPrepayment(late, large.id)).rejects.toMatchObject({
        businessCode: "prepayment_window_closed",
      });
    }
    expect((await client.make<Priced>("GET", `${PATH}/${again.id}`)).status).toBe("expired");
    expect(await refusal("POST", `${PATH}/${again.id}/commit`, {})).toEqual([409, "prepayment_window_closed", "I-409"]);
    await systemSql()`update clients set is_prepayment_on = false where id = ${client.clientId}`;
    expect(await refusal("GET", `${PATH}/receivables`)).toEqual([403, "prepayment_not_enabled", "I-403"]);
    expect((await booksOf(shop)).merchant_available).toBeUndefined();
  });
});

test("sellers whose policies say so are paid early by themselves, on bank days at 14:00, while the account allows it", {
  timeout: 60_000,
}, async () => {
  const shop = await withMerchant(await openClient());
  const { client, merchant } = shop;
  const policy = {
    transferInterval: "daily",
    transferDay: 0,
    transferEnabled: true,
    automaticAnticipationEnabled: true,
  };
  const withPolicy = async (changes: Record<string, unknown>) =>
    (await openSellers(client, merchant.id, 1, { transferPolicy: { ...policy, ...changes } }))[0] ?? "";
  const first = nextBankDay(await today(client));
  const second = nextBankDay(first);
  const days = `[${Array.from({ length: 31 }, (_, index) => index + 1).join(", ")}]`;
  const half = await withPolicy({ automaticAnticipationType: "full", anticipatableVolumePercentage: "50" });
  const later = await withPolicy({
    automaticAnticipationType: "1025",
    automaticAnticipationDays: days,
    automaticAnticipation1025Delay: String(daysBetween(first, second) + 1),
  });
  const off = await withPolicy({ automaticAnticipationEnabled: false });
  const held = await withPolicy({ automaticAnticipationType: "full" });
  await systemSql()`
    insert into payout_holds (id, client_id, merchant_id, seller_id, cause, reason, created_at)
    values (${newId()}, ${client.clientId}, ${merchant.id}, ${held}, 'operator', 'asked by the bank', now())`;
  await to(client, first, "09:00:00");
  await sell(
    shop,
    40_000,
    4,
    [half, later, off, held].map((sellerId) => ({ sellerId, amount: 10_000 })),
  );
  const shown = async () =>
    (
      await client.make<List<Priced & { sellerId: string; automatic: boolean }>>("GET", `${PATH}?limit=100&order=asc`)
    ).items.map(({ sellerId, automatic, status, grossAmount }) => [sellerId, automatic, status, grossAmount]);
  await to(client, first, "13:59:59");
  expect(await shown()).toEqual([]);
  await setAccount(client.clientId, { isPrepaymentOn: false });
  await to(client, first, "14:30:00");
  await setAccount(client.clientId, { isPrepaymentOn: true });
  expect(await shown()).toEqual([]);
  // The day before is over, though nothing was under way when it began.
  await to(client, second, "13:59:59");
  expect(await shown()).toEqual([]);
  await to(client, second, "14:00:00");
  // Two of four instalments are half of them, and what they cost makes it no less.
  expect(await shown()).toEqual([[half, true, "committed", 5_000]]);
  const ctx = await client.context();
  await systemSql()`update merchant_days set anticipated_on = null where merchant_id = ${merchant.id}`;
  await merchantDay(ctx, merchant.id);
  expect(await shown()).toHaveLength(1);
  await to(client, nextBankDay(nextBankDay(second)), "15:30:00");
  expect(await shown()).toEqual([
    [half, true, "paid", 5_000],
    [later, true, expect.stringMatching(/committed|paid/), 10_000],
  ]);
  expect(await broken(shop)).toEqual([]);
});

test("a policy that begins is lived on the next 14:00, of its own day too, and of no moment before it", {
  timeout: 60_000,
}, async () => {
  const first = nextBankDay(await today(await openClient()));
  const second = nextBankDay(first);
  const beginning = async (at: string) => {
    const shop = await withMerchant(await openClient());
    const { client, merchant } = shop;
    const [seller = ""] = await openSellers(client, merchant.id, 1);
    await to(client, first, "09:00:00");
    await sell(shop, 40_000, 4, [{ sellerId: seller, amount: 10_000 }]);
    await to(client, first, at);
    const transferPolicy = { automaticAnticipationEnabled: true, automaticAnticipationType: "full" };
    await client.make("PATCH", `/v1/sellers/${seller}`, { body: { transferPolicy } });
    const shown = async () =>
      (await client.make<List<Priced & { paymentDate: string }>>("GET", PATH)).items.map(
        ({ paymentDate }) => paymentDate,
      );
    return { client, shown };
  };
  const before = await beginning("12:00:00");
  await to(before.client, first, "14:00:00");
  expect(await before.shown()).toEqual([second]);
  const after = await beginning("16:00:00");
  await to(after.client, second, "13:59:59");
  expect(await after.shown()).toEqual([]);
  await to(after.client, second, "14:00:00");
  expect(await after.shown()).toEqual([nextBankDay(second)]);
});

test("a receivable of which nothing would be left stands in no policy's way", { timeout: 60_000 }, async () => {
  const shop = await withMerchant(await openClient());
  const { client, merchant } = shop;
  const first = nextBankDay(await today(client));
  const second = nextBankDay(first);
  const transferPolicy = {
    transferInterval: "daily",
    transferDay: 0,
    transferEnabled: true,
    automaticAnticipationEnabled: true,
    automaticAnticipationType: "full",
    anticipatableVolumePercentage: "1",
  };
  const [seller = ""] = await openSellers(client, merchant.id, 1, { transferPolicy });
  await to(client, first, "09:00:00");
  await sell(shop, 40_000, 4, [{ sellerId: seller, amount: 4 }]);
  await to(client, second, "09:00:00");
  await sell(shop, 40_000, 4, [{ sellerId: seller, amount: 80 }]);
  await to(client, second, "14:00:00");
  const { items } = await client.make<List<Priced>>("GET", PATH);
  expect(items.map(({ grossAmount }) => grossAmount)).toEqual([20]);
  expect(await broken(shop)).toEqual([]);
});
