import { type Books, OWN } from "@/lib/testing/split-oracle/oracle";
import { halfUp, rational, shared, total } from "@/lib/testing/split-oracle/rational";

/** What goes back of a split sale: spec/money.md section 7 and spec/settlement.md section 3. */
export interface World {
  /** Of each party over all charges; below zero is a debt. */
  available: Map<number, number>;
  /** How far a refund may take a seller below zero. */
  floors: readonly number[];
}

export const left = ({ share, refunded, disputed }: { share: number; refunded: number; disputed: number }): number =>
  Math.max(0, share - refunded - disputed);

/** Takes from what waits, in proportion to what is left of each instalment; answers what it could not take. */
function fromWaiting(books: Books, party: number, amount: number): number {
  const waiting = books.waiting.get(party) ?? [];
  const open = waiting.map((value) => Math.max(0, value));
  const taken = Math.min(amount, total(open));
  if (taken > 0) {
    const places = open.map((_, index) => index).filter((index) => (open[index] ?? 0) > 0);
    const parts = shared(
      taken,
      places.map((index) => open[index] ?? 0),
    );
    for (const [place, index] of places.entries()) waiting[index] = (waiting[index] ?? 0) - (parts[place] ?? 0);
  }
  return amount - taken;
}

function give(world: World, books: Books, party: number, amount: number): void {
  for (const available of [world.available, books.available])
    available.set(party, (available.get(party) ?? 0) + amount);
}

export const back = (part: number, share: number, refunded: number): number =>
  share === 0 ? 0 : halfUp(rational(BigInt(part) * BigInt(refunded), share));

/** From sellers that are `late` nothing is taken any more: their part falls on the merchant. */
export function refund(
  world: World,
  books: Books,
  amount: number,
  { byRule, late = new Set() }: { byRule?: ReadonlyMap<number, number> | undefined; late?: ReadonlySet<number> } = {},
): void {
  const opens = books.kept.map(left);
  const parts = byRule
    ? books.kept.map(({ rule }) => byRule.get(rule.seller) ?? 0)
    : shared(amount, [...opens, left(books.own)]).slice(0, opens.length);
  let own = amount;
  for (const [index, kept] of books.kept.entries()) {
    const part = Math.min(parts[index] ?? 0, opens[index] ?? 0);
    if (part === 0) continue;
    if (late.has(kept.rule.seller)) {
      kept.refunded += part;
      books.own.refunded -= part;
      continue;
    }
    own -= part;
    const after = kept.refunded + part;
    const returned = (of: number) => back(of, kept.share, after) - back(of, kept.share, kept.refunded);
    const [processing, fares] = [returned(kept.processingBack), returned(kept.faresBack)];
    kept.refunded = after;
    books.platformFee -= processing;
    books.fares -= fares;
    const seller = kept.rule.seller;
    if (processing + fares > part) {
      give(world, books, seller, processing + fares - part);
      continue;
    }
    const rest = fromWaiting(books, seller, part - processing - fares);
    const room = Math.max(0, (world.available.get(seller) ?? 0) + (world.floors[seller] ?? 0));
    const taken = Math.min(rest, room);
    give(world, books, seller, -taken);
    books.own.refunded -= rest - taken;
    own += rest - taken;
  }
  books.own.refunded += own;
  give(world, books, OWN, -fromWaiting(books, OWN, own));
  books.owed -= amount;
}

function lossesOf(books: Books, amount: number): number[] {
  const liable = books.kept.map((kept) => (kept.rule.liable ? left(kept) : 0));
  return total(liable) > 0 ? [...shared(amount, liable), 0] : [...liable.map(() => 0), amount];
}

export function chargeback(world: World, books: Books, amount: number): void {
  const losses = lossesOf(books, amount);
  settle(world, books, losses, 1);
  books.lost.push(losses);
  books.bank -= amount;
}

/** The payer's bank took a Pix back: borne as a chargeback, out of what the acquirer owes. */
export function takenByBank(world: World, books: Books, amount: number): void {
  settle(world, books, lossesOf(books, amount), 1);
  books.owed -= amount;
}

export function won(world: World, books: Books): void {
  const losses = books.lost.pop() ?? [];
  settle(world, books, losses, -1);
  books.bank += total(losses);
}

function settle(world: World, books: Books, losses: readonly number[], sign: 1 | -1): void {
  for (const [index, kept] of books.kept.entries()) {
    kept.disputed += sign * (losses[index] ?? 0);
    give(world, books, kept.rule.seller, -sign * (losses[index] ?? 0));
  }
  const own = losses[books.kept.length] ?? 0;
  books.own.disputed += sign * own;
  give(world, books, OWN, -sign * own);
}

export function release(world: World, books: Books): void {
  for (const [party, waiting] of books.waiting) {
    give(world, books, party, total(waiting));
    books.waiting.set(
      party,
      waiting.map(() => 0),
    );
  }
}
