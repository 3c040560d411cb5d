/** Random choices that a seed repeats: what failed once fails again. */
export interface Random {
  /** From 0 up to, not including, `below`. */
  below(below: number): number;
  pick<T>(from: readonly T[]): T;
  chance(outOfHundred: number): boolean;
}

const STEP = 0x6d2b79f5;
const WORD = 2 ** 32;

/** Mulberry32 with the seed and the number of the case mixed, so that each case can be repeated alone. */
export function randomOf(seed: number, index: number): Random {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0;
  const next = (): number => {
    state = (state + STEP) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / WORD;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick: (from) => {
      const chosen = from[below(from.length)];
      if (chosen === undefined && from.length === 0) throw new Error("nothing to pick from");
      // Guarantee: the index lies inside the list.
      return chosen as (typeof from)[number];
    },
    chance: (outOfHundred) => below(100) < outOfHundred,
  };
}
