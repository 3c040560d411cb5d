import { type Draws, drawsFor } from "@/lib/testing/simulator/seeded";

/** Something a client asks, and when. */
export interface Act {
  atMs: number;
  name: string;
  run(): Promise<void>;
}

/** One order of a schedule: its name for keys, and its own draws. */
export interface OrderGiven {
  name: string;
  orderId: string;
  draws: Draws;
  failures: string[];
  /** Sellers share it. */
  isSplit: boolean;
}

export type OrderKind = "purchase" | "card" | "pix" | "boleto" | "link";

/** Schedules below are one purchase each, those from here on are several orders at once. */
export const SEVERAL_FROM = 1_000_000;
export const isOnePurchase = (seed: number): boolean => seed < SEVERAL_FROM;
/** From here on sellers share each of them. */
export const SPLIT_FROM = 2_000_000;
export const isSplit = (seed: number): boolean => seed >= SPLIT_FROM;

/** What a schedule is about: one to five orders at once. */
export function kindsOf(seed: number): OrderKind[] {
  if (isOnePurchase(seed)) return ["purchase"];
  const draws = drawsFor(`orders ${seed}`);
  const count = draws.weighted([
    [1, 42],
    [2, 28],
    [3, 15],
    [4, 9],
    [5, 6],
  ]);
  return Array.from({ length: count }, () =>
    draws.weighted<OrderKind>([
      ["purchase", 52],
      ["card", 17],
      ["pix", 13],
      ["boleto", 8],
      ["link", 10],
    ]),
  );
}

/** An order is known by its seed and its number, however its request ended. */
export const orderOf = (seed: number, nth: number): string => (nth === 0 ? `seed-${seed}` : `seed-${seed}-${nth}`);
export const ordersOf = (seed: number): string[] => kindsOf(seed).map((_, nth) => orderOf(seed, nth));

/** In these every statement inside a transaction is a point at which another actor may come first. */
const BY_STATEMENT = 4;
export const isByStatement = (seed: number): boolean => seed % BY_STATEMENT === 3 && !isOnePurchase(seed);
