import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { systemDb } from "@/db/client";
import { auditLog } from "@/db/schema/accounts";
import { cards, customers } from "@/db/schema/customers";
import { newId } from "@/lib/ids";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openClient, type TestClient } from "@/lib/testing/api";

const newCustomer = (changes: Record<string, unknown> = {}) => ({
  name: "Ana Souza",
  email: "ana@cliente.example",
  phoneNumber: "11 91234-5678",
  document: { type: "CPF", number: "52998224725" },
  ...changes,
});

const openCustomer = (client: TestClient, changes: Record<string, unknown> = {}) =>
  client.make("POST", "/v1/customers", { body: newCustomer(changes) });

async function openCard(client: TestClient, customerId?: string, isDefault = false) {
  const token = {
    cardHolderName: "Ana Souza",
    cardNumber: sandboxPan("approve"),
    cardCvv: "120",
    cardExpirationDate: "12/2039",
  };
  const { tokenId } = await client.make<{ tokenId: string }>("POST", "/v1/tokens", { body: token });
  const { id } = await client.make("POST", "/v1/cards", { body: { tokenId } });
  if (customerId) {
    await client.make("POST", `/v1/customers/${customerId}/cards`, { body: { cardId: id, default: isDefault } });
  }
  return id;
}

/** Every route with an id, as a call on one customer. */
const CALLS: [string, string, unknown?][] = [
  ["GET", ""],
  ["PATCH", "", { name: "Beto" }],
  ["DELETE", ""],
  ["GET", "/cards"],
  ["POST", "/cards", { cardId: newId() }],
  ["DELETE", `/cards/${newId()}`],
];

describe("/v1/customers/{id}", () => {
  it.each(CALLS)(
    "404: %s %s of another client's customer is the same as of one that never was, and changes nothing",
    async (method, path, body) => {
      const [client, other] = [await openClient(), await openClient()];
      const foreign = await openCustomer(other);
      const options = body === undefined ? {} : { body };
      const unknown = await client.call(method, `/v1/customers/${newId()}${path}`, options);
      const reply = await client.call(method, `/v1/customers/${foreign.id}${path}`, options);
      expect([reply.status, reply.text]).toEqual([404, unknown.text]);
      expect(unknown.error).toEqual({
        type: "entity_not_found",
        code: 404,
        message: "customer not found",
        details: [],
      });
      expect(await other.make("GET", `/v1/customers/${foreign.id}`)).toEqual(foreign);
    },
  );

  it.each(CALLS)("400: %s %s with a malformed id", async (method, path, body) => {
    const reply = await (await openClient()).call(method, `/v1/customers/1${path}`, body === undefined ? {} : { body });
    expect([reply.status, reply.error?.type]).toEqual([400, "bad_request"]);
  });

  it("404: a deleted customer reads like an unknown one", async () => {
    const client = await openClient();
    const { id } = await openCustomer(client);
    await client.make("DELETE", `/v1/customers/${id}`);
    const unknown = await client.call("GET", `/v1/customers/${newId()}`);
    for (const [method, path, body] of CALLS) {
      const reply = await client.call(method, `/v1/customers/${id}${path}`, body === undefined ? {} : { body });
      expect([reply.status, reply.text]).toEqual([404, unknown.text]);
    }
  });

  it("403: a public key reads, updates what it made, and neither deletes nor unlinks", async () => {
    const client = await openClient();
    const { id } = await openCustomer(client);
    const key = await client.publicKey("*");
    expect((await client.call("GET", `/v1/customers/${id}`, { key })).status).toBe(200);
    expect((await client.call("PATCH", `/v1/customers/${id}`, { key, body: { name: "Beto" } })).status).toBe(404);
    expect((await client.call("DELETE", `/v1/customers/${id}`, { key })).status).toBe(403);
    expect((await client.call("DELETE", `/v1/customers/${id}/cards/${newId()}`, { key })).status).toBe(403);
    const cardsOnly = await client.publicKey("cards");
    expect((await client.call("GET", `/v1/customers/${id}`, { key: cardsOnly })).status).toBe(403);
  });
});

