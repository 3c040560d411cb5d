import {
  type Cents,
  capturedShares,
  matrix,
  percentToBps,
  type ShareRule,
  type Shares,
  splitShares,
} from "@/lib/money";
import type { SplitLine } from "@/lib/providers/provider";
import type { AskedRule } from "@/lib/splits/check";
import type { SplitRow } from "@/lib/splits/rows";

const shareRule = (rule: SplitRow): ShareRule => ({
  ...(rule.percentageBps === null ? { amount: rule.amount ?? 0 } : { bps: rule.percentageBps }),
  chargeRemainderFee: rule.chargeRemainderFee,
  transactionOwner: rule.transactionOwner,
});

const askedShare = ({ amount, percentage, chargeRemainderFee, transactionOwner }: AskedRule): ShareRule => ({
  ...(amount === undefined ? { bps: percentToBps(percentage ?? 0) ?? 0 } : { amount }),
  ...(chargeRemainderFee ? { chargeRemainderFee } : {}),
  ...(transactionOwner ? { transactionOwner } : {}),
});

/** Who owns what of the part of a charge that is asked for: all of it, or what a partial capture takes. */
export const sharesOf = (rules: readonly SplitRow[], { total, part }: { total: Cents; part: Cents }): Shares =>
  part === total ? splitShares(total, rules.map(shareRule)) : capturedShares(part, total, rules.map(shareRule));

/** What a provider that splits is told, beside the amount. */
export function splitLines(rules: readonly SplitRow[], amounts: { total: Cents; part: Cents }): SplitLine[] {
  const shares = sharesOf(rules, amounts);
  return rules.map((rule, index) => ({
    recipientId: rule.sellerId,
    amount: shares.rules[index] ?? 0,
    liable: rule.liable,
    processingFee: rule.processingFee,
    remainderFee: rule.chargeRemainderFee,
  }));
}

/**
 * What each rule gets on each card, a list for each card: the rows of the purchase's total against the cards' amounts,
 * so that the sum for every seller and for every card are both exact (spec/money.md section 3).
 */
export function sharesPerCard(total: Cents, cards: readonly Cents[], rules: readonly AskedRule[]): Cents[][] {
  const shares = splitShares(total, rules.map(askedShare));
  const cells = matrix([...shares.rules, shares.merchant], cards);
  return cards.map((_, card) => rules.map((_rule, row) => cells[row]?.[card] ?? 0));
}

/** The rules as a card carries them: the same flags, its own cents. */
export const rulesPerCard = <R extends AskedRule>(total: Cents, cards: readonly Cents[], rules: readonly R[]) =>
  sharesPerCard(total, cards, rules).map((shares) =>
    rules.map(({ percentage: _shared, ...rule }, index) => ({ ...rule, amount: shares[index] ?? 0 })),
  );
