import { type SQL, sql } from "drizzle-orm";
import { cardTokens } from "@/db/schema/customers";
import { findRows, insertReturning, updateReturning } from "@/db/statements";
import { change, type Write } from "@/db/writes";
import { BRAND_NAMES, brandOf } from "@/lib/brazil/card-brand";
import { type Context, inTransaction, now, publicKeyOf } from "@/lib/context";
import { CardRefused, DomainError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { cardExpiryOf, checkCard } from "@/lib/tokens/card-check";
import { type CardData, isCvv, type NewToken } from "@/lib/tokens/schema";
import { deletePans, storeCard } from "@/lib/vault/cards";
import { deleteCvv, storeCvv } from "@/lib/vault/cvv";
import { panFingerprint } from "@/lib/vault/fingerprint";

export type TokenRow = typeof cardTokens.$inferSelect;
export type TokenKind = TokenRow["kind"];

/** On real time, like every key and token. */
const TOKEN_LIFE_SECONDS = 7_200;
const TOKEN_END = sql`now() + make_interval(secs => ${TOKEN_LIFE_SECONDS})`;

export const createToken = (ctx: Context, input: NewToken): Promise<{ tokenId: string }> =>
  inTransaction(ctx, async (inside) => {
    const token = input.kind === "card" ? await tokenOfCard(inside, input.card) : await tokenOfCvv(inside, input.cvv);
    return { tokenId: token.id };
  });

async function tokenOfCvv(ctx: Context, cvv: string): Promise<TokenRow> {
  if (!isCvv(cvv)) throw new CardRefused("invalid_cvv_update", "the CVV must be 3 or 4 digits");
  const tokenId = newId();
  const stored = storeCvv(ctx.account.id, tokenId, cvv);
  const [token] = await Promise.all([insertToken(ctx, { id: tokenId, kind: "cvv" }), stored]);
  return token;
}

/** The token of a card given inside a payment, in its transaction: it tells where the card came from and is used already. */
export const tokenFromCard = (ctx: Context, card: CardData): Promise<TokenRow> =>
  tokenOfCard(ctx, card, { usedAt: NOW });

/** Tells one number from another before any of them is kept. */
export const fingerprintOf = (ctx: Context, pan: string): Promise<string> => panFingerprint(ctx.account.id, pan);

async function tokenOfCard(ctx: Context, card: CardData, { usedAt }: { usedAt?: SQL } = {}): Promise<TokenRow> {
  checkCard(ctx, card);
  const tokenId = newId();
  const { month, year } = cardExpiryOf(card);
  const pan = card.cardNumber;
  // Before the number is stored: beside numbers no new key of fingerprints is made.
  const fingerprint = await fingerprintOf(ctx, pan);
  // One name for both: a record whose token never came is found by it.
  const vaultId = tokenId;
  const stored = storeCard(ctx.account.id, { vaultId, pan, cvv: card.cardCvv, tokenId });
  // The vault has a transaction of its own: a payment that is refused takes its number with it.
  ctx.undo?.push(async () => {
    await stored;
    await deletePans(ctx.account.id, [vaultId]);
    await deleteCvv(ctx.account.id, tokenId);
  });
  const row = insertToken(ctx, {
    id: tokenId,
    kind: "card",
    vaultId,
    cardHolderName: card.cardHolderName,
    brand: BRAND_NAMES[brandOf(pan)],
    first6digits: pan.slice(0, 6),
    last4digits: pan.slice(-4),
    expirationMonth: month,
    expirationYear: year,
    fingerprint,
    ...(usedAt ? { usedAt } : {}),
  });
  // Both at once, and both before anybody commits: a token never points at a record that is not there.
  const [token] = await Promise.all([row, stored]);
  return token;
}

type NewRow = Omit<typeof cardTokens.$inferInsert, "clientId" | "createdAt" | "expiresAt" | "usedAt"> & {
  usedAt?: SQL;
};

async function insertToken(ctx: Context, row: NewRow): Promise<TokenRow> {
  const [created] = await insertReturning(ctx.db, cardTokens, [
    {
      ...row,
      clientId: ctx.account.id,
      createdByKey: publicKeyOf(ctx) ?? null,
      createdAt: now(ctx),
      expiresAt: TOKEN_END,
    },
  ]);
  if (!created) throw new Error("the token was not written");
  return created;
}

const NOW = sql`now()`;
const LIVES = sql`${cardTokens.expiresAt} > now()`;
const UNUSED = sql`${cardTokens.usedAt} is null and ${LIVES}`;
export const notUsable = (): DomainError =>
  new DomainError("token_not_usable", "the token is unknown, used or too old");

/** Uses the token up in the caller's transaction: of any number that try, one gets it. */
export async function takeToken(ctx: Context, tokenId: string, kind: TokenKind): Promise<TokenRow> {
  const unused = { clientId: ctx.account.id, id: tokenId, kind, usedAt: null };
  const [taken] = await updateReturning(ctx.db, cardTokens, { usedAt: NOW }, unused, LIVES);
  if (!taken) throw notUsable();
  return taken;
}

/** The same as a write of the caller's statement: without a row somebody else got it. */
export const taking = (ctx: Context, { id, kind }: Pick<TokenRow, "id" | "kind">): Write =>
  change(cardTokens, { usedAt: NOW }, { clientId: ctx.account.id, id, kind }, { condition: UNUSED, as: TAKEN });

export const TAKEN = "taken_token";

/** Looks at a token without using it up. */
export async function peekToken(ctx: Context, tokenId: string, kind: TokenKind = "card"): Promise<TokenRow> {
  const unused = { clientId: ctx.account.id, id: tokenId, kind, usedAt: null };
  const [found] = await findRows(ctx.db, cardTokens, unused, { condition: LIVES });
  if (!found) throw notUsable();
  return found;
}
