import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { appSql, systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { linkAudit } from "@/lib/audit-trail/chain";
import { inTransaction, systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { auditInvariants, auditNow, passRows } from "@/lib/invariants/audit";
import { INVARIANTS } from "@/lib/invariants/catalogue";
import { metricsText } from "@/lib/invariants/metrics";
import { checkpoint } from "@/lib/ledger/checkpoints";
import { openClient, type TestClient } from "@/lib/testing/api";
import { testDatabaseUrl } from "@/lib/testing/database";
import { payByCard, payByPix, type Shop, withMerchant } from "@/lib/testing/payments";
import { advance, bought, changePurchase, type PurchaseReply, work } from "@/lib/testing/purchases";
import { openSellers } from "@/lib/testing/sellers";
import { chargeByCard, openSession, type SessionReply } from "@/lib/testing/sessions";

interface Report {
  holds: boolean;
  invariants: { id: string; checked: number; violations: number; ids: string[]; durationMs: number }[];
}

const report = (client: TestClient) => client.make<Report>("GET", "/v1/invariants");

let owner: postgres.Sql;
let shop: Shop;
let held: PurchaseReply;
let paid: PurchaseReply;
let failed: PurchaseReply;
let cancelled: PurchaseReply;
let lost: PurchaseReply;
let session: SessionReply;
let shared: string;
beforeAll(async () => {
  owner = postgres(await testDatabaseUrl(), { max: 1, onnotice: () => undefined });
  shop = await withMerchant(await openClient());
  // First: the days that pass end no hold that is looked at.
  await paidOut();
  held = await bought(shop);
  paid = await bought(shop, { capture: true });
  failed = await bought(shop, { outcomes: ["approve", "decline:generic"] });
  cancelled = await bought(shop, { capture: true });
  await changePurchase(shop.client, cancelled.id, "void");
  await work(shop.client);
  lost = await bought(shop, { outcomes: ["approve", "timeout_not_found_at_provider"] });
  await advance(shop.client, "PT30M");
  await payByCard(shop);
  const [seller] = await openSellers(shop.client, shop.merchant.id, 1);
  const splitRules = [{ sellerId: seller, percentage: 60, processingFee: true }];
  shared = (await payByCard(shop, { amount: 10_000, capture: true, changes: { splitRules } })).body.id;
  await shop.client.make("POST", `/v1/charges/${shared}/void`, { body: { amount: 5_000 } });
  await prepaidOne();
  session = await openSession(shop);
  await chargeByCard(shop, session.id);
  await linkAudit();
  await balancesKept();
});
afterAll(() => owner.end());

/** A seller's batch that was paid, and one that is offset. */
async function paidOut(): Promise<void> {
  const { client, merchant } = shop;
  const transferPolicy = { transferInterval: "daily", transferDay: 0, transferEnabled: true };
  const [sellerId = ""] = await openSellers(client, merchant.id, 1, { transferPolicy });
  const { id } = (
    await payByPix(shop, { amount: 5_000, changes: { splitRules: [{ sellerId, amount: 5_000, liable: true }] } })
  ).body;
  await client.make("POST", `/v1/sandbox/pix/${id}/pay`, { body: {} });
  await advance(client, "P5D");
  await client.make("POST", `/v1/sandbox/pix/${id}/med`, { body: {} });
  await advance(client, "P4D");
}

/** Committed, and not paid yet. */
async function prepaidOne(): Promise<void> {
  const path = "/v1/subacquirer/prepayment";
  const { id } = await shop.client.make<{ id: string }>("POST", path, { body: { endDate: "2099-12-31" } });
  await shop.client.make("POST", `${path}/${id}/commit`, { body: {} });
}

const batchThatIs = async (status: string): Promise<string> => {
  const [row] = await owner<{ id: string }[]>`
    select id from payout_batches
     where client_id = ${shop.client.clientId} and status = ${status} and seller_id is not null`;
  return row?.id ?? "";
};
const damageBatch = (status: string, change: (sql: postgres.Sql, id: string) => Promise<unknown>) => async () => {
  const id = await batchThatIs(status);
  return damage(id, (sql) => change(sql, id))();
};

const damageTransfer = (change: (sql: postgres.Sql, id: string) => Promise<unknown>) => async () => {
  const [row] = await owner<{ id: string }[]>`
    select id from payout_transfers where client_id = ${shop.client.clientId} and status = 'settled'`;
  return damage(row?.id ?? "", (sql) => change(sql, row?.id ?? ""))();
};
const damagePrepayment = (change: (sql: postgres.Sql, id: string) => Promise<unknown>) => async () => {
  const [row] = await owner<{ id: string }[]>`select id from prepayments where client_id = ${shop.client.clientId}`;
  return damage(row?.id ?? "", (sql) => change(sql, row?.id ?? ""))();
};

/** Of the transfers that no transaction under way, of whatever test, is older than. */
async function balancesKept(): Promise<void> {
  const ctx = systemContext(await loadAccount(shop.client.clientId), newId());
  await vi.waitFor(async () => {
    await inTransaction(ctx, (inside) => checkpoint(inside, shop.merchant.id));
    expect(await owner`select 1 from ledger_checkpoints where client_id = ${shop.client.clientId}`).not.toHaveLength(0);
  }, 30_000);
}

/** The first or the last row of the account's chain. */
async function auditRow(order: "asc" | "desc"): Promise<string> {
  const [row] = await owner<{ id: string }[]>`
    select id from audit_chain where client_id = ${shop.client.clientId}
     order by position * ${order === "asc" ? 1 : -1} limit 1`;
  return row?.id ?? "";
}

const chargeOf = ({ payments }: PurchaseReply, slot = 0): string => payments[slot]?.chargeId ?? "";

/** Without the constraints that would refuse it: what a restored backup or a hand in the database could leave. */
const damage = (id: string, change: (sql: postgres.Sql) => Promise<unknown>) => async () => {
  await owner`set session_replication_role = replica`;
  await change(owner);
  await owner`set session_replication_role = origin`;
  return id;
};

const withoutIndex = (name: string, change: (sql: postgres.Sql) => Promise<unknown>) => async (sql: postgres.Sql) => {
  await sql.unsafe(`drop index ${name}`);
  await change(sql);
};

/** One row damaged for each invariant: exactly that row is told. */
const DAMAGES: Record<string, () => Promise<string>> = {};
beforeAll(() => {
  const attempt = (kind: string, chargeId: string) => owner<{ id: string }[]>`
    select id from transaction_requests where charge_id = ${chargeId} and kind = ${kind} limit 1`;
  Object.assign(DAMAGES, {
    M1: damage(
      held.id,
      (sql) => sql`update purchase_payments set amount = amount + 1 where purchase_id = ${held.id} and slot_index = 0`,
    ),
    M2: async () => {
      const [row] = await owner<
        { id: string }[]
      >`select id from journals where charge_id = ${chargeOf(paid)} and event_type = 'hold'`;
      return damage(
        row?.id ?? "",
        (sql) => sql`delete from transfers where journal_id = ${row?.id ?? ""} and line = 1`,
      )();
    },
    M3: damage(
      chargeOf(paid),
      (sql) => sql`update charges set charged_back_amount = captured_amount + 1 where id = ${chargeOf(paid)}`,
    ),
    M4: damage(
      paid.id,
      (sql) => sql`update purchase_payments set refunded_amount = 1 where purchase_id = ${paid.id} and slot_index = 0`,
    ),
    M5: damage(
      paid.id,
      (sql) => sql`update charges set captured_amount = captured_amount - 1 where id = ${chargeOf(paid)}`,
    ),
    M6: damage(
      failed.id,
      (sql) => sql`update purchase_payments set was_captured = true where purchase_id = ${failed.id}`,
    ),
    M7: damage(
      cancelled.id,
      (sql) => sql`update charges set refunded_amount = refunded_amount - 1 where id = ${chargeOf(cancelled)}`,
    ),
    M8: damage(
      chargeOf(held),
      withoutIndex(
        "transaction_requests_one_live_authorization",
        (sql) => sql`
          insert into transaction_requests (id, client_id, charge_id, kind, state, sequence, provider_type, reference, request_type,
                 request_status, amount, created_at, updated_at)
          select ${newId()}::uuid, client_id, charge_id, kind, state, 9, provider_type, ${`twice-${newId()}`}, request_type,
                 request_status, amount, created_at, updated_at
            from transaction_requests where charge_id = ${chargeOf(held)} and kind = 'authorize'`,
      ),
    ),
    M9: damage(
      paid.id,
      (sql) => sql`
      update transaction_requests set created_at = created_at - interval '1 day'
       where charge_id = ${chargeOf(paid)} and kind = 'capture'`,
    ),
    M12: damage(chargeOf(paid), (sql) => sql`update charges set amount = amount + 1 where id = ${chargeOf(paid)}`),
    A1a: async () => {
      const id = await auditRow("desc");
      return damage(id, async (sql) => {
        await sql`delete from audit_chain where id = ${id}`;
        await sql`update audit_log set at = at - interval '1 hour' where id = ${id}`;
      })();
    },
    A1b: async () => {
      const id = await auditRow("asc");
      return damage(id, (sql) => sql`update audit_log set actor = 'somebody else' where id = ${id}`)();
    },
    M13: damage(
      session.id,
      (sql) => sql`update sessions set payment_count = 0, pending_count = 0 where id = ${session.id}`,
    ),
    M16: damage(failed.id, (sql) => sql`update charges set status = 'pre_authorized' where id = ${chargeOf(failed)}`),
    M17: damage(
      chargeOf(lost, 1),
      (sql) => sql`delete from due_jobs where kind = 'orphan.watch' and ref_id = ${chargeOf(lost, 1)}`,
    ),
    P3: async () => {
      const [row] = await attempt("capture", chargeOf(paid));
      return damage(
        chargeOf(paid),
        (sql) => sql`update transaction_requests set state = 'undetermined' where id = ${row?.id ?? ""}`,
      )();
    },
    P1: async () => {
      const [row] = await owner<{ id: string }[]>`
        select id from journals where charge_id = ${shared} and event_type = 'fee'`;
      const id = row?.id ?? "";
      return damage(id, (sql) => sql`update journals set event_id = ${newId()} where id = ${id}`)();
    },
    P2: async () => {
      const [row] = await owner<{ id: string }[]>`
        select id from journals where charge_id = ${shared} and event_type = 'capture'`;
      const id = row?.id ?? "";
      return damage(
        id,
        (sql) =>
          sql`update transfers set tx = (tx::text::bigint + 1)::text::xid8 where journal_id = ${id} and line = 1`,
      )();
    },
    P2b: async () => {
      const [row, another] = await owner<{ id: string }[]>`
        select id from journals where client_id = ${shop.client.clientId} and event_type = 'capture' order by id limit 2`;
      const id = row?.id ?? "";
      return damage(id, (sql) => sql`update journals set reverses = ${another?.id ?? ""} where id = ${id}`)();
    },
    P5a: damage(
      chargeOf(cancelled),
      (sql) => sql`update charges set refunded_amount = refunded_amount - 1 where id = ${chargeOf(cancelled)}`,
    ),
    P5b: damage(
      chargeOf(paid),
      (sql) => sql`update charges set captured_amount = captured_amount + 1 where id = ${chargeOf(paid)}`,
    ),
    P5c: damage(chargeOf(held), (sql) => sql`update charges set status = 'voided' where id = ${chargeOf(held)}`),
    // The newest: those behind a wrong one are wrong as well.
    P5d: async () => {
      const [row] = await owner<{ id: string }[]>`
        select id from ledger_checkpoints where client_id = ${shop.client.clientId} order by up_to desc limit 1`;
      return damage(
        row?.id ?? "",
        (sql) => sql`update ledger_checkpoints set balance = balance + 1 where id = ${row?.id ?? ""}`,
      )();
    },
    P6: damage(
      chargeOf(paid),
      (sql) => sql`update receivables set status = 'paid', available_at = now() where charge_id = ${chargeOf(paid)}`,
    ),
    P7: damage(
      chargeOf(paid),
      (sql) => sql`update receivables set gross = gross + 1 where charge_id = ${chargeOf(paid)}`,
    ),
    P7b: damage(
      shared,
      (sql) => sql`update split_rules set captured_share = captured_share - 1 where charge_id = ${shared}`,
    ),
    P8: damage(
      shared,
      (sql) => sql`
        update receivables set fee = case when seller_id is null then fee + 1 else fee end
         where charge_id = ${shared} and type = 'credit'`,
    ),
    P8b: damage(shared, (sql) => sql`update split_rules set rate_id = null where charge_id = ${shared}`),
    P10c: damage(
      shared,
      (sql) => sql`
        update receivables set reduces = null where charge_id = ${shared} and type = 'refund' and seller_id is not null`,
    ),
    P10d: damage(
      shared,
      (sql) => sql`update split_rules set refunded_share = refunded_share - 1 where charge_id = ${shared}`,
    ),
    P10b: damage(
      shared,
      (sql) => sql`update split_rules set processing_mdr = 0, fares_mdr = 0 where charge_id = ${shared}`,
    ),
    P9: async () => {
      const [row] = await owner<{ id: string }[]>`
        select id from receivables where charge_id = ${chargeOf(paid)} and type = 'credit'`;
      return damage(
        row?.id ?? "",
        (sql) => sql`update receivables set status = 'paid', available_at = now() where id = ${row?.id ?? ""}`,
      )();
    },
    P10: damage(
      chargeOf(cancelled),
      (sql) => sql`delete from receivables where charge_id = ${chargeOf(cancelled)} and type = 'refund'`,
    ),
    P9b: async () => {
      const [row] = await owner<{ id: string }[]>`
        select receivable_id as id from prepayment_items where client_id = ${shop.client.clientId}`;
      return damage(
        row?.id ?? "",
        (sql) => sql`update receivables set available_at = now() where id = ${row?.id ?? ""}`,
      )();
    },
    P22: damagePrepayment(
      (sql, id) => sql`
        update prepayment_items set net_amount = net_amount - 1, fee_amount = fee_amount + 1 where prepayment_id = ${id}`,
    ),
    P11: damageBatch("paid", async (sql, id) => {
      await sql`alter table payout_batches drop constraint payout_batches_identity`;
      await sql`update payout_batches set final_balance = final_balance + 1 where id = ${id}`;
    }),
    P12: damageBatch(
      "paid",
      (sql, id) => sql`update payout_lines set amount = amount + 1 where batch_id = ${id} and type = 'credit'`,
    ),
    P13: damageBatch("paid", async (sql, id) => {
      await sql`
        insert into payout_lines (id, client_id, batch_id, type, amount, source_type, source_id, is_live, created_at)
        select ${newId()}::uuid, client_id, batch_id, 'carried', 0, 'batch', ${id}, false, created_at
          from payout_lines where batch_id = ${id} limit 1`;
    }),
    P14: damageBatch("paid", (sql, id) => sql`update payout_transfers set amount = amount + 1 where batch_id = ${id}`),
    P15: damageBatch(
      "paid",
      (sql, id) => sql`update journals set event_id = 'another' where event_type = 'payout_paid' and event_id = ${id}`,
    ),
    P16: damageTransfer((sql, id) => sql`update payout_transfers set reference = 'TR1' where id = ${id}`),
    P16b: async () => {
      const id = newId();
      const content = `237${" ".repeat(29)}${"1234".padEnd(20)}${" ".repeat(105)}000001`;
      return damage(
        id,
        (sql) => sql`
          insert into payout_files (id, client_id, merchant_id, bank, agreement, sequence, content, transfers, amount, created_at)
          values (${id}, ${shop.client.clientId}, ${shop.merchant.id}, '237', '1234', 1, ${content}, 1, 100, now())`,
      )();
    },
    P18: damageTransfer((sql, id) => sql`update payout_transfers set left_as = 'blocked' where id = ${id}`),
    P19: damageBatch(
      "paid",
      (sql, id) =>
        sql`update payout_batches set payout_date = payment_date + 7 - extract(isodow from payment_date)::int where id = ${id}`,
    ),
    P20: damagePrepayment(
      (sql, id) => sql`update prepayments set committed_at = expires_at + interval '1 millisecond' where id = ${id}`,
    ),
    P21: async () => {
      const [row] = await owner<{ id: string; prepayment: string }[]>`
        select receivable_id as id, prepayment_id as prepayment from prepayment_items
         where client_id = ${shop.client.clientId} order by receivable_id limit 1`;
      const [id, before, copy] = [row?.id ?? "", row?.prepayment ?? "", newId()];
      return damage(id, async (sql) => {
        await sql`
          insert into prepayments
          select (jsonb_populate_record(p, jsonb_build_object('id', ${copy}::uuid))).* from prepayments p where id = ${before}`;
        await sql`
          insert into prepayment_items
          select (jsonb_populate_record(i, jsonb_build_object('id', ${newId()}::uuid, 'prepayment_id', ${copy}::uuid, 'is_committed', false))).*
            from prepayment_items i where prepayment_id = ${before} and receivable_id = ${id}`;
      })();
    },
    P24: damagePrepayment(
      (sql, id) => sql`update prepayment_items set settlement_date = settlement_date + 1 where prepayment_id = ${id}`,
    ),
    P25: damagePrepayment(
      (sql, id) => sql`update prepayment_items set is_committed = false where prepayment_id = ${id}`,
    ),
    P17: damageBatch("paid", (sql, id) => sql`update receivables set batch_id = null where batch_id = ${id}`),
    L2: damage(
      held.id,
      (sql) => sql`update purchase_payments set status = 'voided' where purchase_id = ${held.id} and slot_index = 1`,
    ),
    L3: damage(
      held.id,
      withoutIndex(
        "purchase_operations_one_active",
        (sql) => sql`
        insert into purchase_operations (id, client_id, purchase_id, type, status, requested_by, error, created_at, updated_at)
        select ${newId()}::uuid, client_id, id, 'void', 'pending', 'client', 'twice', created_at, created_at from purchases where id = ${held.id}
        union all
        select ${newId()}::uuid, client_id, id, 'void', 'pending', 'client', 'twice', created_at, created_at from purchases where id = ${held.id}`,
      ),
    ),
    L4: damage(
      paid.id,
      (sql) =>
        sql`update purchase_payments set status = 'undetermined' where purchase_id = ${paid.id} and slot_index = 0`,
    ),
  });
});

describe("GET /v1/invariants", () => {
  test("200: each invariant with its rows, none broken, and none of another client's rows", async () => {
    const { holds, invariants } = await report(shop.client);
    expect(invariants.filter(({ violations }) => violations > 0)).toEqual([]);
    expect(holds).toBe(true);
    expect(invariants.map(({ id }) => id)).toEqual(INVARIANTS.map(({ id }) => id));
    const rows = (id: string) => invariants.find((one) => one.id === id)?.checked;
    expect([rows("M1"), rows("M3"), rows("M2")]).toEqual([5, 14, expect.any(Number)]);
    const other = await report(await openClient());
    // Of the other account there is the row that says how it was made, and nothing else.
    expect(other.invariants.filter(({ checked }) => checked > 0)).toMatchObject([{ id: "A1a", checked: 1 }]);
  });

  test("403: not for a public key", async () => {
    const reply = await shop.client.call("GET", "/v1/invariants", { key: await shop.client.publicKey("*") });
    expect(reply.status).toBe(403);
  });

  test.for(INVARIANTS.filter(({ root }) => root !== "subscriptions").map(({ id }) => id))(
    "%s: a row damaged behind the product's back is told, by the audit too",
    async (id) => {
      const tables = [
        "purchases",
        "purchase_payments",
        "purchase_operations",
        "charges",
        "transaction_requests",
        "journals",
        "transfers",
        "split_rules",
        "receivables",
        "ledger_checkpoints",
        "payout_batches",
        "prepayments",
        "prepayment_items",
        "payout_lines",
        "payout_transfers",
        "payout_files",
        "due_jobs",
        "sessions",
        "audit_log",
        "audit_chain",
      ];
      for (const table of tables) await owner.unsafe(`create table saved_${table} as select * from ${table}`);
      const broken = await DAMAGES[id]?.();
      try {
        const found = (await report(shop.client)).invariants.find((one) => one.id === id);
        expect(found).toMatchObject({ violations: 1, ids: [broken] });
        const audited = await auditInvariants();
        expect(audited.find(({ invariant }) => invariant === id)?.violations).toBe(1);
      } finally {
        await owner`set session_replication_role = replica`;
        for (const table of tables) {
          await owner.unsafe(
            `delete from ${table}; insert into ${table} select * from saved_${table}; drop table saved_${table}`,
          );
        }
        await owner`set session_replication_role = origin`;
      }
      const closed = (await auditInvariants()).find(({ invariant }) => invariant === id);
      expect(closed?.violations).toBe(0);
      const found = await systemSql()`
      select client_id, closed_at from invariant_violations where invariant = ${id} and row_id = ${broken ?? ""}`;
      expect(found).toEqual([{ client_id: shop.client.clientId, closed_at: expect.any(Date) }]);
    },
  );
});

test("the audit goes over every row in parts, and tells Prometheus", async () => {
  await auditInvariants();
  const [run] = await systemSql()`select * from invariant_runs where invariant = 'M1'`;
  expect(run).toMatchObject({ cursor: null, pass_ended_at: expect.any(Date) });
  const { body, contentType } = await metricsText();
  expect(contentType).toContain("text/plain");
  expect(body).toContain('trilho_invariant_violations{invariant="M1"} 0');
  expect(body).toMatch(/trilho_invariant_last_run_timestamp_seconds\{invariant="P5c"\} \d{10}/);
  expect(body).toContain("trilho_purchases_in_review 0");
});

test("asked for by hand again and again, it looks once", async () => {
  const lastRun = async () => {
    const [row] = await systemSql()<{ at: Date }[]>`select max(ran_at) as at from invariant_runs`;
    return row?.at;
  };
  await owner`update invariant_runs set ran_at = now() - interval '1 minute'`;
  const before = await lastRun();
  await auditNow();
  const first = await lastRun();
  expect(first).not.toEqual(before);
  await auditNow();
  expect(await lastRun()).toEqual(first);
});

test("the product's own role reads what the audit found and writes none of it", async () => {
  for (const table of ["invariant_runs", "invariant_violations"]) {
    await expect(appSql().unsafe(`delete from ${table}`)).rejects.toThrow(/permission denied/);
    await expect(appSql().unsafe(`insert into ${table} default values`)).rejects.toThrow(/permission denied/);
    await appSql().unsafe(`select 1 from ${table}`);
  }
});

test("the part of a run is as large as its time allows, by what the last one took", () => {
  expect(passRows(undefined)).toBe(10_000);
  expect(passRows({ checked: 10_000, duration_ms: 100 })).toBe(10_000);
  expect(passRows({ checked: 10_000, duration_ms: 600 })).toBe(2_500);
  expect(passRows({ checked: 2_500, duration_ms: 150 })).toBe(2_500);
  expect(passRows({ checked: 10_000, duration_ms: 60_000 })).toBe(500);
  expect(passRows({ checked: 0, duration_ms: 0 })).toBe(10_000);
});
