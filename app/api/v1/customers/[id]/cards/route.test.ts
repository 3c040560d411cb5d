import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { systemDb } from "@/db/client";
import { cards } from "@/db/schema/customers";
import { newId } from "@/lib/ids";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openClient, type TestClient } from "@/lib/testing/api";
import type { Body, List } from "@/lib/testing/api-client";

let count = 0;
const openCustomer = async (client: TestClient) => {
  const { id } = await client.make("POST", "/v1/customers", {
    body: {
      name: "Ana Souza",
      email: `ana.${++count}@cliente.example`,
      phoneNumber: "11 91234-5678",
      document: { type: "noDocument" },
    },
  });
  return id;
};

async function openCard(client: TestClient, key?: string) {
  const body = {
    cardHolderName: "Ana Souza",
    cardNumber: sandboxPan("approve"),
    cardCvv: "120",
    cardExpirationDate: "12/2039",
  };
  const { tokenId } = await client.make<{ tokenId: string }>("POST", "/v1/tokens", { body });
  const { id } = await client.make("POST", "/v1/cards", { body: { tokenId }, ...(key ? { key } : {}) });
  return id;
}

const link = (client: TestClient, customerId: string, body: unknown, key?: string) =>
  client.call("POST", `/v1/customers/${customerId}/cards`, { body, ...(key ? { key } : {}) });
const defaultOf = async (client: TestClient, customerId: string) =>
  (await client.make("GET", `/v1/customers/${customerId}`)).defaultCardId;
const ids = (items: Body[]) => items.map(({ id }) => id);

describe("POST /v1/customers/{customer_id}/cards", () => {
  it("204: the card is the customer's; linking twice changes nothing", async () => {
    const client = await openClient();
    const [customerId, cardId] = [await openCustomer(client), await openCard(client)];
    const reply = await link(client, customerId, { cardId });
    expect([reply.status, reply.text]).toEqual([204, ""]);
    const card = await client.make<{ customerId: string; customer: Body }>("GET", `/v1/cards/${cardId}`);
    expect([card.customerId, card.customer.id]).toEqual([customerId, customerId]);
    expect((await link(client, customerId, { cardId })).status).toBe(204);
    expect(await client.make("GET", `/v1/cards/${cardId}`)).toEqual(card);
    expect(await defaultOf(client, customerId)).toBeNull();
  });

  it("204: with default the card becomes the one payments use, on a repeat too", async () => {
    const client = await openClient();
    const [customerId, one, other] = [await openCustomer(client), await openCard(client), await openCard(client)];
    await link(client, customerId, { cardId: one, default: true });
    await link(client, customerId, { cardId: other, default: null });
    expect(await defaultOf(client, customerId)).toBe(one);
    expect((await link(client, customerId, { cardId: other, default: true })).status).toBe(204);
    expect(await defaultOf(client, customerId)).toBe(other);
  });

  it("204: a public key with customers or with cards", async () => {
    const client = await openClient();
    for (const scope of ["customers", "cards"]) {
      const key = await client.publicKey(scope);
      expect((await link(client, await openCustomer(client), { cardId: await openCard(client) }, key)).status).toBe(
        204,
      );
    }
    const key = await client.publicKey("tokens");
    expect((await link(client, await openCustomer(client), { cardId: newId() }, key)).status).toBe(403);
  });

  it("409: a card of another customer", async () => {
    const client = await openClient();
    const cardId = await openCard(client);
    await link(client, await openCustomer(client), { cardId });
    const reply = await link(client, await openCustomer(client), { cardId });
    expect(reply).toMatchObject({
      status: 409,
      error: { type: "invalid_request_error", businessCode: "card_already_linked" },
    });
  });

  it("204 and 409: of two customers that race for one card one gets it", async () => {
    const client = await openClient();
    const cardId = await openCard(client);
    const owners = await Promise.all(Array.from({ length: 10 }, () => openCustomer(client)));
    const replies = await Promise.all(owners.map((customerId) => link(client, customerId, { cardId })));
    expect(replies.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(409)]);
  });

  it("400: a card that is unknown, another client's, deleted or failed", async () => {
    const [client, other] = [await openClient(), await openClient()];
    const customerId = await openCustomer(client);
    const [deleted, failed] = [await openCard(client), await openCard(client)];
    await client.make("DELETE", `/v1/cards/${deleted}`);
    await systemDb().update(cards).set({ status: "failed" }).where(eq(cards.id, failed));
    const unknown = await link(client, customerId, { cardId: newId() });
    expect(unknown).toMatchObject({
      status: 400,
      error: { type: "invalid_request_error", businessCode: "card_not_found" },
    });
    expect((await link(client, customerId, { cardId: await openCard(other) })).text).toBe(unknown.text);
    for (const cardId of [deleted, failed]) {
      expect((await link(client, customerId, { cardId })).error?.businessCode).toBe("card_not_usable");
    }
  });

  it.each([{}, { cardId: null }, { cardId: "x" }, { cardId: newId(), default: "yes" }])("400: %j", async (body) => {
    const client = await openClient();
    const reply = await link(client, await openCustomer(client), body);
    expect([reply.status, reply.error?.type]).toEqual([400, "bad_request"]);
  });
});

