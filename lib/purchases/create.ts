import { type CardSnapshot, purchasePayments, purchases } from "@/db/schema/purchases";
import { audit } from "@/lib/audit";
import { type CardRow, findCard } from "@/lib/cards/queries";
import { cardFromToken } from "@/lib/cards/service";
import { type Context, now } from "@/lib/context";
import { findCustomer } from "@/lib/customers/queries";
import { DomainError, invalid } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { type CheckedPayment, checkPayments, checkSplit, type Source } from "@/lib/purchases/checks";
import { announceOperation, announcePurchase, insertOperation } from "@/lib/purchases/operations";
import type { OperationRow, PaymentRow, Purchase } from "@/lib/purchases/queries";
import type { NewPurchase } from "@/lib/purchases/schema";
import { claimPlace, type Origin, rulesOf } from "@/lib/purchases/session-place";
import { rulesPerCard } from "@/lib/purchases/split";
import { takeToken } from "@/lib/tokens/service";

export interface Accepted {
  purchase: Purchase;
  operation: OperationRow;
}

/**
 * Accepts the order with its first operation in the caller's transaction; no provider is asked here. A merchant of
 * somebody else is accepted too: the cards then fail with their reason (spec/purchases.md).
 */
export async function createPurchase(ctx: Context, input: NewPurchase, from: Origin = {}): Promise<Accepted> {
  const payments = checkPayments(input);
  const session = input.sessionId ? await claimPlace(ctx, input.sessionId, input, payments, from) : undefined;
  const asked = input.splitRules ?? (session && rulesOf(session));
  const rules = asked && checkSplit(asked, input.amount);
  if (rules) refuseUnknownSellers(rules.map(({ sellerId }) => sellerId));
  if (input.customerId && !(await findCustomer(ctx, input.customerId))) throw invalid("customerId: unknown customer");
  const id = newId();
  const at = now(ctx);
  const [row] = await ctx.db
    .insert(purchases)
    .values({
      id,
      clientId: ctx.account.id,
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
      createdAt: at,
      updatedAt: at,
    })
    .returning();
  if (!row) throw new Error("the purchase was not written");
  const shares = rules && rulesPerCard(input.amount, amountsOf(payments), rules);
  const slots: NewSlot[] = [];
  for (const [slotIndex, payment] of payments.entries()) {
    const { amount, installments, source } = payment;
    const found = await sourceOf(ctx, source);
    const splitRules = shares?.[slotIndex] ?? null;
    slots.push({ slotIndex, amount, installments, splitRules, ...found });
  }
  const stored = await ctx.db
    .insert(purchasePayments)
    .values(
      slots.map((slot) => ({
        ...slot,
        id: newId(),
        clientId: ctx.account.id,
        purchaseId: id,
        createdAt: at,
        updatedAt: at,
      })),
    )
    .returning();
  if (from.alongside) await from.alongside(ctx, { purchaseId: id });
  const operation = await insertOperation(ctx, id, { type: "authorize", requestedBy: "client" });
  const purchase: Purchase = { row, payments: bySlot(stored), active: operation };
  await announceOperation(ctx, operation);
  await announcePurchase(ctx, purchase, "pending", true);
  await audit(ctx, { action: "purchase.create", object: "purchase", objectId: id, after: { amount: input.amount } });
  return { purchase, operation };
}

type NewSlot = Omit<
  typeof purchasePayments.$inferInsert,
  "id" | "clientId" | "purchaseId" | "createdAt" | "updatedAt" | "status"
>;

const amountsOf = (payments: readonly CheckedPayment[]): number[] => payments.map(({ amount }) => amount);
const bySlot = (rows: PaymentRow[]): PaymentRow[] => rows.toSorted((a, b) => a.slotIndex - b.slotIndex);

/** A token is used up here, whatever becomes of the purchase; one that cannot be is remembered for its turn (row S3). */
async function sourceOf(
  ctx: Context,
  source: Source,
): Promise<Pick<NewSlot, "sourceType" | "tokenId" | "cardId" | "card" | "refusal">> {
  if (source.sourceType === "card") {
    const card = await findCard(ctx, source.cardId);
    return { ...source, card: card ? snapshotOf(card) : null };
  }
  try {
    const card = await cardFromToken(ctx, await takeToken(ctx, source.tokenId, "card"), { status: "pending" });
    return { ...source, cardId: card.id, card: snapshotOf(card) };
  } catch (thrown) {
    if (!(thrown instanceof DomainError) || thrown.businessCode !== "token_not_usable") throw thrown;
    return { ...source, refusal: thrown.businessCode };
  }
}

const snapshotOf = (card: CardRow): CardSnapshot => ({
  brand: card.brand,
  first6digits: card.first6digits,
  last4digits: card.last4digits,
  expirationMonth: card.expirationMonth,
  expirationYear: card.expirationYear,
  cardHolderName: card.cardHolderName,
});

/** Sellers are registered through their own resource; until one exists under the merchant, no rule can name it. */
function refuseUnknownSellers(sellerIds: readonly string[]): void {
  throw invalid(...sellerIds.map((_seller, index) => `splitRules.${index}.sellerId: unknown seller`));
}
