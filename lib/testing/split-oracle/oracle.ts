import { halfUp, inParts, percentageOf, rational, shared, table, total } from "@/lib/testing/split-oracle/rational";

/**
 * What a split sale comes to, by the text of spec/money.md sections 3, 5 and 7 and spec/settlement.md sections 2 and 3
 * alone. Sellers are numbers; the merchant is `OWN`.
 */
export const OWN = -1;

/** What of a fee goes back with a refund. */
export type Refundable = "none" | "mdr" | "all";

export interface Price {
  bps: number;
  fixed: number;
  refundable: Refundable;
  /** The row of the price list that it stands in. */
  row: string;
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
  /** Or paid, which of a Pix or a boleto may be more or less. */
  captured: number;
  installments: number;
  rules: readonly Rule[];
  /** Of each seller's plan, by rule. */
  prices: readonly Price[];
  /** Of the merchant, for all of them, where it asks one. */
  platform: Price | undefined;
  faresRefundable: Refundable;
}

export interface Part {
  party: number;
  /** By instalment. */
  gross: number[];
  fee: number[];
}

export interface Kept {
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

/** Whether the fees of a rule, as they are asked, exceed its share. */
export function isBelowZero(sale: Sale): boolean {
  const shares = sharesOf(sale);
  const fees = feesOf(sale, shares);
  return sale.rules.some((_, at) => (fees.processing[at] ?? 0) + (fees.fares[at] ?? 0) > (shares[at] ?? 0));
}

/** Of a purchase each card is a sale of its own: the rows of the whole against the cards (spec/money.md 3, step 2). */
export function perCard(
  whole: Omit<Sale, "prices" | "platform" | "installments" | "captured">,
  cards: readonly (Pick<Sale, "installments" | "platform" | "prices"> & { amount: number })[],
): Sale[] {
  const rows = sharesOf({ ...whole, captured: whole.amount });
  const cells = table(
    rows,
    cards.map(({ amount }) => amount),
  );
  return cards.map((card, column) => ({
    ...card,
    captured: card.amount,
    faresRefundable: whole.faresRefundable,
    rules: whole.rules.map(({ bps: _shared, ...rule }, row) => ({ ...rule, amount: cells[row]?.[column] ?? 0 })),
  }));
}

export function sharesOf({ amount, captured, rules }: Pick<Sale, "amount" | "captured" | "rules">): number[] {
  const isByAmount = rules[0]?.amount !== undefined;
  const whole = isByAmount ? amount : 10_000;
  const asked = rules.map((rule) => rule.amount ?? rule.bps ?? 0);
  const residue = whole - total(asked);
  const owner = rules.findIndex((rule) => rule.owner);
  const rows = asked.map((value, index) => (index === owner ? value + residue : value));
  rows.push(owner < 0 ? residue : 0);
  if (isByAmount && captured > amount)
    return rows.map((row, index) => (index === (owner < 0 ? rules.length : owner) ? row + captured - amount : row));
  if (isByAmount) return captured === amount ? rows : shared(captured, rows);
  const remainder = rules.findIndex((rule) => rule.takesRemainder);
  return shared(captured, rows, remainder);
}

interface Charged {
  processing: number[];
  processingBack: number[];
  fares: number[];
  faresBack: number[];
  /** What sellers could not bear. */
  cut: number;
}

/** As they are asked, before what is above a share is cut from it. */
export function feesOf({ rules, prices, captured, platform }: Sale, shares: readonly number[]) {
  const none = rules.map(() => 0);
  const priceAt = (index: number): Price => platform ?? prices[index] ?? FREE;
  const [processing, mdr] = [[...none], [...none]];
  const entire = rules.findIndex((rule) => rule.entireFee);
  const bearers = rules
    .map((_, index) => index)
    .filter((index) => (entire >= 0 ? index === entire : rules[index]?.processingFee) && (shares[index] ?? 0) > 0);
  const refundable: Refundable[] = rules.map((_, index) => priceAt(index).refundable);
  const rows = new Set(bearers.map((index) => priceAt(index).row));
  if (bearers.length > 0 && rows.size === 1) {
    const { bps, fixed } = priceAt(bearers[0] ?? 0);
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
      const { bps, fixed } = priceAt(index);
      const base = bases[place] ?? 0;
      mdr[index] = percentageOf(base, bps);
      processing[index] = (mdr[index] ?? 0) + halfUp(rational(fixed * base, captured));
    }
  }
  const fares = rules.map(({ fareBps, fareFixed }, index) =>
    (shares[index] ?? 0) === 0 ? 0 : percentageOf(shares[index] ?? 0, fareBps) + fareFixed,
  );
  const faresMdr = rules.map(({ fareBps }, index) => percentageOf(shares[index] ?? 0, fareBps));
  return { processing, processingMdr: mdr, refundable, fares, faresMdr };
}

const FREE: Price = { bps: 0, fixed: 0, refundable: "none", row: "none" };

const goingBack = (how: Refundable, whole: number, mdr: number): number =>
  how === "all" ? whole : how === "none" ? 0 : Math.min(whole, mdr);

function cutDown(fees: ReturnType<typeof feesOf>, shares: readonly number[], faresRefundable: Refundable): Charged {
  const fares = fees.fares.map((fare, index) =>
    Math.max(0, Math.min(fare, (shares[index] ?? 0) - (fees.processing[index] ?? 0))),
  );
  const processing = fees.processing.map((fee, index) => Math.min(fee, shares[index] ?? 0));
  return {
    processing,
    fares,
    processingBack: processing.map((fee, index) =>
      goingBack(fees.refundable[index] ?? "none", fee, fees.processingMdr[index] ?? 0),
    ),
    faresBack: fares.map((fare, index) => goingBack(faresRefundable, fare, fees.faresMdr[index] ?? 0)),
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

export function capture(sale: Sale): { books: Books; parts: Part[] } {
  const { rules, installments, captured } = sale;
  const shares = sharesOf(sale);
  const own = shares[rules.length] ?? 0;
  const charged = cutDown(feesOf(sale, shares), shares, sale.faresRefundable);
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
      processingBack: charged.processingBack[index] ?? 0,
      fares: charged.fares[index] ?? 0,
      faresBack: charged.faresBack[index] ?? 0,
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
