import { eq, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { systemDb } from "@/db/client";
import { auditLog, publicKeys } from "@/db/schema/accounts";
import { newId } from "@/lib/ids";
import { openClient } from "@/lib/testing/api";

describe("DELETE /v1/auth/{publicKey}", () => {
  it("204: the key is refused from the next call on", async () => {
    const client = await openClient();
    const key = await client.publicKey(["auth"]);
    const use = () => client.call("POST", "/v1/auth", { key, body: { scope: "auth", expires: 0 } });
    expect((await use()).status).toBe(201);
    const reply = await client.call("DELETE", `/v1/auth/${key}`);
    expect([reply.status, reply.text, reply.headers.get("content-type")]).toEqual([204, "", null]);
    expect((await use()).status).toBe(401);
    const rows = await systemDb().select().from(auditLog).where(eq(auditLog.objectId, key));
    expect(rows.map(({ action }) => action).sort()).toEqual(["public_key.create", "public_key.revoke"]);
  });

  it("404: unknown, revoked, expired, another client's: the same bytes, and nothing changes", async () => {
    const [client, other] = [await openClient(), await openClient()];
    const [revoked, expired] = [await client.publicKey("cards"), await client.publicKey("cards")];
    const foreign = await other.publicKey(["auth"]);
    await client.call("DELETE", `/v1/auth/${revoked}`);
    await systemDb()
      .update(publicKeys)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(eq(publicKeys.publicKey, expired));
    const replies = [];
    for (const key of [newId(), revoked, expired, foreign])
      replies.push(await client.call("DELETE", `/v1/auth/${key}`));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set(['404 {"error":{"type":"entity_not_found","code":404,"message":"public key not found","details":[]}}']),
    );
    expect((await other.call("POST", "/v1/auth", { key: foreign, body: { scope: "auth" } })).status).toBe(201);
  });

  it("400: a malformed key", async () => {
    const reply = await (await openClient()).call("DELETE", "/v1/auth/not-a-uuid");
    expect(reply).toMatchObject({
      status: 400,
      error: { type: "bad_request", details: ["publicKey: must be a uuid"] },
    });
  });

  it("403: a public key may not revoke, not even itself", async () => {
    const client = await openClient();
    const key = await client.publicKey(["auth", "*"]);
    expect((await client.call("DELETE", `/v1/auth/${key}`, { key })).status).toBe(403);
  });

  it("401: an expired key", async () => {
    const client = await openClient();
    const key = await client.publicKey(["auth"], 60);
    await systemDb()
      .update(publicKeys)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(eq(publicKeys.publicKey, key));
    expect((await client.call("POST", "/v1/auth", { key, body: { scope: "auth" } })).status).toBe(401);
  });
});
