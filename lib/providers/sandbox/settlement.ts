import { appSql } from "@/db/client";
import {
  addDays,
  type CivilDate,
  creditSettlementDay,
  nextBankDay,
  saoPauloDay,
  startOfSaoPauloDay,
} from "@/lib/brazil/bank-calendar";
import { derivedId } from "@/lib/ids";
import { instalments } from "@/lib/money";
import { forAccount } from "@/lib/providers/sandbox/for-account";
import type { Movement } from "@/lib/providers/sandbox/store";
import { inTime } from "@/lib/providers/sandbox/view";
import type { StatementLine } from "@/lib/providers/statements";

interface Sale {
  id: string;
  method: string;
  cardMethod: string | null;
  installments: number;
  expiresAt: Date | null;
  endedAt: Date | null;
  movements: Happened[];
  early: readonly Early[];
}
type Happened = Pick<Movement, "id" | "kind" | "amount" | "cost" | "at" | "requestedAt" | "reference" | "paymentId">;

/** A part of an instalment that is paid before its day, for a price. */
interface Early {
  transactionId: string;
  installment: number;
  amount: number;
  paidOn: CivilDate;
  cost: number;
}

const LAST_DAY: CivilDate = "9999-12-31";
/** Last instalment of the longest sale, with room for weekends. */
const LONGEST_DAYS = 24 * 30 + 15;

interface Asked {
  clientId: string;
  /** Of one provider; all of the account's without it. */
  providerId?: string;
  from: CivilDate;
  to: CivilDate;
}

/** What the acquirer settles on these days: instalments less its cost, with refunds taken from what comes next. */
export async function statementOf({ clientId, providerId, ...days }: Asked, now: Date): Promise<StatementLine[]> {
  const from = startOfSaoPauloDay(addDays(days.from, -LONGEST_DAYS));
  const until = startOfSaoPauloDay(addDays(days.to, 1));
  const { sales, early, movements } = await keptOf(clientId, providerId, from, until);
  const ofSale = new Map<string, Happened[]>(sales.map(({ id }) => [id, []]));
  for (const { at, requestedAt, transactionId, ...movement } of movements) {
    const happened = { ...movement, at: new Date(at), requestedAt: new Date(requestedAt) };
    if (happened.at <= now) ofSale.get(transactionId)?.push(happened);
  }
  return sales
    .flatMap((sale) =>
      linesOf({
        ...sale,
        expiresAt: sale.expiresAt === null ? null : new Date(sale.expiresAt),
        endedAt: sale.endedAt === null ? null : new Date(sale.endedAt),
        movements: ofSale.get(sale.id) ?? [],
        early: early.filter(({ transactionId }) => transactionId === sale.id),
      }),
    )
    .filter(({ settledOn }) => days.from <= settledOn && settledOn <= days.to);
}

/** Moments as the database writes them in JSON. */
type Told<T, Moments extends keyof T> = Omit<T, Moments> & { [M in Moments]: string | Extract<T[M], null> };

interface Kept {
  sales: Told<Omit<Sale, "movements" | "early">, "expiresAt" | "endedAt">[];
  movements: (Told<Happened, "at" | "requestedAt"> & { transactionId: string })[];
  early: Early[];
}

/**
 * One round trip: the statement names the client to row security before it looks at any table. Lists that are looked in,
 * and nothing joined, take the same time however little the planner knows of the tables.
 */
async function keptOf(clientId: string, providerId: string | undefined, from: Date, until: Date): Promise<Kept> {
  const sql = appSql();
  const [kept] = await sql<Kept[]>`
    select told.* from (select set_config('app.client_id', ${clientId}, true)::uuid as client_id) who
     cross join lateral (
       with sales as materialized (
         select id, method, installments, details ->> 'cardMethod' as "cardMethod", expires_at as "expiresAt",
                ended_at as "endedAt"
           from sandbox_transactions
          where client_id = who.client_id and ${providerId ? sql`provider_id = ${providerId}` : sql`true`}
            and id = any(array(
              select transaction_id from sandbox_movements
               where client_id = who.client_id and at >= ${from} and at < ${until}))
       )
       select (select coalesce(json_agg(sales), '[]') from sales) as sales,
              (select coalesce(json_agg(json_build_object('id', m.id, 'transactionId', m.transaction_id, 'kind', m.kind,
                        'amount', m.amount, 'cost', m.cost, 'at', m.at, 'requestedAt', m.requested_at,
                        'reference', m.reference, 'paymentId', m.payment_id) order by m.at, m.id), '[]')
                 from sandbox_movements m where m.transaction_id = any(array(select id from sales))) as movements,
              (select coalesce(json_agg(json_build_object('transactionId', e.transaction_id,
                        'installment', e.installment, 'amount', e.amount, 'paidOn', e.paid_on, 'cost', e.cost)), '[]')
                 from sandbox_anticipations e where e.transaction_id = any(array(select id from sales))) as early
       offset 0) told`;
  if (!kept) throw new Error("a look without an answer");
  return kept;
}

