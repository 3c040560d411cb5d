import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { type Context, inSnapshot, inTransaction } from "@/lib/context";
import { newId } from "@/lib/ids";
import { heldRole } from "@/lib/operators/held-role";
import { may, RIGHT_NAMES } from "@/lib/operators/permissions";
import { type Reached, reaching } from "@/lib/operators/reach";
import { newProvider, openClient, type TestClient } from "@/lib/testing/api";
import { MAKERS, payingMerchant } from "@/lib/testing/fuzz/world";

/** The same account twice: the makers of each work for a merchant of its own. */
interface Side {
  merchantId: string;
  customerId: string;
  things: Record<Exclude<Reached, "link_request" | "dispute">, string>;
}

let client: TestClient;
let inside: Side;
let outside: Side;
let limited: Context;
/** Every id that is the other merchant's, by reading all there is. */
let foreign: string[];

async function aSide(account: TestClient): Promise<Side> {
  const own = { ...account };
  const merchantId = await payingMerchant(own);
  const charge = await MAKERS.disputedCharge(own);
  const pix = await MAKERS.paidPixCharge(own);
  const [{ customer_id: customerId = "" } = {}] = await systemSql()<{ customer_id: string }[]>`
    select coalesce(customer_id, source_customer_id) as customer_id from charges where id = ${pix}`;
  const [purchase, link] = [await MAKERS.purchase(own), await MAKERS.session(own)];
  await MAKERS.delivery(own);
  const [seller, document] = [await MAKERS.seller(own), await MAKERS.sellerDocument(own)];
  await account.make("PATCH", `/v1/sellers/${seller}`, { body: { documents: [document] } });
  await account.make("POST", `/v1/charges/${pix}/void`, { body: { amount: 100 } });
  const { id: provider } = await account.make<{ id: string }>("POST", `/v1/merchants/${merchantId}/providers`, {
    body: newProvider(),
  });
  const { id: flow } = await account.make<{ id: string }>("POST", "/v1/flows", {
    body: { name: "Cards", paymentMethod: "credit", merchantId, flow: { root: [{ rule: "provider", id: provider }] } },
  });
  return {
    merchantId,
    customerId,
    things: {
      provider,
      flow,
      charge,
      purchase,
      link,
      merchant: merchantId,
      seller,
      seller_document: document,
      subscription: await MAKERS.subscription(own),
      prepayment: await prepaymentOf(account.clientId, merchantId, seller),
      payment_batch: await batchOf(account.clientId, merchantId, seller),
      settlement_break: await breakOf(account.clientId, merchantId),
      payout_file: await fileOf(account.clientId, merchantId, seller),
      payout_return: await returnOf(account.clientId, merchantId),
      statement_file: await statementOf(account.clientId, merchantId, provider),
    },
  };
}

async function prepaymentOf(clientId: string, merchantId: string, sellerId: string): Promise<string> {
  const id = newId();
  await systemSql()`
    insert into prepayments (id, client_id, merchant_id, seller_id, status, gross_amount, net_amount, fee_amount,
                             markup_amount, monthly_rate_bps, markup_bps, end_date, payment_date, expires_at, created_at, updated_at)
    values (${id}, ${clientId}, ${merchantId}, ${sellerId}, 'pending', 1000, 990, 10, 0, 150, 0, '2026-12-01',
            '2026-11-25', now(), now(), now())`;
  return id;
}

async function batchOf(clientId: string, merchantId: string, sellerId: string, day = "2026-11-25"): Promise<string> {
  const id = newId();
  await systemSql()`
    insert into payout_batches (id, client_id, merchant_id, seller_id, status, amount, fee_amount, withdrawal_fee_amount,
                                total_fee_amount, balance_amount, credit_amount, refund_amount, debit_adjustment_amount,
                                credit_adjustment_amount, final_balance, payment_date, feature, created_at, updated_at)
    values (${id}, ${clientId}, ${merchantId}, ${sellerId}, 'pending', 1000, 0, 0, 0, 0, 0, 0, 0, 0, 1000, ${day},
            'general', now(), now())`;
  return id;
}

