import type { TransactionSql } from "postgres";
import { describe, expect, test } from "vitest";
import { appSql, systemSql, vaultSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { readCardAndCvv, readPan, storeCard, storePan } from "@/lib/vault/cards";
import { panFingerprint } from "@/lib/vault/fingerprint";

const PAN = "4111220000000002";

describe("the card vault", () => {
  test("gives a number back to the client that stored it", async () => {
    const client = newId();
    const { vaultId } = await storePan(client, PAN);
    expect(await readPan(client, vaultId)).toBe(PAN);
  });

  test("shows a record to no other client", async () => {
    const [owner, stranger] = [newId(), newId()];
    const { vaultId } = await storePan(owner, PAN);
    await expect(readPan(stranger, vaultId)).rejects.toThrow("does not exist");
    await expect(readPan(owner, newId())).rejects.toThrow("does not exist");
  });

  test("number and CVV come back in one statement, the CVV only for its own token", async () => {
    const client = newId();
    const [tokenId, vaultId] = [newId(), newId()];
    await storeCard(client, { vaultId, pan: PAN, cvv: "120", tokenId });
    expect(await readCardAndCvv(client, vaultId, tokenId)).toEqual({ pan: PAN, cvv: "120" });
    expect(await readCardAndCvv(client, vaultId, newId())).toEqual({ pan: PAN });
    expect(await readCardAndCvv(client, vaultId)).toEqual({ pan: PAN });
  });

  test("each record has a data key of its own: one number stored twice shares no bytes", async () => {
    const client = newId();
    await Promise.all([storePan(client, PAN), storePan(client, PAN)]);
    const rows = await rowsOf(client);
    expect(rows).toHaveLength(2);
    for (const column of ["wrapped_key", "nonce", "ciphertext"] as const) {
      expect(rows[0]?.[column].equals(rows[1]?.[column] ?? Buffer.alloc(0))).toBe(false);
    }
  });

  test("a row moved to another id or another client does not open", async () => {
    const [owner, thief] = [newId(), newId()];
    const one = await storePan(owner, PAN);
    const other = await storePan(owner, "5200000000000007");
    const moved = newId();
    await asVault(
      owner,
      (sql) =>
        sql`update vault.cards a set wrapped_key = b.wrapped_key, nonce = b.nonce, ciphertext = b.ciphertext
            from vault.cards b where a.id = ${one.vaultId} and b.id = ${other.vaultId}`,
    );
    await expect(readPan(owner, one.vaultId)).rejects.toThrow();
    const [row] = (await rowsOf(owner)).filter(({ id }) => id === other.vaultId);
    if (!row) throw new Error("the record is gone");
    await asVault(
      thief,
      (sql) =>
        sql`insert into vault.cards (id, client_id, wrapped_key, nonce, ciphertext, created_at)
          values (${moved}, ${thief}, ${row.wrapped_key}, ${row.nonce}, ${row.ciphertext}, now())`,
    );
    await expect(readPan(thief, moved)).rejects.toThrow();
    expect(await readPan(owner, other.vaultId)).toBe("5200000000000007");
  });

  test.each(["vault.cards", "vault.card_cvv", "vault.cvv_keys"])(
    "app and system roles cannot read %s",
    async (table) => {
      for (const sql of [appSql(), systemSql()]) {
        await expect(sql`select * from ${sql(table)}`).rejects.toThrow(/permission denied/);
      }
    },
  );

  test("the vault role cannot write a row for another client than the one it named", async () => {
    const [named, other] = [newId(), newId()];
    await expect(
      asVault(
        named,
        (sql) =>
          sql`insert into vault.cards (id, client_id, wrapped_key, nonce, ciphertext, created_at)
            values (${newId()}, ${other}, ''::bytea, ''::bytea, ''::bytea, now())`,
      ),
    ).rejects.toThrow(/row-level security/);
  });

  test("what a statement names as its client does not outlive it", async () => {
    await storePan(newId(), PAN);
    expect(await vaultSql()`select id from vault.cards`).toHaveLength(0);
  });
});

describe("fingerprints", () => {
  test("are equal inside one client, different between clients, and carry no digit run of a number", async () => {
    const [one, other] = [newId(), newId()];
    const print = await panFingerprint(one, PAN);
    expect(await panFingerprint(one, PAN)).toBe(print);
    expect(await panFingerprint(other, PAN)).not.toBe(print);
    expect(await panFingerprint(one, "5200000000000007")).not.toBe(print);
    expect(print).toMatch(/^[\w-]{43}$/);
  });
});

interface Row {
  id: string;
  wrapped_key: Buffer;
  nonce: Buffer;
  ciphertext: Buffer;
}

/** Runs as the vault role on behalf of one client. */
async function asVault<T>(client: string, run: (sql: TransactionSql) => Promise<T>): Promise<T> {
  let result: T | undefined;
  await vaultSql().begin(async (sql) => {
    await sql`select set_config('app.client_id', ${client}, true)`;
    result = await run(sql);
  });
  // Guarantee: begin() rejects when `run` did.
  return result as T;
}

const rowsOf = (client: string): Promise<Row[]> =>
  asVault(client, async (sql) => [...(await sql<Row[]>`select * from vault.cards`)]);
