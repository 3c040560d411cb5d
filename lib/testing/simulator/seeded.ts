import { createHash } from "node:crypto";

/** Every draw of a schedule comes from its seed: the same seed tells the same story. */
export interface Draws {
  /** In [0, 1). */
  number(): number;
  /** From `least` to `most`, both included. */
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  weighted<T>(weights: readonly (readonly [T, number])[]): T;
}

/** mulberry32 over the hash of a name: what is drawn for one thing does not shift when another is drawn more often. */
export function drawsFor(name: string): Draws {
  let state = createHash("sha256").update(name).digest().readUInt32LE(0);
  const number = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const draws: Draws = {
    number,
    between: (least, most) => least + Math.floor(number() * (most - least + 1)),
    chance: (probability) => number() < probability,
    pick: (from) => {
      const one = from[Math.floor(number() * from.length)];
      if (one === undefined) throw new Error("nothing to pick from");
      return one;
    },
    weighted: (weights) => {
      let left = number() * weights.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [one, weight] of weights) {
        left -= weight;
        if (left < 0) return one;
      }
      return draws.pick(weights)[0];
    },
  };
  return draws;
}

/** Bytes for ids: a counter under the seed, so that no two schedules meet. */
export function bytesFor(name: string): (size: number) => Buffer {
  let count = 0;
  return (size) => {
    count += 1;
    return createHash("sha512").update(`${name}:${count}`).digest().subarray(0, size);
  };
}