async function breakOf(clientId: string, merchantId: string): Promise<string> {
  const id = newId();
  await systemSql()`
    insert into settlement_breaks (id, client_id, merchant_id, kind, subject, day, expected, found, opened_at, updated_at)
    values (${id}, ${clientId}, ${merchantId}, 'settlement_missing', ${id}, '2026-11-25', 1000, 0, now(), now())`;
  return id;
}

async function fileOf(clientId: string, merchantId: string, sellerId: string): Promise<string> {
  const id = newId();
  const batchId = await batchOf(clientId, merchantId, sellerId, "2026-11-26");
  const agreement = id.slice(-20);
  const content = `001${" ".repeat(29)}${agreement.padEnd(20)}${" ".repeat(105)}000001`;
  await systemSql().begin(async (sql) => {
    await sql`
      insert into payout_files (id, client_id, merchant_id, bank, agreement, sequence, content, transfers, amount, created_at)
      values (${id}, ${clientId}, ${merchantId}, '001', ${agreement}, 1, ${content}, 1, 1000, now())`;
    await sql`
      insert into payout_transfers (id, client_id, merchant_id, seller_id, batch_id, reference, rail, amount, status,
                                    destination, sent_on, file_id, file_number, created_at, updated_at)
      values (${newId()}, ${clientId}, ${merchantId}, ${sellerId}, ${batchId}, ${id}, 'file', 1000, 'sent', '{}',
              '2026-11-26', ${id}, 'TR1', now(), now())`;
  });
  return id;
}

async function returnOf(clientId: string, merchantId: string): Promise<string> {
  const id = newId();
  await systemSql()`
    insert into payout_returns (id, client_id, merchant_id, name, digest, content, transfers, created_at)
    values (${id}, ${clientId}, ${merchantId}, 'a.ret', 'x', 'x', 1, now())`;
  return id;
}

async function statementOf(clientId: string, merchantId: string, providerId: string): Promise<string> {
  const id = newId();
  await systemSql()`
    insert into statement_files (id, client_id, merchant_id, provider_id, name, digest, content, verdicts, net, uploaded_by, created_at)
    values (${id}, ${clientId}, ${merchantId}, ${providerId}, 'a.csv', 'x', 'x', '{}', 0, ${newId()}, now())`;
  return id;
}

beforeAll(async () => {
  client = await openClient();
  [inside, outside] = [await aSide(client), await aSide(client)];
  limited = {
    ...(await client.context()),
    principal: { kind: "operator", operatorId: newId() },
    merchants: [inside.merchantId],
  };
  const rows = await systemSql()<{ id: string }[]>`
    with c as (select * from charges where merchant_id = ${outside.merchantId}),
         p as (select * from purchases where merchant_id = ${outside.merchantId}),
         s as (select * from sessions where merchant_id = ${outside.merchantId})
    select id from c union select id from p union select id from s
    union select ${outside.merchantId}::uuid
    union select customer_id from c where customer_id is not null
    union select source_customer_id from c where source_customer_id is not null
    union select card_id from c where card_id is not null
    union select id from transaction_requests where charge_id in (select id from c)
    union select id from purchase_payments where purchase_id in (select id from p)
    union select id from events where entity_id in (select id from c union select id from p union select id from s)
    union select id from sellers where merchant_id = ${outside.merchantId}
    union select d.id from seller_documents d join sellers l on l.id = d.seller_id where l.merchant_id = ${outside.merchantId}
    union select id from providers where merchant_id = ${outside.merchantId}
    union select id from prepayments where merchant_id = ${outside.merchantId}
    union select id from payout_batches where merchant_id = ${outside.merchantId}
    union select id from settlement_breaks where merchant_id = ${outside.merchantId}
    union select id from statement_files where merchant_id = ${outside.merchantId}
    union select id from payout_files where merchant_id = ${outside.merchantId}
    union select id from payout_returns where merchant_id = ${outside.merchantId}
    union select id from journals where merchant_id = ${outside.merchantId}`;
  foreign = rows.map(({ id }) => id);
});

const tenantTables = async (): Promise<string[]> =>
  (
    await systemSql()<{ name: string }[]>`
      select c.relname as name from pg_policy y join pg_class c on c.oid = y.polrelid
        join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'public' and y.polname = 'tenant' order by 1`
  ).map(({ name }) => name);

