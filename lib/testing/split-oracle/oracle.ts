import { halfUp, inParts, percentageOf, rational, shared, table, total } from "@/lib/testing/split-oracle/rational";

/**
 * What a split sale comes to, by the text of spec/money.md sections 3, 5 and 7 and spec/settlement.md sections 2 and 3
 * alone. Sellers are numbers; the merchant is `OWN`.
 */
export const OWN = -1;

export interface Price {
  bps: number;
  fixed: number;
}

export interface Rule {
  seller: number;
  bps?: number;
  amount?: number;
  processingFee: boolean;
  liable: boolean;
  entireFee: boolean;
  takesRemainder: boolean;
  owner: boolean;
  fareBps: number;
  fareFixed: number;
}

export interface Sale {
  amount: number;
  captured: number;
  installments: number;
  rules: readonly Rule[];
  /** Of each seller's plan, by rule: equal where the row is the same. */
  prices: readonly (Price & { row: string })[];
}

export interface Part {
  party: number;
  /** By instalment. */
  gross: number[];
  fee: number[];
}

interface Kept {
  rule: Rule;
  share: number;
  refunded: number;
  disputed: number;
  processing: number;
  processingBack: number;
  fares: number;
  faresBack: number;
}

/** The books of one charge, and of what its sellers have. */
export interface Books {
  kept: Kept[];
  own: { share: number; refunded: number; disputed: number };
  /** What waits, by party and instalment. */
  waiting: Map<number, number[]>;
  /** What this charge brought to what each has, and took from it. */
  available: Map<number, number>;
  platformFee: number;
  fares: number;
  owed: number;
  bank: number;
  lost: number[][];
}

export interface World {
  /** Of each party over all charges; below zero is a debt. */
  available: Map<number, number>;
  /** How far a refund may take a seller below zero. */
  floors: readonly number[];
}

export function sharesOf({ amount, captured, rules }: Sale): number[] {
  const isByAmount = rules[0]?.amount !== undefined;
  const whole = isByAmount ? amount : 10_000;
  const asked = rules.map((rule) => rule.amount ?? rule.bps ?? 0);
  const residue = whole - total(asked);
  const owner = rules.findIndex((rule) => rule.owner);
  const rows = asked.map((value, index) => (index === owner ? value + residue : value));
  if (owner < 0) rows.push(residue);
  else rows.push(0);
  if (isByAmount) return captured === amount ? rows : shared(captured, rows);
  const remainder = rules.findIndex((rule) => rule.takesRemainder);
  return shared(captured, rows, remainder);
}

interface Charged {
  processing: number[];
  processingMdr: number[];
  fares: number[];
  faresMdr: number[];
  /** What sellers could not bear. */
  cut: number;
}

/** Before and after what is above a share is cut from it. */
export function feesOf({ rules, prices, captured }: Sale, shares: readonly number[], platform: Price | undefined) {
  const none = rules.map(() => 0);
  const [processing, mdr] = [[...none], [...none]];
  const entire = rules.findIndex((rule) => rule.entireFee);
  const bearers = rules
    .map((_, index) => index)
    .filter((index) => (entire >= 0 ? index === entire : rules[index]?.processingFee) && (shares[index] ?? 0) > 0);
  const priceOf = (index: number) => platform ?? prices[index] ?? { bps: 0, fixed: 0 };
  const rows = new Set(bearers.map((index) => (platform ? "platform" : prices[index]?.row)));
  if (bearers.length > 0 && rows.size === 1) {
    const { bps, fixed } = priceOf(bearers[0] ?? 0);
    const weights = bearers.map((index) => shares[index] ?? 0);
    const parts = shared(percentageOf(captured, bps) + fixed, weights);
    const mdrs = shared(percentageOf(captured, bps), weights);
    for (const [place, index] of bearers.entries()) {
      processing[index] = parts[place] ?? 0;
      mdr[index] = Math.min(parts[place] ?? 0, mdrs[place] ?? 0);
    }
  } else if (bearers.length > 0) {
    const bases = shared(
      captured,
      bearers.map((index) => shares[index] ?? 0),
    );
    for (const [place, index] of bearers.entries()) {
      const { bps, fixed } = priceOf(index);
      const base = bases[place] ?? 0;
      mdr[index] = percentageOf(base, bps);
      processing[index] = (mdr[index] ?? 0) + halfUp(rational(fixed * base, captured));
    }
  }
  const fares = rules.map(({ fareBps, fareFixed }, index) =>
    (shares[index] ?? 0) === 0 ? 0 : percentageOf(shares[index] ?? 0, fareBps) + fareFixed,
  );
  const faresMdr = rules.map(({ fareBps }, index) => percentageOf(shares[index] ?? 0, fareBps));
  return { processing, processingMdr: mdr, fares, faresMdr };
}

