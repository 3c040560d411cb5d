import { proposeAdjustment } from "@/lib/payouts/adjustments";
import { holdPayouts, resumePayouts } from "@/lib/payouts/holds";
import {
  GIVES_BACK,
  groupOf,
  keyOf,
  LOSES_ANSWER,
  NO_ACCOUNT,
  type Row,
  type SellerNow,
  type Sold,
} from "@/lib/testing/account-year/books";
import { after, type Day, daysFrom, onOrAfter, plus } from "@/lib/testing/account-year/calendar";
import { adjust } from "@/lib/testing/account-year/days";
import { commit, earlyDayAt, freeOf, isUnchanged, lastDayFor } from "@/lib/testing/account-year/early";
import { Difference, type Lived, operator, ratesOf } from "@/lib/testing/account-year/lived";
import { voidIt } from "@/lib/testing/payments";
import { capture, isBelowZero, OWN, type Part } from "@/lib/testing/split-oracle/oracle";
import { LATE } from "@/lib/testing/split-oracle/place";
import { back, chargeback, refund, takenByBank, won } from "@/lib/testing/split-oracle/returns";
import { asked, chargesOf } from "@/lib/testing/split-oracle/run";
import { drawnParts, drawnSale } from "@/lib/testing/split-oracle/sales";

/** In days, and of a bank's own taking back in fewer. */
const PIX_IS_GIVEN_BACK_WITHIN = 80;

/** Cents whose capture or refund the simulator refuses, and whose refund it takes back (spec/contract.md 21.4). */
const REFUSED = 991;
const TAKEN_BACK = 993;

/** One thing that somebody does at noon of a day, by the API and in the oracle. */
export async function act(lived: Lived, day: Day): Promise<void> {
  const { draws, year } = lived;
  const open = year.sales.filter(
    ({ kind, on, books }) =>
      books.lost.length === 0 &&
      books.owed + books.bank > 0 &&
      (kind !== "pix" || daysFrom(on, day) < PIX_IS_GIVEN_BACK_WITHIN),
  );
  const disputed = year.sales.filter(({ books }) => books.lost.length > 0);
  const pending = year.early.filter(({ state, confirmBy }) => state === "pending" && confirmBy >= day);
  const what = draws.weighted([
    ["sell", 8],
    ["refund", open.length > 0 ? 3 : 0],
    ["dispute", open.length > 0 ? 1.2 : 0],
    ["win", disputed.length > 0 ? 1 : 0],
    ["early", 1.5],
    ["confirm", pending.length > 0 ? 2 : 0],
    ["account", 0.5],
    ["policy", 0.4],
    ["hold", 0.3],
    ["adjust", 0.4],
  ] as const);
  if (what === "sell") await sell(lived, day);
  else if (what === "refund") await giveBack(lived, draws.pick(open), day);
  else if (what === "dispute") await dispute(lived, draws.pick(open));
  else if (what === "win") await win(lived, draws.pick(disputed));
  else if (what === "early") await askEarly(lived, day);
  else if (what === "confirm") await confirm(lived, draws.pick(pending).id);
  else if (what === "adjust") await correct(lived);
  else await change(lived, what, day);
}

async function sell({ draws, place, year, cards, told }: Lived, day: Day): Promise<void> {
  let sold = drawnSale(draws, place);
  while (sold.kind === "purchase" || isBelowZero(sold.asked) || sold.paid.captured === REFUSED)
    sold = drawnSale(draws, place);
  const card = draws.pick(cards);
  const reply = await asked({ ...place, cardId: card.id }, sold);
  if (reply.status >= 300) throw new Difference(`a sale answered ${reply.status}: ${reply.text.slice(0, 300)}`);
  const [id = ""] = await chargesOf(place, sold, reply.body.id);
  const { books, parts } = capture(sold.paid);
  const { kind } = sold;
  const sale: Sold = {
    id,
    kind,
    arrangement: kind === "card" ? card.arrangement : null,
    books,
    on: day,
    credits: new Map(),
  };
  for (const part of parts) {
    for (const row of creditsOf(sale, part)) {
      sale.credits.set(keyOf(row.party, row.instalment ?? 0), row);
      year.rows.push(row);
    }
  }
  year.sales.push(sale);
  told.push(`${kind} of ${sold.paid.captured} in ${sold.paid.installments}`);
}

const creditsOf = (sale: Sold, { party, gross, fee }: Part): Row[] =>
  gross.flatMap((amount, instalment): Row[] => {
    if (amount === 0) return [];
    const cost = fee[instalment] ?? 0;
    const dueOn = { card: onOrAfter(plus(sale.on, 30 * (instalment + 1))), pix: sale.on, boleto: after(sale.on) }[
      sale.kind
    ];
    const of = { party, type: "credit", group: groupOf(sale), sale, instalment, dueOn, state: "waiting" } as const;
    return [{ ...of, gross: amount, fee: cost, early: 0, net: amount - cost }];
  });