/** Every line of a sale, past and planned, from what has happened to it so far. */
function linesOf(sale: Sale): StatementLine[] {
  const [main, ...surplus] = takings(sale);
  const planned = main ? plan(sale, main) : [];
  const early = earlyPaid(sale, main, planned);
  const isSurplus = ({ reference }: Pick<Happened, "reference">) =>
    surplus.some((taken) => taken?.reference === reference);
  const direct: StatementLine[] = surplus.flatMap((taken) =>
    taken ? [line(sale, taken.id, "adjustment", 1, saoPauloDay(taken.at), taken.amount - taken.cost)] : [],
  );
  for (const { id, kind, amount, at, paymentId } of sale.movements) {
    const settledOn = saoPauloDay(at);
    if (kind === "chargeback") direct.push(line(sale, id, kind, 1, settledOn, -amount));
    if (kind === "reversal") direct.push(line(sale, id, kind, 1, settledOn, amount));
    if (kind !== "refund") continue;
    if (paymentId !== null && isSurplus({ reference: paymentId })) {
      direct.push(line(sale, id, "adjustment", 1, settledOn, -amount));
      continue;
    }
    let left = amount;
    early(settledOn);
    for (const next of inOrder(planned).filter((one) => one.settledOn >= settledOn && one.amount > 0)) {
      const netted = Math.min(left, next.amount);
      next.amount -= netted;
      left -= netted;
    }
    if (left > 0) direct.push(line(sale, id, kind, 1, settledOn, -left));
  }
  early(LAST_DAY);
  return [...planned, ...direct];
}

/** What the sale is paid with, if it was, and behind it what came on top of it. */
function takings(sale: Sale): (Happened | undefined)[] {
  if (sale.method === "card") return sale.movements.filter(({ kind }) => kind === "capture").slice(0, 1);
  const payments = sale.movements
    .filter(({ kind }) => kind === "payment")
    .sort((a, b) => a.at.getTime() - b.at.getTime() || (a.reference < b.reference ? -1 : 1));
  const main = payments.find((payment) => inTime(sale, payment));
  return [main, ...payments.filter((payment) => payment !== main)];
}

function plan(sale: Sale, { id, amount, cost, at }: Happened): StatementLine[] {
  const day = saoPauloDay(at);
  if (sale.method !== "card") {
    const settledOn = sale.method === "boleto" ? nextBankDay(day) : day;
    return [line(sale, id, "settlement", 1, settledOn, amount - cost, cost)];
  }
  if (sale.cardMethod === "debit") return [line(sale, id, "settlement", 1, nextBankDay(day), amount - cost, cost)];
  return instalments(amount - cost, sale.installments).map((part, index) =>
    line(sale, id, "settlement", index + 1, creditSettlementDay(day, index + 1), part, index === 0 ? cost : 0),
  );
}

const inOrder = (lines: readonly StatementLine[]): StatementLine[] =>
  [...lines].sort((a, b) =>
    a.settledOn < b.settledOn ? -1 : a.settledOn > b.settledOn ? 1 : a.instalment - b.instalment,
  );

/**
 * Early payments of the sale, each made in `planned` on its own day: refunds of days before have been taken from the
 * instalments as they were due, and what a statement has told never changes.
 */
