import { and, asc, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { systemDb, systemSql } from "@/db/client";
import { auditLog } from "@/db/schema/accounts";
import {
  allowKeyFrom,
  createSecretKey,
  listSecretKeys,
  rotateSecretKey,
  rotateSecretKeys,
} from "@/lib/accounts/secret-keys";
import { loadAccount } from "@/lib/accounts/service";
import { accountSettings, allowAddresses, changeAccount } from "@/lib/accounts/settings";
import { type Context, systemContext } from "@/lib/context";
import { RequestError } from "@/lib/errors";
import { flushRequestLog } from "@/lib/http/request-log";
import { newId } from "@/lib/ids";
import { findOperatorSession, switchAccount } from "@/lib/operators/sessions";
import { createOperator, signIn } from "@/lib/sign-in/service";
import { openClient, type TestClient } from "@/lib/testing/api";
import { realNow } from "@/lib/time";

const PASSWORD = "correct horse battery staple";
const OFFICE = "203.0.113.20";

interface Owned {
  client: TestClient;
  ctx: Context;
  email: string;
}

async function owned(email = `dona-${newId()}@equipe.example`): Promise<Owned> {
  const client = await openClient();
  const { id } = await createOperator(systemDb(), {
    email,
    name: "Ana Prado",
    password: PASSWORD,
    clientId: client.clientId,
    role: "owner",
  });
  const context = systemContext(await loadAccount(client.clientId), newId());
  return { client, email, ctx: { ...context, principal: { kind: "operator", operatorId: id }, ip: OFFICE } };
}

async function sessionOf({ email }: Owned, address = OFFICE): Promise<string> {
  const outcome = await signIn(systemDb(), { email, password: PASSWORD, address, userAgent: "vitest" }, realNow());
  if (outcome.kind !== "signed_in") throw new Error(outcome.kind);
  return outcome.sessionId;
}

const entriesOf = ({ client }: Owned, action: string) =>
  systemDb()
    .select({ before: auditLog.before, after: auditLog.after, ip: auditLog.ip })
    .from(auditLog)
    .where(and(eq(auditLog.clientId, client.clientId), eq(auditLog.action, action)))
    .orderBy(asc(auditLog.at), asc(auditLog.id));

describe("the account's own settings", () => {
  test("name and zone are changed, and the log knows what they were", async () => {
    const shop = await owned();
    await changeAccount(shop.ctx, { name: "  Padaria Sol  ", timeZone: "America/Manaus" });
    expect(await accountSettings(shop.ctx)).toMatchObject({
      name: "Padaria Sol",
      timeZone: "America/Manaus",
      status: "active",
      closedAt: null,
      allowedAddresses: [],
    });
    expect(await entriesOf(shop, "account.update")).toEqual([
      {
        before: { name: "test sandbox", timeZone: null },
        after: { name: "Padaria Sol", timeZone: "America/Manaus" },
        ip: OFFICE,
      },
    ]);
  });

  test("the same again changes and says nothing; a name of nothing or of too much is refused", async () => {
    const shop = await owned();
    await changeAccount(shop.ctx, { name: "test sandbox", timeZone: null });
    for (const name of [" ", "x".repeat(201)])
      await expect(changeAccount(shop.ctx, { name, timeZone: null })).rejects.toThrow(RequestError);
    expect(await entriesOf(shop, "account.update")).toEqual([]);
  });

  test("another account's are not touched", async () => {
    const [shop, other] = [await owned(), await owned()];
    await changeAccount(shop.ctx, { name: "Minha", timeZone: null });
    expect((await accountSettings(other.ctx)).name).toBe("test sandbox");
  });
});

describe("addresses an account is opened from", () => {
  test("hold at every request of an open session, and another account stays open", async () => {
    const shop = await owned();
    const second = await openClient();
    const session = await sessionOf(shop);
    const operatorId = shop.ctx.principal.kind === "operator" ? shop.ctx.principal.operatorId : "";
    await systemSql()`insert into memberships (operator_id, client_id, role, created_at)
      values (${operatorId}, ${second.clientId}, 'owner', now())`;
    expect(await allowAddresses(shop.ctx, ["203.0.113.0/24"])).toBe("done");

    const inside = await findOperatorSession(systemDb(), session, realNow(), { address: "203.0.113.99" });
    expect(inside).toMatchObject({ account: { id: shop.client.clientId }, barred: [] });
    for (const address of ["198.51.100.1", "2001:db8::1", "unknown", null]) {
      const outside = await findOperatorSession(systemDb(), session, realNow(), { address });
      if (!outside) throw new Error("the session itself goes on");
      expect(outside.account).toBeUndefined();
      expect(outside.barred.map(({ id }) => id)).toEqual([shop.client.clientId]);
      expect(outside.accounts.map(({ id }) => id)).toEqual([second.clientId]);
      expect(await switchAccount(systemDb(), outside, shop.client.clientId)).toBe(false);
    }
    expect(await entriesOf(shop, "account.addresses")).toEqual([
      { before: { addresses: [] }, after: { addresses: ["203.0.113.0/24"] }, ip: OFFICE },
    ]);
  });

  test("nobody shuts themselves out: a list without one's own address is refused, and none at all opens again", async () => {
    const shop = await owned();
    expect(await allowAddresses(shop.ctx, ["198.51.100.0/24"])).toBe("outside");
    const { ip: _, ...nowhere } = shop.ctx;
    expect(await allowAddresses(nowhere, [OFFICE])).toBe("outside");
    expect((await accountSettings(shop.ctx)).allowedAddresses).toEqual([]);
    expect(await allowAddresses(shop.ctx, [OFFICE, "2001:db8::/32"])).toBe("done");
    expect(await allowAddresses(shop.ctx, [])).toBe("done");
    const session = await sessionOf(shop, "198.51.100.7");
    expect((await findOperatorSession(systemDb(), session, realNow(), { address: "198.51.100.7" }))?.account?.id).toBe(
      shop.client.clientId,
    );
  });

  test("at most fifty", async () => {
    const { ctx } = await owned();
    const many = Array.from({ length: 51 }, (_, at) => `203.0.113.${at}`);
    await expect(allowAddresses(ctx, many)).rejects.toThrow(RequestError);
  });
});

describe("addresses a secret key is taken from", () => {
  const from = (address: string) => ({ headers: { "x-trilho-address": address } });

  test("403: from elsewhere, in the envelope of the route, and in the request log; other keys go on", async () => {
    const { client, ctx } = await owned();
    const [key] = await listSecretKeys(ctx);
    await allowKeyFrom(ctx, key?.id ?? "", ["203.0.113.0/24", "2001:db8::/32"]);
    for (const address of [OFFICE, "2001:db8::7"])
      expect((await client.call("GET", "/v1/merchants", from(address))).status).toBe(200);
    const refused = await client.call("GET", "/v1/merchants", from("198.51.100.7"));
    expect([refused.status, refused.error]).toEqual([
      403,
      {
        type: "invalid_request_error",
        code: 403,
        message: "forbidden",
        details: ["this key is not taken from 198.51.100.7"],
      },
    ]);
    const purchase = await client.call("GET", `/v1/purchases/${newId()}`, from("198.51.100.7"));
    expect([purchase.status, purchase.error]).toEqual([
      403,
      { type: "unauthorized", code: 403, message: "forbidden", details: [] },
    ]);
    expect((await client.call("GET", "/v1/merchants")).status).toBe(403);
    const { apiKey } = await createSecretKey(ctx, { name: "ERP", rights: null });
    expect((await client.call("GET", "/v1/merchants", { ...from("198.51.100.7"), key: apiKey })).status).toBe(200);
    await flushRequestLog();
    const logged = await systemSql()`
      select status, ip from request_logs where client_id = ${client.clientId} and status = 403 order by id`;
    expect(logged.map(({ status, ip }) => [status, ip])).toEqual([
      [403, "198.51.100.7"],
      [403, "198.51.100.7"],
      [403, null],
    ]);
  });

  test("when it was last used, and from where; a call that was refused is no use", async () => {
    const { client, ctx } = await owned();
    const { keyId, apiKey: key } = await createSecretKey(ctx, { name: "ERP", rights: null });
    const used = async () => {
      const found = (await listSecretKeys(ctx)).find(({ id }) => id === keyId);
      return [found?.lastUsedAt, found?.lastUsedFrom];
    };
    await allowKeyFrom(ctx, keyId, [OFFICE]);
    expect((await client.call("GET", "/v1/merchants", { ...from("198.51.100.7"), key })).status).toBe(403);
    expect(await used()).toEqual([null, null]);
    expect((await client.call("GET", "/v1/merchants", { ...from(OFFICE), key })).status).toBe(200);
    expect(await used()).toEqual([expect.any(Date), OFFICE]);
  });

  test("go over to the key that a rotation makes, and are known to the log", async () => {
    const shop = await owned();
    const [key] = await listSecretKeys(shop.ctx);
    await allowKeyFrom(shop.ctx, key?.id ?? "", [OFFICE]);
    const issued = await rotateSecretKeys(shop.ctx);
    const kept = await listSecretKeys(shop.ctx);
    expect(kept.find(({ id }) => id === issued.keyId)?.allowedAddresses).toEqual([OFFICE]);
    expect(await entriesOf(shop, "secret_key.addresses")).toEqual([
      { before: { addresses: [] }, after: { addresses: [OFFICE] }, ip: OFFICE },
    ]);
  });

  test("stay with a key's name and rights when that key is rotated; the others are left alone", async () => {
    const shop = await owned();
    const rights = { charges: "read" } as const;
    const { keyId } = await createSecretKey(shop.ctx, { name: " ERP ", rights });
    await allowKeyFrom(shop.ctx, keyId, [OFFICE]);
    const issued = await rotateSecretKey(shop.ctx, keyId);
    const kept = await listSecretKeys(shop.ctx);
    expect(kept.find(({ id }) => id === issued.keyId)).toMatchObject({
      name: "ERP",
      rights,
      allowedAddresses: [OFFICE],
      expiresAt: null,
    });
    expect(kept.filter(({ expiresAt }) => expiresAt !== null).map(({ id }) => id)).toEqual([keyId]);
    await expect(rotateSecretKey(shop.ctx, keyId)).rejects.toMatchObject({ status: 404 });
    // All at once is for keys without limits: a restricted key stays.
    await rotateSecretKeys(shop.ctx);
    expect((await listSecretKeys(shop.ctx)).find(({ id }) => id === issued.keyId)?.expiresAt).toBeNull();
  });

  test.each([
    ["no name", { name: "  ", rights: null }],
    ["a name too long", { name: "x".repeat(61), rights: null }],
    ["no right", { name: "ERP", rights: {} }],
    ["a right on what there is not", { name: "ERP", rights: { money: "write" as const } }],
  ])("400: a key with %s", async (_, input) => {
    await expect(createSecretKey((await owned()).ctx, input)).rejects.toMatchObject({ status: 400 });
  });

  test("404: a key of another account does not exist", async () => {
    const [shop, other] = [await owned(), await owned()];
    const [key] = await listSecretKeys(other.ctx);
    await expect(allowKeyFrom(shop.ctx, key?.id ?? "", [OFFICE])).rejects.toMatchObject({ status: 404 });
    expect((await listSecretKeys(other.ctx))[0]?.allowedAddresses).toEqual([]);
  });
});
