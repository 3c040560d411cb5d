import { sql } from "drizzle-orm";
import { textArray } from "@/db/arrays";
import type { statementLines } from "@/db/schema/settlement";
import type { Context } from "@/lib/context";
import type { Cents } from "@/lib/money";
import type { StatementLine } from "@/lib/providers/statements";
import { grossOf } from "@/lib/settlement/statement-file";

/** A line that was booked, of an upload before. */
export type Booked = Pick<
  typeof statementLines.$inferSelect,
  "externalId" | "providerTxId" | "chargeId" | "kind" | "installment" | "settledOn" | "amount" | "cost"
>;

/** What the books have refunded of each of these sales, one amount for each refund that was not taken back. */
export async function bookedRefundsOf({ db }: Context, chargeIds: readonly string[]): Promise<Map<string, Cents[]>> {
  if (chargeIds.length === 0) return new Map();
  const rows = await db.execute<{ chargeId: string; amount: number }>(sql`
    select j.charge_id as "chargeId", (-sum(p.amount))::float8 as amount
      from journals j join postings p on p.journal_id = j.id join ledger_accounts a on a.id = p.account_id
     where j.charge_id = any(${textArray(chargeIds)}::uuid[]) and j.event_type = 'refund' and a.kind = 'provider_receivable'
       and not exists (select from journals r where r.reverses = j.id)
     group by j.charge_id, j.id`);
  const refunds = new Map<string, Cents[]>();
  for (const { chargeId, amount } of rows) refunds.set(chargeId, [...(refunds.get(chargeId) ?? []), amount]);
  return refunds;
}

interface Given {
  booked: readonly Booked[];
  /** The sale that a name of the provider stands for. */
  saleOf: (providerTxId: string | null) => string | undefined;
  refunds: ReadonlyMap<string, readonly Cents[]>;
}

/** A line, told or booked. */
interface Refund {
  id: string;
  sale: string | undefined;
  amount: Cents;
  /** The day, the instalment and the provider's name of the sale: once they were all that a line was known by. */
  place: string;
}

/**
 * Which refund lines of a file are not booked, by their ids: a further equal one is `doubled` unless the books have that
 * many refunds of the sale and amount; another amount in place of one that was booked is `changed` unless the books have
 * them both. Lines that were booked are not among them.
 */
export function refusedRefunds(
  lines: readonly StatementLine[],
  { booked, saleOf, refunds }: Given,
): ReadonlyMap<string, "doubled" | "changed"> {
  const before = booked.filter(isRefund).map((row): Refund => {
    const { externalId: id, chargeId, providerTxId, settledOn, installment } = row;
    const place = `${settledOn}:${installment}:${providerTxId}`;
    return { id, sale: chargeId ?? saleOf(providerTxId), amount: grossOf(row), place };
  });
  const told = lines.filter(isRefund).map((line): Refund => {
    const { id, providerTxId, settledOn, instalment } = line;
    const place = `${settledOn}:${instalment}:${providerTxId}`;
    return { id, sale: saleOf(providerTxId), amount: grossOf(line), place };
  });
  const bookedIds = new Set(before.map(({ id }) => id));
  const toldIds = new Set(told.map(({ id }) => id));
  const absent = new Map<string, Refund[]>();
  for (const one of before) if (!toldIds.has(one.id)) absent.set(one.place, [...(absent.get(one.place) ?? []), one]);
  const first = firstOfEach(told);

  /** Lines of a sale and an amount, on whatever day: as many as there are refunds of it are covered. */
  const counted = new Map<string, Set<string>>();
  const isCovered = ({ id, sale, amount }: Refund): boolean => {
    const known = sale === undefined ? [] : (refunds.get(sale) ?? []);
    const ids = (counted.get(`${sale}:${amount}`) ?? new Set()).add(id);
    counted.set(`${sale}:${amount}`, ids);
    return ids.size <= known.filter((refund) => refund === -amount).length;
  };
  for (const one of [...before, ...first]) isCovered(one);

  const refused = new Map<string, "doubled" | "changed">();
  for (const one of told.filter(({ id }) => !bookedIds.has(id))) {
    const isTrue = isCovered(one);
    const others = absent.get(one.place) ?? [];
    if (!first.has(one) && !isTrue) {
      counted.get(`${one.sale}:${one.amount}`)?.delete(one.id);
      refused.set(one.id, "doubled");
    } else if (others.length > 0 && !(isTrue && others.every(isCovered))) refused.set(one.id, "changed");
  }
  return refused;
}

export const isRefund = ({ kind }: Pick<Booked, "kind">): boolean => kind === "refund";

/** Of equal lines the first. */
function firstOfEach(told: readonly Refund[]): ReadonlySet<Refund> {
  const first = new Map<string, Refund>();
  for (const one of [...told].reverse()) first.set(`${one.amount}:${one.place}`, one);
  return new Set(first.values());
}
