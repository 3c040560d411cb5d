import { describe, expect, test } from "vitest";
import { openClient, type TestClient } from "@/lib/testing/api";

const PATH = "/v1/charges/3ds/setup";
const CARD = {
  cardHolderName: "Ana Souza",
  cardNumber: "4111220000000002",
  cardCvv: "120",
  cardExpirationDate: "12/2039",
};

const tokenOf = async (client: TestClient) =>
  (await client.make<{ tokenId: string }>("POST", "/v1/tokens", { body: CARD })).tokenId;

describe("POST /v1/charges/3ds/setup", () => {
  test("201: by a token, which is not used up, and by a card; also for a public key", async () => {
    const client = await openClient();
    const tokenId = await tokenOf(client);
    const setUp = (body: unknown, key?: string) => client.call("POST", PATH, { body, ...(key ? { key } : {}) });
    const reply = await setUp({ sourceType: "token", tokenId });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      collectUrl: "http://trilho.test/sandbox/3ds/collect",
      providerType: "SANDBOX",
      error: null,
    });
    expect((await setUp({ sourceType: "token", tokenId }, await client.publicKey("charges"))).status).toBe(201);
    const { id: cardId } = await client.make("POST", "/v1/cards", { body: { tokenId } });
    expect((await setUp({ sourceType: "card", cardId })).status).toBe(201);
  });

  test("400: unknown, used up, another account's, or nothing", async () => {
    const [client, other] = await Promise.all([openClient(), openClient()]);
    const tokenId = await tokenOf(other);
    const { id: cardId } = await other.make("POST", "/v1/cards", { body: { tokenId: await tokenOf(other) } });
    const problem = async (body: unknown) => (await client.call("POST", PATH, { body })).error?.businessCode;
    expect(await problem({ sourceType: "token", tokenId })).toBe("token_not_usable");
    expect(await problem({ sourceType: "card", cardId })).toBe("card_not_found");
    const own = await tokenOf(client);
    await client.make("POST", "/v1/cards", { body: { tokenId: own } });
    expect(await problem({ sourceType: "token", tokenId: own })).toBe("token_not_usable");
    for (const body of [{}, { sourceType: "token" }, { sourceType: "customer", customerId: cardId }]) {
      expect((await client.call("POST", PATH, { body })).error?.type).toBe("bad_request");
    }
  });
});
