/** Amounts are integer cents: a safe integer, never negative unless the place says so. */
export type Cents = number;

export const MAX_CENTS: Cents = Number.MAX_SAFE_INTEGER;
/** Rates are basis points: 100 % = 10,000. */
export const FULL_BPS = 10_000;

export const isCents = (value: unknown): value is Cents => Number.isSafeInteger(value) && Number(value) >= 0;

export const sumOf = (parts: readonly number[]): number => parts.reduce((total, part) => total + part, 0);

/** n / d rounded half up; n >= 0, d > 0. */
export function divHalfUp(n: bigint, d: bigint): bigint {
  if (n < 0n || d <= 0n) throw new RangeError("divHalfUp takes n >= 0 and d > 0");
  return (2n * n + d) / (2n * d);
}

/**
 * Shares `total` by `weights`: every part is floored and the cents left over go to the largest remainders,
 * ties to the lower index; with `takeAll` they all go to that index.
 */
export function allocate(total: Cents, weights: readonly number[], takeAll?: number): Cents[] {
  if (!isCents(total) || !weights.every(isCents))
    throw new RangeError("amounts and weights are whole and not negative");
  const whole = weights.reduce((all, weight) => all + BigInt(weight), 0n);
  if (whole === 0n) throw new RangeError("weights add up to zero");
  const products = weights.map((weight) => BigInt(total) * BigInt(weight));
  const parts = products.map((product) => Number(product / whole));
  const left = total - sumOf(parts);
  if (takeAll !== undefined) {
    const before = parts[takeAll];
    if (before === undefined) throw new RangeError("takeAll is not one of the parts");
    parts[takeAll] = before + left;
    return parts;
  }
  const remainders = products.map((product, index) => ({ remainder: product % whole, index }));
  remainders.sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder < b.remainder ? 1 : -1));
  for (const { index } of remainders.slice(0, left)) parts[index] = (parts[index] ?? 0) + 1;
  return parts;
}

/** Rows (sellers) by columns (cards or instalments) of equal totals: every row and column sum is exact, no cell is negative. */
export function matrix(rows: readonly Cents[], columns: readonly Cents[]): Cents[][] {
  if (sumOf(rows) !== sumOf(columns)) throw new RangeError("rows and columns have different totals");
  let open = [...rows];
  const cells: Cents[][] = rows.map(() => []);
  for (const column of columns) {
    const shares = column === 0 ? open.map(() => 0) : allocate(column, open);
    for (const [row, share] of shares.entries()) cells[row]?.push(share);
    open = open.map((rest, row) => rest - (shares[row] ?? 0));
  }
  return cells;
}

/** Equal instalments; the cents that do not divide go to the first one, or to the last where the provider says so. */
export function instalments(total: Cents, count: number, remainder: "first" | "last" = "first"): Cents[] {
  if (!isCents(total) || !Number.isSafeInteger(count) || count < 1) throw new RangeError("at least one instalment");
  const base = Math.floor(total / count);
  const odd = remainder === "first" ? 0 : count - 1;
  return Array.from({ length: count }, (_, index) => (index === odd ? total - base * (count - 1) : base));
}

export const feeOf = (gross: Cents, bps: number, fixed: Cents): Cents =>
  Number(divHalfUp(BigInt(gross) * BigInt(bps), BigInt(FULL_BPS))) + fixed;

/** The part of `feePart` given back when the refunded sum of `share` grows; cumulative, so that parts add up exactly. */
export function feeReturned(feePart: Cents, share: Cents, refundedBefore: Cents, refundedAfter: Cents): Cents {
  const returnedAt = (refunded: Cents) => Number(divHalfUp(BigInt(feePart) * BigInt(refunded), BigInt(share)));
  return returnedAt(refundedAfter) - returnedAt(refundedBefore);
}

export interface Prepaid {
  net: Cents;
  fee: Cents;
  markup: Cents;
}

/** 30 days in basis points: the denominator of simple interest per month of 30 days. */
const MONTH_BPS_DAYS = 300_000n;

