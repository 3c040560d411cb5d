import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { testConnection } from "@/lib/merchants/test-connection";
import { openClient, openMerchant } from "@/lib/testing/api";

async function connected() {
  const client = await openClient();
  const { id: merchantId } = await openMerchant(client);
  const [provider] = await systemSql()<{ id: string }[]>`
    select id from providers where merchant_id = ${merchantId} and kind = 'SANDBOX'`;
  return { client, id: provider?.id ?? "", ctx: systemContext(await loadAccount(client.clientId), newId()) };
}

test("a connection that works is answered by the provider itself, kept and audited", async () => {
  const { client, id, ctx } = await connected();
  const result = await testConnection(ctx, id);
  expect(result.passed).toBe(true);
  const [row] = await systemSql()`select test_passed, test_words, tested_at from providers where id = ${id}`;
  expect(row).toMatchObject({ test_passed: true, test_words: result.words, tested_at: expect.any(Date) });
  const [entry] = await systemSql()`select before, after from audit_log
    where client_id = ${client.clientId} and action = 'provider.test'`;
  expect(entry).toMatchObject({ before: { passed: null }, after: { passed: true } });
  const charges = await systemSql()`select from charges where client_id = ${client.clientId}`;
  expect(charges).toHaveLength(0);
});

test("a provider of another account does not exist", async () => {
  const [theirs, mine] = [await connected(), await connected()];
  await expect(testConnection(mine.ctx, theirs.id)).rejects.toMatchObject({ status: 404 });
});
