import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appSql, systemSql } from "@/db/client";
import { ACCOUNT_DIMENSIONS, ACCOUNT_KINDS } from "@/db/schema/ledger";
import { type Context, inTransaction } from "@/lib/context";
import { newId } from "@/lib/ids";
import { type AccountName, accountOf } from "@/lib/ledger/accounts";
import { captured, held, type Sale } from "@/lib/ledger/journals/charges";
import { type Draft, post } from "@/lib/ledger/post";
import { openClient, openMerchant, type TestClient } from "@/lib/testing/api";
import { testDatabaseUrl } from "@/lib/testing/database";

let owner: postgres.Sql;
let client: TestClient;
let ctx: Context;
let sale: Sale;
beforeAll(async () => {
  owner = postgres(await testDatabaseUrl(), { max: 1, onnotice: () => undefined });
  client = await openClient();
  ctx = await client.context();
  sale = { merchantId: (await openMerchant(client)).id, currency: "BRL", chargeId: newId() };
});
afterAll(() => owner.end());

const posting = (...drafts: Draft[]) => inTransaction(ctx, (inside) => post(inside, drafts));
const sold = (eventId: string, amount = 100) => captured(sale, eventId, "VCC", [{ party: null, amount }]);

const idOf = (name: AccountName, { merchantId, currency } = sale) =>
  accountOf({ clientId: ctx.account.id, merchantId, currency }, name).id;

async function journalOf(eventId: string): Promise<string> {
  const [row] = await systemSql()<{ id: string }[]>`select id from journals where event_id = ${eventId}`;
  return row?.id ?? "";
}

/** As the product's own role, in a transaction of this client. */
const asProduct = <T>(work: (sql: postgres.TransactionSql) => Promise<T>) =>
  appSql().begin(async (sql) => {
    await sql`select set_config('app.client_id', ${ctx.account.id}, true)`;
    return work(sql);
  });

interface Line {
  journalId: string;
  line?: number;
  merchantId?: string;
  currency?: string;
  memo?: boolean;
  debit?: string;
  credit?: string;
  amount?: number;
}

const addTransfer = (sql: postgres.TransactionSql, given: Line) => sql`
  insert into transfers (journal_id, line, client_id, merchant_id, currency, memo, debit_account, credit_account, amount)
  values (${given.journalId}, ${given.line ?? 1}, ${ctx.account.id}, ${given.merchantId ?? sale.merchantId},
          ${given.currency ?? "BRL"}, ${given.memo ?? false},
          ${given.debit ?? idOf({ kind: "provider_receivable", arrangement: "VCC" })},
          ${given.credit ?? idOf({ kind: "merchant_pending" })}, ${given.amount ?? 1})`;

const addJournal = (sql: postgres.TransactionSql, id: string, changes: { reverses?: string } = {}) => sql`
  insert into journals (id, client_id, merchant_id, event_type, event_id, currency, memo, lines, civil_date, created_at, reverses)
  values (${id}, ${ctx.account.id}, ${sale.merchantId}, 'capture', ${id}, 'BRL', false, 1, '2026-11-23', now(),
          ${changes.reverses ?? null})`;

/** A transfer in a journal of its own, in one transaction. */
const written = (changes: Omit<Line, "journalId">) => {
  const journalId = newId();
  return asProduct(async (sql) => {
    await addJournal(sql, journalId);
    await addTransfer(sql, { journalId, ...changes });
  });
};

describe("a transfer", () => {
  test("joins no journal that another transaction wrote", async () => {
    await posting(sold("closed"));
    const journalId = await journalOf("closed");
    await expect(asProduct((sql) => addTransfer(sql, { journalId, line: 2 }))).rejects.toThrow(
      /no such accounts or journal/,
    );
    const past = asProduct(
      (sql) => sql`insert into transfers (journal_id, line, client_id, merchant_id, currency, memo, debit_account,
                                          credit_account, amount, tx)
        select journal_id, 2, client_id, merchant_id, currency, memo, debit_account, credit_account, amount, tx
          from transfers where journal_id = ${journalId}`,
    );
    await expect(past).rejects.toThrow(/permission denied/);
    await written({});
  });

  test("stays in one merchant, one currency and on one side of the memo line", async () => {
    const other = { merchantId: (await openMerchant(client)).id, currency: "BRL" };
    await posting({ ...sold("of another"), ...other });
    await posting({ ...sold("in dollars"), currency: "USD" });
    await posting(held(sale, "memo", 100));
    const strangers = [
      idOf({ kind: "merchant_pending" }, { ...sale, ...other }),
      idOf({ kind: "merchant_pending" }, { ...sale, currency: "USD" }),
      idOf({ kind: "memo:hold" }),
    ];
    for (const account of strangers) {
      await expect(written({ credit: account })).rejects.toThrow(/no such accounts or journal/);
      await expect(written({ debit: account })).rejects.toThrow(/no such accounts or journal/);
    }
    await expect(written({ merchantId: other.merchantId })).rejects.toThrow(/no such accounts or journal/);
  });

  test("moves more than nothing, to another account", async () => {
    for (const amount of [0, -1]) await expect(written({ amount })).rejects.toThrow(/transfers_amount/);
    const account = idOf({ kind: "merchant_pending" });
    await expect(written({ debit: account, credit: account })).rejects.toThrow(/transfers_amount/);
  });

  test("is read as two sides that add up to nothing", async () => {
    await posting(sold("two sides", 250));
    const rows = await systemSql()<{ kind: string; amount: number }[]>`
      select a.kind, p.amount::int as amount from postings p join ledger_accounts a on a.id = p.account_id
       where p.journal_id = ${await journalOf("two sides")} order by p.line`;
    expect(rows).toEqual([
      { kind: "provider_receivable", amount: 250 },
      { kind: "merchant_pending", amount: -250 },
    ]);
    const foreign = await openClient();
    const seen = await inTransaction(await foreign.context(), ({ db }) =>
      db.execute<{ rows: number }>("select count(*)::int as rows from postings"),
    );
    expect([...seen]).toEqual([{ rows: 0 }]);
  });
});

