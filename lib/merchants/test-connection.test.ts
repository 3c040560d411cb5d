import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { testConnection } from "@/lib/merchants/test-connection";
import { addProvider, providerFor } from "@/lib/providers/registry";
import { openClient, openMerchant } from "@/lib/testing/api";
import { MIRROR } from "@/lib/testing/mirror/adapter";
import { accountOf } from "@/lib/testing/mirror/evidence";
import { type MirrorServer, REVOKED, startMirror } from "@/lib/testing/mirror/server";
import { joinMirror, registerMirror } from "@/lib/testing/mirror/shop";

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

describe("a provider whose record cannot be asked", () => {
  let mirror: MirrorServer;
  beforeAll(async () => {
    mirror = await startMirror();
    registerMirror(mirror.url);
  });
  afterAll(() => mirror.close());

  test("connects: it is told where its notifications go, and says when it does not know the key", async () => {
    const { client, ctx } = await connected();
    const { id: merchantId } = await openMerchant(client);
    const place = { clientId: client.clientId, merchantId };
    const { providerId, apiKey } = await joinMirror(place, 1);
    expect(await testConnection(ctx, providerId)).toEqual({ passed: true, words: "connected" });
    const told = mirror.notificationsUrls.get(accountOf(apiKey)) ?? "";
    expect(told).toMatch(new RegExp(`^https?://.+/v1/providers/${providerId}/notifications$`));
    const refused = await joinMirror(place, 2, `${REVOKED}-${newId()}`);
    expect(await testConnection(ctx, refused.providerId)).toEqual({ passed: false, words: "unauthenticated" });
  });

  test("without a test of its own is told as untested, and nothing is sent", async () => {
    const { client, ctx } = await connected();
    const { id: merchantId } = await openMerchant(client);
    const { providerId } = await joinMirror({ clientId: client.clientId, merchantId }, 1, newId(), "MUTE");
    const { connect: _connect, ...mute } = providerFor(MIRROR);
    addProvider({ ...mute, kind: "MUTE" });
    const before = mirror.requests.length;
    expect(await testConnection(ctx, providerId)).toEqual({ passed: null, words: "no_test" });
    expect(mirror.requests).toHaveLength(before);
    const [row] = await systemSql()`select test_passed, tested_at from providers where id = ${providerId}`;
    expect(row).toMatchObject({ test_passed: null, tested_at: expect.any(Date) });
  });
});
