import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { systemDb } from "@/db/client";
import { clients } from "@/db/schema/accounts";
import { customers } from "@/db/schema/customers";
import { newId } from "@/lib/ids";
import { aKey, openClient, type TestClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";

let count = 0;
const newCustomer = (changes: Record<string, unknown> = {}) => ({
  name: "Ana Souza",
  email: `ana.${++count}@cliente.example`,
  phoneNumber: "+55 11 91234-5678",
  document: { type: "noDocument" },
  ...changes,
});
const ADDRESS = {
  street: "Rua das Flores",
  streetNumber: "100",
  zipCode: "01310-100",
  state: "SP",
  city: "São Paulo",
  district: "Bela Vista",
};
const CPF = { type: "cpf", number: "529.982.247-25" };

const create = (client: TestClient, body: unknown, query?: Record<string, string>) =>
  client.call("POST", "/v1/customers", { body, ...(query ? { query } : {}) });
const held = (client: TestClient) => systemDb().$count(customers, eq(customers.clientId, client.clientId));

describe("POST /v1/customers", () => {
  it("201: the whole customer; e-mail in lower case, document without mask, its type as it was sent", async () => {
    const client = await openClient();
    const reply = await create(client, {
      ...newCustomer({ email: "Ana.Souza@Cliente.EXAMPLE", document: CPF, note: "ignored" }),
      address: ADDRESS,
      deliveryAddress: { city: "Campinas", street: null },
    });
    expect(reply.status).toBe(201);
    const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const none = { street: null, streetNumber: null, zipCode: null, country: null, state: null, district: null };
    expect(reply.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      createdAt: instant,
      updatedAt: instant,
      clientId: client.clientId,
      name: "Ana Souza",
      email: "ana.souza@cliente.example",
      phoneNumber: "+55 11 91234-5678",
      document: { type: "cpf", number: "52998224725", country: "BR" },
      address: { ...ADDRESS, country: "BR", complement: null },
      billingAddress: null,
      deliveryAddress: { ...none, city: "Campinas", complement: null },
      defaultCardId: null,
    });
  });

  it.each([
    ["an alphanumeric CNPJ", { type: "CNPJ", number: "12.abc.345/01de-35" }, "12ABC34501DE35"],
    ["a foreign document as it is", { type: "nif", number: "12.345-X/9", country: "PT" }, "12.345-X/9"],
    ["no document", { type: "NODOCUMENT", number: null, country: "US" }, null],
    ["the CPF that the simulator's anti-fraud denies", { type: "CPF", number: "111.111.111-11" }, "11111111111"],
  ])("201: %s", async (_, document, number) => {
    const reply = await create(await openClient(), newCustomer({ document }));
    expect(reply.status).toBe(201);
    expect(reply.body.document).toEqual({
      type: document.type,
      number,
      country: "country" in document ? document.country : "BR",
    });
  });

  it.each([
    ["no name", { name: null }, "name"],
    ["an empty name", { name: "" }, "name"],
    ["a name of 256 characters", { name: "a".repeat(256) }, "name"],
    ["an e-mail without a domain", { email: "ana@" }, "email"],
    ["no telephone number", { phoneNumber: undefined }, "phoneNumber"],
    ["a telephone number of 33 characters", { phoneNumber: "1".repeat(33) }, "phoneNumber"],
    ["no document", { document: undefined }, "document"],
    ["a CPF with a wrong check digit", { document: { type: "CPF", number: "52998224724" } }, "document.number"],
    ["a CNPJ with a wrong check digit", { document: { type: "CNPJ", number: "12ABC34501DE36" } }, "document.number"],
    ["a CPF without its number", { document: { type: "CPF" } }, "document.number"],
    ["noDocument with a number", { document: { type: "noDocument", number: "1" } }, "document.number"],
    ["a type of another country", { document: { type: "CPF", number: "1", country: "PT" } }, "document.type"],
    ["an unknown country", { document: { type: "CPF", number: "1", country: "XX" } }, "document.country"],
    [
      "a foreign number of 41 characters",
      { document: { type: "NIF", number: "1".repeat(41), country: "PT" } },
      "document.number",
    ],
    ["a foreign number with a blank", { document: { type: "NIF", number: "1 2", country: "PT" } }, "document.number"],
    ["an address without a street", { address: { ...ADDRESS, street: undefined } }, "address.street"],
    ["a country of three letters", { address: { ...ADDRESS, country: "BRA" } }, "address.country"],
  ])("400: %s", async (_, changes, member) => {
    const client = await openClient();
    const reply = await create(client, newCustomer(changes));
    expect([reply.status, reply.error?.type]).toEqual([400, "bad_request"]);
    expect(reply.error?.details).toHaveLength(1);
    expect(reply.error?.details[0]).toMatch(new RegExp(`^${member}\\b`));
    expect(await held(client)).toBe(0);
  });

  it("400: a live account refuses the CPF that only the simulator understands", async () => {
    const live = await openClient({ mode: "live" });
    const reply = await create(live, newCustomer({ document: { type: "CPF", number: "11111111111" } }));
    expect(reply.error?.details).toEqual(["document.number is not a valid CPF"]);
  });

  it("400: a card number in any member is refused and not echoed", async () => {
    const client = await openClient();
    for (const changes of [
      { name: "4111 1111 1111 1111" },
      { address: { ...ADDRESS, complement: "5555555555554444" } },
    ]) {
      const reply = await create(client, newCustomer(changes));
      expect([reply.status, /\d{13}/.test(reply.text)]).toEqual([400, false]);
    }
    expect(await held(client)).toBe(0);
  });

  it("201: the longest members are taken", async () => {
    const reply = await create(
      await openClient(),
      newCustomer({
        name: "a".repeat(255),
        phoneNumber: "1 ".repeat(16),
        document: { type: "NIF", number: "9".repeat(40), country: "PT" },
      }),
    );
    expect(reply.status).toBe(201);
  });

  it("409: e-mail in any letter case, document with or without mask; details name the member", async () => {
    const client = await openClient();
    await create(client, newCustomer({ email: "one@cliente.example", document: CPF }));
    const email = await create(client, newCustomer({ email: "ONE@cliente.example" }));
    expect(email.status).toBe(409);
    expect(email.error).toEqual({
      type: "invalid_request_error",
      code: 409,
      businessCode: "customer_already_exists",
      message: "a customer with this e-mail or document exists",
      details: ["email: in use by another customer"],
    });
    const document = await create(client, newCustomer({ document: { type: "CPF", number: "52998224725" } }));
    expect(document.error?.details).toEqual(["document: in use by another customer"]);
    const both = await create(client, newCustomer({ email: "one@cliente.example", document: CPF }));
    expect(both.error?.details).toHaveLength(2);
  });

  it("201: the same number is another document under another type or country, and noDocument is never compared", async () => {
    const client = await openClient();
    const documents = [
      { type: "DNI", number: "123", country: "AR" },
      { type: "CUIT", number: "123", country: "AR" },
      { type: "NIF", number: "123", country: "PT" },
      { type: "noDocument" },
      { type: "noDocument" },
    ];
    for (const document of documents) expect((await create(client, newCustomer({ document }))).status).toBe(201);
  });

  it("201: with force nothing is compared, and what was forced is in nobody's way", async () => {
    const client = await openClient();
    const body = newCustomer({ document: CPF });
    expect((await create(client, body, { force: "true" })).status).toBe(201);
    expect((await create(client, body)).status).toBe(201);
    expect((await create(client, body)).status).toBe(409);
    expect((await create(client, body, { force: "false" })).status).toBe(409);
    expect((await create(client, body, { force: "true" })).status).toBe(201);
    expect((await create(client, body, { force: "yes" })).status).toBe(400);
  });

  it("201: another account may have the same customer", async () => {
    const body = newCustomer({ document: CPF });
    for (const client of [await openClient(), await openClient()])
      expect((await create(client, body)).status).toBe(201);
  });

  it("409: of a hundred that race for one e-mail one is created", async () => {
    const client = await openClient();
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => create(client, newCustomer({ email: "race@cliente.example" }))),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(99);
    expect(await held(client)).toBe(1);
  });

  it("201: a repeat with the same key answers the same bytes, and a refusal leaves no key behind", async () => {
    const client = await openClient();
    const options = { body: newCustomer(), idempotencyKey: aKey() };
    expect(
      (await client.call("POST", "/v1/customers", { ...options, body: { ...options.body, name: null } })).status,
    ).toBe(400);
    const first = await client.call("POST", "/v1/customers", options);
    const again = await client.call("POST", "/v1/customers", options);
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await held(client)).toBe(1);
  });

  it("401 and 403: no key, and a key without the scope", async () => {
    const client = await openClient();
    expect((await client.call("POST", "/v1/customers", { key: null, body: newCustomer() })).status).toBe(401);
    const key = await client.publicKey(["cards", "tokens"]);
    expect((await client.call("POST", "/v1/customers", { key, body: newCustomer() })).status).toBe(403);
    expect((await client.call("GET", "/v1/customers", { key })).status).toBe(403);
    expect(await held(client)).toBe(0);
  });
});

