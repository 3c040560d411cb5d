import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { systemDb } from "@/db/client";
import { clients } from "@/db/schema/accounts";
import { cardTokens } from "@/db/schema/customers";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { aKey, openClient, type TestClient } from "@/lib/testing/api";
import { realNow } from "@/lib/time";
import { readCardAndCvv } from "@/lib/vault/cards";
import { readCvv } from "@/lib/vault/cvv";

const newCard = (changes: Record<string, unknown> = {}) => ({
  cardHolderName: "Ana Souza",
  cardNumber: sandboxPan("approve"),
  cardCvv: "120",
  cardExpirationDate: "12/2039",
  ...changes,
});

const tokenise = (client: TestClient, body: unknown) =>
  client.call<{ tokenId: string }>("POST", "/v1/tokens", { body });

const stored = async (tokenId: string) => {
  const [row] = await systemDb().select().from(cardTokens).where(eq(cardTokens.id, tokenId));
  if (!row) throw new Error("the token does not exist");
  return row;
};

describe("POST /v1/tokens", () => {
  it("201: a card becomes a token; number and CVV are in the vault, the row shows six digits and four", async () => {
    const client = await openClient();
    const reply = await tokenise(client, newCard({ cardNumber: "4111-2200 0000 0002" }));
    expect([reply.status, Object.keys(reply.body)]).toEqual([201, ["tokenId"]]);
    const row = await stored(reply.body.tokenId);
    expect(row).toMatchObject({
      kind: "card",
      clientId: client.clientId,
      cardHolderName: "Ana Souza",
      brand: "Visa",
      first6digits: "411122",
      last4digits: "0002",
      expirationMonth: "12",
      expirationYear: "2039",
      usedAt: null,
      createdByKey: null,
    });
    expect(await readCardAndCvv(client.clientId, row.vaultId ?? "", row.id)).toEqual({
      pan: "4111220000000002",
      cvv: "120",
    });
    const life = row.expiresAt.getTime() - realNow().getTime();
    expect(Math.abs(life - 7_200_000)).toBeLessThan(60_000);
  });

  it("201: a CVV alone becomes a token of its own kind", async () => {
    const client = await openClient();
    const reply = await tokenise(client, { cvvUpdate: "7410" });
    expect(reply.status).toBe(201);
    expect(await stored(reply.body.tokenId)).toMatchObject({ kind: "cvv", vaultId: null, first6digits: null });
    expect(await readCvv(client.clientId, reply.body.tokenId)).toBe("7410");
  });

  it.each([
    ["American Express", sandboxPan("approve", "amex"), "1200"],
    ["Diners", sandboxPan("approve", "diners"), "120"],
    ["Elo", sandboxPan("approve", "elo"), "120"],
    ["HiperCard", sandboxPan("approve", "hipercard"), "120"],
    ["Mastercard", sandboxPan("approve", "mastercard"), "120"],
  ])("201: %s is recognised", async (brand, cardNumber, cardCvv) => {
    const reply = await tokenise(await openClient(), newCard({ cardNumber, cardCvv }));
    expect(reply.status).toBe(201);
    expect((await stored(reply.body.tokenId)).brand).toBe(brand);
  });

  it("201: a public key with the scope tokens; the row remembers the key", async () => {
    const client = await openClient();
    const key = await client.publicKey("tokens");
    const reply = await client.call<{ tokenId: string }>("POST", "/v1/tokens", { key, body: newCard() });
    expect(reply.status).toBe(201);
    expect((await stored(reply.body.tokenId)).createdByKey).toBe(key);
    expect(reply.headers.get("access-control-allow-origin")).toBe("*");
  });

  it("201: a repeat with the same key answers the same bytes and makes no second token", async () => {
    const client = await openClient();
    const options = { body: newCard(), idempotencyKey: aKey() };
    const first = await client.call("POST", "/v1/tokens", options);
    const again = await client.call("POST", "/v1/tokens", options);
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await systemDb().$count(cardTokens, eq(cardTokens.clientId, client.clientId))).toBe(1);
    const other = await client.call("POST", "/v1/tokens", { ...options, body: newCard({ cardCvv: "121" }) });
    expect([other.status, other.error?.businessCode]).toEqual([409, "idempotency_key_payload_mismatch"]);
  });

  it.each([
    ["a name of one character", { cardHolderName: "A" }],
    ["a name of 101 characters", { cardHolderName: "A".repeat(101) }],
    ["no name", { cardHolderName: null }],
    ["a number of 12 digits", { cardNumber: "411122000000" }],
    ["a number of 20 digits", { cardNumber: "41112200000000020000" }],
    ["letters in the number", { cardNumber: "4111 2200 0000 000x" }],
    ["a number that is no text", { cardNumber: 4111220000000002 }],
    ["a CVV of two digits", { cardCvv: "12" }],
    ["a CVV of five digits", { cardCvv: "12345" }],
    ["no CVV", { cardCvv: undefined }],
    ["three digits for American Express", { cardNumber: sandboxPan("approve", "amex"), cardCvv: "120" }],
    ["month 13", { cardExpirationDate: "13/2039" }],
    ["month 00", { cardExpirationDate: "00/2039" }],
    ["a year of two digits", { cardExpirationDate: "12/39" }],
  ])("400: %s", async (_, changes) => {
    const reply = await tokenise(await openClient(), newCard(changes));
    expect(reply).toMatchObject({ status: 400, error: { type: "bad_request" } });
    expect(reply.error?.declinedCode).toBeUndefined();
    expect(reply.error?.details).toHaveLength(1);
  });

  it("400: every broken rule is named, and no value is echoed", async () => {
    const reply = await tokenise(await openClient(), { cardNumber: "4111", cardCvv: "9x7" });
    expect(reply.error?.details.map((detail) => detail.split(":")[0])).toEqual([
      "cardHolderName",
      "cardNumber",
      "cardCvv",
      "cardExpirationDate",
    ]);
    expect(reply.text).not.toMatch(/4111|9x7/);
  });

  it("400: a number that fails its check digit is refused as a card", async () => {
    const reply = await tokenise(await openClient(), newCard({ cardNumber: "4111220000000003" }));
    expect(reply.status).toBe(400);
    expect(reply.error).toEqual({
      type: "card_declined",
      code: 400,
      declinedCode: "invalid_number",
      declined_code: "invalid_number",
      message: "the card number is not valid",
      details: ["the card number is not valid"],
    });
  });

  it("400: a past expiry is refused on the account's own clock; the month itself is still good", async () => {
    const client = await openClient();
    const at = async (instant: string, cardExpirationDate: string) => {
      await systemDb()
        .update(clients)
        .set({ clockFrozenAt: new Date(instant) })
        .where(eq(clients.id, client.clientId));
      const reply = await tokenise(client, newCard({ cardExpirationDate }));
      return reply.error?.declinedCode ?? reply.status;
    };
    expect(await at("2030-06-15T12:00:00Z", "05/2030")).toBe("expired_card");
    expect(await at("2030-06-15T12:00:00Z", "06/2030")).toBe(201);
    // 23:59 in São Paulo of the last day of June, then the first minute of July.
    expect(await at("2030-07-01T02:59:00Z", "06/2030")).toBe(201);
    expect(await at("2030-07-01T03:00:00Z", "06/2030")).toBe("expired_card");
  });

  it.each(["12", "12345", "12a", ""])("400: cvvUpdate %j is refused as a card", async (cvvUpdate) => {
    const reply = await tokenise(await openClient(), { cvvUpdate });
    expect(reply.error).toMatchObject({ type: "card_declined", code: 400, declinedCode: "invalid_cvv_update" });
  });

  it("400: a card number in any other member is refused, the holder's name included", async () => {
    const client = await openClient();
    for (const member of ["cardHolderName", "cardCvv", "cvvUpdate", "note"]) {
      const reply = await tokenise(client, newCard({ [member]: sandboxPan("approve") }));
      expect([reply.status, reply.error?.type]).toEqual([400, "bad_request"]);
    }
    expect(await systemDb().$count(cardTokens, eq(cardTokens.clientId, client.clientId))).toBe(0);
  });

  it("400: a live account does not take the simulator's numbers", async () => {
    const reply = await tokenise(await openClient({ mode: "live" }), newCard());
    expect(reply.error).toMatchObject({ type: "card_declined", declinedCode: "invalid_number" });
    expect(
      (await tokenise(await openClient({ mode: "live" }), newCard({ cardNumber: "4111111111111111" }))).status,
    ).toBe(201);
  });

  it("401 and 403: no key, and a key without the scope", async () => {
    const client = await openClient();
    expect((await client.call("POST", "/v1/tokens", { key: null, body: newCard() })).status).toBe(401);
    const key = await client.publicKey(["cards", "customers", "charges"]);
    expect((await client.call("POST", "/v1/tokens", { key, body: newCard() })).status).toBe(403);
  });
});
