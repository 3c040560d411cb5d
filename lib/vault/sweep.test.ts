import { expect, test } from "vitest";
import { systemSql, vaultSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { openClient } from "@/lib/testing/api";
import { createToken } from "@/lib/tokens/service";
import { readPan, storePan } from "@/lib/vault/cards";
import { sweepRecords } from "@/lib/vault/sweep";

const PAN = "4111111111111111";
const CARD = {
  cardNumber: PAN,
  cardHolderName: "Ana Souza",
  cardExpirationDate: "12/2035",
  cardCvv: "123",
};

test("a number whose payment was never stored goes; one with a token stays, and both are looked at once", async () => {
  const client = await openClient();
  const ctx = await client.context();
  const { tokenId } = await createToken(ctx, { kind: "card", card: CARD });
  const { vaultId } = await storePan(ctx.account.id, PAN);
  expect(await sweepRecords()).toBe(0);
  expect(await readPan(ctx.account.id, vaultId)).toBe(PAN);
  expect(await sweepRecords(-1)).toBe(1);
  await expect(readPan(ctx.account.id, vaultId)).rejects.toThrow(/does not exist/);
  expect(await readPan(ctx.account.id, tokenId)).toBe(PAN);
  expect(await sweepRecords(-1)).toBe(0);
});

test("a card keeps its number although its token is gone", async () => {
  const client = await openClient();
  const ctx = await client.context();
  const { vaultId } = await storePan(ctx.account.id, PAN);
  await systemSql()`
    insert into cards (id, client_id, vault_id, status, card_holder_name, brand, first6digits, last4digits,
                       expiration_month, expiration_year, fingerprint, created_at, updated_at)
    values (${newId()}, ${ctx.account.id}, ${vaultId}, 'active', 'Ana Souza', 'visa', '411111', '1111', '12', '2035', 'f', now(), now())`;
  await vaultSql()`delete from vault.sweeps`;
  await sweepRecords(-1);
  expect(await readPan(ctx.account.id, vaultId)).toBe(PAN);
});