describe("GET /v1/customers", () => {
  const list = (client: TestClient, query: Record<string, string> = {}, key?: string) =>
    client.call<List>("GET", "/v1/customers", { query, ...(key ? { key } : {}) });
  const names = ({ body }: { body: List }) => body.items.map(({ name }) => name);

  async function openThree(): Promise<TestClient> {
    const client = await openClient();
    const start = Date.parse("2030-01-01T00:00:00Z");
    for (const [index, name] of ["first", "second", "third"].entries()) {
      await systemDb()
        .update(clients)
        .set({ clockFrozenAt: new Date(start + index * 1000) })
        .where(eq(clients.id, client.clientId));
      const document = index === 0 ? CPF : { type: "NIF", number: `A-${index}`, country: "PT" };
      await create(client, newCustomer({ name, email: `${name}@cliente.example`, document }));
    }
    return client;
  }

  it("200: newest first, in pages, with exact totals; a page past the end is empty", async () => {
    const client = await openThree();
    expect(names(await list(client))).toEqual(["third", "second", "first"]);
    for (const name of ["order", "sort"]) {
      expect(names(await list(client, { [name]: "AsC" }))).toEqual(["first", "second", "third"]);
    }
    expect(names(await list(client, { order: "sideways" }))).toEqual(["third", "second", "first"]);
    const page = await list(client, { page: "2", limit: "2" });
    expect(names(page)).toEqual(["first"]);
    expect(page.body.meta).toEqual({ totalItems: 3, itemCount: 1, itemsPerPage: 2, totalPages: 2, currentPage: 2 });
    const past = await list(client, { page: "9", limit: "2" });
    expect([past.status, past.body.items, past.body.meta.totalItems]).toEqual([200, [], 3]);
  });

  it("200: each filter, alone and together", async () => {
    const client = await openThree();
    const [third] = (await list(client)).body.items;
    expect(names(await list(client, { id: third?.id ?? "" }))).toEqual(["third"]);
    expect(names(await list(client, { email: "Second@Cliente.example" }))).toEqual(["second"]);
    expect(names(await list(client, { "document.type": "CPF" }))).toEqual(["first"]);
    expect(names(await list(client, { "document.type": "nif" }))).toEqual(["third", "second"]);
    expect(names(await list(client, { "document.number": "529.982.247-25" }))).toEqual(["first"]);
    expect(names(await list(client, { "document.number": "52998224725", "document.type": "NIF" }))).toEqual([]);
    expect(names(await list(client, { id: newId() }))).toEqual([]);
  });

  it.each<[Record<string, string>]>([[{ page: "0" }], [{ limit: "101" }], [{ limit: "ten" }], [{ id: "x" }]])(
    "400: %j",
    async (query) => {
      const reply = await list(await openClient(), query);
      expect([reply.status, reply.error?.type]).toEqual([400, "bad_request"]);
    },
  );

  it("200: a public key sees what it created, the secret key everything, another account nothing", async () => {
    const client = await openThree();
    const [one, other] = [await client.publicKey("customers"), await client.publicKey("customers")];
    await client.call("POST", "/v1/customers", { key: one, body: newCustomer({ name: "mine" }) });
    expect(names(await list(client, {}, one))).toEqual(["mine"]);
    expect((await list(client, { page: "5" }, one)).body.meta.totalItems).toBe(1);
    expect(names(await list(client, {}, other))).toEqual([]);
    expect((await list(client)).body.meta.totalItems).toBe(4);
    expect((await list(await openClient())).body.meta.totalItems).toBe(0);
  });
});
