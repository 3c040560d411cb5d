import type { StoredSplitRule } from "@/db/schema/purchases";
import { type Cents, matrix, percentToBps, splitShares } from "@/lib/money";

/**
 * What each rule gets on each card, a list for each card: the rows of the purchase's total against the cards' amounts,
 * so that the sum for every seller and for every card are both exact (spec/money.md section 3).
 */
export function sharesPerCard(total: Cents, cards: readonly Cents[], rules: readonly StoredSplitRule[]): Cents[][] {
  const shares = splitShares(
    total,
    rules.map(({ amount, percentage, chargeRemainderFee, transactionOwner }) => ({
      ...(amount === undefined ? { bps: percentToBps(percentage ?? 0) ?? 0 } : { amount }),
      ...(chargeRemainderFee ? { chargeRemainderFee } : {}),
      ...(transactionOwner ? { transactionOwner } : {}),
    })),
  );
  const cells = matrix([...shares.rules, shares.merchant], cards);
  return cards.map((_, card) => rules.map((_rule, row) => cells[row]?.[card] ?? 0));
}

/** The rules as a card carries them: the same flags, its own cents. */
export function rulesPerCard(
  total: Cents,
  cards: readonly Cents[],
  rules: readonly StoredSplitRule[],
): StoredSplitRule[][] {
  return sharesPerCard(total, cards, rules).map((shares) =>
    rules.map(({ percentage: _shared, ...rule }, index) => ({ ...rule, amount: shares[index] ?? 0 })),
  );
}
