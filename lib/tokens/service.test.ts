import { eq, sql } from "drizzle-orm";
import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { systemDb } from "@/db/client";
import { cardTokens } from "@/db/schema/customers";
import { type Context, inTransaction } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openClient } from "@/lib/testing/api";
import { testDatabaseUrl } from "@/lib/testing/database";
import { createToken, peekToken, takeToken, tokenFromCard } from "@/lib/tokens/service";
import { readCardAndCvv } from "@/lib/vault/cards";

const CARD = {
  cardHolderName: "Ana Souza",
  cardNumber: sandboxPan("approve"),
  cardCvv: "120",
  cardExpirationDate: "12/2039",
};

const openContext = async (): Promise<Context> => (await openClient()).context();
const take = (ctx: Context, tokenId: string, kind: "card" | "cvv" = "card") =>
  inTransaction(ctx, (inside) => takeToken(inside, tokenId, kind));
const openToken = async (ctx: Context) => (await createToken(ctx, { kind: "card", card: CARD })).tokenId;
const NOT_USABLE = { businessCode: "token_not_usable", status: 400 };

describe("a token", () => {
  test("is taken once", async () => {
    const ctx = await openContext();
    const tokenId = await openToken(ctx);
    expect(await take(ctx, tokenId)).toMatchObject({ id: tokenId, last4digits: "0002" });
    await expect(take(ctx, tokenId)).rejects.toMatchObject(NOT_USABLE);
  });

  test("goes to one of fifty that race for it", async () => {
    const ctx = await openContext();
    const tokenId = await openToken(ctx);
    const tries = await Promise.allSettled(Array.from({ length: 50 }, () => take(ctx, tokenId)));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("stays usable when the transaction that took it is rolled back", async () => {
    const ctx = await openContext();
    const tokenId = await openToken(ctx);
    const refused = inTransaction(ctx, async (inside) => {
      await takeToken(inside, tokenId, "card");
      throw new Error("refused");
    });
    await expect(refused).rejects.toThrow("refused");
    expect((await take(ctx, tokenId)).id).toBe(tokenId);
  });

  test("is worth nothing after two hours, to another client, or as the other kind", async () => {
    const [ctx, other] = [await openContext(), await openContext()];
    const [old, mine] = [await openToken(ctx), await openToken(ctx)];
    await systemDb().update(cardTokens).set({ expiresAt: sql`now()` }).where(eq(cardTokens.id, old));
    await expect(take(ctx, old)).rejects.toMatchObject(NOT_USABLE);
    await expect(take(other, mine)).rejects.toMatchObject(NOT_USABLE);
    await expect(take(ctx, mine, "cvv")).rejects.toMatchObject(NOT_USABLE);
    await expect(take(ctx, newId())).rejects.toMatchObject(NOT_USABLE);
    expect((await take(ctx, mine)).id).toBe(mine);
  });

  test("can be looked at without using it up", async () => {
    const ctx = await openContext();
    const tokenId = await openToken(ctx);
    const look = () => inTransaction(ctx, (inside) => peekToken(inside, tokenId));
    expect([(await look()).id, (await look()).id]).toEqual([tokenId, tokenId]);
    await take(ctx, tokenId);
    await expect(look()).rejects.toMatchObject(NOT_USABLE);
  });
});

describe("the token of a one-shot card", () => {
  test("has been used already, and its number and CVV can be read", async () => {
    const ctx = await openContext();
    const token = await inTransaction(ctx, (inside) => tokenFromCard(inside, CARD));
    expect(token.usedAt).not.toBeNull();
    expect(await readCardAndCvv(ctx.account.id, token.vaultId ?? "", token.id)).toEqual({
      pan: CARD.cardNumber,
      cvv: "120",
    });
    await expect(take(ctx, token.id)).rejects.toMatchObject(NOT_USABLE);
  });

  test("goes with its payment: refused before it is accepted, it leaves no number in the vault", async () => {
    const ctx = await openContext();
    let token: Awaited<ReturnType<typeof tokenFromCard>> | undefined;
    const refused = inTransaction(ctx, async (inside) => {
      token = await tokenFromCard(inside, CARD);
      throw new DomainError("captcha_required", "refused after the card was read");
    });
    await expect(refused).rejects.toMatchObject({ businessCode: "captcha_required" });
    const { id = "", vaultId = "" } = token ?? {};
    await expect(readCardAndCvv(ctx.account.id, vaultId ?? "", id)).rejects.toThrow("does not exist");
    const owner = postgres(await testDatabaseUrl(), { max: 1, onnotice: () => undefined });
    const left = await owner`
      select 1 from vault.cards where client_id = ${ctx.account.id}
      union all select 1 from vault.card_cvv where client_id = ${ctx.account.id}`;
    await owner.end();
    expect(left).toEqual([]);
  });

  test("is refused like any other card", async () => {
    const ctx = await openContext();
    const give = (changes: Partial<typeof CARD>) =>
      inTransaction(ctx, (inside) => tokenFromCard(inside, { ...CARD, ...changes }));
    await expect(give({ cardNumber: "4111220000000003" })).rejects.toMatchObject({ declinedCode: "invalid_number" });
    await expect(give({ cardExpirationDate: "01/2020" })).rejects.toMatchObject({ declinedCode: "expired_card" });
  });
});
