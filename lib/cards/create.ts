import { and, eq, lt, sql } from "drizzle-orm";
import { idempotencyKeys } from "@/db/schema/accounts";
import { cardReply, type SavedCard } from "@/lib/cards/answer";
import { settleCheck } from "@/lib/cards/check";
import { type CardRow, cardChecksOf, findCard } from "@/lib/cards/queries";
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
): Promise<SavedCard | undefined> {
  const done = await inTransaction(ctx, (inside) => save(inside, input, alongside));
  if (done.kind === "repeated") throw new Answered(done.answer, true);
  const saved = done.kind === "saved" ? done.saved : await check(ctx, done, input);
  await deleteCvv(ctx.account.id, input.tokenId);
  return saved;
}

/** Outside any transaction: the provider is asked while the client waits. */
const check = async (ctx: Context, { card, merchantId }: Unchecked, { tokenId }: NewCard) =>
  finishCheck(ctx, card, await verifyCard(ctx, card, merchantId, tokenId));

interface Unchecked {
  kind: "unchecked";
  card: CardRow;
  merchantId: string;
}

type Done = { kind: "saved"; saved: SavedCard } | { kind: "repeated"; answer: StoredAnswer } | Unchecked;

async function save(
  ctx: Context,
  input: NewCard,
  alongside?: (inside: Context, cardId: string) => Promise<void>,
): Promise<Done> {
  const cardId = newId();
  const { idempotency } = ctx;
  const abandoned = idempotency && (await claim(ctx, idempotency, cardId));
  if (abandoned) return { kind: "repeated", answer: await keep(ctx, idempotency, await checked(ctx, abandoned)) };
  const merchantId = publicKeyOf(ctx) === undefined ? input.merchantId : undefined;
  if (merchantId && !(await findMerchant(ctx, merchantId))) {
    throw new DomainError("merchant_not_found", "the merchant does not exist");
  }
  const token = await takeToken(ctx, input.tokenId, "card");
  const card = await cardFromToken(ctx, token, { id: cardId, status: merchantId ? "pending" : "active" });
  await alongside?.(ctx, card.id);
  if (merchantId && input.cvvCheck) return { kind: "unchecked", card, merchantId };
  return { kind: "saved", saved: await kept(ctx, card) };
}

/** Ends a check: the card as it is now, or no card. Either answer is kept with the key. */
export async function finishCheck(ctx: Context, card: CardRow, result: CardVerdict): Promise<SavedCard | undefined> {
  const saved = await inTransaction(ctx, async (inside) => kept(inside, await settleCheck(inside, card, result)));
  if (result.kind === "provider_failed") await deletePans(ctx.account.id, [card.vaultId]);
  return saved;
}

const checked = async (ctx: Context, card: CardRow): Promise<SavedCard> => ({
  card,
  checks: await cardChecksOf(ctx, card.id),
});

async function kept<C extends CardRow | undefined>(
  ctx: Context,
  card: C,
): Promise<C extends undefined ? SavedCard | undefined : SavedCard>;
async function kept(ctx: Context, card: CardRow | undefined): Promise<SavedCard | undefined> {
  const saved = card && (await checked(ctx, card));
  if (ctx.idempotency) await keep(ctx, ctx.idempotency, saved);
  return saved;
}

/** With the key, in the transaction that made it true. */
const keep = (ctx: Context, key: IdempotencyKey, saved: SavedCard | undefined): Promise<StoredAnswer> =>
  storeAnswer(ctx.db, ctx.account.id, key, cardReply(saved), now(ctx));

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
