import { and, eq, lt, sql } from "drizzle-orm";
import { idempotencyKeys } from "@/db/schema/accounts";
import { settleCheck } from "@/lib/cards/check";
import { type CardRow, checksOf, findCard } from "@/lib/cards/queries";
import { cardBody, type NewCard } from "@/lib/cards/schema";
import { serializeCard } from "@/lib/cards/serializer";
import { cardFromToken } from "@/lib/cards/service";
import { type Context, type IdempotencyKey, inTransaction, now, publicKeyOf } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import type { HttpReply } from "@/lib/http/endpoint";
import { errorAnswer } from "@/lib/http/errors";
import { claimKey, type StoredAnswer, storeAnswer } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { findMerchant } from "@/lib/merchants/queries";
import { type CardVerdict, verifyCard } from "@/lib/payments/verify-card";
import { takeToken } from "@/lib/tokens/service";
import { deletePans } from "@/lib/vault/cards";
import { deleteCvv } from "@/lib/vault/cvv";

/** Saves the card of a token. The CVV goes as soon as nothing can ask for it any more. */
export async function createCard(ctx: Context, input: NewCard): Promise<HttpReply> {
  const saved = await inTransaction(ctx, (inside) => save(inside, input));
  if ("body" in saved && saved.replayed) return saved;
  const ready = "body" in saved ? saved : await check(ctx, saved, input);
  await deleteCvv(ctx.account.id, input.tokenId);
  return ready;
}

/** Outside any transaction: the provider is asked while the client waits. */
async function check(ctx: Context, { card, merchantId }: Unchecked, { tokenId }: NewCard): Promise<HttpReply> {
  return finishCheck(ctx, card, await verifyCard(ctx, card, merchantId, tokenId));
}

interface Unchecked {
  card: CardRow;
  merchantId: string;
}

async function save(ctx: Context, input: NewCard): Promise<HttpReply | Unchecked> {
  const cardId = newId();
  const stored = ctx.idempotency && (await claim(ctx, ctx.idempotency, cardId));
  if (stored) return { ...stored, replayed: true };
  const merchantId = publicKeyOf(ctx) === undefined ? input.merchantId : undefined;
  if (merchantId && !(await findMerchant(ctx, merchantId))) {
    throw new DomainError("merchant_not_found", "the merchant does not exist");
  }
  const token = await takeToken(ctx, input.tokenId, "card");
  const card = await cardFromToken(ctx, token, { id: cardId, status: merchantId ? "pending" : "active" });
  return merchantId && input.cvvCheck ? { card, merchantId } : answer(ctx, card);
}

/** Bytes of the answer, kept with the key in the transaction that made them true. */
async function answer(ctx: Context, card: CardRow): Promise<StoredAnswer> {
  const body = cardBody.parse(serializeCard(card, { checks: await checksOf(ctx, card.id) }));
  return keep(ctx, { status: 201, body: Buffer.from(JSON.stringify(body)) });
}

async function keep(ctx: Context, made: StoredAnswer): Promise<StoredAnswer> {
  if (ctx.idempotency) await storeAnswer(ctx.db, ctx.account.id, ctx.idempotency, made, now(ctx));
  return made;
}

/** Ends a check: the card as it is now, or 424 and no card. Either answer is kept with the key. */
export async function finishCheck(ctx: Context, card: CardRow, result: CardVerdict): Promise<HttpReply> {
  const ready = await inTransaction(ctx, async (inside) => {
    const settled = await settleCheck(inside, card, result);
    return settled ? answer(inside, settled) : keep(inside, noCard());
  });
  if (result.kind === "provider_failed") await deletePans(ctx.account.id, [card.vaultId]);
  return ready;
}

function noCard(): StoredAnswer {
  const failure = new DomainError("card_validation_failed", "the provider failed while the card was checked");
  const { status, body } = errorAnswer(failure, "standard");
  return { status, body: Buffer.from(JSON.stringify(body)) };
}

async function claim(ctx: Context, key: IdempotencyKey, cardId: string): Promise<StoredAnswer | undefined> {
  try {
    await claimKey(ctx.db, ctx.account.id, key, { resourceId: cardId }, now(ctx));
    return undefined;
  } catch (thrown) {
    const card =
      thrown instanceof DomainError && thrown.businessCode === "idempotency_key_in_progress"
        ? await abandonedCard(ctx, key)
        : undefined;
    if (!card) throw thrown;
    return answer(ctx, card);
  }
}

/** The card of a first request that died with its process: the repeat is told its present state. */
async function abandonedCard(ctx: Context, { namespace, key }: IdempotencyKey): Promise<CardRow | undefined> {
  const [open] = await ctx.db
    .select({ cardId: idempotencyKeys.resourceId })
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.clientId, ctx.account.id),
        eq(idempotencyKeys.namespace, namespace),
        eq(idempotencyKeys.key, key),
        eq(idempotencyKeys.state, "open"),
        lt(idempotencyKeys.leaseUntil, sql`now()`),
      ),
    );
  return open?.cardId ? findCard(ctx, open.cardId) : undefined;
}
