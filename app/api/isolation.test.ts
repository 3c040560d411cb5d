import { beforeAll, describe, expect, it } from "vitest";
import { appDb, appSql, systemDb, systemSql, vaultSql } from "@/db/client";
import { apiKeys } from "@/db/schema/accounts";
import { merchants } from "@/db/schema/merchants";
import { asClient } from "@/lib/context";
import { flushRequestLog } from "@/lib/http/request-log";
import { newId } from "@/lib/ids";
import { findMerchant, listMerchants, lockProvider, providersOfMerchants } from "@/lib/merchants/queries";
import { feeRulesOf } from "@/lib/platform-fees/queries";
import { findPublicKey, listPublicKeys } from "@/lib/public-keys/queries";
import { aKey, openClient, openMerchant, type TestClient } from "@/lib/testing/api";

/** A merchant never changes hands, whoever asks: the trigger says so before row security is asked. */
const PARENT_STAYS = "23503";

/** Row security alone: nothing here filters by client. */
interface Table {
  schema: string;
  name: string;
  key: string;
}

async function tenantTables(): Promise<Table[]> {
  return systemSql()<Table[]>`
    select n.nspname as schema, c.relname as name, case c.relname when 'clients' then 'id' else 'client_id' end as key
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname in ('public', 'vault')
       and (c.relname = 'clients' or exists (
         select from pg_attribute a where a.attrelid = c.oid and a.attname = 'client_id' and not a.attisdropped))
     order by 1, 2`;
}

const sqlOf = ({ schema }: Table) => (schema === "vault" ? vaultSql() : appSql());

let mine: TestClient;
let other: TestClient;

beforeAll(async () => {
  [mine, other] = [await openClient(), await openClient()];
  for (const client of [mine, other]) {
    const { id } = await openMerchant(client);
    await client.publicKey("cards");
    await client.call("POST", `/v1/merchants/${id}/platform-fee`, {
      body: [{ paymentMethod: "pix", fixedAmount: 1 }],
      idempotencyKey: aKey(),
    });
  }
  await flushRequestLog();
});

describe("the queries' own filter alone", () => {
  it("shows a client its own rows only, where no policy holds", async () => {
    const [context, theirs] = [await mine.context(), await other.context()];
    await systemDb().transaction(async (db) => {
      // The role that claims work across clients: every row of every client is there for it.
      const [open, foreign] = [
        { ...context, db, isInTransaction: true },
        { ...theirs, db, isInTransaction: true },
      ];
      const page = { page: 1, limit: 100 };
      const [own, alien] = [await listMerchants(open, page), await listMerchants(foreign, page)];
      expect([own.totalItems, alien.totalItems]).toEqual([1, 1]);
      const [view] = alien.items;
      if (!view) throw new Error("the other client has a merchant");
      const ids = [view.merchant.id];
      expect(await findMerchant(open, view.merchant.id)).toBeUndefined();
      expect(await providersOfMerchants(open, ids)).toEqual([]);
      expect(await feeRulesOf(open, ids)).toEqual([]);
      expect(await lockProvider(open, view.providers[0]?.id ?? "")).toBeUndefined();
      const keys = await listPublicKeys(foreign, page);
      expect(keys.totalItems).toBe(1);
      expect(await findPublicKey(open, keys.items[0]?.publicKey ?? "")).toBeUndefined();
      expect((await listPublicKeys(open, page)).items.map(({ clientId }) => clientId)).toEqual([mine.clientId]);
      expect(await findMerchant(foreign, view.merchant.id)).toMatchObject({ clientId: other.clientId });
    });
  });
});

