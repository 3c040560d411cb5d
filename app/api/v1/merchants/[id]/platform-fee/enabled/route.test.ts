import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { systemDb } from "@/db/client";
import { auditLog } from "@/db/schema/accounts";
import { newId } from "@/lib/ids";
import { openClient, openMerchant } from "@/lib/testing/api";

describe("PATCH /v1/merchants/{merchantId}/platform-fee/enabled", () => {
  it("200: on and off again", async () => {
    const client = await openClient();
    const { id } = await openMerchant(client);
    for (const enabled of [true, true, false]) {
      const reply = await client.call("PATCH", `/v1/merchants/${id}/platform-fee/enabled`, { body: { enabled } });
      expect([reply.status, reply.text]).toEqual([200, `{"platformFeeEnabled":${enabled}}`]);
      const merchant = await client.call("GET", `/v1/merchants/${id}`);
      expect(merchant.body.platformFeeEnabled).toBe(enabled);
    }
    const rows = await systemDb().select().from(auditLog).where(eq(auditLog.objectId, id));
    expect(rows.filter(({ action }) => action === "platform_fee.switch")).toHaveLength(3);
  });

  it.each([{}, { enabled: null }, { enabled: "true" }, { enabled: 1 }])("400: %j", async (body) => {
    const client = await openClient();
    const { id } = await openMerchant(client);
    const reply = await client.call("PATCH", `/v1/merchants/${id}/platform-fee/enabled`, { body });
    expect(reply).toMatchObject({ status: 400, error: { type: "bad_request" } });
    expect(reply.error?.details[0]).toContain("enabled: ");
  });

  it("404: an unknown merchant and another client's: the same bytes, and nothing changes", async () => {
    const [client, other] = [await openClient(), await openClient()];
    const foreign = await openMerchant(other);
    const replies = [];
    for (const id of [newId(), foreign.id]) {
      replies.push(await client.call("PATCH", `/v1/merchants/${id}/platform-fee/enabled`, { body: { enabled: true } }));
    }
    expect(replies.map(({ status }) => status)).toEqual([404, 404]);
    expect(replies[0]?.text).toBe(replies[1]?.text);
    expect((await other.call("GET", `/v1/merchants/${foreign.id}`)).body.platformFeeEnabled).toBe(false);
  });

  it("403: a public key", async () => {
    const client = await openClient();
    const { id } = await openMerchant(client);
    const key = await client.publicKey("*");
    const request = { body: { enabled: true }, key };
    expect((await client.call("PATCH", `/v1/merchants/${id}/platform-fee/enabled`, request)).status).toBe(403);
  });
});
