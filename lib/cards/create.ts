import { and, eq, lt, sql } from "drizzle-orm";
import { idempotencyKeys } from "@/db/schema/accounts";
import { cardReply, NO_CARD } from "@/lib/cards/answer";
import { settleCheck } from "@/lib/cards/check";
import { type CardRow, checksOf, findCard } from "@/lib/cards/queries";
import type { NewCard } from "@/lib/cards/schema";
import { cardFromToken } from "@/lib/cards/service";
import { type Context, type IdempotencyKey, inTransaction, now, publicKeyOf } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { Answered, claimKey, type StoredAnswer, storeAnswer } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { findMerchant } from "@/lib/merchants/queries";
import { type CardVerdict, verifyCard } from "@/lib/payments/verify-card";
import { takeToken } from "@/lib/tokens/service";
import { deletePans } from "@/lib/vault/cards";
import { deleteCvv } from "@/lib/vault/cvv";

/**
 * Saves the card of a token. The CVV goes as soon as nothing can ask for it any more. `alongside` runs once the card is
 * written, still in its transaction.
 */
export async function createCard(
  ctx: Context,
  input: NewCard,
  alongside?: (inside: Context, cardId: string) => Promise<void>,
): Promise<StoredAnswer> {
  const saved = await inTransaction(ctx, (inside) => save(inside, input, alongside));
  if (saved.kind === "repeated") throw new Answered(saved.answer, true);
  const answer = saved.kind === "answered" ? saved.answer : await check(ctx, saved, input);
  await deleteCvv(ctx.account.id, input.tokenId);
  return answer;
}

/** Outside any transaction: the provider is asked while the client waits. */
async function check(ctx: Context, { card, merchantId }: Unchecked, { tokenId }: NewCard): Promise<StoredAnswer> {
  return finishCheck(ctx, card, await verifyCard(ctx, card, merchantId, tokenId));
}

interface Unchecked {
  kind: "unchecked";
  card: CardRow;
  merchantId: string;
}

type Saved = { kind: "answered"; answer: StoredAnswer } | { kind: "repeated"; answer: StoredAnswer } | Unchecked;

async function save(
  ctx: Context,
  input: NewCard,
  alongside?: (inside: Context, cardId: string) => Promise<void>,
): Promise<Saved> {
  const cardId = newId();
  const abandoned = ctx.idempotency && (await claim(ctx, ctx.idempotency, cardId));
  if (abandoned) return { kind: "repeated", answer: await keepCard(ctx, abandoned) };
  const merchantId = publicKeyOf(ctx) === undefined ? input.merchantId : undefined;
  if (merchantId && !(await findMerchant(ctx, merchantId))) {
    throw new DomainError("merchant_not_found", "the merchant does not exist");
  }
  const token = await takeToken(ctx, input.tokenId, "card");
  const card = await cardFromToken(ctx, token, { id: cardId, status: merchantId ? "pending" : "active" });
  await alongside?.(ctx, card.id);
  if (merchantId && input.cvvCheck) return { kind: "unchecked", card, merchantId };
  return { kind: "answered", answer: await keepCard(ctx, card) };
}

/** Ends a check: the card as it is now, or 424 and no card. Either answer is kept with the key. */
export async function finishCheck(ctx: Context, card: CardRow, result: CardVerdict): Promise<StoredAnswer> {
  const answer = await inTransaction(ctx, async (inside) => {
    const settled = await settleCheck(inside, card, result);
    return settled ? keepCard(inside, settled) : keep(inside, NO_CARD);
  });
  if (result.kind === "provider_failed") await deletePans(ctx.account.id, [card.vaultId]);
  return answer;
}

const keepCard = async (ctx: Context, card: CardRow): Promise<StoredAnswer> =>
  keep(ctx, cardReply(card, await checksOf(ctx, card.id)));

/** With the key, in the transaction that made it true. */
async function keep(ctx: Context, answer: StoredAnswer): Promise<StoredAnswer> {
  if (ctx.idempotency) await storeAnswer(ctx.db, ctx.account.id, ctx.idempotency, answer, now(ctx));
  return answer;
}

/** Claims the key for a card; answers the card of a first request that died with its process, which nobody answered. */
async function claim(ctx: Context, key: IdempotencyKey, cardId: string): Promise<CardRow | undefined> {
  try {
    await claimKey(ctx.db, ctx.account.id, key, { resourceId: cardId }, now(ctx));
    return undefined;
  } catch (thrown) {
    const card =
      thrown instanceof DomainError && thrown.businessCode === "idempotency_key_in_progress"
        ? await abandonedCard(ctx, key)
        : undefined;
    if (!card) throw thrown;
    return card;
  }
}

/** The repeat of its request is told its present state. */
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