const seen = (ctx: Context, table: string): Promise<string[]> =>
  inTransaction(ctx, async ({ db }) =>
    (await db.execute<{ row: string }>(sql.raw(`select t::text as row from ${table} t`))).map(({ row }) => row),
  );

describe("somebody limited to one merchant", () => {
  test("meets no row of another in any table there is, and everything of their own merchant's payments", async () => {
    expect(foreign.length).toBeGreaterThan(15);
    const whole = { ...limited, merchants: undefined };
    for (const table of await tenantTables()) {
      const rows = await seen(limited, table);
      const leaks = rows.filter((row) => foreign.some((id) => row.includes(id)));
      expect(leaks, table).toEqual([]);
    }
    const { merchants: _, ...everybody } = whole;
    for (const table of ["charges", "purchases", "sessions"]) {
      const own = (await seen(everybody, table)).filter((row) => row.includes(inside.merchantId));
      expect((await seen(limited, table)).sort(), table).toEqual(own.sort());
      expect(own.length, table).toBeGreaterThan(0);
    }
  });

  test("sees nothing at all of what tells of the whole account", async () => {
    const hidden = ["webhooks", "webhook_deliveries", "api_keys", "request_logs", "idempotency_keys", "invitations"];
    for (const table of hidden) expect(await seen(limited, table), table).toEqual([]);
  });

  test("sees nothing when they are limited to no merchant, or to one of another account", async () => {
    const stranger = await openClient();
    const theirs = await payingMerchant(stranger);
    await MAKERS.charge(stranger);
    for (const merchants of [[], [theirs]]) {
      for (const table of [
        "charges",
        "merchants",
        "customers",
        "cards",
        "events",
        "payment_stats_hourly",
        "payment_stats_daily",
      ])
        expect(await seen({ ...limited, merchants }, table), table).toEqual([]);
    }
  });

  test("writes nothing under its policies, in no table and in no snapshot", async () => {
    for (const table of await tenantTables()) {
      const key = table === "clients" ? "id" : "client_id";
      for (const statement of [`delete from ${table}`, `update ${table} set ${key} = ${key}`]) {
        const refused = inTransaction(limited, ({ db }) => db.execute(sql.raw(statement)));
        await expect(refused, statement).rejects.toMatchObject({ cause: { code: "42501" } });
      }
    }
    await expect(inSnapshot(limited, ({ db }) => db.execute(sql`select from operators`))).rejects.toMatchObject({
      cause: { code: "42501" },
    });
  });

  test("leaves nothing behind on the connection: whoever comes next sees the whole account", async () => {
    const { merchants: _, ...whole } = limited;
    const both = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? limited : whole));
    const counts = await Promise.all(both.map(async (ctx) => (await seen(ctx, "merchants")).length));
    expect(new Set(counts.filter((_, index) => index % 2 === 0))).toEqual(new Set([1]));
    expect(new Set(counts.filter((_, index) => index % 2 === 1))).toEqual(new Set([2]));
  });

  test("may do something to a thing of their merchant, and another's is not found", async () => {
    // Guarantee: the literal's own keys.
    for (const thing of Object.keys(inside.things) as (keyof Side["things"])[]) {
      const whole = await reaching(limited, thing, inside.things[thing]);
      expect(whole, thing).not.toHaveProperty("merchants");
      await expect(reaching(limited, thing, outside.things[thing]), thing).rejects.toMatchObject({ status: 404 });
    }
    await expect(reaching(limited, "charge", "no id")).rejects.toMatchObject({ status: 404 });
  });

  test("meets the buyers of their merchant alone", async () => {
    const rows = await seen(limited, "customers");
    expect(rows.some((row) => row.includes(inside.customerId))).toBe(true);
    expect(rows.some((row) => row.includes(outside.customerId))).toBe(false);
  });
});

test("rights that concern the whole account are left out for who is limited, whatever their role", () => {
  const rights = RIGHT_NAMES.filter((right) => may(heldRole("operations", null, [newId()]), right));
  expect(rights).toEqual(expect.arrayContaining(["payments.see", "payments.refund", "links.edit"]));
  for (const right of ["webhooks.see", "keys.manage", "requests.see", "audit.see", "brand.edit", "merchants.edit"])
    expect(rights).not.toContain(right);
});
