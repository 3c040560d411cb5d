import postgres from "postgres";
import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { nextBankDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import type { DryRun } from "@/lib/dry-runs/service";
import { flushRequestLog } from "@/lib/http/request-log";
import { planPurchaseChange } from "@/lib/purchases/plan-change";
import { aKey, openClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";
import { testDatabaseUrl } from "@/lib/testing/database";
import {
  addProvider,
  cardData,
  openCustomer,
  openToken,
  payByCard,
  payByPix,
  type Shop,
  withMerchant,
} from "@/lib/testing/payments";
import { openPastNoon } from "@/lib/testing/payouts";
import { readPurchase, work } from "@/lib/testing/purchases";
import { newSeller, openSellers } from "@/lib/testing/sellers";
import { chargeByPix, openSession, readSession } from "@/lib/testing/sessions";

interface Charge {
  id: string;
  status: string;
  responsibleProviderType: string;
}

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
  await addProvider(shop, { name: "Second", priority: 2 });
});

const planned = async (body: Record<string, unknown>): Promise<DryRun> =>
  shop.client.make<DryRun>("POST", "/v1/dry-runs", { body });

/** Journals, receivables and events of a charge and of its card as the database holds them, in the plan's words. */
async function booked(chargeId: string, without: ReadonlySet<string> = new Set()) {
  const sql = systemSql();
  const journals = await sql<{ id: string; type: string; currency: string }[]>`
    select id, event_type as type, currency from journals where charge_id = ${chargeId} order by created_at, id`;
  const transfers = await sql<{ id: string; debit: string; credit: string; amount: number }[]>`
    select x.journal_id as id, x.amount::float8 as amount,
           concat_ws(':', d.kind, d.seller_id, d.arrangement) as debit,
           concat_ws(':', c.kind, c.seller_id, c.arrangement) as credit
      from transfers x join ledger_accounts d on d.id = x.debit_account join ledger_accounts c on c.id = x.credit_account
     where x.journal_id = any(${journals.map(({ id }) => id)}::uuid[]) order by x.line`;
  const shares = await sql<{ sellerId: string | null; installment: number | null; amount: number; date: string }[]>`
    select seller_id as "sellerId", installment, gross::float8 as amount, payment_date::text as date, id
      from receivables where charge_id = ${chargeId}`;
  const events = await sql<{ name: string; id: string }[]>`
    select object || '.' || event as name, id from events
     where entity_id in (${chargeId}, (select card_id from charges where id = ${chargeId})) order by entity_version`;
  const isNew = ({ id }: { id: string }) => !without.has(id);
  return {
    ids: new Set([...journals, ...events, ...(shares as unknown as { id: string }[])].map(({ id }) => id)),
    journals: journals.filter(isNew).map(({ id, type, currency }) => ({
      type,
      currency,
      transfers: transfers
        .filter((one) => one.id === id)
        .map(({ debit, credit, amount }) => ({ debit, credit, amount })),
    })),
    shares: (shares as unknown as { id: string }[]).filter(isNew).map(({ id: _, ...share }) => share),
    events: events.filter(isNew).map(({ name }) => name),
  };
}

const sorted = <T>(items: readonly T[]): string[] => items.map((item) => JSON.stringify(item)).sort();

function expectSame(plan: DryRun["plan"], real: Awaited<ReturnType<typeof booked>>): void {
  expect(sorted(plan.journals)).toEqual(sorted(real.journals));
  expect(sorted(plan.shares)).toEqual(sorted(real.shares));
  expect(sorted(plan.events)).toEqual(sorted(real.events));
}

/** Everything the account has, but for what tells of the calls themselves. */
async function everything(): Promise<string> {
  await flushRequestLog();
  const sql = systemSql();
  const tables = await sql<{ name: string }[]>`
    select distinct c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'client_id'
      join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname = 'public' and c.relname not in ('request_logs', 'api_keys') order by 1`;
  const counts: string[] = [];
  for (const { name } of tables) {
    const [row] = await sql<{ n: string }[]>`
      select count(*) || ':' || coalesce(md5(string_agg(t::text, '' order by t::text)), '') as n
        from ${sql(name)} t where client_id = ${shop.client.clientId}`;
    counts.push(`${name} ${row?.n}`);
  }
  return counts.join("\n");
}