/** What it took from what waits, and from what there is, as rows of their own. */
function taken({ year }: Lived, sale: Sold, type: Row["type"], take: () => void): void {
  const { waiting, available } = sale.books;
  const before = new Map([...waiting].map(([party, parts]) => [party, [...parts]]));
  const had = new Map(available);
  take();
  const row = (party: number, net: number, parent?: Row): void => {
    const of = { party, type, group: groupOf(sale), gross: 0, fee: 0, early: 0, net, state: "ready", sale } as const;
    if (net !== 0) year.rows.push({ ...of, ...(parent ? { parent } : {}) });
  };
  for (const [party, parts] of waiting) {
    for (const [instalment, now] of parts.entries()) {
      row(party, now - (before.get(party)?.[instalment] ?? 0), sale.credits.get(keyOf(party, instalment)));
    }
  }
  for (const [party, now] of available) row(party, now - (had.get(party) ?? 0));
}

const remaining = ({ books }: Sold): number => books.owed + books.bank;

async function giveBack(lived: Lived, sale: Sold, day: Day): Promise<void> {
  if (sale.kind === "boleto") return;
  const { draws, place, year, told } = lived;
  const { client } = place.shop;
  const drawn = draws.chance(0.3) ? remaining(sale) : draws.between(1, remaining(sale));
  const amount = drawn === REFUSED || drawn === TAKEN_BACK ? drawn - 1 : drawn;
  const late = new Set(daysFrom(sale.on, day) > LATE.days ? [LATE.seller] : []);
  const named = draws.chance(0.3) ? drawnParts(draws, sale.books, amount) : undefined;
  const parts = [...(named ?? [])].filter(([seller]) => !late.has(seller));
  const byRule = parts.length > 0 ? new Map(parts) : undefined;
  const splitRules = parts.map(([seller, part]) => ({ sellerId: place.sellers[seller], amount: part }));
  const reply = await voidIt(client, sale.id, { amount, ...(byRule ? { splitRules } : {}) });
  if (reply.error) throw new Difference(`a refund answered ${reply.status}: ${reply.text.slice(0, 300)}`);
  const [before, rows] = [sale.books.kept.map(({ refunded }) => refunded), year.rows.length];
  taken(lived, sale, "refund", () => refund(year.world, sale.books, amount, { byRule, late }));
  ofNothing(lived, sale, before, late, year.rows.slice(rows));
  told.push(`refund of ${amount} of ${sale.id}`);
}

/** All that a seller gave back was the fee that came back to it: an order of nothing, which stands in a batch all the same. */
function ofNothing(
  { year }: Lived,
  sale: Sold,
  before: readonly number[],
  late: ReadonlySet<number>,
  made: readonly Row[],
): void {
  for (const [index, { rule, share, refunded, processingBack, faresBack }] of sale.books.kept.entries()) {
    const was = before[index] ?? 0;
    const returned = (part: number): number => back(part, share, refunded) - back(part, share, was);
    const isFeeAlone = returned(processingBack) + returned(faresBack) > 0 && !late.has(rule.seller);
    if (!isFeeAlone || made.some(({ party }) => party === rule.seller)) continue;
    const of = { party: rule.seller, type: "refund", group: groupOf(sale), state: "ready", sale } as const;
    year.rows.push({ ...of, gross: 0, fee: 0, early: 0, net: 0 });
  }
}

/** Of a card by its issuer, of a Pix by the payer's bank. */
async function dispute(lived: Lived, sale: Sold): Promise<void> {
  if (sale.kind === "boleto") return;
  const { draws, place, year, told } = lived;
  const { client } = place.shop;
  const amount = draws.chance(0.5) ? remaining(sale) : draws.between(1, remaining(sale));
  if (sale.kind === "card") {
    await client.make("POST", `/v1/sandbox/charges/${sale.id}/chargeback`, { body: { amount } });
    taken(lived, sale, "chargeback", () => chargeback(year.world, sale.books, amount));
  } else {
    await client.make("POST", `/v1/sandbox/pix/${sale.id}/med`, { body: { amount } });
    taken(lived, sale, "chargeback", () => takenByBank(year.world, sale.books, amount));
  }
  told.push(`dispute of ${amount} of ${sale.id}`);
}

async function win(lived: Lived, sale: Sold): Promise<void> {
  const { place, year, told } = lived;
  await place.shop.client.make("POST", `/v1/sandbox/charges/${sale.id}/chargeback/reverse`, { body: {} });
  taken(lived, sale, "won", () => won(year.world, sale.books));
  told.push(`won ${sale.id}`);
}

interface Priced {
  id: string;
  paymentDate: string;
  items: { settlementDate: string; grossAmount: number; netAmount: number; feeAmount: number; markupAmount: number }[];
}

const PATH = "/v1/subacquirer/prepayment";

