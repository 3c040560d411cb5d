import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { systemDb } from "@/db/client";
import { cards } from "@/db/schema/customers";
import { events } from "@/db/schema/outbox";
import { cardReply } from "@/lib/cards/answer";
import { settleCheck } from "@/lib/cards/check";
import { finishCheck } from "@/lib/cards/create";
import { type CardAnswer, cardFromToken, deleteCard, markFirstAnswer, usableCard } from "@/lib/cards/service";
import { type Context, inTransaction } from "@/lib/context";
import { newId } from "@/lib/ids";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openClient } from "@/lib/testing/api";
import { tokenFromCard } from "@/lib/tokens/service";
import { readPan } from "@/lib/vault/cards";

const CARD = {
  cardHolderName: "Ana Souza",
  cardNumber: sandboxPan("approve"),
  cardCvv: "120",
  cardExpirationDate: "12/2039",
};

const openContext = async (): Promise<Context> => (await openClient()).context();
const openCard = (ctx: Context, status: "active" | "pending" | "failed" = "pending") =>
  inTransaction(ctx, async (inside) => cardFromToken(inside, await tokenFromCard(inside, CARD), { status }));
const mark = (ctx: Context, cardId: string, answer: CardAnswer) =>
  inTransaction(ctx, (inside) => markFirstAnswer(inside, cardId, answer));
const stored = async (id: string) => (await systemDb().select().from(cards).where(eq(cards.id, id)))[0];
const eventsOf = async (id: string) =>
  (
    await systemDb()
      .select()
      .from(events)
      .where(and(eq(events.entityId, id), eq(events.object, "card")))
  ).map(({ event, entityVersion, body }) => ({ event, entityVersion, body: JSON.parse(body.toString()) }));

describe("a pending card", () => {
  test("is active at the first approval, told once", async () => {
    const ctx = await openContext();
    const { id } = await openCard(ctx);
    expect(await eventsOf(id)).toEqual([]);
    expect(await mark(ctx, id, { kind: "approved", cvvChecked: true })).toMatchObject({
      status: "active",
      cvvChecked: true,
    });
    expect(await mark(ctx, id, { kind: "approved" })).toBeUndefined();
    const [event, ...others] = await eventsOf(id);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ event: "active", entityVersion: 1 });
    expect(event?.body.data).toMatchObject({ id, status: "active", first6digits: "411122", tokens: [] });
    expect(JSON.stringify(event)).not.toContain(CARD.cardNumber);
  });

  test.each(["invalid_number", "lost_card", "stolen_card", "pickup_card", "fraud_confirmed"])(
    "is failed when the first answer is %s",
    async (code) => {
      const ctx = await openContext();
      const { id } = await openCard(ctx);
      expect(await mark(ctx, id, { kind: "declined", code })).toMatchObject({ status: "failed", statusReason: code });
      expect((await eventsOf(id)).map(({ event }) => event)).toEqual(["failed"]);
    },
  );

  test("stays pending at any other refusal, and no later one ends it; a later approval does", async () => {
    const ctx = await openContext();
    const { id } = await openCard(ctx);
    await mark(ctx, id, { kind: "declined", code: "insufficient_funds" });
    expect(await mark(ctx, id, { kind: "declined", code: "lost_card" })).toBeUndefined();
    expect(await stored(id)).toMatchObject({ status: "pending", statusReason: "insufficient_funds" });
    expect(await mark(ctx, id, { kind: "approved" })).toMatchObject({ status: "active", statusReason: null });
  });

  test("reaches one state when answers race", async () => {
    const ctx = await openContext();
    const { id } = await openCard(ctx);
    const answers: CardAnswer[] = Array.from({ length: 20 }, (_, n) =>
      n % 2 ? { kind: "approved" } : { kind: "declined", code: "lost_card" },
    );
    await Promise.all(answers.map((answer) => mark(ctx, id, answer)));
    expect(await eventsOf(id)).toHaveLength(1);
  });
});