function cutDown(fees: ReturnType<typeof feesOf>, shares: readonly number[]): Charged {
  const fares = fees.fares.map((fare, index) =>
    Math.max(0, Math.min(fare, (shares[index] ?? 0) - (fees.processing[index] ?? 0))),
  );
  const processing = fees.processing.map((fee, index) => Math.min(fee, shares[index] ?? 0));
  return {
    processing,
    fares,
    processingMdr: fees.processingMdr.map((part, index) => Math.min(part, processing[index] ?? 0)),
    faresMdr: fees.faresMdr.map((part, index) => Math.min(part, fares[index] ?? 0)),
    cut: total(fees.processing) - total(processing),
  };
}

/** No instalment bears more than it is: the rest goes to the next one, from the last to the one before. */
function borne(fees: readonly number[], gross: readonly number[]): number[] {
  const left = [...fees];
  const last = left.length - 1;
  for (let at = 0; at < last; at++) {
    const over = Math.max(0, (left[at] ?? 0) - (gross[at] ?? 0));
    left[at] = (left[at] ?? 0) - over;
    left[at + 1] = (left[at + 1] ?? 0) + over;
  }
  for (let at = last; at > 0; at--) {
    const over = Math.max(0, (left[at] ?? 0) - (gross[at] ?? 0));
    left[at] = (left[at] ?? 0) - over;
    left[at - 1] = (left[at - 1] ?? 0) + over;
  }
  return left;
}

export function capture(sale: Sale, platform: Price | undefined): { books: Books; parts: Part[] } {
  const { rules, installments, captured } = sale;
  const shares = sharesOf(sale);
  const own = shares[rules.length] ?? 0;
  const charged = cutDown(feesOf(sale, shares, platform), shares);
  const ownFee = Math.min(own, charged.cut);
  const parties = [...rules.map(({ seller }) => seller), OWN];
  const present = parties.map((_, row) => row).filter((row) => (shares[row] ?? 0) > 0);
  const cash = inParts(captured, installments);
  const gross = table(
    present.map((row) => shares[row] ?? 0),
    cash,
  );
  const processing = present.map((row) => (row === rules.length ? ownFee : (charged.processing[row] ?? 0)));
  const spread = table(processing, inParts(total(processing), installments));
  const parts = present.map((row, place) => {
    const fares = inParts(row === rules.length ? 0 : (charged.fares[row] ?? 0), installments);
    const fees = (spread[place] ?? []).map((fee, at) => fee + (fares[at] ?? 0));
    return { party: parties[row] ?? OWN, gross: gross[place] ?? [], fee: borne(fees, gross[place] ?? []) };
  });
  const books: Books = {
    kept: rules.map((rule, index) => ({
      rule,
      share: shares[index] ?? 0,
      refunded: 0,
      disputed: 0,
      processing: charged.processing[index] ?? 0,
      processingBack: charged.processingMdr[index] ?? 0,
      fares: charged.fares[index] ?? 0,
      faresBack: charged.faresMdr[index] ?? 0,
    })),
    own: { share: own, refunded: 0, disputed: 0 },
    waiting: new Map(parts.map(({ party, gross: of, fee }) => [party, of.map((value, at) => value - (fee[at] ?? 0))])),
    available: new Map(),
    platformFee: total(charged.processing) + ownFee,
    fares: total(charged.fares),
    owed: captured,
    bank: 0,
    lost: [],
  };
  return { books, parts };
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

const back = (part: number, share: number, refunded: number): number =>
  share === 0 ? 0 : halfUp(rational(BigInt(part) * BigInt(refunded), share));

export function refund(world: World, books: Books, amount: number, byRule?: ReadonlyMap<number, number>): void {
  const opens = books.kept.map(left);
  const parts = byRule
    ? books.kept.map(({ rule }) => byRule.get(rule.seller) ?? 0)
    : shared(amount, [...opens, left(books.own)]).slice(0, opens.length);
  let own = amount;
  for (const [index, kept] of books.kept.entries()) {
    const part = Math.min(parts[index] ?? 0, opens[index] ?? 0);
    if (part === 0) continue;
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

export function chargeback(world: World, books: Books, amount: number): void {
  const liable = books.kept.map((kept) => (kept.rule.liable ? left(kept) : 0));
  const losses = total(liable) > 0 ? [...shared(amount, liable), 0] : [...liable.map(() => 0), amount];
  settle(world, books, losses, 1);
  books.lost.push(losses);
  books.bank -= amount;
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
