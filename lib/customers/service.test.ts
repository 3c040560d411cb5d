import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { systemDb } from "@/db/client";
import { cards } from "@/db/schema/customers";
import { defaultCardOf } from "@/lib/cards/default-card";
import { linkCard, unlinkCard } from "@/lib/cards/links";
import { cardFromToken, deleteCard } from "@/lib/cards/service";
import { type Context, inTransaction } from "@/lib/context";
import { newBuyer } from "@/lib/customers/schema";
import { createBuyer, createCustomer, getCustomer } from "@/lib/customers/service";
import { newId } from "@/lib/ids";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openClient } from "@/lib/testing/api";
import { tokenFromCard } from "@/lib/tokens/service";

const openContext = async (): Promise<Context> => (await openClient()).context();
const BUYER = newBuyer.parse({
  email: "Ana@Cliente.example",
  phoneNumber: "11 91234-5678",
  document: { type: "CPF", number: "529.982.247-25" },
});
const buyer = (ctx: Context) => inTransaction(ctx, (inside) => createBuyer(inside, BUYER));

async function openCard(ctx: Context, customerId: string, isDefault = false): Promise<string> {
  return inTransaction(ctx, async (inside) => {
    const token = await tokenFromCard(inside, {
      cardHolderName: "Ana Souza",
      cardNumber: sandboxPan("approve"),
      cardCvv: "120",
      cardExpirationDate: "12/2039",
    });
    const { id } = await cardFromToken(inside, token, { status: "active" });
    await linkCard(inside, customerId, { cardId: id, default: isDefault });
    return id;
  });
}

describe("a one-shot buyer", () => {
  test("is saved any number of times, and is in no customer's way", async () => {
    const ctx = await openContext();
    const [one, other] = [await buyer(ctx), await buyer(ctx)];
    expect(one.id).not.toBe(other.id);
    expect(one).toMatchObject({
      name: "ana@cliente.example",
      email: "ana@cliente.example",
      documentNumber: "52998224725",
    });
    const saved = await inTransaction(ctx, (inside) => createCustomer(inside, { ...BUYER, name: "Ana Souza" }));
    expect(saved.isForced).toBe(false);
  });

  test("has a document like any other customer", async () => {
    const ctx = await openContext();
    const wrong = { ...BUYER, document: { ...BUYER.document, number: "52998224724" } };
    await expect(inTransaction(ctx, (inside) => createBuyer(inside, wrong))).rejects.toMatchObject({ status: 400 });
  });
});

test("the customer a body names is refused as a reference when it is unknown or another client's", async () => {
  const [ctx, other] = [await openContext(), await openContext()];
  for (const id of [newId(), (await buyer(other)).id]) {
    const read = inTransaction(ctx, (inside) => getCustomer(inside, id));
    await expect(read).rejects.toMatchObject({ businessCode: "customer_not_found", status: 400 });
  }
});

describe("the card a customer pays with", () => {
  const cardOf = async (ctx: Context, customerId: string) =>
    (await inTransaction(ctx, (inside) => defaultCardOf(inside, customerId))).id;

  test("is the default one, else the last linked that is not failed", async () => {
    const ctx = await openContext();
    const { id } = await buyer(ctx);
    const first = await openCard(ctx, id, true);
    const [second, third] = [await openCard(ctx, id), await openCard(ctx, id)];
    expect(await cardOf(ctx, id)).toBe(first);
    await systemDb().update(cards).set({ status: "failed" }).where(eq(cards.id, first));
    expect(await cardOf(ctx, id)).toBe(third);
    await inTransaction(ctx, (inside) => deleteCard(inside, third));
    expect(await cardOf(ctx, id)).toBe(second);
  });

  test("is missing when none is left, or the customer is another client's", async () => {
    const [ctx, other] = [await openContext(), await openContext()];
    const { id } = await buyer(ctx);
    await expect(cardOf(ctx, id)).rejects.toMatchObject({ businessCode: "default_card_missing" });
    const cardId = await openCard(ctx, id, true);
    await expect(cardOf(other, id)).rejects.toMatchObject({ businessCode: "default_card_missing" });
    await inTransaction(ctx, (inside) => unlinkCard(inside, id, cardId));
    await expect(cardOf(ctx, id)).rejects.toMatchObject({ businessCode: "default_card_missing" });
  });
});
