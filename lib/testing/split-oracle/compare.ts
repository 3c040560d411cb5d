import { systemSql } from "@/db/client";
import { type Books, OWN, type Part } from "@/lib/testing/split-oracle/oracle";
import type { Place } from "@/lib/testing/split-oracle/place";
import { total } from "@/lib/testing/split-oracle/rational";

/** Debit +, of this charge alone; what is zero is left out. */
export async function booksOf({ sellers }: Place, chargeId: string): Promise<Record<string, number>> {
  const rows = await systemSql()<{ kind: string; seller: string | null; balance: number }[]>`
    select a.kind, a.seller_id as seller, sum(p.amount)::float8 as balance
      from postings p join journals j on j.id = p.journal_id join ledger_accounts a on a.id = p.account_id
     where j.charge_id = ${chargeId} and not a.memo group by 1, 2 having sum(p.amount) <> 0`;
  return Object.fromEntries(
    rows.map(({ kind, seller, balance }) => [seller ? `${kind} ${sellers.indexOf(seller)}` : kind, balance]),
  );
}

export function expectedBooks(books: Books): Record<string, number> {
  const named = (kind: "pending" | "available", party: number) =>
    party === OWN ? `merchant_${kind}` : `seller_${kind} ${party}`;
  const rows: [string, number][] = [
    ["provider_receivable", books.owed],
    ["bank", books.bank],
    ["revenue:platform_fee", -books.platformFee],
    ["revenue:fares", -books.fares],
    ...[...books.waiting].map(([party, waiting]): [string, number] => [named("pending", party), -total(waiting)]),
    ...[...books.available].map(([party, amount]): [string, number] => [named("available", party), -amount]),
  ];
  return Object.fromEntries(rows.filter(([, balance]) => balance !== 0));
}

/** Gross and fee by party and instalment. */
export async function receivablesOf({ sellers }: Place, chargeId: string): Promise<Record<string, [number, number]>> {
  const rows = await systemSql()<{ seller: string | null; installment: number; gross: number; fee: number }[]>`
    select seller_id as seller, installment, gross::float8 as gross, fee::float8 as fee from receivables
     where charge_id = ${chargeId} and type = 'credit'`;
  return Object.fromEntries(
    rows.map(({ seller, installment, gross, fee }) => [
      `${seller === null ? OWN : sellers.indexOf(seller)} ${installment}`,
      [gross, fee],
    ]),
  );
}

export const expectedReceivables = (parts: readonly Part[]): Record<string, [number, number]> =>
  Object.fromEntries(
    parts.flatMap(({ party, gross, fee }) =>
      gross.flatMap((value, at): [string, [number, number]][] =>
        value > 0 ? [[`${party} ${at + 1}`, [value, fee[at] ?? 0]]] : [],
      ),
    ),
  );
