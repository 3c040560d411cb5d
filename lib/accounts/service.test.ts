import { and, eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { systemDb } from "@/db/client";
import { apiKeys, auditLog } from "@/db/schema/accounts";
import { createSecretKey, listSecretKeys, revokeSecretKey } from "@/lib/accounts/secret-keys";
import {
  createAccount,
  disableAccount,
  enableAccount,
  listAccounts,
  loadAccount,
  rotateAccountKeys,
} from "@/lib/accounts/service";
import { systemContext } from "@/lib/context";
import { RequestError } from "@/lib/errors";
import { authenticate } from "@/lib/http/authenticate";
import { newId } from "@/lib/ids";

const open = (mode: "sandbox" | "live" = "sandbox") => createAccount({ name: "Padaria", mode });
const principalOf = async (clientId: string, key: string) =>
  (await authenticate(new Headers({ "x-client-id": clientId, "x-api-key": key })))?.principal;
const actionsOf = async (clientId: string) =>
  (await systemDb().select().from(auditLog).where(eq(auditLog.clientId, clientId))).map(({ action }) => action).sort();

describe("a client account", () => {
  it.each(["sandbox", "live"] as const)("is %s from its creation, and its key says so", async (mode) => {
    const { clientId, apiKey } = await open(mode);
    expect(apiKey).toMatch(new RegExp(`^sk_${mode}_[A-Za-z0-9_-]{43}$`));
    expect(await loadAccount(clientId)).toEqual({
      id: clientId,
      mode,
      clock: { offsetSeconds: 0, frozenAt: null },
      autoSettleSeconds: null,
    });
    expect(await principalOf(clientId, apiKey)).toMatchObject({ kind: "secret" });
  });

  it("is listed without any key", async () => {
    const { clientId, apiKey } = await open();
    const listed = await listAccounts();
    expect(listed.find((account) => account.clientId === clientId)).toEqual({
      clientId,
      name: "Padaria",
      mode: "sandbox",
      status: "active",
      createdAt: expect.any(Date),
    });
    expect(JSON.stringify(listed)).not.toContain(apiKey);
  });

  it("refuses an empty name and one that is too long, and stores nothing", async () => {
    const before = (await listAccounts()).length;
    for (const name of ["", "  ", "x".repeat(201)]) {
      await expect(createAccount({ name, mode: "sandbox" })).rejects.toThrow(RequestError);
    }
    expect(await listAccounts()).toHaveLength(before);
  });

  it("is unknown when it does not exist", async () => {
    await expect(loadAccount(newId())).rejects.toThrow("account not found");
  });

  it("stops with all its keys at once when it is disabled, and works again when enabled", async () => {
    const { clientId, apiKey } = await open();
    await disableAccount(clientId);
    await disableAccount(clientId);
    expect(await principalOf(clientId, apiKey)).toBeUndefined();
    expect(await loadAccount(clientId)).toMatchObject({ id: clientId });
    await enableAccount(clientId);
    expect(await principalOf(clientId, apiKey)).toBeDefined();
    expect(await actionsOf(clientId)).toEqual(["account.create", "account.disable", "account.enable"]);
  });
});

describe("secret keys", () => {
  it("are stored as digests only", async () => {
    const { clientId, apiKey } = await open();
    const [row] = await systemDb().select().from(apiKeys).where(eq(apiKeys.clientId, clientId));
    expect(JSON.stringify(row)).not.toContain(apiKey);
    expect(row?.digest).toHaveLength(32);
    expect(row?.hint).toBe(apiKey.slice(0, 15));
    const audited = await systemDb().select().from(auditLog).where(eq(auditLog.clientId, clientId));
    expect(JSON.stringify(audited)).not.toContain(apiKey);
  });

  it("rotate: the older key works 24 hours more, and then no longer", async () => {
    const { clientId, apiKey } = await open();
    const rotated = await rotateAccountKeys(clientId);
    expect(await principalOf(clientId, apiKey)).toBeDefined();
    expect(await principalOf(clientId, rotated.apiKey)).toBeDefined();
    const [old] = await systemDb()
      .select()
      .from(apiKeys)
      .where(and(eq(apiKeys.clientId, clientId), eq(apiKeys.hint, apiKey.slice(0, 15))));
    const hoursLeft = ((old?.expiresAt?.getTime() ?? 0) - Date.now()) / 3_600_000;
    expect(hoursLeft).toBeGreaterThan(23.9);
    expect(hoursLeft).toBeLessThanOrEqual(24);
    await systemDb()
      .update(apiKeys)
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where(eq(apiKeys.id, old?.id ?? ""));
    expect(await principalOf(clientId, apiKey)).toBeUndefined();
    expect(await principalOf(clientId, rotated.apiKey)).toBeDefined();
    expect(await actionsOf(clientId)).toEqual(["account.create", "secret_key.rotate"]);
  });

  it("rotate twice: the first key's 24 hours are not extended", async () => {
    const { clientId } = await open();
    await rotateAccountKeys(clientId);
    const context = systemContext(await loadAccount(clientId), newId());
    const [first] = (await listSecretKeys(context)).filter((key) => key.expiresAt);
    await rotateAccountKeys(clientId);
    const again = (await listSecretKeys(context)).find((key) => key.id === first?.id);
    expect(again?.expiresAt).toEqual(first?.expiresAt);
  });

  it("are created beside the others, listed newest first, and revoked at once", async () => {
    const { clientId, apiKey } = await open();
    const context = systemContext(await loadAccount(clientId), newId());
    const second = await createSecretKey(context, { name: "ERP", rights: null });
    expect((await listSecretKeys(context)).map(({ hint }) => hint)).toEqual([second.hint, apiKey.slice(0, 15)]);
    await revokeSecretKey(context, second.keyId);
    expect(await principalOf(clientId, second.apiKey)).toBeUndefined();
    expect(await principalOf(clientId, apiKey)).toBeDefined();
    await expect(revokeSecretKey(context, second.keyId)).rejects.toThrow("secret key not found");
  });

  it("of another account cannot be revoked", async () => {
    const [mine, other] = [await open(), await open()];
    const context = systemContext(await loadAccount(mine.clientId), newId());
    await expect(revokeSecretKey(context, other.keyId)).rejects.toThrow("secret key not found");
    expect(await principalOf(other.clientId, other.apiKey)).toBeDefined();
  });

  it("authenticate nobody but their own account", async () => {
    const [mine, other] = [await open(), await open()];
    expect(await principalOf(mine.clientId, other.apiKey)).toBeUndefined();
    expect(await principalOf(newId(), mine.apiKey)).toBeUndefined();
    expect(await principalOf("", "")).toBeUndefined();
    expect(await principalOf(mine.clientId, `${mine.apiKey}x`)).toBeUndefined();
  });
});
