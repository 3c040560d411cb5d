import type { ReportType } from "@/db/schema/reports";
import { customers, deliveries, ledger, receivables, sellers } from "@/lib/reports/types/others";
import { payoutBatches, payoutOrders, prepayments } from "@/lib/reports/types/payouts";
import { disputes, purchases, sessions } from "@/lib/reports/types/sales";
import { subscriptions } from "@/lib/reports/types/subscriptions";
import { transactions, transactionsHistory } from "@/lib/reports/types/transactions";
import type { Column, RowSource } from "@/lib/reports/types/type";

/** Every type has its rows: one that lacks them does not compile. */
const SOURCES: { readonly [T in ReportType]: RowSource } = {
  transactions,
  transactionsHistory,
  purchases,
  sessions,
  disputes,
  receivables,
  payout_orders: payoutOrders,
  payout_batches: payoutBatches,
  prepayments,
  ledger,
  subscriptions,
  sellers,
  customers,
  deliveries,
};

export const sourceOf = (type: ReportType): RowSource => SOURCES[type];

export const acceptedColumns = ({ columns, offered = {}, further = [] }: RowSource): readonly Column[] => [
  ...columns,
  ...Object.values(offered).flat(),
  ...further,
];

/** What the dashboard offers: `all`, and what it leaves out for the sake of programs, each in its place. */
export const offeredColumns = ({ columns, offered = {} }: RowSource): readonly Column[] =>
  columns.flatMap((column) => [column, ...(offered[column.id] ?? [])]);

/** The column of an identifier or of its synonym. */
export const columnOf = (source: RowSource, id: string): Column | undefined => {
  const own = source.synonyms?.[id] ?? id;
  return acceptedColumns(source).find((column) => column.id === own);
};

/** Grows with every change of what a column or a row of a type is; the manifest states it. */
export const SQL_VERSION = 1;
