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
import { OWN_RECIPIENT } from "@/lib/providers/recipients";
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

/** What each rule gets of the whole. */
export const sharesAsked = (total: Cents, rules: readonly AskedRule[]): Cents[] =>
  splitShares(total, rules.map(askedShare)).rules;

/**
 * Who owns what of the part of a charge that is asked for: all of it, what a partial capture takes, or what was paid of a
 * Pix or a boleto. What is paid above amounts belongs to the owner of the residue.
 */
export function sharesOf(rules: readonly SplitRow[], { total, part }: { total: Cents; part: Cents }): Shares {
  const asked = rules.map(shareRule);
  const isByAmount = rules.some(({ percentageBps }) => percentageBps === null);
  return part === total || (isByAmount && part > total) ? splitShares(part, asked) : capturedShares(part, total, asked);
}

/** What a provider that splits is told, beside the amount; by its own names of the sellers. */
export function splitLines(
  rules: readonly SplitRow[],
  amounts: { total: Cents; part: Cents },
  recipientIds: ReadonlyMap<string, string>,
): SplitLine[] {
  const shares = sharesOf(rules, amounts);
  const lines = rules.map((rule, index) => ({
    recipientId: recipientIdOf(rule, recipientIds),
    amount: shares.rules[index] ?? 0,
    liable: rule.liable,
    processingFee: rule.processingFee,
    remainderFee: rule.chargeRemainderFee,
  }));
  const own = {
    recipientId: OWN_RECIPIENT,
    amount: shares.merchant,
    liable: !rules.some(({ liable }) => liable),
    processingFee: !rules.some(({ processingFee, chargeEntireFee }) => processingFee || chargeEntireFee),
    remainderFee: false,
  };
  return [...lines, own].filter(({ amount }) => amount > 0);
}

/** Routing leaves out providers where one of them is not registered. */
export function recipientIdOf({ sellerId }: { sellerId: string }, recipientIds: ReadonlyMap<string, string>): string {
  const id = recipientIds.get(sellerId);
  if (id === undefined) throw new Error("a seller of a split is not registered at its provider");
  return id;
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
