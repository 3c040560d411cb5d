import { type CardSnapshot, purchasePayments, purchases, type StoredSplitRule } from "@/db/schema/purchases";
import { storedRow } from "@/db/stored";
import { insertion } from "@/db/writes";
import { auditing } from "@/lib/audit";
import { type CardRow, findCard } from "@/lib/cards/queries";
import { cardFromToken } from "@/lib/cards/service";
import { type Context, inTransaction, leaveWithCommit, now } from "@/lib/context";
import { findCustomer } from "@/lib/customers/queries";
import { DomainError, invalid } from "@/lib/errors";
import { claimKey, leaveAnswer } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { pipelined } from "@/lib/pipeline";
import { type AcceptedPurchase, purchaseReply } from "@/lib/purchases/answer";
import { type CardSource, type CheckedPayment, checkPayments } from "@/lib/purchases/checks";
import { announcingNew, announcingOperation, beginningOperation } from "@/lib/purchases/operations";
import type { Purchase, PurchaseRow } from "@/lib/purchases/queries";
import { refuseWhenQueueIsFull } from "@/lib/purchases/queue";
import type { NewPurchase, NewPurchaseSplitRule } from "@/lib/purchases/schema";
import { claimPlace, clearPlace, PlaceTaken, purchaseRulesOf, type SessionOrigin } from "@/lib/purchases/session-place";
import { checkPurchaseSplit } from "@/lib/splits/check";
import { partiesOf } from "@/lib/splits/parties";
import { priceSplit } from "@/lib/splits/price";
import type { SellerTerms } from "@/lib/splits/rows";
import { rulesPerCard } from "@/lib/splits/shares";
import { takeToken } from "@/lib/tokens/service";

/**
 * Accepts the order with its first operation, once for each key; a worker carries it out. A merchant of somebody else
 * is accepted too: the cards then fail with their reason (spec/purchases.md).
 */
export async function createPurchase(
  ctx: Context,
  input: NewPurchase,
  from: SessionOrigin = {},
  held?: Held,
): Promise<AcceptedPurchase> {
  const accepting = (isRoomMade: boolean): Promise<AcceptedPurchase> =>
    inTransaction(ctx, async (inside) => {
      const { db, account, idempotency, principal } = inside;
      const at = now(inside);
      const [, saved] = await pipelined([
        idempotency && claimKey(db, account.id, idempotency, undefined, at),
        savedCards(inside, input),
      ]);
      // A buyer who is at the shop's page is not sent away.
      if (principal.kind === "secret") await refuseWhenQueueIsFull();
      const accepted = await accept(inside, input, from, isRoomMade, saved);
      if (held && inside.planHash !== undefined) await held.once(inside, accepted);
      if (idempotency) leaveAnswer(inside, idempotency, purchaseReply(accepted), at);
      return accepted;
    });
  try {
    return await accepting(false);
  } catch (thrown) {
    if (!(thrown instanceof PlaceTaken)) throw thrown;
    await held?.beforeRoom(ctx);
    await clearPlace(ctx, thrown, from);
    return accepting(true);
  }
}

/** What a call that names a plan is held to: once it is accepted, and before a code of its session's own is closed. */
interface Held {
  once(inside: Context, accepted: AcceptedPurchase): Promise<void>;
  beforeRoom(ctx: Context): Promise<void>;
}

/** In the caller's transaction, for nobody's key; `isRoomMade` when the session's own code is closed by now. */
export async function acceptOnce(ctx: Context, input: NewPurchase, isRoomMade = false): Promise<AcceptedPurchase> {
  return accept(ctx, input, {}, isRoomMade, await savedCards(ctx, input));
}

/** Card by card; nothing of a token. */
type SavedCards = readonly (CardRow | undefined)[];

/** Read while the key is being claimed: whoever was here before has its answer, whatever is wrong by now. */
const savedCards = async (ctx: Context, input: NewPurchase): Promise<SavedCards> =>
  pipelined(
    checkPayments(input).map(({ source }) => (source.sourceType === "card" ? findCard(ctx, source.cardId) : undefined)),
  );

async function accept(
  ctx: Context,
  input: NewPurchase,
  from: SessionOrigin,
  isRoomMade: boolean,
  saved: SavedCards,
): Promise<AcceptedPurchase> {
  const payments = checkPayments(input);
  const session = input.sessionId
    ? await claimPlace(ctx, input.sessionId, input, payments, from, isRoomMade)
    : undefined;
  const asked = input.splitRules ?? (session && purchaseRulesOf(session));
  const parties = await partiesOf(ctx, input.merchantId, asked ?? []);
  if (asked) checkPurchaseSplit(asked, input.amount, parties);
  const rules = asked?.map(asSent);
  if (input.customerId && !(await findCustomer(ctx, input.customerId))) throw invalid("customerId: unknown customer");
  const id = newId();
  const shares = rules && rulesPerCard(input.amount, amountsOf(payments), rules);
  if (shares) await priceCards(ctx, input, payments, shares, parties);
  const slots = await slotsOf(ctx, payments, saved, shares, from);
  const { accepted, writes } = made(ctx, id, input, rules, slots);
  leaveWithCommit(ctx, writes);
  await from.alongside?.(ctx, { purchaseId: id });
  return accepted;
}

