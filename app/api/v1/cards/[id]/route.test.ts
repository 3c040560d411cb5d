import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { systemDb } from "@/db/client";
import { auditLog } from "@/db/schema/accounts";
import { cards } from "@/db/schema/customers";
import { newId } from "@/lib/ids";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openClient, type TestClient } from "@/lib/testing/api";

async function openCard(client: TestClient) {
  const body = {
    cardHolderName: "Ana Souza",
    cardNumber: sandboxPan("approve"),
    cardCvv: "120",
    cardExpirationDate: "12/2039",
  };
  const { tokenId } = await client.make<{ tokenId: string }>("POST", "/v1/tokens", { body });
  return client.make("POST", "/v1/cards", { body: { tokenId } });
}
const openCustomer = (client: TestClient) =>
  client.make("POST", "/v1/customers", {
    body: { name: "Ana", email: "ana@cliente.example", phoneNumber: "1", document: { type: "noDocument" } },
  });

describe("/v1/cards/{id}", () => {
  it.each(["GET", "DELETE"])(
    "404: %s of another client's or a deleted card is the same as of one that never was",
    async (method) => {
      const [client, other] = [await openClient(), await openClient()];
      const [foreign, deleted] = [await openCard(other), await openCard(client)];
      await client.make("DELETE", `/v1/cards/${deleted.id}`);
      const unknown = await client.call(method, `/v1/cards/${newId()}`);
      expect(unknown.error).toEqual({ type: "entity_not_found", code: 404, message: "card not found", details: [] });
      for (const id of [foreign.id, deleted.id]) {
        const reply = await client.call(method, `/v1/cards/${id}`);
        expect([reply.status, reply.text]).toEqual([404, unknown.text]);
      }
      expect((await other.call("GET", `/v1/cards/${foreign.id}`)).status).toBe(200);
      expect((await client.call(method, "/v1/cards/x")).status).toBe(400);
    },
  );
});

describe("GET /v1/cards/{id}", () => {
  it("200: what creation answered, with its customer; a number or CVV never", async () => {
    const client = await openClient();
    const card = await openCard(client);
    expect(await client.make("GET", `/v1/cards/${card.id}`)).toEqual({ ...card, customer: null });
    const customer = await openCustomer(client);
    await client.make("POST", `/v1/customers/${customer.id}/cards`, { body: { cardId: card.id } });
    const linked = await client.call("GET", `/v1/cards/${card.id}`);
    expect(linked.body).toMatchObject({ customerId: customer.id, customer });
    expect(linked.text).not.toContain(sandboxPan("approve"));
    expect(linked.text).not.toMatch(/"cvv"|cardCvv|vaultId/);
  });

  it("200 and 403: a public key with the scope reads any card of the account", async () => {
    const client = await openClient();
    const { id } = await openCard(client);
    expect((await client.call("GET", `/v1/cards/${id}`, { key: await client.publicKey("cards") })).status).toBe(200);
    expect((await client.call("GET", `/v1/cards/${id}`, { key: await client.publicKey("customers") })).status).toBe(
      403,
    );
  });
});

describe("DELETE /v1/cards/{id}", () => {
  it("204: gone for every later read, no default any more, and written down", async () => {
    const client = await openClient();
    const [{ id }, customer] = [await openCard(client), await openCustomer(client)];
    await client.make("POST", `/v1/customers/${customer.id}/cards`, { body: { cardId: id, default: true } });
    const reply = await client.call("DELETE", `/v1/cards/${id}`);
    expect([reply.status, reply.text]).toEqual([204, ""]);
    expect((await client.call("DELETE", `/v1/cards/${id}`)).status).toBe(404);
    expect((await client.make("GET", `/v1/customers/${customer.id}`)).defaultCardId).toBeNull();
    expect((await client.call("GET", `/v1/customers/${customer.id}/cards`)).text).toBe("[]");
    const [row] = await systemDb().select().from(cards).where(eq(cards.id, id));
    expect(row).toMatchObject({ customerId: null, deletedReason: "deleted by the client" });
    expect(row?.deletedAt).not.toBeNull();
    const log = await systemDb().select().from(auditLog).where(eq(auditLog.objectId, id));
    expect(log.map(({ action }) => action)).toEqual(["card.delete"]);
  });

  it("403: a public key may not delete", async () => {
    const client = await openClient();
    const { id } = await openCard(client);
    expect((await client.call("DELETE", `/v1/cards/${id}`, { key: await client.publicKey("*") })).status).toBe(403);
    expect((await client.call("GET", `/v1/cards/${id}`)).status).toBe(200);
  });
});
