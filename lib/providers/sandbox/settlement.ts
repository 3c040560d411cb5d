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
import { type Movement, movementsOf } from "@/lib/providers/sandbox/store";

/** One line of the simulated acquirer's statement: money it pays us, or takes. */
export interface StatementLine {
  id: string;
  chargeId: string;
  transactionId: string;
  kind: "settlement" | "chargeback" | "reversal" | "refund";
  /** 1 for what is not paid in instalments. */
  instalment: number;
  settledOn: CivilDate;
  /** Negative when it is taken. */
  amount: number;
}

interface Sale {
  id: string;
  chargeId: string;
  method: string;
  cardMethod: string | null;
  installments: number;
  movements: Movement[];
}

/** Last instalment of the longest sale, with room for weekends. */
const LONGEST_DAYS = 24 * 30 + 15;

/** What the acquirer settles on a day: instalments less its cost, with refunds taken from what comes next. */
export async function statementOf(clientId: string, day: CivilDate, now: Date): Promise<StatementLine[]> {
  const from = startOfSaoPauloDay(addDays(day, -LONGEST_DAYS));
  const until = startOfSaoPauloDay(addDays(day, 1));
  const { sales, movements } = await forAccount(clientId, async (sql) => {
    const sales = await sql<Omit<Sale, "movements">[]>`
      select id, charge_id as "chargeId", method, installments, details ->> 'cardMethod' as "cardMethod"
        from sandbox_transactions
       where client_id = ${clientId} and id in (
         select transaction_id from sandbox_movements where client_id = ${clientId} and at >= ${from} and at < ${until})`;
    const ids = sales.map(({ id }) => id);
    return { sales, movements: (await movementsOf(sql, ids)).filter(({ at }) => at <= now) };
  });
  return sales
    .flatMap((sale) =>
      linesOf({ ...sale, movements: movements.filter(({ transactionId }) => transactionId === sale.id) }),
    )
    .filter(({ settledOn }) => settledOn === day);
}

/** Every line of a sale, past and planned, from what has happened to it so far. */
export function linesOf(sale: Sale): StatementLine[] {
  const planned = sale.movements
    .filter(({ kind }) => kind === "capture" || kind === "payment")
    .flatMap((taken) => plan(sale, taken))
    .sort((a, b) => (a.settledOn < b.settledOn ? -1 : a.settledOn > b.settledOn ? 1 : a.instalment - b.instalment));
  const direct: StatementLine[] = [];
  for (const { id, kind, amount, at } of sale.movements) {
    const settledOn = saoPauloDay(at);
    if (kind === "chargeback") direct.push(line(sale, id, kind, 1, settledOn, -amount));
    if (kind === "reversal") direct.push(line(sale, id, kind, 1, settledOn, amount));
    if (kind !== "refund") continue;
    let left = amount;
    for (const next of planned.filter((one) => one.settledOn >= settledOn)) {
      const netted = Math.min(left, next.amount);
      next.amount -= netted;
      left -= netted;
    }
    if (left > 0) direct.push(line(sale, id, kind, 1, settledOn, -left));
  }
  return [...planned, ...direct].filter(({ amount }) => amount !== 0);
}

function plan(sale: Sale, { id, amount, cost, at }: Movement): StatementLine[] {
  const day = saoPauloDay(at);
  if (sale.method !== "card") {
    const settledOn = sale.method === "boleto" ? nextBankDay(day) : day;
    return [line(sale, id, "settlement", 1, settledOn, amount - cost)];
  }
  if (sale.cardMethod === "debit") return [line(sale, id, "settlement", 1, nextBankDay(day), amount - cost)];
  return instalments(amount - cost, sale.installments).map((part, index) =>
    line(sale, id, "settlement", index + 1, creditSettlementDay(day, index + 1), part),
  );
}

const line = (
  sale: Sale,
  movementId: string,
  kind: StatementLine["kind"],
  instalment: number,
  settledOn: CivilDate,
  amount: number,
): StatementLine => ({
  id: derivedId("sandbox-statement", movementId, kind, instalment),
  chargeId: sale.chargeId,
  transactionId: sale.id,
  kind,
  instalment,
  settledOn,
  amount,
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
  const statement = await statementOf(clientId, date, now);
  return {
    date,
    captured: Number(sums?.captured ?? 0),
    refunded: Number(sums?.refunded ?? 0),
    chargedBack: Number(sums?.chargedBack ?? 0),
    settled: statement.reduce((total, { amount }) => total + amount, 0),
    providerCost: Number(sums?.providerCost ?? 0),
  };
}