/** Nobody is left with less than nothing of any card; of which network it is shows with its payment. */
async function priceCards(
  ctx: Context,
  { merchantId }: NewPurchase,
  payments: readonly CheckedPayment[],
  shares: StoredSplitRule[][],
  terms: ReadonlyMap<string, SellerTerms>,
): Promise<void> {
  for (const [card, { amount, installments }] of payments.entries()) {
    const sale = { merchantId, paymentType: "credit", installments, brand: undefined, amount };
    await priceSplit(ctx, sale, shares[card] ?? [], terms);
  }
}

/** The order, its cards and its first operation, and who is told: one statement. */
function made(
  ctx: Context,
  id: string,
  input: NewPurchase,
  rules: PurchaseRow["splitRules"] | undefined,
  slots: readonly NewSlot[],
) {
  const clientId = ctx.account.id;
  const at = { createdAt: now(ctx), updatedAt: now(ctx) };
  const order = {
    ...at,
    id,
    clientId,
    merchantId: input.merchantId,
    amount: input.amount,
    currency: input.currency,
    capture: input.capture,
    orderId: input.orderId ?? null,
    sessionId: input.sessionId ?? null,
    customerId: input.customerId ?? null,
    description: input.description ?? null,
    statementDescriptor: input.statementDescriptor ?? null,
    metadata: input.metadata ?? null,
    splitRules: rules ?? null,
    scenario: ctx.scenario ?? null,
    requestId: ctx.requestId,
    idempotencyKey: ctx.idempotency?.key ?? null,
  };
  const cards = slots.map((slot) => ({ ...slot, ...at, id: newId(), clientId, purchaseId: id }));
  const { after: operation, writes: begun } = beginningOperation(ctx, id, { type: "authorize", requestedBy: "client" });
  const purchase: Purchase = {
    row: storedRow(purchases, order),
    payments: cards.map((card) => storedRow(purchasePayments, card)),
    active: operation,
  };
  const writes = [
    insertion(purchases, order),
    ...cards.map((card) => insertion(purchasePayments, card)),
    ...begun,
    announcingOperation(ctx, operation),
    announcingNew(ctx, purchase),
    auditing(ctx, { action: "purchase.create", object: "purchase", objectId: id, after: { amount: input.amount } }),
  ];
  return { accepted: { purchase, operation }, writes };
}

type NewSlot = Omit<
  typeof purchasePayments.$inferInsert,
  "id" | "clientId" | "purchaseId" | "createdAt" | "updatedAt" | "status"
>;

const amountsOf = (payments: readonly CheckedPayment[]): number[] => payments.map(({ amount }) => amount);

type FoundSource = Pick<NewSlot, "sourceType" | "tokenId" | "cardId" | "card" | "refusal">;

/** Tokens are used up one after the other, in the order of the cards. */
async function slotsOf(
  ctx: Context,
  payments: readonly CheckedPayment[],
  saved: SavedCards,
  shares: StoredSplitRule[][] | undefined,
  { cvvTokens = [], holders = [] }: SessionOrigin,
): Promise<NewSlot[]> {
  const slots: NewSlot[] = [];
  for (const [slotIndex, { amount, installments, source }] of payments.entries()) {
    const found =
      source.sourceType === "card"
        ? { ...source, ...(await codeOf(ctx, cvvTokens[slotIndex])), card: snapshotOf(saved[slotIndex]) }
        : await tokenOf(ctx, source);
    const splitRules = shares?.[slotIndex] ?? null;
    slots.push({ slotIndex, amount, installments, splitRules, holder: holders[slotIndex] ?? null, ...found });
  }
  return slots;
}

/** A saved card's code comes as a token of its own. */
async function codeOf(ctx: Context, cvvToken: string | undefined): Promise<{ tokenId?: string }> {
  return cvvToken ? { tokenId: (await takeToken(ctx, cvvToken, "cvv")).id } : {};
}

/** A token is used up here, whatever becomes of the purchase; one that cannot be is remembered for its turn (row S3). */
async function tokenOf(ctx: Context, source: Extract<CardSource, { sourceType: "token" }>): Promise<FoundSource> {
  try {
    const card = await cardFromToken(ctx, await takeToken(ctx, source.tokenId, "card"), { status: "pending" });
    return { ...source, cardId: card.id, card: snapshotOf(card) };
  } catch (thrown) {
    if (!(thrown instanceof DomainError) || thrown.businessCode !== "token_not_usable") throw thrown;
    return { ...source, refusal: thrown.businessCode };
  }
}

const snapshotOf = (card: CardRow | undefined): CardSnapshot | null =>
  card
    ? {
        brand: card.brand,
        first6digits: card.first6digits,
        last4digits: card.last4digits,
        expirationMonth: card.expirationMonth,
        expirationYear: card.expirationYear,
        cardHolderName: card.cardHolderName,
      }
    : null;

/** Without the members that were not sent: what is answered is what was asked. */
const asSent = (rule: NewPurchaseSplitRule): StoredSplitRule =>
  // Guarantee: JSON drops undefined members and keeps all others as they are.
  JSON.parse(JSON.stringify(rule)) as StoredSplitRule;
