import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ENDPOINTS } from "@/app/api/endpoints";
import { systemSql } from "@/db/client";
import { createSecretKey, keyNames } from "@/lib/accounts/secret-keys";
import type { Challenge } from "@/lib/captcha/challenge";
import { ADDRESS_HEADER } from "@/lib/http/endpoint";
import { SEGMENTS } from "@/lib/http/scopes";
import { aKey, openClient, type TestClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";
import { cardData, newCustomer, openToken, withMerchant } from "@/lib/testing/payments";
import { openSession } from "@/lib/testing/sessions";
import { setProtection } from "@/lib/velocity/protection";

const from = (ip: string) => ({ [ADDRESS_HEADER]: ip });
const cardCharge = (merchantId: string, tokenId: string) => ({
  merchantId,
  amount: 5_000,
  paymentMethod: { paymentType: "credit", installments: 1 },
  paymentSource: { sourceType: "token", tokenId },
});

async function shopWithKey(scope: string | string[] = "*") {
  const client = await openClient();
  const shop = await withMerchant(client);
  const key = await client.publicKey(scope);
  const charge = async (
    outcome: Parameters<typeof cardData>[0],
    { by = key, ip = "203.0.113.9", captcha, idempotencyKey }: ChargeOptions = {},
  ) =>
    client.call("POST", "/v1/charges", {
      key: by,
      headers: { ...from(ip), ...(captcha === undefined ? {} : { "x-captcha-token": captcha }) },
      body: cardCharge(shop.merchant.id, await openToken(client, cardData(outcome))),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
  return { client, shop, key, charge };
}

interface ChargeOptions {
  by?: string;
  ip?: string;
  captcha?: string;
  idempotencyKey?: string;
}

async function solve(client: TestClient, key: string, ip: string): Promise<string> {
  const challenge = await client.make<Challenge & Record<string, unknown>>("GET", "/v1/captcha", {
    key,
    headers: from(ip),
  });
  let number = 0;
  while (createHash("sha256").update(`${challenge.salt}${number}`).digest("hex") !== challenge.challenge) number += 1;
  const { algorithm, salt, signature } = challenge;
  const token = { algorithm, challenge: challenge.challenge, number, salt, signature };
  return Buffer.from(JSON.stringify(token)).toString("base64");
}

const refused = (businessCode: string, status: number) => ({ status, error: { businessCode } });

describe("the captcha of a public key", () => {
  it("is asked for after a refused card of that key and address; a secret key passes", async () => {
    const { client, key, charge, shop } = await shopWithKey();
    expect(await charge("approve")).toMatchObject({ status: 201, body: { status: "pre_authorized" } });
    expect(await charge("decline:insufficient_funds")).toMatchObject({ status: 201, body: { status: "failed" } });
    expect(await charge("approve")).toMatchObject(refused("captcha_required", 422));
    expect(await charge("approve", { captcha: "made up" })).toMatchObject(refused("captcha_invalid", 422));
    // Pix is no card; another address and the shop's server are others.
    const pix = {
      merchantId: shop.merchant.id,
      amount: 5_000,
      paymentMethod: { paymentType: "pix", expiresIn: 600 },
      paymentSource: { sourceType: "customer", customer: newCustomer() },
    };
    expect((await client.call("POST", "/v1/charges", { key, headers: from("203.0.113.9"), body: pix })).status).toBe(
      201,
    );
    expect((await charge("approve", { ip: "203.0.113.10" })).status).toBe(201);
    expect((await charge("approve", { by: client.apiKey })).status).toBe(201);
    const token = await solve(client, key, "203.0.113.9");
    expect(await charge("approve", { captcha: token, ip: "203.0.113.10" })).toMatchObject({ status: 201 });
    expect(await charge("approve", { captcha: token })).toMatchObject({
      status: 201,
      body: { status: "pre_authorized" },
    });
    expect(await charge("approve", { captcha: token })).toMatchObject(refused("captcha_invalid", 422));
  });

  it("is bound to key and address, and a key that it minted is asked like itself", async () => {
    const { client, key, charge } = await shopWithKey(["auth", "*"]);
    await charge("decline:insufficient_funds");
    const { publicKey: minted } = await client.make<{ publicKey: string }>("POST", "/v1/auth", {
      key,
      body: { scope: ["charges"] },
    });
    expect(await charge("approve", { by: minted })).toMatchObject(refused("captcha_required", 422));
    const elsewhere = await solve(client, key, "203.0.113.77");
    expect(await charge("approve", { captcha: elsewhere })).toMatchObject(refused("captcha_invalid", 422));
    const other = await solve(client, await client.publicKey("*"), "203.0.113.9");
    expect(await charge("approve", { captcha: other })).toMatchObject(refused("captcha_invalid", 422));
    const own = await solve(client, minted, "203.0.113.9");
    expect((await charge("approve", { by: minted, captcha: own })).status).toBe(201);
  });

  it("is not asked of a repeat, nor of a token; sessions that the key makes anew forgive nothing", async () => {
    const { client, shop, key, charge } = await shopWithKey();
    const idempotencyKey = aKey();
    const headers = from("203.0.113.9");
    const body = cardCharge(shop.merchant.id, await openToken(client, cardData("decline:insufficient_funds")));
    const first = await client.call("POST", "/v1/charges", { key, headers, body, idempotencyKey });
    const repeat = await client.call("POST", "/v1/charges", { key, headers, body, idempotencyKey });
    expect([first.status, repeat.text, repeat.headers.get("idempotent-replayed")]).toEqual([201, first.text, "true"]);
    expect((await client.call("POST", "/v1/tokens", { key, headers, body: cardData() })).status).toBe(201);
    const pay = async (by: string) => {
      const session = await openSession(shop, { maxPayments: -1 });
      const tokenId = await openToken(client);
      return client.call("POST", `/v1/sessions/${session.id}/charge`, {
        key: by,
        headers,
        body: { paymentMethod: { paymentType: "credit" }, paymentSource: { sourceType: "token", tokenId } },
      });
    };
    expect(await pay(key)).toMatchObject(refused("captcha_required", 422));
    expect((await pay(client.apiKey)).status).toBe(201);
    expect((await charge("approve", { captcha: "sandbox-ok" })).status).toBe(201);
  });

  it("a session with captchaEnabled asks a public key too", async () => {
    const { client, shop, key } = await shopWithKey();
    const session = await openSession(shop, { captchaEnabled: true, maxPayments: -1 });
    const pay = async (captcha?: string) =>
      client.call("POST", `/v1/sessions/${session.id}/charge`, {
        key,
        headers: { ...from("203.0.113.9"), ...(captcha ? { "x-captcha-token": captcha } : {}) },
        body: {
          paymentMethod: { paymentType: "credit" },
          paymentSource: { sourceType: "token", tokenId: await openToken(client) },
        },
      });
    expect(await pay()).toMatchObject(refused("captcha_required", 422));
    expect((await pay(await solve(client, key, "203.0.113.9"))).status).toBe(201);
  });

  it("limits against card testing count a public key's cards, and close them by address, once switched on", async () => {
    const { client, charge } = await shopWithKey();
    await setProtection(await client.context(), true);
    for (let n = 0; n < 8; n++) await charge("decline:insufficient_funds", { captcha: "sandbox-ok" });
    const [row] = await systemSql()`select count(*)::int as n from card_tries where client_id = ${client.clientId}`;
    expect(row?.n).toBe(8);
    for (let n = 0; n < 12; n++) await charge("decline:insufficient_funds", { captcha: "sandbox-ok" });
    expect(await charge("approve", { captcha: "sandbox-ok" })).toMatchObject({ status: 429 });
    expect((await charge("approve", { by: client.apiKey })).status).toBe(201);
  }, 60_000);
});

describe("idempotency keys", () => {
  it("of a browser never meet those of the shop's server, of another public key or of a session", async () => {
    const client = await openClient();
    const shop = await withMerchant(client);
    const { publicKey: sessionKey } = await openSession(shop);
    const [one, other] = [await client.publicKey(["auth", "customers"]), await client.publicKey("customers")];
    const { publicKey: minted } = await client.make<{ publicKey: string }>("POST", "/v1/auth", {
      key: one,
      body: { scope: "customers" },
    });
    const idempotencyKey = aKey();
    const make = (key: string, path = "/v1/customers") =>
      client.call("POST", path, { key, idempotencyKey, body: newCustomer(), query: { force: "true" } });
    const replies = [
      await make(one),
      await make(sessionKey, "/v1/sessions/customers"),
      await make(other),
      await make(client.apiKey),
    ];
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(4);
    const again = await make(minted);
    expect(again).toMatchObject(refused("idempotency_key_payload_mismatch", 409));
  });

  it("are shared by all secret keys of an account", async () => {
    const client = await openClient();
    const { apiKey } = await createSecretKey(await client.context(), { name: "ERP", rights: { customers: "write" } });
    const [idempotencyKey, body] = [aKey(), newCustomer()];
    const first = await client.call("POST", "/v1/customers", { idempotencyKey, body });
    const second = await client.call("POST", "/v1/customers", { idempotencyKey, body, key: apiKey });
    expect([second.status, second.text]).toEqual([201, first.text]);
  });
});

describe("POST /v1/sessions/customers", () => {
  it("neither tells of nor occupies an e-mail and a document", async () => {
    const client = await openClient();
    const shop = await withMerchant(client);
    const { publicKey: key } = await openSession(shop);
    const known = newCustomer();
    await client.make("POST", "/v1/customers", { body: known });
    const fresh = newCustomer({ document: { type: "cpf", number: "11144477735" } });
    for (const body of [known, fresh, fresh]) {
      for (const force of ["false", "true"]) {
        const reply = await client.call("POST", "/v1/sessions/customers", { key, body, query: { force } });
        expect(reply.status).toBe(201);
      }
    }
    expect((await client.call("POST", "/v1/customers", { body: fresh })).status).toBe(201);
    const reply = await client.call("POST", "/v1/customers", { body: known });
    expect(reply).toMatchObject(refused("customer_already_exists", 409));
  });
});

describe("a public key and what other keys made", () => {
  it("400 cvv_required: a saved card of another key without its CVV", async () => {
    const { client, shop, key } = await shopWithKey();
    const save = async (by?: string) =>
      (
        await client.make("POST", "/v1/cards", {
          body: { tokenId: await openToken(client) },
          ...(by === undefined ? {} : { key: by }),
        })
      ).id;
    const charge = (by: string, source: Record<string, unknown>) =>
      client.call("POST", "/v1/charges", {
        key: by,
        body: { ...cardCharge(shop.merchant.id, ""), paymentSource: source },
      });
    const [own, foreign] = [await save(key), await save()];
    const card = (cardId: string, more = {}) => ({ sourceType: "card", cardId, ...more });
    expect((await charge(key, card(own))).status).toBe(201);
    expect(await charge(key, card(foreign))).toMatchObject(refused("cvv_required", 400));
    expect((await charge(key, card(foreign, { cardCvv: "120" }))).status).toBe(201);
    const { tokenId: tokenCvv } = await client.make<{ tokenId: string }>("POST", "/v1/tokens", {
      key,
      body: { cvvUpdate: "120" },
    });
    expect((await charge(key, card(foreign, { tokenCvv }))).status).toBe(201);
    expect((await charge(client.apiKey, card(foreign))).status).toBe(201);

    const customer = await client.make("POST", "/v1/customers", { body: newCustomer() });
    await client.make("POST", `/v1/customers/${customer.id}/cards`, { body: { cardId: foreign } });
    const ofCustomer = { sourceType: "customer", customerId: customer.id };
    expect(await charge(key, ofCustomer)).toMatchObject(refused("cvv_required", 400));
    expect((await charge(key, { ...ofCustomer, cardCvv: "120" })).status).toBe(201);

    // Nor through a session that the key makes for that customer.
    const session = await client.make<{ id: string; publicKey: string }>("POST", "/v1/sessions", {
      key,
      body: {
        merchantId: shop.merchant.id,
        customerId: customer.id,
        paymentMethods: [{ paymentType: "credit", installments: 1 }],
        items: [{ name: "A", unitPrice: 5_000, quantity: 1 }],
      },
    });
    for (const by of [key, session.publicKey]) {
      const reply = await client.call("POST", `/v1/sessions/${session.id}/charge`, {
        key: by,
        body: { paymentMethod: { paymentType: "credit" }, paymentSource: card(foreign) },
      });
      expect(reply).toMatchObject(refused("cvv_required", 400));
    }
  });

  it("404: editing a customer that another key made, its default card too", async () => {
    const { client, key } = await shopWithKey();
    const make = async (by: string) =>
      (await client.make("POST", "/v1/customers", { key: by, body: newCustomer(), query: { force: "true" } })).id;
    const [own, foreign, ofServer] = [
      await make(key),
      await make(await client.publicKey("*")),
      await make(client.apiKey),
    ];
    const { id: cardId } = await client.make("POST", "/v1/cards", { key, body: { tokenId: await openToken(client) } });
    const edit = (id: string) => client.call("PATCH", `/v1/customers/${id}`, { key, body: { name: "Outra" } });
    const link = (id: string) =>
      client.call("POST", `/v1/customers/${id}/cards`, { key, body: { cardId, default: true } });
    for (const id of [foreign, ofServer]) {
      expect((await edit(id)).status).toBe(404);
      expect((await link(id)).status).toBe(404);
      expect((await client.call("GET", `/v1/customers/${id}`, { key })).body.name).toBe("Ana Souza");
    }
    expect((await edit(own)).status).toBe(200);
    expect((await link(own)).status).toBe(204);
    expect((await client.call("PATCH", `/v1/customers/${foreign}`, { body: { name: "Outra" } })).status).toBe(200);
  });
});

describe("a restricted secret key", () => {
  const restricted = async (rights: Record<string, "read" | "write">) => {
    const client = await openClient();
    const { apiKey: key } = await createSecretKey(await client.context(), { name: "ERP", rights });
    const status = async (method: string, path: string, body?: unknown) =>
      (await client.call(method, path, { key, ...(body === undefined ? {} : { body }) })).status;
    return { client, key, status };
  };

  it("reads and writes what it names, segment by segment, and nothing else", async () => {
    const { status } = await restricted({ customers: "read", cards: "write", logs: "read" });
    expect(await status("GET", "/v1/customers")).toBe(200);
    expect(await status("POST", "/v1/customers", newCustomer())).toBe(403);
    expect(await status("GET", "/v1/cards")).toBe(200);
    expect(await status("POST", "/v1/cards", {})).toBe(400);
    expect(await status("GET", "/v1/logs")).toBe(200);
    for (const path of ["/v1/charges", "/v1/purchases", "/v1/invariants", "/v1/events", "/v1/auth"])
      expect(await status("GET", path)).toBe(403);
  });

  it("hands on no scope that reaches further than itself", async () => {
    const { client, key } = await restricted({ auth: "write", tokens: "write", cards: "write", webhooks: "write" });
    const ask = async (scope: string) => (await client.call("POST", "/v1/auth", { key, body: { scope } })).status;
    expect(await ask("tokens")).toBe(201);
    for (const scope of ["charges", "cards", "webhooks", "*"]) expect([scope, await ask(scope)]).toEqual([scope, 400]);
  });

  it("can be given every segment the API has", () => {
    const served = ENDPOINTS.filter(({ spec }) => spec.access !== "none").map(({ spec }) => spec.path.split("/")[2]);
    expect([...SEGMENTS].sort()).toEqual([...new Set(served)].filter((one) => one !== "captcha").sort());
  });

  it("tells who did something by its name in the audit log", async () => {
    const { client, key } = await restricted({ customers: "write" });
    const { id } = await client.make("POST", "/v1/customers", { key, body: newCustomer() });
    await client.make("DELETE", `/v1/customers/${id}`, { key });
    const [row] = await systemSql()`
      select actor from audit_log where client_id = ${client.clientId} and action = 'customer.delete'`;
    const keyId = String(row?.actor).slice("key:".length);
    expect((await keyNames(await client.context(), [keyId])).get(keyId)).toMatchObject({ name: "ERP" });
  });
});

it("a list of a public key shows what the key made itself, minted keys apart", async () => {
  const client = await openClient();
  const parent = await client.publicKey(["auth", "customers"]);
  const { publicKey: minted } = await client.make<{ publicKey: string }>("POST", "/v1/auth", {
    key: parent,
    body: { scope: "customers" },
  });
  await client.make("POST", "/v1/customers", { key: minted, body: newCustomer() });
  const total = async (key: string) => (await client.make<List>("GET", "/v1/customers", { key })).meta.totalItems;
  expect([await total(minted), await total(parent)]).toEqual([1, 0]);
});