describe("row security alone", () => {
  it("covers every table that belongs to a client, and binds its owner too", async () => {
    const unwalled = await systemSql()`
      select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and n.nspname in ('public', 'vault')
         and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'client_id' and not a.attisdropped)
         and not (c.relrowsecurity and c.relforcerowsecurity)`;
    expect([...unwalled]).toEqual([]);
    expect((await tenantTables()).length).toBeGreaterThan(15);
  });

  it("shows nothing outside a transaction that names its client", async () => {
    for (const table of await tenantTables()) {
      const sql = sqlOf(table);
      const [row] = await sql<{ n: number }[]>`
        select count(*)::int as n from ${sql(table.schema)}.${sql(table.name)}`;
      expect({ ...table, n: row?.n }).toEqual({ ...table, n: 0 });
    }
  });

  it("shows a client its own rows only", async () => {
    const seen = new Map<string, number>();
    for (const table of await tenantTables()) {
      const sql = sqlOf(table);
      const rows = await sql.begin(async (tx) => {
        await tx`select set_config('app.client_id', ${mine.clientId}, true)`;
        return tx<{ owner: string; n: number }[]>`
          select ${sql(table.key)} as owner, count(*)::int as n
            from ${sql(table.schema)}.${sql(table.name)} group by 1`;
      });
      expect(rows.map(({ owner }) => owner).filter((owner) => owner !== mine.clientId)).toEqual([]);
      seen.set(table.name, rows[0]?.n ?? 0);
    }
    // What was made through the API is there to be seen: the policies do not hide everything.
    for (const table of ["clients", "merchants", "providers", "api_keys", "public_keys", "platform_fee_rules"]) {
      expect([table, seen.get(table)]).not.toEqual([table, 0]);
    }
    expect(seen.get("request_logs")).toBeGreaterThan(0);
    expect(seen.get("audit_log")).toBeGreaterThan(0);
  });

  it("lets a client write no row of another, nor take one over", async () => {
    const at = new Date();
    const foreign = { id: newId(), clientId: other.clientId, mcc: "5411", createdAt: at, updatedAt: at };
    const insert = asClient(mine.clientId, (db) => db.insert(merchants).values(foreign));
    await expect(insert).rejects.toMatchObject({ cause: { code: "42501" } });
    const changed = await asClient(mine.clientId, async (db) => {
      await expect(
        db.transaction((inner) => inner.update(merchants).set({ clientId: other.clientId })),
      ).rejects.toMatchObject({ cause: { code: PARENT_STAYS } });
      await expect(
        db.transaction((inner) => inner.update(apiKeys).set({ clientId: other.clientId })),
      ).rejects.toMatchObject({ cause: { code: "42501" } });
      return db.update(merchants).set({ mcc: "0000" }).returning({ clientId: merchants.clientId });
    });
    expect(new Set(changed.map(({ clientId }) => clientId))).toEqual(new Set([mine.clientId]));
    const [untouched] = await systemSql()<{ mcc: string }[]>`
      select mcc from merchants where client_id = ${other.clientId}`;
    expect(untouched?.mcc).toBe("5411");
  });

  it("leaves no client set on a connection that goes back to the pool", async () => {
    await Promise.all(
      Array.from({ length: 200 }, (_, n) => {
        const client = n % 2 ? mine : other;
        return asClient(client.clientId, async (db) => {
          const rows = await db.select({ clientId: merchants.clientId }).from(merchants);
          expect(new Set(rows.map(({ clientId }) => clientId))).toEqual(new Set([client.clientId]));
          if (n % 7 === 0) throw new Error("rolled back");
        }).catch((thrown: Error) => expect(thrown.message).toBe("rolled back"));
      }),
    );
    expect(await Promise.all(Array.from({ length: 50 }, () => appDb().select().from(merchants)))).toEqual(
      Array(50).fill([]),
    );
  });

  it("keeps card data out of reach of the other roles", async () => {
    for (const sql of [appSql(), systemSql()]) {
      await expect(sql`select * from vault.card_cvv`).rejects.toMatchObject({ code: "42501" });
    }
    await expect(vaultSql()`select * from merchants`).rejects.toMatchObject({ code: "42501" });
  });

  it("lets nobody rewrite the audit log", async () => {
    for (const sql of [appSql(), systemSql()]) {
      await expect(sql`update audit_log set actor = 'nobody'`).rejects.toMatchObject({ code: "42501" });
      await expect(sql`delete from audit_log`).rejects.toMatchObject({ code: "42501" });
    }
  });
});