/** Price of one receivable paid `days` early; both rates in basis points per month of 30 days. The net is floored. */
export function prepay(gross: Cents, monthlyRateBps: number, markupBps: number, days: number): Prepaid {
  if (!isCents(gross)) throw new RangeError("gross is not an amount");
  const net = (BigInt(gross) * MONTH_BPS_DAYS) / (MONTH_BPS_DAYS + BigInt(monthlyRateBps + markupBps) * BigInt(days));
  const fee = divHalfUp(net * BigInt(monthlyRateBps) * BigInt(days), MONTH_BPS_DAYS);
  return { net: Number(net), fee: Number(fee), markup: gross - Number(net) - Number(fee) };
}

const RATE_SCALE = 1_000_000;

/** cost / gross with 6 decimals, half up. */
export const effectiveRate = (gross: Cents, cost: Cents): number =>
  gross === 0 ? 0 : Number(divHalfUp(BigInt(cost) * BigInt(RATE_SCALE), BigInt(gross))) / RATE_SCALE;

export interface ShareRule {
  /** Either every rule has an amount or every rule has bps. */
  amount?: Cents;
  bps?: number;
  /** Receives the indivisible cents of percentage rounding. */
  chargeRemainderFee?: boolean;
  /** Owns the residue: what no rule names. */
  transactionOwner?: boolean;
}

export interface Shares {
  /** One per rule, in the order of the rules. */
  rules: Cents[];
  /** What is left for the merchant. */
  merchant: Cents;
}

/** Shares of the gross of one charge. Rules that mix modes or exceed the total are refused before this is called. */
export function splitShares(total: Cents, rules: readonly ShareRule[]): Shares {
  if (rules.length === 0) return { rules: [], merchant: total };
  const byAmount = rules.every((rule) => rule.amount !== undefined && rule.bps === undefined);
  const byPercentage = rules.every((rule) => rule.bps !== undefined && rule.amount === undefined);
  if (!byAmount && !byPercentage) throw new RangeError("split rules use one mode");
  const whole = byAmount ? total : FULL_BPS;
  const weights = rules.map((rule) => rule.amount ?? rule.bps ?? 0);
  const residue = whole - sumOf(weights);
  if (residue < 0) throw new RangeError("split rules exceed the total");
  const owner = rules.findIndex((rule) => rule.transactionOwner);
  const rows = owner >= 0 ? weights.map((weight, index) => (index === owner ? weight + residue : weight)) : weights;
  const withMerchant = owner < 0 && residue > 0 ? [...rows, residue] : rows;
  if (byAmount) return { rules: rows, merchant: owner < 0 ? residue : 0 };
  const remainderTo = rules.findIndex((rule) => rule.chargeRemainderFee);
  const shares = allocate(total, withMerchant, remainderTo >= 0 ? remainderTo : undefined);
  return { rules: shares.slice(0, rules.length), merchant: shares[rules.length] ?? 0 };
}

/** Shares of a partial capture: percentages anew on what was captured, amounts in proportion to their rows. */
export function capturedShares(captured: Cents, total: Cents, rules: readonly ShareRule[]): Shares {
  if (rules.every((rule) => rule.amount === undefined)) return splitShares(captured, rules);
  const full = splitShares(total, rules);
  const parts = allocate(captured, [...full.rules, full.merchant]);
  return { rules: parts.slice(0, rules.length), merchant: parts[rules.length] ?? 0 };
}

const DECIMAL = /^(\d+)(?:\.(\d{1,2}))?$/;

/** Hundredths of a decimal with at most 2 decimals, read from its text: `3.99` is 399, never 398.99… */
function hundredths(decimal: string | number): number | undefined {
  const match = DECIMAL.exec(String(decimal));
  if (!match) return undefined;
  const value = Number(`${match[1]}${(match[2] ?? "").padEnd(2, "0")}`);
  return isCents(value) ? value : undefined;
}

/** `3.99` → 399. Undefined for more than 2 decimals, signs, exponents and anything that is not a decimal. */
export const percentToBps = (percentage: string | number): number | undefined => hundredths(percentage);

export const bpsToPercent = (bps: number): number => bps / 100;

/** 3700 → `37.00`, the decimal text of provider formats. */
export function centsToDecimal(cents: Cents): string {
  if (!isCents(cents)) throw new RangeError("not an amount");
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}

/** A provider's decimal text or number in cents; undefined when it is not an amount with at most 2 decimals. */
export const decimalToCents = (decimal: string | number): Cents | undefined => hundredths(decimal);
