import type { RateMethod, Refundable, salePlanRates } from "@/db/schema/sale-plans";
import { addDays, type CivilDate } from "@/lib/brazil/bank-calendar";
import type { Brand } from "@/lib/brazil/card-brand";

export type RateRow = typeof salePlanRates.$inferSelect;

/** What of a row decides where it applies, and what it costs then. */
export type PricedRate = Omit<RateRow, "clientId" | "createdAt">;

/** What a fee depends on. */
export interface Sold {
  method: RateMethod;
  brand: Brand | undefined;
  /** 1 where nothing is paid in instalments. */
  installments: number;
  /** The day of the capture in São Paulo. */
  day: CivilDate;
}

/** The price of a payment; `id` is the row it comes from. */
export type Rate = Pick<RateRow, "id" | "percentageBps" | "fixedAmount"> & { refundable: Refundable };

const METHODS: Readonly<Record<string, RateMethod>> = {
  credit: "credit",
  apple_pay: "credit",
  click_to_pay: "credit",
  debit: "debit",
  voucher: "voucher",
  pix: "pix",
  boleto: "boleto",
};

export const rateMethodOf = (paymentType: string): RateMethod => METHODS[paymentType] ?? "default";

/**
 * The row that applies (spec/settlement.md section 2): of the same method the most particular one, a brand before none
 * and a narrow band before a wide one; else the fallback; else nothing is charged.
 */
export function rateFor(rows: readonly PricedRate[], sold: Sold): Rate | undefined {
  return bestOf(rows, sold) ?? (sold.method === "default" ? undefined : bestOf(rows, { ...sold, method: "default" }));
}

const bestOf = (rows: readonly PricedRate[], sold: Sold): PricedRate | undefined =>
  inForce(rows, sold.day)
    .filter((row) => row.paymentMethod === sold.method && fits(row, sold))
    .toSorted((a, b) => Number(a.brand === null) - Number(b.brand === null) || width(a) - width(b) || newest(a, b))[0];

const fits = ({ brand, installmentFrom, installmentTo }: PricedRate, sold: Sold): boolean =>
  (brand === null || brand === sold.brand) &&
  installmentFrom <= sold.installments &&
  sold.installments <= installmentTo;

const width = ({ installmentFrom, installmentTo }: PricedRate): number => installmentTo - installmentFrom;

/** Of the rows for the same payments the newest that has begun; a retired one ends them. */
export const inForce = <R extends PricedRate>(rows: readonly R[], day: CivilDate): R[] =>
  [...byPayments(rows.filter(({ effectiveFrom }) => effectiveFrom <= day)).values()]
    .flatMap((same) => same.toSorted(newest).slice(0, 1))
    .filter(({ isRetired }) => !isRetired);

/** Those in force on a day, and those that change something later. */
export const shownRates = (rows: readonly RateRow[], today: CivilDate): RateRow[] => [
  ...inForce(rows, today),
  ...[...new Set(rows.map(({ effectiveFrom }) => effectiveFrom))]
    .filter((day) => day > today)
    .toSorted()
    .flatMap((day) => {
      const before = inForce(rows, addDays(day, -1));
      return inForce(rows, day).filter((row) => row.effectiveFrom === day && !before.some(isSamePrice(row)));
    }),
];

const isSamePrice =
  (row: RateRow) =>
  (other: RateRow): boolean =>
    isSamePayments(row, other) &&
    row.percentageBps === other.percentageBps &&
    row.fixedAmount === other.fixedAmount &&
    row.refundable === other.refundable;

export const isSamePayments = (a: RateKey, b: RateKey): boolean => keyOf(a) === keyOf(b);

type RateKey = Pick<RateRow, "paymentMethod" | "brand" | "installmentFrom" | "installmentTo">;
const keyOf = ({ paymentMethod, brand, installmentFrom, installmentTo }: RateKey): string =>
  [paymentMethod, brand ?? "", installmentFrom, installmentTo].join(":");

function byPayments<R extends PricedRate>(rows: readonly R[]): Map<string, R[]> {
  const groups = new Map<string, R[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

/** The later day first; of one day what was written last. */
const newest = (a: PricedRate, b: PricedRate): number =>
  a.effectiveFrom === b.effectiveFrom ? (a.id < b.id ? 1 : -1) : a.effectiveFrom < b.effectiveFrom ? 1 : -1;
