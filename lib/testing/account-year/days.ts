import {
  type Batch,
  GIVES_BACK,
  give,
  isHeldAt,
  isPaidOn,
  isReady,
  NO_ACCOUNT,
  OF_NO_SALE,
  type Row,
  type SellerNow,
  type Year,
} from "@/lib/testing/account-year/books";
import { after, type Day, plus } from "@/lib/testing/account-year/calendar";
import { OWN } from "@/lib/testing/split-oracle/oracle";
import { total } from "@/lib/testing/split-oracle/rational";

/** From midnight to 06:30 of a day on which banks are open. */
export function morning(year: Year, day: Day): void {
  results(year, day);
  release(year, day);
  payEarly(year, day);
  for (const party of [OWN, ...year.sellers.keys()]) cut(year, party, day);
}

/** 00:05: what was sent before has ended, what was given back is here, and acquirers have told of the days before. */
function results(year: Year, day: Day): void {
  for (const batch of year.batches) {
    if (batch.status !== "pending" || batch.day >= day) continue;
    if (batch.account === NO_ACCOUNT) {
      fail(year, batch);
      continue;
    }
    batch.status = "paid";
    batch.payoutDate = batch.day;
    if (batch.account === GIVES_BACK) batch.returnsOn = after(plus(day, 1));
  }
  for (const batch of year.batches) {
    if (batch.isReturned || batch.returnsOn === undefined || batch.returnsOn > day) continue;
    batch.isReturned = true;
    give(year, batch.party, batch.final);
    year.rows.push({ ...moved(batch.party, batch.final), type: "returned" });
    holdAccount(year.sellers[batch.party], batch.account);
  }
}

const moved = (party: number, net: number): Omit<Row, "type"> => ({
  party,
  group: OF_NO_SALE,
  gross: net,
  fee: 0,
  early: 0,
  net,
  state: "ready",
});

/** A correction that somebody made. */
export function adjust(year: Year, party: number, type: "credited" | "correction", amount: number): void {
  give(year, party, amount);
  year.rows.push({ ...moved(party, amount), type });
}

function fail(year: Year, batch: Batch): void {
  batch.status = "failed";
  batch.error = "invalid_account";
  give(year, batch.party, batch.final + batch.withdrawal);
  for (const row of batch.rows) row.batch = undefined;
  for (const debt of batch.carried) debt.takenBy = undefined;
  holdAccount(year.sellers[batch.party], batch.account);
}

function holdAccount(seller: SellerNow | undefined, account: string): void {
  if (seller?.account === account) seller.isAccountHeld = true;
}

function release(year: Year, day: Day): void {
  for (const row of year.rows) {
    if (row.state !== "waiting" || row.dueOn === undefined || row.dueOn > day) continue;
    row.state = "ready";
    give(year, row.party, takeWaiting(row));
  }
}

/** What is left of a credit that waits, which waits no more. */
export function takeWaiting({ sale, party, instalment = 0 }: Row): number {
  const waiting = sale?.books.waiting.get(party) ?? [];
  const left = waiting[instalment] ?? 0;
  waiting[instalment] = 0;
  return left;
}

function payEarly(year: Year, day: Day): void {
  for (const one of year.early) {
    if (one.state !== "committed" || one.paymentDate > day) continue;
    one.state = "paid";
    for (const { row, net, fee, markup } of one.items) {
      row.state = "ready";
      row.early = fee + markup;
      give(year, row.party, net);
    }
  }
}

const OWN_TERMS = { withdrawalFee: 0, minimumPayout: 0 };

function cut(year: Year, party: number, day: Day): void {
  const seller = year.sellers[party];
  if (seller && (!seller.isEnabled || isHeldAt(seller, day, 6) || !isPaidOn(seller, day))) return;
  const ready = year.rows.filter((row) => row.party === party && row.batch === undefined && isReady(row));
  const name = ({ group }: Row): string => `${group.arrangement ?? ""}:${group.method ?? ""}`;
  let debts = year.batches.filter(
    (one) => one.party === party && one.status === "offset" && one.final < 0 && one.takenBy === undefined,
  );
  const { withdrawalFee, minimumPayout } = seller ?? OWN_TERMS;
  for (const group of [...new Set(ready.map(name))].sort()) {
    const rows = ready.filter((row) => name(row) === group);
    const made = batchOf(rows, debts, day, seller?.account ?? "");
    const { final } = made;
    if (final > 0 && (final <= withdrawalFee || final < minimumPayout)) continue;
    if (final > 0) {
      made.withdrawal = withdrawalFee;
      made.final -= withdrawalFee;
      made.status = "pending";
      if (seller) give(year, party, -final);
    }
    for (const row of rows) row.batch = made;
    for (const debt of debts) debt.takenBy = made;
    debts = final < 0 ? [made] : [];
    year.batches.push(made);
  }
}

function batchOf(rows: readonly Row[], debts: readonly Batch[], day: Day, account: string): Batch {
  const sum = (of: (row: Row) => number, ...types: Row["type"][]): number =>
    total(rows.filter(({ type }) => types.length === 0 || types.includes(type)).map(of));
  const corrected = (sign: 1 | -1): number =>
    sum(({ net }) => Math.max(0, sign * net), "won", "returned", "correction") +
    (sign > 0 ? sum(({ net }) => Math.max(0, net), "refund", "chargeback") : 0);
  const amounts = {
    amount: sum(({ gross }) => gross, "credit"),
    fee: sum(({ fee, early }) => fee + early, "credit"),
    balance: total(debts.map(({ final }) => final)),
    credit: sum(({ net }) => net, "credited"),
    refund: sum(({ net }) => Math.max(0, -net), "refund", "chargeback"),
    debit: corrected(-1),
    credited: corrected(1),
  };
  const { amount, fee, balance, credit, refund, debit, credited } = amounts;
  const [first] = rows;
  if (!first) throw new Error("a batch of nothing");
  return {
    ...amounts,
    withdrawal: 0,
    final: amount + balance + credit + credited - fee - refund - debit,
    party: first.party,
    day,
    group: first.group,
    status: "offset",
    payoutDate: null,
    error: null,
    account,
    isReturned: false,
    rows: [...rows],
    carried: [...debts],
    takenBy: undefined,
  };
}
