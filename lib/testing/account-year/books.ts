import { type Day, isLastOfMonth, rolledTo, weekdayOf } from "@/lib/testing/account-year/calendar";
import type { Books } from "@/lib/testing/split-oracle/oracle";
import type { World } from "@/lib/testing/split-oracle/returns";

/**
 * What a merchant's money out comes to over many days, by the text of spec/settlement.md sections 4 and 5 and
 * spec/money.md sections 8 and 9 alone. The split oracle says who has what of a sale; here it is said when that is paid
 * out, and in which batch.
 */
export interface Year {
  sellers: SellerNow[];
  /** What each party has by now, as refunds and disputes see it. */
  world: World;
  sales: Sold[];
  rows: Row[];
  batches: Batch[];
  early: Early[];
}

export interface Sold {
  id: string;
  kind: "card" | "pix" | "boleto";
  arrangement: string | null;
  books: Books;
  on: Day;
  /** By party and instalment, as `keyOf` names them. */
  credits: Map<string, Row>;
}

export const keyOf = (party: number, instalment: number): string => `${party} ${instalment}`;

/** What was sold or taken, and stands in one batch some day. */
export interface Row {
  party: number;
  type: "credit" | "refund" | "chargeback" | "won" | "returned" | "credited" | "correction";
  group: Group;
  gross: number;
  fee: number;
  /** Of a credit that was paid early, what that cost. */
  early: number;
  net: number;
  sale?: Sold;
  instalment?: number;
  /** Of a credit. */
  dueOn?: Day;
  /** Of what was taken from a credit that waited: it is ready when that is. */
  parent?: Row;
  state: "waiting" | "committed" | "ready";
  batch?: Batch | undefined;
}

export interface Group {
  arrangement: string | null;
  method: "credit" | "pix" | null;
}

export const OF_NO_SALE: Group = { arrangement: null, method: null };
export const groupOf = ({ kind, arrangement }: Pick<Sold, "kind" | "arrangement">): Group => ({
  arrangement,
  method: kind === "card" ? "credit" : kind === "pix" ? "pix" : null,
});

export interface Amounts {
  amount: number;
  fee: number;
  withdrawal: number;
  balance: number;
  credit: number;
  refund: number;
  debit: number;
  credited: number;
  final: number;
}

export interface Batch extends Amounts {
  party: number;
  day: Day;
  group: Group;
  status: "pending" | "paid" | "failed" | "offset";
  payoutDate: Day | null;
  error: string | null;
  account: string;
  returnsOn?: Day;
  isReturned: boolean;
  rows: Row[];
  carried: Batch[];
  takenBy: Batch | undefined;
}

export interface Early {
  id: string;
  party: number;
  /** Until 15:00 of it. */
  confirmBy: Day;
  paymentDate: Day;
  items: EarlyItem[];
  state: "pending" | "committed" | "paid" | "expired";
}

export interface EarlyItem {
  row: Row;
  gross: number;
  net: number;
  fee: number;
  markup: number;
}

export interface SellerNow {
  withdrawalFee: number;
  minimumPayout: number;
  monthlyBps: number;
  markupBps: number;
  interval: "daily" | "weekly" | "monthly";
  named: number;
  isEnabled: boolean;
  automatic?: { percentage: number } | { days: readonly number[]; delay: number };
  account: string;
  /** A new account is not paid before. */
  heldUntil: { day: Day; hour: number } | undefined;
  isAccountHeld: boolean;
  isOperatorHeld: boolean;
}

/** Accounts of the simulated bank that do something else than take money. */
export const NO_ACCOUNT = "0000000";
export const GIVES_BACK = "9999999";
export const LOSES_ANSWER = "8888888";

export const isHeldAt = ({ heldUntil: until, isAccountHeld, isOperatorHeld }: SellerNow, day: Day, hour: number) =>
  isAccountHeld ||
  isOperatorHeld ||
  (until !== undefined && (day < until.day || (day === until.day && hour < until.hour)));

/** A day that the policy names, rolled forward to this one. */
export function isPaidOn({ interval, named }: SellerNow, day: Day): boolean {
  if (interval === "daily") return true;
  return rolledTo(day).some((candidate) =>
    interval === "weekly"
      ? weekdayOf(candidate) === named
      : Number(candidate.slice(8)) === named || (isLastOfMonth(candidate) && Number(candidate.slice(8)) < named),
  );
}

export const give = ({ world }: Year, party: number, amount: number): void => {
  world.available.set(party, (world.available.get(party) ?? 0) + amount);
};

export const isReady = ({ state, parent }: Row): boolean => (parent ?? { state }).state === "ready";
