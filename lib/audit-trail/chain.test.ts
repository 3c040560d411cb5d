import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { createAccount, loadAccount } from "@/lib/accounts/service";
import { audit } from "@/lib/audit";
import { headOf, installationHead, linkAudit, verifyChain } from "@/lib/audit-trail/chain";
import { getAudit, listAudit } from "@/lib/audit-trail/queries";
import { type Context, inTransaction, systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { testDatabaseUrl } from "@/lib/testing/database";
import { addSeconds, realNow } from "@/lib/time";

let owner: postgres.Sql;
beforeAll(async () => {
  owner = postgres(await testDatabaseUrl(), { max: 1, onnotice: () => undefined });
});
afterAll(() => owner.end());

async function anAccount(): Promise<Context> {
  const { clientId } = await createAccount({ name: "Loja Azul", mode: "sandbox" });
  return systemContext(await loadAccount(clientId), newId());
}

const write = (ctx: Context, action: string, more: { objectId?: string; after?: Record<string, unknown> } = {}) =>
  inTransaction(ctx, (inside) => audit(inside, { action, object: "merchant", objectId: newId(), ...more }));

const as = (ctx: Context, operatorId: string): Context => ({ ...ctx, principal: { kind: "operator", operatorId } });

const rowsOf = ({ account }: Context) =>
  systemSql()<{ id: string; position: number | null }[]>`
    select a.id, c.position::int as position from audit_log a left join audit_chain c using (id)
     where a.client_id = ${account.id} order by c.position, a.id`;

/** Without the constraints that would refuse it. */
async function behindTheBack(change: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  await owner`set session_replication_role = replica`;
  await change(owner);
  await owner`set session_replication_role = origin`;
}

describe("the chain of audit rows", () => {
  test("takes up every row of each account once, in one line, whoever links at the same time", async () => {
    const [one, two] = [await anAccount(), await anAccount()];
    for (let time = 0; time < 4; time++) {
      await Promise.all([write(one, "merchant.update"), write(two, "merchant.update"), linkAudit(), linkAudit()]);
    }
    await linkAudit();
    for (const ctx of [one, two]) {
      const positions = (await rowsOf(ctx)).map(({ position }) => position);
      expect(positions).toEqual(positions.map((_position, index) => index + 1));
      expect(await verifyChain(ctx.account.id)).toEqual({
        links: positions.length,
        from: 1,
        to: positions.length,
        broken: [],
      });
      expect((await headOf(ctx.account.id))?.position).toBe(positions.length);
    }
    expect(await systemSql()`select from audit_waiting`).toEqual([]);
  });

  test("is not joined by a row whose transaction failed", async () => {
    const ctx = await anAccount();
    await expect(
      inTransaction(ctx, async (inside) => {
        await audit(inside, { action: "merchant.update", object: "merchant", objectId: newId() });
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    await linkAudit();
    expect(await rowsOf(ctx)).toHaveLength(1);
  });

  test.each(["audit_log", "audit_chain"])("%s: nobody changes or deletes a row", async (table) => {
    const ctx = await anAccount();
    await linkAudit();
    const where = owner`client_id = ${ctx.account.id}`;
    for (const sql of [owner, systemSql()]) {
      await expect(sql`update ${sql(table)} set client_id = client_id where ${where}`).rejects.toThrow();
      await expect(sql`delete from ${sql(table)} where ${where}`).rejects.toThrow();
    }
    await expect(owner`truncate ${owner(table)}`).rejects.toThrow("append-only");
  });

  test.each([
    ["a changed row", (id: string) => owner`update audit_log set after = '{"a":2}' where id = ${id}`, [3]],
    ["another author", (id: string) => owner`update audit_log set actor = 'system ' where id = ${id}`, [3]],
    ["a deleted row", (id: string) => owner`delete from audit_log where id = ${id}`, [3]],
    ["a deleted link", (id: string) => owner`delete from audit_chain where id = ${id}`, [4]],
    ["a link made anew", (id: string) => owner`update audit_chain set hash = sha256('x') where id = ${id}`, [3, 4]],
  ])("tells of %s", async (_what, damage, broken) => {
    const ctx = await anAccount();
    for (let time = 0; time < 4; time++) await write(ctx, "merchant.update", { after: { a: 1 } });
    await linkAudit();
    const third = (await rowsOf(ctx))[2]?.id ?? "";
    await behindTheBack(() => damage(third));
    expect((await verifyChain(ctx.account.id)).broken).toEqual(broken);
  });

  test("has one published head that any new row of any account changes", async () => {
    const ctx = await anAccount();
    await linkAudit();
    const before = await installationHead();
    await linkAudit();
    expect(await installationHead()).toEqual(before);
    await write(ctx, "merchant.update");
    await linkAudit();
    const after = await installationHead();
    expect(after).toMatch(/^[0-9a-f]{64}$/);
    expect(after).not.toBe(before);
  });
});

describe("the audit log", () => {
  test("is found by who, what, id and time, in pages, and never another account's", async () => {
    const [mine, theirs] = [await anAccount(), await anAccount()];
    const [ana, bia] = [randomUUID(), randomUUID()];
    const objectId = newId();
    for (let time = 0; time < 3; time++) await write(as(mine, ana), "merchant.update", { objectId });
    await write(as(mine, bia), "merchant.delete");
    await write(as(theirs, ana), "merchant.update");
    const actions = async (filter: Parameters<typeof listAudit>[1]) =>
      (await listAudit(mine, filter)).items.map(({ action }) => action);
    expect(await actions({})).toEqual([
      "merchant.delete",
      ...Array<string>(3).fill("merchant.update"),
      "account.create",
    ]);
    expect(await actions({ who: `operator:${ana}` })).toHaveLength(3);
    expect(await actions({ own: bia, who: `operator:${ana}` })).toEqual([]);
    expect(await actions({ own: bia })).toEqual(["merchant.delete"]);
    expect(await actions({ kind: "account" })).toEqual(["account.create"]);
    expect(await actions({ search: objectId.slice(0, 30) })).toHaveLength(3);
    expect(await actions({ search: "%" })).toEqual([]);
    expect(await actions({ from: addSeconds(realNow(), 60) })).toEqual([]);
    const first = await listAudit(mine, {}, 2);
    const second = await listAudit(mine, { before: first.next }, 2);
    const third = await listAudit(mine, { before: second.next }, 2);
    const ids = [first, second, third].flatMap(({ items }) => items.map(({ id }) => id));
    expect(new Set(ids).size).toBe(5);
    expect(third.next).toBeUndefined();
  });

  test("shows a row to its account, and to its author alone where only one's own are shown", async () => {
    const [mine, theirs] = [await anAccount(), await anAccount()];
    const [ana, bia] = [randomUUID(), randomUUID()];
    await write(as(mine, ana), "merchant.update");
    const id = (await listAudit(mine, { own: ana })).items[0]?.id ?? "";
    await linkAudit();
    expect((await getAudit(mine, id, undefined)).link?.hash).toMatch(/^[0-9a-f]{64}$/);
    expect((await getAudit(mine, id, ana)).row.id).toBe(id);
    await expect(getAudit(mine, id, bia)).rejects.toMatchObject({ status: 404 });
    await expect(getAudit(theirs, id, undefined)).rejects.toMatchObject({ status: 404 });
    await expect(getAudit(mine, "nonsense", undefined)).rejects.toMatchObject({ status: 404 });
  });
});
