import { systemSql } from "@/db/client";
import { linkAudit } from "@/lib/audit-trail/chain";
import { DAYS_PER_PAGE, dayRows, reconciliation } from "@/lib/finance/reconciliation";
import type { Batch, Year } from "@/lib/testing/account-year/books";
import { after, type Day, isOpen, plus } from "@/lib/testing/account-year/calendar";
import { morning } from "@/lib/testing/account-year/days";
import { commit, wantedBy, wrongOf } from "@/lib/testing/account-year/early";
import { act } from "@/lib/testing/account-year/life";
import { Difference, type Lived, openYear, operator, toNoon } from "@/lib/testing/account-year/lived";
import { OWN } from "@/lib/testing/split-oracle/oracle";
import { total } from "@/lib/testing/split-oracle/rational";

const MOST_ACTS = 3;
const LONGEST_PAUSE_DAYS = 4;
const SHOWN = 6;

/** Lives the days of one account; answers how many batches were compared. */
export async function runYear(seed: number, days: number): Promise<{ batches: number; days: number }> {
  const lived = await openYear(seed);
  try {
    // A merchant's first run is on the bank day after the one that made it.
    await goOn(lived, after(lived.day));
    const last = plus(lived.day, days);
    while (lived.day < last) {
      const acts = lived.draws.between(1, MOST_ACTS);
      for (let nth = 0; nth < acts; nth++) await act(lived, lived.day);
      await goOn(lived, plus(lived.day, lived.draws.between(1, LONGEST_PAUSE_DAYS)));
      if (lived.draws.chance(0.2)) await sameBalances(lived);
    }
    await sameBalances(lived);
    await sameBatches(lived);
    await nothingBroken(lived);
    await nothingDiffers(lived, plus(last, -days));
    return { batches: lived.year.batches.length, days };
  } catch (thrown) {
    if (!(thrown instanceof Difference)) throw thrown;
    throw new Difference(`on ${lived.day}: ${thrown.message}; before it ${lived.told.slice(-SHOWN).join(", ")}`);
  }
}

/** Each day in between, as the product lived it on the way. */
export async function goOn(lived: Lived, to: Day): Promise<void> {
  const { client } = lived.place.shop;
  await toNoon(client, to);
  const automatic = await automaticOf(lived, lived.day, to);
  for (let day = lived.day; day < to; day = plus(day, 1)) {
    if (isOpen(day)) afternoon(lived, day, automatic);
    if (isOpen(plus(day, 1))) morning(lived.year, plus(day, 1));
  }
  lived.day = to;
}

interface Automatic {
  id: string;
  day: Day;
  party: number;
  /** `charge instalment`, with what it was priced at. */
  items: Map<string, string>;
}

async function automaticOf({ place: { shop, sellers } }: Lived, from: Day, to: Day): Promise<Automatic[]> {
  const rows = await systemSql()<{ id: string; day: string; seller: string; items: [string, number, string][] }[]>`
    select p.id, (p.created_at at time zone 'America/Sao_Paulo')::date::text as day, p.seller_id as seller,
           json_agg(json_build_array(r.charge_id, r.installment,
             concat_ws(':', i.gross_amount, i.net_amount, i.fee_amount, i.markup_amount))) as items
      from prepayments p join prepayment_items i on i.prepayment_id = p.id join receivables r on r.id = i.receivable_id
     where p.client_id = ${shop.client.clientId} and p.automatic
       and (p.created_at at time zone 'America/Sao_Paulo')::date between ${from} and ${to}
     group by p.id order by p.id`;
  return rows.map(({ id, day, seller, items }) => ({
    id,
    day,
    party: sellers.indexOf(seller),
    items: new Map(items.map(([charge, instalment, price]) => [`${charge} ${instalment}`, price])),
  }));
}

/** 14:00: which of several of one day a policy takes is nowhere said, so that the product's choice is judged and taken over. */
function afternoon({ year }: Lived, day: Day, automatic: readonly Automatic[]): void {
  for (const [party, seller] of year.sellers.entries()) {
    const made = automatic.filter((one) => one.day === day && one.party === party);
    const wanted = wantedBy(year, party, seller, day);
    const [one] = made;
    if (made.length > 1 || (one && !wanted))
      throw new Difference(`${made.length} automatic prepayments of ${party} on ${day}`);
    if (!wanted) continue;
    const chosen = wanted.free.filter(({ row }) => one?.items.has(`${row.sale?.id} ${(row.instalment ?? 0) + 1}`));
    if (chosen.length !== (one?.items.size ?? 0))
      throw new Difference(`what is not free of ${party} is paid early on ${day}`);
    const wrong = wrongOf(wanted, chosen);
    if (wrong) throw new Difference(`automatic prepayment of ${party} on ${day}: ${wrong}`);
    if (!one) continue;
    for (const { row, gross, net, fee, markup } of chosen) {
      const shown = one.items.get(`${row.sale?.id} ${(row.instalment ?? 0) + 1}`);
      const expected = [gross, net, fee, markup].join(":");
      if (shown !== expected) throw new Difference(`an automatic item is ${shown}, not ${expected}`);
    }
    const early = {
      id: one.id,
      party,
      confirmBy: day,
      paymentDate: after(day),
      items: chosen,
      state: "pending" as const,
    };
    year.early.push(early);
    commit(early);
  }
}

