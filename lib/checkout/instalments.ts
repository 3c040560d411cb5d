/** The parts of a card payment in cents; what does not divide goes to the first one (spec/brazil.md section 6). */
export interface Parts {
  readonly count: number;
  readonly first: number;
  readonly others: number;
  readonly total: number;
}

export function partsOf(total: number, count: number): Parts {
  const others = Math.floor(total / count);
  return { count, first: total - others * (count - 1), others, total };
}

const LEAST_PART_CENTS = 1;

/** Every number of parts a buyer may choose: none of them less than a cent, none less than the shop's minimum. */
export function partChoices(total: number, most: number, leastPart = LEAST_PART_CENTS): Parts[] {
  const least = Math.max(leastPart, LEAST_PART_CENTS);
  const choices = [partsOf(total, 1)];
  for (let count = 2; count <= most; count++) {
    const parts = partsOf(total, count);
    if (parts.others < least) break;
    choices.push(parts);
  }
  return choices;
}

/** Equal amounts for a number of cards; odd cents on the first. */
export function evenAmounts(total: number, cards: number): number[] {
  const { first, others } = partsOf(total, cards);
  return Array.from({ length: cards }, (_, index) => (index === 0 ? first : others));
}

/** Each of several cards pays at least a real. */
const LEAST_CARD_CENTS = 100;
export const canUseThree = (total: number): boolean => total >= 3 * LEAST_CARD_CENTS;