describe("GET /v1/customers/{customer_id}/cards", () => {
  async function openLinked(client: TestClient, number: number) {
    const customerId = await openCustomer(client);
    const linked = [];
    for (let i = 0; i < number; i++) {
      const cardId = await openCard(client);
      await link(client, customerId, { cardId });
      linked.unshift(cardId);
    }
    return { customerId, linked };
  }
  const list = <T>(client: TestClient, customerId: string, query: Record<string, string> = {}, key?: string) =>
    client.call<T>("GET", `/v1/customers/${customerId}/cards`, { query, ...(key ? { key } : {}) });

  it("200: without page and limit the bare array of all cards, newest first", async () => {
    const client = await openClient();
    const { customerId, linked } = await openLinked(client, 12);
    const reply = await list<Body[]>(client, customerId);
    expect(ids(reply.body)).toEqual(linked);
    expect(ids((await list<Body[]>(client, customerId, { order: "asc" })).body)).toEqual(linked);
    expect((await list(client, await openCustomer(client))).text).toBe("[]");
  });

  it("200: with either of them the usual list", async () => {
    const client = await openClient();
    const { customerId, linked } = await openLinked(client, 3);
    const page = await list<List>(client, customerId, { page: "1" });
    expect([ids(page.body.items), page.body.meta.itemsPerPage]).toEqual([linked, 10]);
    const limited = await list<List>(client, customerId, { limit: "2", order: "ASC" });
    expect(ids(limited.body.items)).toEqual([...linked].reverse().slice(0, 2));
    expect(limited.body.meta).toEqual({ totalItems: 3, itemCount: 2, itemsPerPage: 2, totalPages: 2, currentPage: 1 });
    expect((await list(client, customerId, { limit: "101" })).status).toBe(400);
  });

  it("200: a public key sees the cards it created", async () => {
    const client = await openClient();
    const key = await client.publicKey("cards");
    const { customerId } = await openLinked(client, 1);
    const mine = await openCard(client, key);
    await link(client, customerId, { cardId: mine });
    expect(ids((await list<Body[]>(client, customerId, {}, key)).body)).toEqual([mine]);
    expect(ids((await list<List>(client, customerId, { page: "1" }, key)).body.items)).toEqual([mine]);
    expect((await list<Body[]>(client, customerId)).body).toHaveLength(2);
  });
});

describe("DELETE /v1/customers/{customer_id}/cards/{cardId}", () => {
  it("204: the card stays, unlinked, and is the default no more; it can be linked again", async () => {
    const client = await openClient();
    const [customerId, cardId] = [await openCustomer(client), await openCard(client)];
    await link(client, customerId, { cardId, default: true });
    const reply = await client.call("DELETE", `/v1/customers/${customerId}/cards/${cardId}`);
    expect([reply.status, reply.text]).toEqual([204, ""]);
    expect(await client.make("GET", `/v1/cards/${cardId}`)).toMatchObject({
      customerId: null,
      customer: null,
      status: "active",
    });
    expect(await defaultOf(client, customerId)).toBeNull();
    expect((await link(client, await openCustomer(client), { cardId })).status).toBe(204);
  });

  it("404: a card that is not the customer's, unknown or another client's, alike", async () => {
    const [client, other] = [await openClient(), await openClient()];
    const customerId = await openCustomer(client);
    const unlink = (cardId: string) => client.call("DELETE", `/v1/customers/${customerId}/cards/${cardId}`);
    const unknown = await unlink(newId());
    expect(unknown.error).toEqual({ type: "entity_not_found", code: 404, message: "card not found", details: [] });
    for (const cardId of [await openCard(client), await openCard(other)]) {
      const reply = await unlink(cardId);
      expect([reply.status, reply.text]).toEqual([404, unknown.text]);
    }
    expect((await unlink("x")).status).toBe(400);
  });
});
