import type { Write } from "@/db/writes";
import { defaultCardOf } from "@/lib/cards/default-card";
import type { CardRow } from "@/lib/cards/queries";
import { cardFromToken, newCardOf, usable, usableCard } from "@/lib/cards/service";
import type { SourceColumns } from "@/lib/charges/command";
import type { NewCharge, NewPaymentSource } from "@/lib/charges/schema";
import type { Context } from "@/lib/context";
import { createBuyer, getCustomer } from "@/lib/customers/service";
import { DomainError } from "@/lib/errors";
import { notUsable, peekToken, type TokenRow, takeToken, taking, tokenFromCard } from "@/lib/tokens/service";
import { deleteCvv, storeCvv } from "@/lib/vault/cvv";

export interface ResolvedSource {
  columns: SourceColumns;
  card: CardRow | undefined;
  /** Made in the statement that makes the charge. */
  writes: readonly Write[];
}

const NONE = { cardId: null, tokenId: null, cvvTokenId: null, sourceCustomerId: null };

/** What a payment names, as it was read beforehand. */
export interface FoundSource {
  token: TokenRow | undefined;
  card: CardRow | undefined;
}

/** Whether all it names can be read beforehand, and nothing but the charge's own statement writes. */
export const isKnownBefore = ({ principal }: Context, { paymentSource: source, vendor }: NewCharge): boolean =>
  principal.kind !== "session" &&
  vendor === undefined &&
  (source.sourceType === "token" ||
    (source.sourceType === "card" &&
      source.cardId !== undefined &&
      source.cardCvv === undefined &&
      source.tokenCvv === undefined));

export const namedBy = (source: NewPaymentSource): { tokenId?: string | undefined; cardId?: string | undefined } => ({
  ...(source.sourceType === "token" ? { tokenId: source.tokenId } : {}),
  ...(source.sourceType === "card" ? { cardId: source.cardId } : {}),
});

/** Finds, or makes, what the payment is paid with. A token is used up here, whatever becomes of the payment. */
export async function resolveSource(
  ctx: Context,
  chargeId: string,
  source: NewPaymentSource,
  isCard: boolean,
  found?: FoundSource,
): Promise<ResolvedSource> {
  switch (source.sourceType) {
    case "token": {
      const token = found ? known(found.token) : await peekToken(ctx, source.tokenId);
      const { card, write } = newCardOf(ctx, token, { status: "pending" });
      const paid = ofCard(card, { sourceType: "token", tokenId: token.id, cvvTokenId: token.id });
      return { ...paid, writes: [taking(ctx, token), write] };
    }
    case "card":
      return source.card ? oneShotCard(ctx, source.card) : savedCard(ctx, chargeId, source, found);
    case "customer":
      return ofCustomer(ctx, chargeId, source, isCard);
    case "wallet":
      return { columns: { ...NONE, sourceType: "wallet" }, card: undefined, writes: [] };
  }
}

function known(token: TokenRow | undefined): TokenRow {
  if (!token) throw notUsable();
  return token;
}

/** Whoever finds a browser's key must not pay with cards that others typed (spec/contract.md 1.7). */
function demandCvv({ principal }: Context, card: CardRow, cvvTokenId: string | null): void {
  if (cvvTokenId !== null || !isStranger(principal, card)) return;
  throw new DomainError("cvv_required", "another key saved this card: its CVV must be sent");
}

/** A session that a public key made is no better than that key, whoever's cards its buyer has. */
function isStranger(principal: Context["principal"], { createdByKey }: CardRow): boolean {
  if (principal.kind === "public") return createdByKey !== principal.publicKey;
  return principal.kind === "session" && principal.madeBy !== null && createdByKey !== principal.publicKey;
}

const ofCard = (
  card: CardRow,
  columns: Partial<SourceColumns> & Pick<SourceColumns, "sourceType">,
): ResolvedSource => ({
  columns: { ...NONE, ...columns, cardId: card.id },
  card,
  writes: [],
});

type CardSource = Extract<NewPaymentSource, { sourceType: "card" }>;

async function oneShotCard(ctx: Context, given: NonNullable<CardSource["card"]>): Promise<ResolvedSource> {
  const token = await tokenFromCard(ctx, given);
  return ofCard(await cardFromToken(ctx, token, { status: "pending" }), { sourceType: "card", cvvTokenId: token.id });
}

async function savedCard(
  ctx: Context,
  chargeId: string,
  { cardId, cardCvv, tokenCvv }: CardSource,
  found: FoundSource | undefined,
): Promise<ResolvedSource> {
  const card = found ? usable(found.card) : await usableCard(ctx, cardId ?? "");
  const cvvTokenId = tokenCvv ? (await takeToken(ctx, tokenCvv, "cvv")).id : await keepCvv(ctx, chargeId, cardCvv);
  demandCvv(ctx, card, cvvTokenId);
  return ofCard(card, { sourceType: "card", cvvTokenId });
}

/** A CVV typed into the payment itself waits under the payment's own id. */
async function keepCvv(ctx: Context, chargeId: string, cvv: string | undefined): Promise<string | null> {
  if (cvv === undefined) return null;
  // The vault has a transaction of its own: a payment that is refused, or only planned, takes its code with it.
  ctx.undo?.push(() => deleteCvv(ctx.account.id, chargeId));
  await storeCvv(ctx.account.id, chargeId, cvv);
  return chargeId;
}

type CustomerSource = Extract<NewPaymentSource, { sourceType: "customer" }>;

async function ofCustomer(
  ctx: Context,
  chargeId: string,
  source: CustomerSource,
  isCard: boolean,
): Promise<ResolvedSource> {
  const customer = source.customer
    ? await createBuyer(ctx, source.customer)
    : await getCustomer(ctx, source.customerId ?? "");
  const columns = { sourceType: "customer", sourceCustomerId: customer.id } as const;
  if (!isCard) return { columns: { ...NONE, ...columns }, card: undefined, writes: [] };
  const card = await defaultCardOf(ctx, customer.id);
  const cvvTokenId = await keepCvv(ctx, chargeId, source.cardCvv);
  demandCvv(ctx, card, cvvTokenId);
  return ofCard(card, { ...columns, cvvTokenId });
}