async function askEarly(lived: Lived, day: Day): Promise<void> {
  const { draws, place, year, told } = lived;
  const party = draws.pick([OWN, ...year.sellers.keys()]);
  const paymentDate = earlyDayAt(day);
  const free = freeOf(year, party, paymentDate, ratesOf(year, party));
  const dates = [...new Set(free.map(({ row }) => row.dueOn ?? ""))].sort();
  const endDate = plus(day, draws.between(20, 200));
  const receiptDates = dates.filter(() => draws.chance(0.5));
  const isByDates = receiptDates.length > 0 && receiptDates.length <= 60 && draws.chance(0.5);
  const chosen = free.filter(({ row: { dueOn = "" } }) =>
    isByDates ? receiptDates.includes(dueOn) : dueOn <= endDate,
  );
  const reply = await place.shop.client.call<Priced>("POST", PATH, {
    body: {
      ...(isByDates ? { receiptDates } : { endDate }),
      ...(party === OWN ? {} : { sellerId: place.sellers[party] }),
    },
  });
  const isSold = year.rows.some((row) => row.party === party && row.type === "credit");
  const status = !isSold ? 404 : chosen.length === 0 ? 422 : 201;
  if (reply.status !== status)
    throw new Difference(`a prepayment answered ${reply.status}, not ${status}: ${reply.text.slice(0, 300)}`);
  if (status !== 201) return;
  const shown = reply.body.items
    .map((one) => [one.settlementDate, one.grossAmount, one.netAmount, one.feeAmount, one.markupAmount].join(":"))
    .sort()
    .join(" ");
  const expected = chosen
    .map(({ row, gross, net, fee, markup }) => [row.dueOn, gross, net, fee, markup].join(":"))
    .sort()
    .join(" ");
  if (shown !== expected || reply.body.paymentDate !== paymentDate)
    throw new Difference(`a prepayment for ${reply.body.paymentDate} is ${shown}, not ${expected} for ${paymentDate}`);
  const { id } = reply.body;
  year.early.push({ id, party, confirmBy: lastDayFor(day), paymentDate, items: chosen, state: "pending" });
  told.push(`prepayment ${id} of ${chosen.length} of party ${party}`);
  if (draws.chance(0.7)) await confirm(lived, id);
}

async function confirm({ place, year, told }: Lived, id: string): Promise<void> {
  const early = year.early.find((one) => one.id === id);
  if (!early) throw new Error("an unknown prepayment");
  const status = isUnchanged(early) ? 200 : 422;
  const reply = await place.shop.client.call("POST", `${PATH}/${id}/commit`, { body: {} });
  if (reply.status !== status)
    throw new Difference(`a confirmation answered ${reply.status}, not ${status}: ${reply.text.slice(0, 300)}`);
  if (status === 200) commit(early);
  told.push(`confirmed ${id}: ${status}`);
}

async function correct(lived: Lived): Promise<void> {
  const { draws, place, year, told } = lived;
  const party = draws.between(0, year.sellers.length - 1);
  const isCredit = draws.chance(0.5);
  const amount = draws.between(1, 20_000) * (isCredit || draws.chance(0.5) ? 1 : -1);
  const input = { kind: isCredit ? "credit" : "correction", amount } as const;
  const done = await proposeAdjustment(await operator(lived), place.sellers[party] ?? "", input, "agreed");
  if (done !== "done") throw new Error("one person alone decides here");
  adjust(year, party, isCredit ? "credited" : "correction", amount);
  told.push(`${input.kind} of ${amount} to ${party}`);
}

/** Of a seller: where it is paid, when, and whether. */
async function change(lived: Lived, what: "account" | "policy" | "hold", day: Day): Promise<void> {
  const { draws, place, year, told } = lived;
  const party = draws.between(0, year.sellers.length - 1);
  const [seller, id] = [year.sellers[party], place.sellers[party] ?? ""];
  if (!seller) throw new Error("no such seller");
  if (what === "account") await moveAccount(lived, seller, id, day);
  else if (what === "policy") {
    seller.isEnabled = !seller.isEnabled || draws.chance(0.5);
    const transferPolicy = { transferEnabled: seller.isEnabled };
    await place.shop.client.make("PATCH", `/v1/sellers/${id}`, { body: { transferPolicy } });
  } else {
    const ctx = await operator(lived);
    await (seller.isOperatorHeld ? resumePayouts(ctx, id) : holdPayouts(ctx, id, "looked into"));
    seller.isOperatorHeld = !seller.isOperatorHeld;
  }
  told.push(`${what} of ${party}: ${seller.account}, ${seller.isEnabled}, ${seller.isOperatorHeld}`);
}

/** The new one is paid from the next bank day on, and not within 24 hours. */
async function moveAccount({ draws, place }: Lived, seller: SellerNow, id: string, day: Day): Promise<void> {
  const isBad = ![NO_ACCOUNT, GIVES_BACK].includes(seller.account) && draws.chance(0.7);
  const next = isBad ? draws.pick([NO_ACCOUNT, GIVES_BACK, LOSES_ANSWER]) : String(draws.between(100_000, 799_999));
  if (next === seller.account) return;
  await place.shop.client.make("PATCH", `/v1/sellers/${id}`, { body: { bankAccount: { accountNumber: next } } });
  const [tomorrow, opens] = [plus(day, 1), after(day)];
  seller.account = next;
  seller.isAccountHeld = false;
  seller.heldUntil = opens > tomorrow ? { day: opens, hour: 0 } : { day: tomorrow, hour: 12 };
}
