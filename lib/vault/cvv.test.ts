import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { vaultSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { deleteCvv, readCvv, storeCvv, sweepCvv } from "@/lib/vault/cvv";

/** As the vault role, for one client. */
async function asVault(client: string, statement: string): Promise<Record<string, unknown>[]> {
  let rows: Record<string, unknown>[] = [];
  await vaultSql().begin(async (sql) => {
    await sql`select set_config('app.client_id', ${client}, true)`;
    rows = [...(await sql.unsafe(statement))];
  });
  return rows;
}

describe("the CVV", () => {
  test("is read by its client under its token alone", async () => {
    const [client, tokenId] = [newId(), newId()];
    await storeCvv(client, tokenId, "120");
    expect(await readCvv(client, tokenId)).toBe("120");
    expect(await readCvv(newId(), tokenId)).toBeUndefined();
    expect(await readCvv(client, newId())).toBeUndefined();
  });

  test("is gone once it is deleted, and only its own client can delete it", async () => {
    const [client, tokenId, kept] = [newId(), newId(), newId()];
    await storeCvv(client, tokenId, "120");
    await storeCvv(client, kept, "121");
    await deleteCvv(newId(), tokenId);
    expect(await readCvv(client, tokenId)).toBe("120");
    await deleteCvv(client, tokenId);
    expect([await readCvv(client, tokenId), await readCvv(client, kept)]).toEqual([undefined, "121"]);
  });

  test("given again under the same id replaces the first, which lives no longer for it", async () => {
    const [client, tokenId] = [newId(), newId()];
    await storeCvv(client, tokenId, "120");
    await asVault(client, "update vault.card_cvv set expires_at = now() + interval '1 minute'");
    await storeCvv(client, tokenId, "121");
    expect(await readCvv(client, tokenId)).toBe("121");
    const [row] = await asVault(client, "select extract(epoch from expires_at - now()) as left from vault.card_cvv");
    expect(Number(row?.left)).toBeLessThanOrEqual(60);
    await expect(storeCvv(newId(), tokenId, "122")).rejects.toThrow(/row-level security/);
  });

  test("many deletions at once all happen, each for its own client", async () => {
    const pairs = Array.from({ length: 40 }, () => [newId(), newId()] as const);
    await Promise.all(pairs.map(([client, tokenId]) => storeCvv(client, tokenId, "120")));
    await Promise.all(pairs.map(([client, tokenId]) => deleteCvv(client, tokenId)));
    for (const [client, tokenId] of pairs) expect(await readCvv(client, tokenId)).toBeUndefined();
  });

  test("lives ten minutes: later it is not read, and the sweep takes the row of any client", async () => {
    const [client, tokenId] = [newId(), newId()];
    await storeCvv(client, tokenId, "120");
    const [row] = await asVault(client, "select extract(epoch from expires_at - now()) as left from vault.card_cvv");
    // A machine's clock may be set back a little in between.
    expect(Number(row?.left)).toBeLessThan(601);
    await asVault(client, "update vault.card_cvv set expires_at = now() - interval '1 second'");
    expect(await readCvv(client, tokenId)).toBeUndefined();
    expect(await sweepCvv()).toMatchObject({ cvvs: 1 });
    expect(await asVault(client, "select 1 from vault.card_cvv")).toEqual([]);
  });

  test("the sweep leaves what is alive", async () => {
    const [client, tokenId] = [newId(), newId()];
    await storeCvv(client, tokenId, "120");
    await sweepCvv();
    expect(await readCvv(client, tokenId)).toBe("120");
  });

  test("a row moved to another token or client does not open", async () => {
    const [owner, thief, tokenId, moved] = [newId(), newId(), newId(), newId()];
    await storeCvv(owner, tokenId, "120");
    await asVault(owner, `update vault.card_cvv set token_id = '${moved}'`);
    await expect(readCvv(owner, moved)).rejects.toThrow();
    const [row] = await asVault(owner, "select * from vault.card_cvv");
    await vaultSql().begin(async (sql) => {
      await sql`select set_config('app.client_id', ${thief}, true)`;
      await sql`insert into vault.card_cvv ${sql({ ...row, token_id: tokenId, client_id: thief })}`;
    });
    await expect(readCvv(thief, tokenId)).rejects.toThrow();
  });

  test("both tables write no WAL", async () => {
    const rows = await vaultSql()<{ relname: string; relpersistence: string }[]>`
      select relname, relpersistence from pg_class where relname in ('card_cvv', 'cvv_keys') order by relname`;
    expect(rows.map(({ relpersistence }) => relpersistence)).toEqual(["u", "u"]);
  });

  test("nothing is left to read when its key is gone, two hours after it was made", async () => {
    const [client, tokenId] = [newId(), newId()];
    await storeCvv(client, tokenId, "120");
    const [key] = await vaultSql()`select extract(epoch from max(expires_at) - now()) as left from vault.cvv_keys`;
    expect(Number(key?.left)).toBeLessThanOrEqual(7_200);
    await vaultSql()`update vault.cvv_keys set expires_at = now() - interval '1 second'`;
    expect((await sweepCvv()).keys).toBeGreaterThan(0);
    expect(await readCvv(client, tokenId)).toBeUndefined();
    // The next one brings its key along, whatever became of the published one.
    const next = newId();
    await storeCvv(client, next, "121");
    expect(await readCvv(client, next)).toBe("121");
  });

  test("another process reads what this one stored, and the other way round", async () => {
    const [client, mine, theirs] = [newId(), newId(), newId()];
    await storeCvv(client, mine, "120");
    const script = `
      import { closePools } from "@/db/client";
      import { readCvv, storeCvv } from "@/lib/vault/cvv";
      await storeCvv("${client}", "${theirs}", "7410");
      process.stdout.write(await readCvv("${client}", "${mine}"));
      await closePools();`;
    const tsx = join(process.cwd(), "node_modules/.bin/tsx");
    const { stdout } = await promisify(execFile)(tsx, ["--input-type=module", "-e", script], { env: process.env });
    expect(stdout).toBe("120");
    expect(await readCvv(client, theirs)).toBe("7410");
  });
});