test("an active card is not failed by a refusal, and another client's answer changes nothing", async () => {
  const [ctx, other] = [await openContext(), await openContext()];
  const [active, pending] = [await openCard(ctx, "active"), await openCard(ctx)];
  await mark(ctx, active.id, { kind: "declined", code: "stolen_card" });
  await mark(other, pending.id, { kind: "approved" });
  expect((await stored(active.id))?.status).toBe("active");
  expect((await stored(pending.id))?.status).toBe("pending");
  expect((await eventsOf(active.id)).map(({ event }) => event)).toEqual(["active"]);
});

describe("the card a payment names", () => {
  test("is active or pending", async () => {
    const ctx = await openContext();
    for (const status of ["active", "pending"] as const) {
      const { id } = await openCard(ctx, status);
      expect((await inTransaction(ctx, (inside) => usableCard(inside, id))).id).toBe(id);
    }
  });

  test("is refused when it failed, was deleted, or is not this client's", async () => {
    const [ctx, other] = [await openContext(), await openContext()];
    const use = (id: string) => inTransaction(ctx, (inside) => usableCard(inside, id));
    const [failed, deleted, foreign] = [await openCard(ctx, "failed"), await openCard(ctx), await openCard(other)];
    await inTransaction(ctx, (inside) => deleteCard(inside, deleted.id));
    await expect(use(failed.id)).rejects.toMatchObject({ businessCode: "card_not_usable" });
    await expect(use(deleted.id)).rejects.toMatchObject({ businessCode: "card_not_usable" });
    await expect(use(foreign.id)).rejects.toMatchObject({ businessCode: "card_not_found" });
    await expect(use(newId())).rejects.toMatchObject({ businessCode: "card_not_found" });
  });
});

describe("a zero-amount check", () => {
  const check = async (result: Parameters<typeof settleCheck>[2]) => {
    const ctx = await openContext();
    const card = await openCard(ctx);
    const kept = await inTransaction(ctx, (inside) => settleCheck(inside, card, result));
    const events = (await eventsOf(card.id)).map(({ event }) => event);
    return { kept, row: await stored(card.id), events };
  };

  test("approved with the CVV makes the card active", async () => {
    const { kept, events } = await check({ kind: "approved", cvvChecked: true });
    expect(kept).toMatchObject({ status: "active", cvvChecked: true, statusReason: "zero dollar" });
    expect(events).toEqual(["active"]);
  });

  test("approved without a verdict on the CVV fails the card", async () => {
    const { kept, events } = await check({ kind: "approved", cvvChecked: false });
    expect(kept).toMatchObject({ status: "failed", cvvChecked: false, statusReason: "invalid_cvv" });
    expect(events).toEqual(["failed"]);
  });

  test("refused fails the card with the code, whatever it is", async () => {
    const { kept } = await check({ kind: "declined", code: "insufficient_funds" });
    expect(kept).toMatchObject({ status: "failed", statusReason: "insufficient_funds" });
  });

  test.each(["unknown", "no_provider"] as const)("%s leaves the card pending", async (kind) => {
    const { kept, events } = await check({ kind });
    expect([kept?.status, events]).toEqual(["pending", []]);
  });

  test("a provider's failure keeps no card", async () => {
    const { kept, row, events } = await check({ kind: "provider_failed" });
    expect([kept, row, events]).toEqual([undefined, undefined, []]);
  });

  test("answers 424 then, forgets the number, and 201 with the card otherwise", async () => {
    const ctx = await openContext();
    const [lost, kept] = [await openCard(ctx), await openCard(ctx)];
    const failed = cardReply(await finishCheck(ctx, lost, { kind: "provider_failed" }));
    expect(failed).toEqual({
      status: 424,
      body: {
        error: expect.objectContaining({
          type: "failed_dependency",
          code: 424,
          businessCode: "card_validation_failed",
        }),
      },
    });
    await expect(readPan(ctx.account.id, lost.vaultId)).rejects.toThrow("does not exist");
    const created = cardReply(await finishCheck(ctx, kept, { kind: "declined", code: "lost_card" }));
    expect(created).toEqual({
      status: 201,
      body: expect.objectContaining({
        id: kept.id,
        status: "failed",
        statusReason: "lost_card",
        transactionRequests: [],
      }),
    });
  });
});