const waitingOf = ({ sales, early }: Year, party: number): number =>
  total(sales.map(({ books }) => total(books.waiting.get(party) ?? []))) +
  total(
    early
      .filter((one) => one.party === party && one.state === "committed")
      .flatMap(({ items }) => items.map(({ gross }) => gross)),
  );

async function sameBalances({ place: { shop, sellers }, year }: Lived): Promise<void> {
  for (const party of year.sellers.keys()) {
    const shown = await shop.client.make<{ available: number; receivable: number; inTransit: number }>(
      "GET",
      `/v1/payouts/balance?sellerId=${sellers[party]}`,
    );
    const pending = year.batches.filter((one) => one.party === party && one.status === "pending");
    const expected = [
      year.world.available.get(party) ?? 0,
      waitingOf(year, party),
      total(pending.map(({ final }) => final)),
    ];
    const found = [shown.available, shown.receivable, shown.inTransit];
    if (found.join() !== expected.join()) throw new Difference(`the balance of ${party} is ${found}, not ${expected}`);
  }
}

const toldOf = (batch: Batch): string =>
  [
    batch.day,
    batch.party,
    batch.group.arrangement,
    batch.group.method,
    batch.status,
    batch.amount,
    batch.fee,
    batch.withdrawal,
    batch.balance,
    batch.credit,
    batch.refund,
    batch.debit,
    batch.credited,
    batch.final,
    batch.payoutDate,
    batch.error,
    batch.isReturned,
    batch.rows.length + batch.carried.length,
  ].join(" ");

async function sameBatches({ place: { shop, sellers }, year }: Lived): Promise<void> {
  const rows = await systemSql()<{ day: string; seller: string | null; told: (string | number | boolean | null)[] }[]>`
    select b.seller_id as seller, json_build_array(b.payment_arrangement, b.payment_method, b.status, b.amount,
             b.fee_amount, b.withdrawal_fee_amount, b.balance_amount, b.credit_amount, b.refund_amount,
             b.debit_adjustment_amount, b.credit_adjustment_amount, b.final_balance, b.payout_date, b.error_reason,
             exists (select from payout_transfers t where t.batch_id = b.id and t.status = 'returned'),
             (select count(distinct l.source_id) from payout_lines l
               where l.batch_id = b.id and l.source_type <> 'plan')) as told, b.payment_date::text as day
      from payout_batches b where b.merchant_id = ${shop.merchant.id}`;
  const found = rows.map(({ day, seller, told }) =>
    [day, seller === null ? OWN : sellers.indexOf(seller), ...told].join(" "),
  );
  const expected = year.batches.map(toldOf);
  const more = found.filter((one) => !expected.includes(one)).sort();
  const less = expected.filter((one) => !found.includes(one)).sort();
  if (more.length + less.length > 0 || found.length !== expected.length) {
    throw new Difference(`batches ${more.slice(0, SHOWN).join(" | ")} instead of ${less.slice(0, SHOWN).join(" | ")}`);
  }
}

/** Neither an invariant now, nor a difference on any day. */
async function nothingBroken({ place: { shop } }: Lived): Promise<void> {
  // The worker's, each minute of the machine's time: a year may take longer than rows of the audit log may wait.
  await linkAudit();
  const { invariants } = await shop.client.make<{ invariants: { id: string; violations: number }[] }>(
    "GET",
    "/v1/invariants",
  );
  const broken = invariants.filter(({ violations }) => violations > 0).map(({ id }) => id);
  const breaks = await systemSql()<{ told: string }[]>`
    select concat_ws(' ', kind, subject, day, expected, found) as told from settlement_breaks
     where merchant_id = ${shop.merchant.id} order by opened_at`;
  if (broken.length + breaks.length > 0) {
    throw new Difference(`broken: ${[...broken, ...breaks.map(({ told }) => told)].slice(0, SHOWN).join(" | ")}`);
  }
}

/** What falls due, beside what the acquirer says of it: each instalment of every sale has its amount, or lacks refunds. */
async function nothingDiffers(lived: Lived, from: Day): Promise<void> {
  const ctx = await operator(lived);
  for (let day = from; day <= lived.day; day = plus(day, DAYS_PER_PAGE)) {
    const { days } = await reconciliation(ctx, "owner", { until: plus(day, DAYS_PER_PAGE - 1) });
    const wrong = days.find(({ differing, missing, uneven }) => differing + missing + uneven > 0);
    if (!wrong) continue;
    const { items } = await dayRows(ctx, "owner", { day: wrong.day, providerId: wrong.providerId });
    const told = items.filter(({ state }) => !["netted", "costed", "waiting"].includes(state));
    throw new Difference(
      `what fell due on ${wrong.day}: ${told.map((row) => `${row.id} ${row.state} ${row.found} of ${row.expected}`).join(" | ")}`,
    );
  }
}
