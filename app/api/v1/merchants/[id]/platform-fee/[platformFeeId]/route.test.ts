import { describe, expect, it } from "vitest";
import { newId } from "@/lib/ids";
import { openClient, openMerchant, type TestClient } from "@/lib/testing/api";

const NOT_FOUND =
  '{"error":{"type":"entity_not_found","code":404,"message":"platform fee rule not found","details":[]}}';
const PIX = { paymentMethod: "pix", fixedAmount: 50 };

async function openRule(client: TestClient) {
  const merchant = await openMerchant(client);
  const path = `/v1/merchants/${merchant.id}/platform-fee`;
  const [rule] = await client.make<{ id: string }[]>("POST", path, { body: [PIX] });
  return { merchantId: merchant.id, path, ruleId: rule?.id ?? "" };
}

describe("DELETE /v1/merchants/{merchantId}/platform-fee/{platformFeeId}", () => {
  it("204: the rule is gone and its band is free", async () => {
    const client = await openClient();
    const { path, ruleId } = await openRule(client);
    const reply = await client.call("DELETE", `${path}/${ruleId}`);
    expect([reply.status, reply.text]).toEqual([204, ""]);
    expect((await client.call("GET", path)).body).toMatchObject({ rules: [] });
    expect((await client.call("POST", path, { body: [PIX] })).status).toBe(201);
  });

  it("404: unknown, deleted, of another merchant, another client's: the same bytes, and nothing changes", async () => {
    const [client, other] = [await openClient(), await openClient()];
    const { path, ruleId } = await openRule(client);
    const [elsewhere, foreign] = [await openRule(client), await openRule(other)];
    await client.call("DELETE", `${path}/${ruleId}`);
    for (const id of [newId(), ruleId, elsewhere.ruleId, foreign.ruleId]) {
      const reply = await client.call("DELETE", `${path}/${id}`);
      expect([reply.status, reply.text]).toEqual([404, NOT_FOUND]);
    }
    expect((await client.call("GET", elsewhere.path)).body).toMatchObject({ rules: [{ id: elsewhere.ruleId }] });
    expect((await other.call("GET", foreign.path)).body).toMatchObject({ rules: [{ id: foreign.ruleId }] });
  });

  it("404: through another client's merchant: as through one that never existed", async () => {
    const [client, other] = [await openClient(), await openClient()];
    const foreign = await openRule(other);
    const replies = [];
    for (const merchantId of [newId(), foreign.merchantId]) {
      replies.push(await client.call("DELETE", `/v1/merchants/${merchantId}/platform-fee/${foreign.ruleId}`));
    }
    expect(replies.map(({ status }) => status)).toEqual([404, 404]);
    expect(replies[0]?.text).toBe(replies[1]?.text);
  });

  it("400: malformed ids", async () => {
    const client = await openClient();
    const { path } = await openRule(client);
    expect((await client.call("DELETE", `${path}/7`)).error?.details).toEqual(["platformFeeId: must be a uuid"]);
    const reply = await client.call("DELETE", `/v1/merchants/x/platform-fee/${newId()}`);
    expect(reply).toMatchObject({ status: 400, error: { details: ["merchantId: must be a uuid"] } });
  });

  it("403: a public key", async () => {
    const client = await openClient();
    const { path, ruleId } = await openRule(client);
    const key = await client.publicKey("*");
    expect((await client.call("DELETE", `${path}/${ruleId}`, { key })).status).toBe(403);
  });
});