function earlyPaid(sale: Sale, main: Happened | undefined, planned: StatementLine[]): (until: CivilDate) => void {
  const usual = new Map(planned.map(({ instalment, amount }) => [instalment, amount]));
  const waiting = main ? new Set(sale.early) : new Set<Early>();
  return (until) => {
    const due = [...waiting].filter(({ paidOn }) => paidOn <= until);
    for (const day of [...new Set(due.map(({ paidOn }) => paidOn))].sort()) {
      const paid = due.filter(({ paidOn }) => paidOn === day);
      for (const one of paid) waiting.delete(one);
      payOn(day, paid, { planned, usual, mainId: main?.id ?? "" });
    }
  };
}

interface Paying {
  planned: StatementLine[];
  /** Of each instalment, before refunds. */
  usual: ReadonlyMap<number, number>;
  mainId: string;
}

/**
 * The part of each instalment that was asked for, and what is left of it on its day. What a refund took of that part comes
 * from what is left of the sale: all that is asked for is paid, as far as the refund has left it. The price of it is taken
 * at the end: an instalment that was refunded owes it.
 */
function payOn(day: CivilDate, asked: readonly Early[], { planned, usual, mainId }: Paying): void {
  const placed = asked
    .toSorted((a, b) => a.installment - b.installment)
    .flatMap((one) => {
      const rest = planned.find(({ instalment }) => instalment === one.installment);
      if (!rest) return [];
      const wanted = Math.min(one.amount, usual.get(one.installment) ?? 0);
      const paid = partOf(rest, Math.min(wanted, rest.amount), day, mainId);
      if (paid !== rest) planned.push(paid);
      return [{ paid, lacking: wanted - paid.amount, price: one.cost }];
    });
  for (const { paid, lacking } of placed) fillUp(planned, paid, lacking, day);
  for (const { paid, price } of placed) paid.amount -= price;
}

/** The line itself where nothing would be left of it. */
function partOf(rest: StatementLine, amount: number, day: CivilDate, mainId: string): StatementLine {
  if (amount >= rest.amount) return Object.assign(rest, { settledOn: day });
  rest.amount -= amount;
  const id = derivedId("sandbox-statement", mainId, "early", rest.instalment);
  return { ...rest, id, settledOn: day, amount, cost: 0 };
}

function fillUp(planned: StatementLine[], paid: StatementLine, lacking: number, day: CivilDate): void {
  let left = lacking;
  for (const rest of inOrder(planned).filter(({ settledOn, amount }) => settledOn > day && amount > 0)) {
    const moved = Math.min(left, rest.amount);
    rest.amount -= moved;
    paid.amount += moved;
    left -= moved;
  }
}

const line = (
  sale: Sale,
  movementId: string,
  kind: StatementLine["kind"],
  instalment: number,
  settledOn: CivilDate,
  amount: number,
  cost = 0,
): StatementLine => ({
  id: derivedId("sandbox-statement", movementId, kind, instalment),
  providerTxId: sale.id,
  kind,
  instalment,
  settledOn,
  amount,
  cost,
});

export interface DayTotals {
  date: CivilDate;
  captured: number;
  refunded: number;
  /** Chargebacks less the ones won back. */
  chargedBack: number;
  settled: number;
  providerCost: number;
}

/** The simulator's own totals of a São Paulo day, up to the account's present. */
export async function dayTotals(clientId: string, date: CivilDate, now: Date): Promise<DayTotals> {
  const [sums] = await forAccount(
    clientId,
    (sql) => sql<Record<"captured" | "refunded" | "chargedBack" | "providerCost", string>[]>`
    select coalesce(sum(amount) filter (where kind in ('capture', 'payment')), 0) as captured,
      coalesce(sum(amount) filter (where kind = 'refund'), 0) as refunded,
      coalesce(sum(case kind when 'chargeback' then amount when 'reversal' then -amount end), 0) as "chargedBack",
      coalesce(sum(cost), 0) as "providerCost"
      from sandbox_movements
     where client_id = ${clientId} and at >= ${startOfSaoPauloDay(date)} and at < ${startOfSaoPauloDay(addDays(date, 1))}
       and at <= ${now}`,
  );
  const statement = await statementOf({ clientId, from: date, to: date }, now);
  return {
    date,
    captured: Number(sums?.captured ?? 0),
    refunded: Number(sums?.refunded ?? 0),
    chargedBack: Number(sums?.chargedBack ?? 0),
    settled: statement.reduce((total, { amount }) => total + amount, 0),
    providerCost: Number(sums?.providerCost ?? 0),
  };
}
