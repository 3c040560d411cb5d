import type { CardRow } from "@/lib/cards/queries";
import { usableCard } from "@/lib/cards/service";
import type { Context } from "@/lib/context";
import { DomainError, invalid } from "@/lib/errors";
import { findMerchant } from "@/lib/merchants/queries";
import { MAX_CENTS } from "@/lib/money";
import { type AskedRule, checkSplit } from "@/lib/splits/check";
import { partiesOf } from "@/lib/splits/parties";

/** A merchant that can be paid now. */
export async function requireMerchant(ctx: Context, merchantId: string): Promise<void> {
  const merchant = await findMerchant(ctx, merchantId, "key share");
  if (!merchant) throw new DomainError("merchant_not_found", "the merchant does not exist");
  if (!merchant.status) throw new DomainError("provider_not_available", "the merchant is inactive");
}

/** A card that can be charged, of this customer or of nobody yet. */
export async function requireCard(ctx: Context, cardId: string, customerId: string): Promise<CardRow> {
  const card = await usableCard(ctx, cardId);
  if (card.customerId !== null && card.customerId !== customerId) {
    throw new DomainError("card_not_found", "the card is another customer's");
  }
  return card;
}

/** Of one cycle. */
export function amountOfItems(items: readonly { amount: number; quantity: number }[]): number {
  const total = items.reduce((sum, { amount, quantity }) => sum + BigInt(amount) * BigInt(quantity), 0n);
  if (total > BigInt(MAX_CENTS)) throw invalid("items: add up to more than an amount may be");
  return Number(total);
}

export async function checkRules(
  ctx: Context,
  merchantId: string,
  amount: number,
  rules: readonly AskedRule[],
): Promise<void> {
  if (rules.length > 0) checkSplit(rules, amount, await partiesOf(ctx, merchantId, rules));
}