describe("a dry run", () => {
  test("shows who receives a split payment, when, and by which prices", async () => {
    const { client, merchant } = shop;
    const sellerId = (await client.make("POST", "/v1/sellers", { body: newSeller(merchant.id) })).id;
    await client.make("POST", "/v1/sandbox/clock", { body: { advance: "PT10S" } });
    const body = {
      merchantId: merchant.id,
      amount: 30_000,
      capture: true,
      paymentMethod: { paymentType: "credit", installments: 3 },
      paymentSource: { sourceType: "token", tokenId: await openToken(client) },
      splitRules: [{ sellerId, percentage: 40, processingFee: true, liable: true }],
    };
    const { plan } = await planned({ operation: "split", body });
    if (plan.errors.length > 0) throw new Error(JSON.stringify(plan.errors));
    const charge = await client.make<Charge>("POST", "/v1/charges", { body });
    expectSame(plan, await booked(charge.id));
    expect(plan.shares.filter((share) => share.sellerId === sellerId)).toHaveLength(3);
  });

  test("keeps nothing of a card's code", async () => {
    const { client, merchant } = await withMerchant(await openClient());
    const cardId = (await client.make("POST", "/v1/cards", { body: { tokenId: await openToken(client) } })).id;
    const owner = postgres(await testDatabaseUrl(), { max: 1, onnotice: () => undefined });
    const kept = () => owner`select token_id from vault.card_cvv where client_id = ${client.clientId} order by 1`;
    const before = await kept();
    const body = {
      merchantId: merchant.id,
      amount: 5_000,
      paymentMethod: { paymentType: "credit" },
      paymentSource: { sourceType: "card", cardId, cardCvv: "120" },
    };
    const { plan } = await client.make<DryRun>("POST", "/v1/dry-runs", { body: { operation: "charge", body } });
    expect(plan.errors).toEqual([]);
    expect(await kept()).toEqual(before);
    await owner.end();
  });

  test("of a Pix ends with its payment", async () => {
    const { client, merchant } = shop;
    const body = {
      merchantId: merchant.id,
      amount: 4_990,
      paymentMethod: { paymentType: "pix", expiresIn: 3_600 },
      paymentSource: { sourceType: "customer", customerId: await openCustomer(client) },
    };
    const { plan } = await planned({ operation: "charge", body });
    const { id } = await client.make("POST", "/v1/charges", { body });
    await client.make("POST", `/v1/sandbox/pix/${id}/pay`, { body: {} });
    expectSame(plan, await booked(id));
  });

  test("of a purchase is what its cards then do", async () => {
    const { client, merchant } = shop;
    const tokens = [await openToken(client), await openToken(client, cardData("approve", "mastercard"))];
    const body = {
      merchantId: merchant.id,
      amount: 10_003,
      capture: true,
      payments: tokens.map((tokenId, n) => ({
        amount: n === 0 ? 6_001 : 4_002,
        paymentMethod: { paymentType: "credit", installments: 1 + n * 2 },
        paymentSource: { sourceType: "token", tokenId },
      })),
    };
    const before = await everything();
    const { plan, planHash } = await planned({ operation: "purchase", body });
    expect(await everything()).toBe(before);
    expect(plan.slots.map(({ amount, refusal }) => [amount, refusal])).toEqual([
      [6_001, null],
      [4_002, null],
    ]);
    const { id } = await client.make("POST", "/v1/purchases", {
      body,
      idempotencyKey: aKey(),
      headers: { "x-plan-hash": planHash },
    });
    await work(client);
    const done = await readPurchase(client, id);
    expect([done.status, plan.status]).toEqual(["paid", "paid"]);
    const parts = await Promise.all(done.payments.map(({ chargeId }) => booked(chargeId ?? "")));
    const all = <K extends "journals" | "shares">(part: K) => parts.flatMap((one) => one[part] as unknown[]);
    expect(sorted(plan.journals)).toEqual(sorted(all("journals")));
    expect(sorted(plan.shares)).toEqual(sorted(all("shares")));
    const told = [...parts.flatMap(({ events }) => events), ...(await booked(id)).events];
    expect(sorted(plan.events)).toEqual(sorted(told));

    const first = done.payments[0]?.chargeId ?? "";
    const asked = { operation: "void", id: first, body: { amount: 1_003 } };
    const part = await planned(asked);
    const refund = (hash: string) =>
      client.call<Charge>("POST", `/v1/charges/${first}/void`, {
        body: asked.body,
        headers: { "x-plan-hash": hash },
      });
    expect((await refund(planHash)).error?.businessCode).toBe("plan_changed");
    const refunded = await refund(part.planHash);
    expect([refunded.status, refunded.body.status]).toEqual([201, part.plan.status]);
    expectSame(part.plan, await booked(first, parts[0]?.ids));

    // What is left of both cards, as a person sees it before they confirm.
    const known = new Set(
      (await Promise.all(done.payments.map(({ chargeId }) => booked(chargeId ?? "")))).flatMap(({ ids }) => [...ids]),
    );
    const toldOfPurchase = (await booked(id)).ids;
    const rest = await planPurchaseChange(await client.context(), id, "void");
    await client.make("POST", `/v1/purchases/${id}/void`, { body: {}, idempotencyKey: aKey() });
    await work(client);
    const real = await Promise.all(done.payments.map(({ chargeId }) => booked(chargeId ?? "", known)));
    const news = <K extends "journals" | "shares" | "events">(of: K) => real.flatMap((one) => one[of] as unknown[]);
    expect(sorted(rest.journals)).toEqual(sorted(news("journals")));
    expect(sorted(rest.shares)).toEqual(sorted(news("shares")));
    const cancelled = (await booked(id, toldOfPurchase)).events;
    expect(sorted(rest.events)).toEqual(sorted([...(news("events") as string[]), ...cancelled]));
  });

  test("of a purchase on a link whose Pix still waits is that of the link without it, and the Pix stays", async () => {
    const { client, merchant } = shop;
    const session = await openSession(shop);
    expect((await chargeByPix(shop, session.id)).status).toBe(201);
    const tokens = [await openToken(client), await openToken(client, cardData("approve", "mastercard"))];
    const body = {
      merchantId: merchant.id,
      sessionId: session.id,
      amount: session.amount,
      capture: true,
      payments: [500, session.amount - 500].map((amount, n) => ({
        amount,
        paymentMethod: { paymentType: "credit", installments: 1 },
        paymentSource: { sourceType: "token", tokenId: tokens[n] },
      })),
    };
    const { plan, planHash } = await planned({ operation: "purchase", body });
    expect([plan.errors, plan.status]).toEqual([[], "paid"]);
    const waiting = async () => (await readSession(shop, session.id)).multiplePayments.pendingCount;
    expect(await waiting()).toBe(1);
    const buy = (hash: string) =>
      client.call("POST", "/v1/purchases", {
        body,
        idempotencyKey: aKey(),
        headers: { "x-plan-hash": hash },
      });
    // Held to another plan it closes no code either.
    expect((await buy("0".repeat(64))).error?.businessCode).toBe("plan_changed");
    const [pix] = (await client.make<List<Charge>>("GET", "/v1/charges", { query: { sessionId: session.id } })).items;
    expect([await waiting(), pix?.status]).toEqual([1, "pending"]);
    expect((await buy(planHash)).status).toBe(202);
  });

  test("of a prepayment and of a payout is what is then booked", { timeout: 60_000 }, async () => {
    const own = await withMerchant(await openPastNoon());
    const { client, merchant } = own;
    const [sellerId = ""] = await openSellers(client, merchant.id, 1, {
      transferPolicy: { transferInterval: "daily", transferDay: 0, transferEnabled: true },
    });
    const rules = [{ sellerId, percentage: 60, processingFee: true, liable: true }];
    const changes = { paymentMethod: { paymentType: "credit", installments: 3 }, splitRules: rules };
    await payByCard(own, { amount: 30_001, capture: true, changes });
    const pix = await payByPix(own, { amount: 10_000, changes: { splitRules: rules } });
    await client.make("POST", `/v1/sandbox/pix/${pix.body.id}/pay`, { body: {} });
    const clock = async () => new Date((await client.make<{ now: string }>("GET", "/v1/sandbox/clock")).now);
    const to = (day: string, time: string) =>
      client.make("POST", "/v1/sandbox/clock", { body: { to: `${day}T${time}-03:00`, freeze: true } });
    const first = nextBankDay(saoPauloDay(await clock()));
    await to(first, "05:30:00");
    const plan = async (operation: string, body: Record<string, unknown>) => {
      const made = await client.make<DryRun>("POST", "/v1/dry-runs", { body: { operation, body } });
      return { ...made, ...made.plan };
    };
    const journalsOf = async (type: string) => {
      const [row] = await systemSql()<{ n: number }[]>`
        select count(*)::int as n from journals where client_id = ${client.clientId} and event_type = ${type}`;
      return row?.n ?? 0;
    };

    const payout = await plan("payout", { merchantId: merchant.id, date: first });
    expect(await journalsOf("payout")).toBe(0);
    expect(payout.events.sort()).toEqual(["payout.pending", "payout.pending"]);
    const asked = { endDate: "2031-01-01", sellerId };
    const early = await plan("prepayment", asked);
    const { id, netAmount } = await client.make<{ id: string; netAmount: number }>(
      "POST",
      "/v1/subacquirer/prepayment",
      { body: asked, headers: { "x-plan-hash": early.planHash } },
    );
    expect(early.shares.reduce((sum, { amount }) => sum + amount, 0)).toBe(netAmount);
    const commit = (hash: string) =>
      client.call("POST", `/v1/subacquirer/prepayment/${id}/commit`, { body: {}, headers: { "x-plan-hash": hash } });
    const stale = await commit(payout.planHash);
    expect([stale.status, stale.error?.businessCode]).toEqual([409, "plan_changed"]);
    const shown = JSON.parse(stale.error?.details[0] ?? "") as DryRun["plan"];
    expect(shown.shares).toEqual(early.shares);
    expect((await commit(early.planHash)).status).toBe(200);
    await to(first, "12:00:00");
    const { items } = await client.make<List<{ sellerId: string | null; finalBalance: number; paymentDate: string }>>(
      "GET",
      "/v1/payouts/payment-batches",
      { query: { sellerId: "*" } },
    );
    expect(sorted(payout.shares)).toEqual(
      sorted(
        items.map((one) => ({
          sellerId: one.sellerId,
          installment: null,
          amount: one.finalBalance,
          date: one.paymentDate,
        })),
      ),
    );
    await to(nextBankDay(first), "12:00:00");
    expect(early.journals).toHaveLength(await journalsOf("prepayment"));
    const none = await plan("prepayment", asked);
    expect(none.errors[0]).toMatchObject({ businessCode: "nothing_available", key: "I-422" });
  });

  test("binds the call that names it: what has changed since is refused with the plan of now", async () => {
    const own = await withMerchant(await openClient());
    const { client, merchant } = own;
    const body = {
      merchantId: merchant.id,
      amount: 5_000,
      capture: true,
      paymentMethod: { paymentType: "credit" },
      paymentSource: { sourceType: "token", tokenId: await openToken(client) },
    };
    const pay = (planHash: string, key = aKey()) =>
      client.call("POST", "/v1/charges", { body, idempotencyKey: key, headers: { "x-plan-hash": planHash } });
    const first = await client.make<DryRun>("POST", "/v1/dry-runs", { body: { operation: "charge", body } });
    await addProvider(own, { name: "Sooner", priority: 1 });
    const refused = await pay(first.planHash);
    expect([refused.status, refused.error?.businessCode]).toEqual([409, "plan_changed"]);
    const now = JSON.parse(refused.error?.details[0] ?? "") as DryRun["plan"];
    expect(now.providers).toHaveLength(2);
    expect((await client.make<List<unknown>>("GET", "/v1/charges")).items).toHaveLength(0);
    const second = await client.make<DryRun>("POST", "/v1/dry-runs", { body: { operation: "charge", body } });
    expect(second.plan).toEqual(now);
    const key = aKey();
    const paid = await pay(second.planHash, key);
    expect(paid.status).toBe(201);
    // Repeated, it is what it was, whatever would be planned now.
    expect((await pay(first.planHash, key)).text).toBe(paid.text);
    expect((await pay("short")).status).toBe(400);
    // A browser's key is not told by whom a payment is shared, and at which prices.
    const curious = await client.call("POST", "/v1/charges", {
      body,
      key: await client.publicKey("charges"),
      headers: { "x-plan-hash": "0".repeat(64) },
    });
    expect([curious.status, curious.error?.details]).toEqual([403, ["X-Plan-Hash: needs a secret key"]]);
  });

  test("lists every side where chance decides, and is the same each time", async () => {
    const own = await withMerchant(await openClient());
    const { client, merchant } = own;
    const ids = [merchant.providerId, await addProvider(own, { name: "Second", priority: 2 })];
    const weights = ids.map((id) => ({ weight: 50, then: [{ rule: "provider", id }] }));
    const flow = await client.make("POST", "/v1/flows", {
      body: {
        name: "By chance",
        status: "active",
        paymentMethod: "credit",
        merchantId: merchant.id,
        flow: { root: [{ rule: "share", id: "s1", weights }] },
      },
    });
    const body = {
      merchantId: merchant.id,
      amount: 5_000,
      paymentMethod: { paymentType: "credit" },
      paymentSource: { sourceType: "token", tokenId: await openToken(client) },
    };
    const plans: DryRun[] = [];
    for (let n = 0; n < 8; n++) {
      plans.push(await client.make<DryRun>("POST", "/v1/dry-runs", { body: { operation: "charge", body } }));
    }
    expect(plans[0]?.plan.errors).toEqual([]);
    expect(plans[0]?.plan.flow).toMatchObject({ id: flow.id, isDrawn: true });
    expect(new Set(plans[0]?.plan.providers.map(({ id }) => id))).toEqual(new Set(ids));
    expect(new Set(plans.map(({ planHash }) => planHash)).size).toBe(1);
    const paid = await client.call("POST", "/v1/charges", {
      body,
      headers: { "x-plan-hash": plans[0]?.planHash ?? "" },
    });
    expect(paid.status).toBe(201);
  });

  test("says what the call would be refused with, and knows no charge of another", async () => {
    const { client, merchant } = shop;
    const tokenId = await openToken(client);
    const body = {
      merchantId: merchant.id,
      amount: 0,
      paymentMethod: { paymentType: "credit" },
      paymentSource: { sourceType: "token", tokenId },
    };
    const { plan } = await planned({ operation: "charge", body });
    const { error } = await client.call("POST", "/v1/charges", { body });
    expect(plan.errors).toEqual([error]);
    const charge = await client.make<Charge>("POST", "/v1/charges", { body: { ...body, amount: 500 } });
    const asked = { operation: "void", id: charge.id, body: { amount: 600 } };
    const told = await planned(asked);
    const real = await client.call("POST", `/v1/charges/${charge.id}/void`, { body: asked.body });
    expect(told.plan.errors).toEqual([real.error]);
    const other = await openClient();
    expect((await other.call("POST", "/v1/dry-runs", { body: asked })).status).toBe(404);
    const far = await planned({ operation: "payout", body: { merchantId: merchant.id, date: "9999-12-31" } });
    expect(far.plan.errors).toMatchObject([{ details: ["date: must be at most 366 days ahead"] }]);
    const lost = await client.call("POST", "/v1/dry-runs", { body: { operation: "void", body: {} } });
    expect([lost.status, lost.error?.details[0]]).toEqual([400, expect.stringContaining("id: names the charge")]);
  });
});
