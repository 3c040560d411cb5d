import type { Draws } from "@/lib/testing/simulator/seeded";
import { type Books, perCard, type Rule, type Sale } from "@/lib/testing/split-oracle/oracle";
import { FLOORS, type Method, type Place, priceOf } from "@/lib/testing/split-oracle/place";
import { left } from "@/lib/testing/split-oracle/returns";

/** What is sold: on one card, on two or three at once, by Pix or by boleto. */
export type Sold =
  | { kind: "card" | "pix" | "boleto"; asked: Sale; paid: Sale; isHeld: boolean }
  | { kind: "purchase"; rules: readonly Rule[]; amount: number; cards: readonly Sale[]; isHeld: boolean };

const INSTALLMENTS = [1, 1, 2, 3, 6, 7, 12];
const LEAST_OF_CARD = 100;

export function drawnSale(draws: Draws, place: Place): Sold {
  const kind = draws.weighted<Sold["kind"]>([
    ["card", 5],
    ["purchase", 3],
    ["pix", 2],
    ["boleto", 1],
  ]);
  const amount = draws.weighted([
    [draws.between(300, 999), 1],
    [draws.between(1_000, 30_000), 6],
    [draws.between(100_000, 5_000_000), 1],
  ]);
  const isPurchase = kind === "purchase";
  const rules = drawnRules(draws, amount, isPurchase ? { bps: 100, fare: 100 } : { bps: 1, fare: 0 });
  const { faresRefundable } = place;
  const pricesOf = (method: Method, installments: number) => ({
    installments,
    prices: rules.map(({ seller }) => priceOf(seller, method, installments)),
    platform: place.platformOf?.(method, installments),
  });
  if (isPurchase) {
    const cards = drawnCards(draws, amount).map((part) => ({
      amount: part,
      ...pricesOf("credit", draws.pick(INSTALLMENTS)),
    }));
    return {
      kind,
      rules,
      amount,
      cards: perCard({ amount, rules, faresRefundable }, cards),
      isHeld: draws.chance(0.3),
    };
  }
  const isCard = kind === "card";
  const method = isCard ? "credit" : kind;
  const asked = {
    amount,
    captured: amount,
    rules,
    faresRefundable,
    ...pricesOf(method, isCard ? draws.pick(INSTALLMENTS) : 1),
  };
  const isOther = draws.chance(0.3);
  const most = isCard ? amount : amount + Math.ceil(amount / 5);
  const captured = isOther ? draws.between(Math.ceil(amount / 2), most) : amount;
  return { kind, asked, paid: { ...asked, captured }, isHeld: isCard && (captured !== amount || draws.chance(0.2)) };
}

function drawnCards(draws: Draws, amount: number): number[] {
  const first = draws.between(LEAST_OF_CARD, amount - 2 * LEAST_OF_CARD);
  const rest = amount - first;
  if (draws.chance(0.5)) return [first, rest];
  const second = draws.between(LEAST_OF_CARD, rest - LEAST_OF_CARD);
  return [first, second, rest - second];
}

function drawnRules(draws: Draws, amount: number, least: { bps: number; fare: number }): Rule[] {
  const isByAmount = draws.chance(0.5);
  const smallest = isByAmount ? 1 : least.bps;
  const count = draws.between(1, FLOORS.length);
  const chosen = FLOORS.map((_, seller) => seller)
    .map((seller) => [draws.number(), seller] as const)
    .sort(([a], [b]) => a - b)
    .slice(0, count)
    .map(([, seller]) => seller);
  let rest = isByAmount ? amount : 10_000;
  const isWhole = draws.chance(0.3);
  const [entire, remainder, owner] = [0.2, 0.3, 0.2].map((chance) =>
    draws.chance(chance) ? draws.between(0, count - 1) : -1,
  );
  return chosen.map((seller, index): Rule => {
    const after = (count - 1 - index) * smallest;
    const part = isWhole && after === 0 ? rest : draws.between(smallest, Math.max(smallest, rest - after));
    rest -= part;
    const hasFares = draws.chance(0.4);
    return {
      seller,
      ...(isByAmount ? { amount: part } : { bps: part }),
      processingFee: draws.chance(0.6),
      liable: draws.chance(0.5),
      entireFee: index === entire,
      takesRemainder: index === remainder && index !== entire,
      owner: index === owner,
      fareBps: hasFares ? draws.between(least.fare, 900) : 0,
      fareFixed: hasFares ? draws.between(0, 40) : 0,
    };
  });
}

/** As the API takes it. */
export const askedRule = ({ sellers }: Place, rule: Rule) => ({
  sellerId: sellers[rule.seller],
  ...(rule.amount === undefined ? { percentage: (rule.bps ?? 0) / 100 } : { amount: rule.amount }),
  processingFee: rule.processingFee,
  liable: rule.liable,
  chargeEntireFee: rule.entireFee,
  chargeRemainderFee: rule.takesRemainder,
  transactionOwner: rule.owner,
  ...(rule.fareBps + rule.fareFixed > 0
    ? { fares: { ...(rule.fareBps > 0 ? { mdr: rule.fareBps / 100 } : {}), fee: rule.fareFixed } }
    : {}),
});

/** Whose parts of a refund are named; what is left is the merchant's. */
export function drawnParts(draws: Draws, books: Books, amount: number): ReadonlyMap<number, number> | undefined {
  let rest = amount;
  const parts = new Map<number, number>();
  for (const kept of books.kept) {
    const most = Math.min(rest, left(kept));
    if (most === 0 || draws.chance(0.3)) continue;
    const part = draws.between(1, most);
    parts.set(kept.rule.seller, part);
    rest -= part;
  }
  return parts.size > 0 ? parts : undefined;
}
