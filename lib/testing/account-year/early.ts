import type { Early, EarlyItem, Row, SellerNow, Year } from "@/lib/testing/account-year/books";
import { after, type Day, daysFrom, isOpen, rolledTo } from "@/lib/testing/account-year/calendar";
import { takeWaiting } from "@/lib/testing/account-year/days";
import { floor, halfUp, rational, total } from "@/lib/testing/split-oracle/rational";

/** What a prepayment comes to (spec/money.md section 8, spec/settlement.md section 5). */
export interface Rates {
  monthlyBps: number;
  markupBps: number;
}

/** Simulated at noon: money comes on the next bank day when banks are open now, else on the one after that. */
export const earlyDayAt = (day: Day): Day => (isOpen(day) ? after(day) : after(after(day)));
/** Until 15:00 of this day it may be confirmed. */
export const lastDayFor = (day: Day): Day => (isOpen(day) ? day : after(day));

export function priceOf(row: Row, gross: number, paymentDate: Day, { monthlyBps, markupBps }: Rates): EarlyItem {
  const days = daysFrom(paymentDate, row.dueOn ?? paymentDate);
  const month = 30 * 10_000;
  const net = floor(rational(BigInt(gross) * BigInt(month), month + (monthlyBps + markupBps) * days));
  const fee = halfUp(rational(BigInt(net) * BigInt(monthlyBps) * BigInt(days), month));
  return { row, gross, net, fee, markup: gross - net - fee };
}

export const leftOf = ({ sale, party, instalment = 0 }: Row): number =>
  sale?.books.waiting.get(party)?.[instalment] ?? 0;

/** What a party could be paid early, each at its price. */
export function freeOf(year: Year, party: number, paymentDate: Day, rates: Rates): EarlyItem[] {
  return year.rows
    .filter(
      (row) =>
        row.party === party &&
        row.type === "credit" &&
        row.state === "waiting" &&
        (row.dueOn ?? "") > paymentDate &&
        (row.sale?.books.lost.length ?? 0) === 0 &&
        leftOf(row) > 0,
    )
    .map((row) => priceOf(row, leftOf(row), paymentDate, rates))
    .filter(({ net }) => net > 0);
}

/** Whether all of it is as it was priced. */
export const isUnchanged = ({ items, paymentDate }: Early): boolean =>
  items.every(
    ({ row, gross }) =>
      row.state === "waiting" &&
      leftOf(row) === gross &&
      (row.dueOn ?? "") > paymentDate &&
      (row.sale?.books.lost.length ?? 0) === 0,
  );

export function commit(early: Early): void {
  early.state = "committed";
  for (const { row } of early.items) {
    takeWaiting(row);
    row.state = "committed";
  }
}

/** What a policy asks for on a bank day at 14:00; undefined: nothing. */
export interface Wanted {
  free: EarlyItem[];
  /** Of those that are wanted some, the oldest first, are taken until they are worth this; without it all of them. */
  upTo?: { early: number; percentage: number };
}

export function wantedBy(year: Year, party: number, seller: SellerNow, day: Day): Wanted | undefined {
  const { automatic } = seller;
  if (!automatic || seller.isAccountHeld || seller.isOperatorHeld) return undefined;
  const paymentDate = after(day);
  const free = freeOf(year, party, paymentDate, seller);
  if ("percentage" in automatic) {
    const early = total(
      year.early
        .filter((one) => one.party === party && (one.state === "committed" || one.state === "paid"))
        .flatMap(({ items }) => items)
        .filter(({ row }) => (row.dueOn ?? "") > paymentDate)
        .map(({ gross }) => gross),
    );
    return { free, upTo: { early, percentage: automatic.percentage } };
  }
  const isNamed = rolledTo(day).some((candidate) => automatic.days.includes(Number(candidate.slice(8))));
  if (!isNamed) return undefined;
  return { free: free.filter(({ row }) => daysFrom(row.sale?.on ?? day, day) >= automatic.delay) };
}

/** What is wrong with the choice of some: the oldest first, as many as it takes, and no more; of one day any. */
export function wrongOf({ free, upTo }: Wanted, chosen: readonly EarlyItem[]): string | undefined {
  if (!upTo) return chosen.length === free.length ? undefined : `${chosen.length} of ${free.length} are paid early`;
  const all = upTo.early + total(free.map(({ gross }) => gross));
  const isEnough = (early: number): boolean => early * 100 >= all * upTo.percentage;
  const taken = total(chosen.map(({ gross }) => gross));
  const rest = free.filter((one) => !chosen.some(({ row }) => row === one.row));
  const [newest = ""] = chosen
    .map(({ row }) => row.dueOn ?? "")
    .sort()
    .reverse();
  if (rest.some(({ row }) => (row.dueOn ?? "") < newest)) return "an older one is left out";
  if (!isEnough(upTo.early + taken) && rest.length > 0) return "less than the policy says";
  const last = chosen.filter(({ row }) => row.dueOn === newest).map(({ gross }) => gross);
  if (last.length > 0 && last.every((gross) => isEnough(upTo.early + taken - gross)))
    return "more than the policy says";
  return undefined;
}