describe("a journal", () => {
  test("is posted once for its evidence, whatever is posted with it", async () => {
    await posting(sold("once", 100));
    await posting(sold("once", 900), sold("another", 300));
    const rows = await systemSql()<{ event_id: string; amount: number }[]>`
      select j.event_id, t.amount::int as amount from journals j join transfers t on t.journal_id = j.id
       where j.event_id in ('once', 'another') order by 2`;
    expect(rows).toEqual([
      { event_id: "once", amount: 100 },
      { event_id: "another", amount: 300 },
    ]);
  });

  test("of nothing is none", async () => {
    await posting(sold("nothing", 0));
    expect(await journalOf("nothing")).toBe("");
  });

  test("is reversed once, by its opposite", async () => {
    const reverses = newId();
    await asProduct(async (sql) => {
      await addJournal(sql, reverses);
      await addTransfer(sql, { journalId: reverses });
    });
    const opposite = {
      debit: idOf({ kind: "merchant_pending" }),
      credit: idOf({ kind: "provider_receivable", arrangement: "VCC" }),
    };
    const reversed = (changes: Omit<Line, "journalId">) =>
      asProduct(async (sql) => {
        const journalId = newId();
        await addJournal(sql, journalId, { reverses });
        await addTransfer(sql, { journalId, ...changes });
      });
    await expect(reversed({})).rejects.toThrow(/takes back what journal/);
    await expect(reversed({ ...opposite, amount: 2 })).rejects.toThrow(/takes back what journal/);
    await reversed(opposite);
    await expect(reversed(opposite)).rejects.toThrow(/journals_reversed_once/);
  });

  test.for(["journals", "transfers", "ledger_checkpoints"])(
    "%s are append-only, even for their owner",
    async (table) => {
      await posting(sold(`kept ${table}`));
      if (table !== "ledger_checkpoints") {
        await expect(owner.unsafe(`update ${table} set currency = 'USD'`)).rejects.toThrow(/append-only/);
        await expect(owner.unsafe(`delete from ${table}`)).rejects.toThrow(/append-only/);
      }
      await expect(owner.unsafe(`truncate ${table} cascade`)).rejects.toThrow(/append-only/);
      await expect(appSql().unsafe(`delete from ${table}`)).rejects.toThrow(/permission denied/);
    },
  );
});

describe("an account", () => {
  test("is told apart by what makes its id, and by nothing else", async () => {
    const [row] = await owner<{ columns: string[] }[]>`
      select array_agg(attname::text order by place) as columns from pg_constraint c
        cross join unnest(c.conkey) with ordinality as k (attnum, place)
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.attnum
       where conname = 'ledger_accounts_dimensions'`;
    const inWords = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    expect(row?.columns).toEqual(ACCOUNT_DIMENSIONS.map(inWords));
    const ids = [
      idOf({ kind: "bank" }),
      idOf({ kind: "provider_receivable", arrangement: null }),
      idOf({ kind: "provider_receivable", arrangement: "VCC" }),
      idOf({ kind: "seller_pending", sellerId: newId() }),
      idOf({ kind: "seller_pending", sellerId: newId() }),
      idOf({ kind: "bank" }, { ...sale, currency: "USD" }),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(idOf({ kind: "bank" })).toBe(ids[0]);
  });

  test("belongs to a seller exactly where the chart says so", async () => {
    const open = (kind: string, sellerId: string | null, memo = false) =>
      asProduct(
        (sql) => sql`insert into ledger_accounts (id, client_id, merchant_id, kind, seller_id, currency, memo)
          values (${newId()}, ${ctx.account.id}, ${newId()}, ${kind}, ${sellerId}, 'BRL', ${memo})`,
      );
    for (const [kind, dimension] of Object.entries(ACCOUNT_KINDS)) {
      const memo = kind.startsWith("memo:");
      const isSellers = dimension === "seller";
      await open(kind, isSellers ? newId() : null, memo);
      await expect(open(kind, isSellers ? null : newId(), memo)).rejects.toThrow(/ledger_accounts_of/);
      await expect(open(kind, isSellers ? newId() : null, !memo)).rejects.toThrow(/ledger_accounts_memo/);
    }
    await expect(open("petty_cash", null)).rejects.toThrow(/ledger_accounts_kind/);
  });
});
