import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { systemDb } from "@/db/client";
import { cardTokens } from "@/db/schema/customers";
import { inTransaction } from "@/lib/context";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openClient } from "@/lib/testing/api";
import { createToken, takeToken } from "@/lib/tokens/service";
import { sweepTokens } from "@/lib/tokens/sweep";
import { readPan } from "@/lib/vault/cards";

const CARD = {
  cardHolderName: "Ana Souza",
  cardNumber: sandboxPan("approve"),
  cardCvv: "120",
  cardExpirationDate: "12/2039",
};

test("tokens nobody used are forgotten after two hours, their numbers too; the others stay", async () => {
  const ctx = await (await openClient()).context();
  const openToken = async () => {
    const { tokenId } = await createToken(ctx, { kind: "card", card: CARD });
    const [row] = await systemDb().select().from(cardTokens).where(eq(cardTokens.id, tokenId));
    return { tokenId, vaultId: row?.vaultId ?? "" };
  };
  const [unused, used, fresh] = [await openToken(), await openToken(), await openToken()];
  await inTransaction(ctx, (inside) => takeToken(inside, used.tokenId, "card"));
  for (const { tokenId } of [unused, used]) {
    await systemDb()
      .update(cardTokens)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(eq(cardTokens.id, tokenId));
  }
  expect(await sweepTokens()).toBe(1);
  expect(await sweepTokens()).toBe(0);
  await expect(readPan(ctx.account.id, unused.vaultId)).rejects.toThrow("does not exist");
  for (const { vaultId } of [used, fresh]) expect(await readPan(ctx.account.id, vaultId)).toBe(CARD.cardNumber);
  expect(await systemDb().$count(cardTokens, eq(cardTokens.clientId, ctx.account.id))).toBe(2);
});