describe("PATCH /v1/customers/{id}", () => {
  it("200: the members sent change, e-mail and document never, null leaves a member as it is", async () => {
    const client = await openClient();
    const before = await openCustomer(client, { deliveryAddress: { city: "Campinas" } });
    const reply = await client.call("PATCH", `/v1/customers/${before.id}`, {
      body: {
        name: "Beatriz Lima",
        phoneNumber: null,
        email: "other@cliente.example",
        document: { type: "CPF", number: "12345678909" },
        billingAddress: { country: "pt" },
        deliveryAddress: null,
      },
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      ...before,
      name: "Beatriz Lima",
      billingAddress: expect.objectContaining({ country: "PT", city: null }),
      updatedAt: reply.body.updatedAt,
    });
  });

  it("200: an empty change answers the customer", async () => {
    const client = await openClient();
    const before = await openCustomer(client);
    for (const body of [{}, undefined]) {
      const reply = await client.call("PATCH", `/v1/customers/${before.id}`, { body });
      expect(reply.body).toEqual({ ...before, updatedAt: reply.body.updatedAt });
    }
  });

  it("200: the default card is a linked card, or none", async () => {
    const client = await openClient();
    const { id } = await openCustomer(client);
    const cardId = await openCard(client, id);
    const set = (defaultCardId: unknown) => client.call("PATCH", `/v1/customers/${id}`, { body: { defaultCardId } });
    expect((await set(cardId)).body.defaultCardId).toBe(cardId);
    expect((await client.call("PATCH", `/v1/customers/${id}`, { body: { name: "x" } })).body.defaultCardId).toBe(
      cardId,
    );
    expect((await set(null)).body.defaultCardId).toBeNull();
  });

  it("400: a default card that is unknown, another client's, not linked here, or failed", async () => {
    const [client, other] = [await openClient(), await openClient()];
    const { id } = await openCustomer(client);
    const failed = await openCard(client, id);
    await systemDb().update(cards).set({ status: "failed" }).where(eq(cards.id, failed));
    const set = async (defaultCardId: string) =>
      (await client.call("PATCH", `/v1/customers/${id}`, { body: { defaultCardId } })).error;
    expect((await set(newId()))?.businessCode).toBe("card_not_found");
    expect((await set(await openCard(other)))?.businessCode).toBe("card_not_found");
    expect((await set(await openCard(client)))?.details).toEqual([
      "defaultCardId: must be a card linked to this customer",
    ]);
    expect((await set(failed))?.businessCode).toBe("card_not_usable");
    expect((await client.make("GET", `/v1/customers/${id}`)).defaultCardId).toBeNull();
  });

  it.each([{ name: "" }, { phoneNumber: "1".repeat(33) }, { address: { city: "x" } }, { defaultCardId: "x" }])(
    "400: %j",
    async (body) => {
      const client = await openClient();
      const { id } = await openCustomer(client);
      expect((await client.call("PATCH", `/v1/customers/${id}`, { body })).status).toBe(400);
    },
  );
});

describe("DELETE /v1/customers/{id}", () => {
  it("200: an empty answer; e-mail and document are free, the cards are deleted, and it is written down", async () => {
    const client = await openClient();
    const { id } = await openCustomer(client);
    const cardId = await openCard(client, id, true);
    const reply = await client.call("DELETE", `/v1/customers/${id}`);
    expect([reply.status, reply.text]).toEqual([200, ""]);
    expect((await client.call("GET", `/v1/cards/${cardId}`)).status).toBe(404);
    const [card] = await systemDb().select().from(cards).where(eq(cards.id, cardId));
    expect(card).toMatchObject({ deletedReason: "customer deleted", customerId: null });
    const again = await openCustomer(client);
    expect(again.id).not.toBe(id);
    const rows = await systemDb().select().from(auditLog).where(eq(auditLog.objectId, id));
    expect(rows.map(({ action }) => action)).toEqual(["customer.delete"]);
    expect(await systemDb().$count(customers, eq(customers.clientId, client.clientId))).toBe(2);
  });
});
