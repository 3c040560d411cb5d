import postgres from "postgres";
import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import type { DryRun } from "@/lib/dry-runs/service";
import { flushRequestLog } from "@/lib/http/request-log";
import { openClient } from "@/lib/testing/api";
import { testDatabaseUrl } from "@/lib/testing/database";
import { addProvider, cardData, openCustomer, openToken, type Shop, withMerchant } from "@/lib/testing/payments";
import { proofRuns, proofTimeout } from "@/lib/testing/proof";
import { newSeller } from "@/lib/testing/sellers";

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

/** Journals, receivables and events of a charge as the database holds them, in the plan's words. */
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
    select object || '.' || event as name, id from events where entity_id = ${chargeId} order by entity_version`;
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
  expect(plan.events).toEqual(real.events);
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

const brands = ["visa", "mastercard", "elo"] as const;
const pick = <T>(from: readonly T[], n: number): T => from[n % from.length] as T;

describe("a dry run", () => {
  test("is what the call then does, field by field, and writes nothing", { timeout: proofTimeout() }, async () => {
    const { client, merchant } = shop;
    const cases = proofRuns(6);
    for (let n = 0; n < cases; n++) {
      const token = await openToken(client, cardData("approve", pick(brands, n)));
      const body = {
        merchantId: merchant.id,
        amount: 1_000 + ((n * 7_919) % 90_001),
        capture: n % 2 === 0,
        paymentMethod: { paymentType: "credit", installments: 1 + (n % 12) },
        paymentSource: { sourceType: "token", tokenId: token },
      };
      const before = n === 0 ? await everything() : "";
      const { plan, planHash } = await planned({ operation: "charge", body });
      if (n === 0) expect(await everything()).toBe(before);
      expect((await planned({ operation: "charge", body })).planHash).toBe(planHash);
      const charge = await client.make<Charge>("POST", "/v1/charges", { body });
      const real = await booked(charge.id);
      expect([plan.status, plan.providers[0]?.type]).toEqual([charge.status, charge.responsibleProviderType]);
      expectSame(plan, real);
      const part = Math.ceil(body.amount / 3);
      const change = body.capture
        ? { operation: "void", id: charge.id, body: n % 4 === 0 ? { amount: part } : {} }
        : n % 4 === 1
          ? { operation: "capture", id: charge.id, body: { amount: part } }
          : { operation: "void", id: charge.id, body: {} };
      const next = await planned(change);
      const changed = await client.make<Charge>("POST", `/v1/charges/${charge.id}/${change.operation}`, {
        body: change.body,
      });
      expect(next.plan.status).toBe(changed.status);
      expectSame(next.plan, await booked(charge.id, real.ids));
    }
  });

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
    const lost = await client.call("POST", "/v1/dry-runs", { body: { operation: "void", body: {} } });
    expect([lost.status, lost.error?.details[0]]).toEqual([400, expect.stringContaining("id: names the charge")]);
  });
});
