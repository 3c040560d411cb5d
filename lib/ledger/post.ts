import { type SQL, sql } from "drizzle-orm";
import type { receivables } from "@/db/schema/receivables";
import { type Write, writeTogether } from "@/db/writes";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, now } from "@/lib/context";
import { newId } from "@/lib/ids";
import { type AccountName, type AccountRow, accountOf, isMemo } from "@/lib/ledger/accounts";
import type { Cents } from "@/lib/money";

/** What a journal is evidence of: spec/money.md section 10. The pair (type, id) is posted at most once. */
export type EvidenceType =
  | "hold"
  | "hold_release"
  | "capture"
  | "fee"
  | "fares"
  | "provider_cost"
  | "settlement"
  | "release"
  | "payout"
  | "payout_paid"
  | "payout_failed"
  | "payout_returned"
  | "adjustment"
  | "prepayment"
  | "refund"
  /** Of the journal that it names. */
  | "reversal"
  | "chargeback"
  | "chargeback_refund"
  | "suspense";

/** Books are kept for each merchant and currency; what is about a charge names it. */
export interface JournalSubject {
  merchantId: string;
  currency: string;
  chargeId?: string;
}

/** Money that goes from one account to another: debit + and credit −, so no draft can be out of balance. */
export interface Transfer {
  debit: AccountName;
  credit: AccountName;
  amount: Cents;
}

type Given =
  | "id"
  | "clientId"
  | "merchantId"
  | "chargeId"
  | "journalId"
  | "currency"
  | "createdAt"
  | "updatedAt"
  | "batchId";
export type NewReceivable = Omit<Required<typeof receivables.$inferInsert>, Given>;

export interface Draft extends JournalSubject {
  type: EvidenceType;
  eventId: string;
  transfers: readonly Transfer[];
  /** The journal that it takes back: no journal is taken back twice. */
  reverses?: string;
  /** Come with the journal: evidence already posted makes none. */
  receivables?: readonly NewReceivable[];
}

/** A transfer, or none of nothing. */
export const transfer = (debit: AccountName, credit: AccountName, amount: Cents): Transfer[] =>
  amount === 0 ? [] : [{ debit, credit, amount }];

/** Left alone when they are there: most are, and one that is not tried costs no look at its checks and keys. */
const ACCOUNTS = `insert into ledger_accounts (id, client_id, merchant_id, kind, seller_id, arrangement, currency, memo)
  select id, client_id, merchant_id, kind, seller_id, arrangement, currency, memo
    from json_populate_recordset(null::ledger_accounts, `;

const JOURNALS = `insert into journals (id, client_id, merchant_id, event_type, event_id, currency, memo, lines, civil_date,
    charge_id, reverses, created_at)
  select id, client_id, merchant_id, event_type, event_id, currency, memo, lines, civil_date, charge_id, reverses, created_at
    from json_populate_recordset(null::journals, `;

const TRANSFERS = `insert into transfers (journal_id, line, client_id, merchant_id, currency, memo, debit_account,
    credit_account, amount)
  select journal_id, line, client_id, merchant_id, currency, memo, debit_account, credit_account, amount
    from json_populate_recordset(null::transfers, `;

const RECEIVABLES = `insert into receivables (id, client_id, merchant_id, charge_id, journal_id, seller_id, type, status,
    installment, installments, currency, gross, fee, anticipation_fee, payment_method, payment_arrangement, payment_date,
    original_payment_date, reduces, available_at, created_at, updated_at)
  select r.id, client_id, merchant_id, charge_id, journal_id, seller_id, type, status,
         installment, installments, currency, gross, fee, anticipation_fee, payment_method, payment_arrangement, payment_date,
         original_payment_date, reduces, available_at, created_at, updated_at
    from json_populate_recordset(null::receivables, `;

/** The journals that are new: evidence already posted makes no other rows. */
const FRESH = "fresh_journals";

/**
 * Posts in the transaction that records the evidence, in one statement however many lines there are; evidence already
 * posted is left alone. A draft that moves nothing is none.
 */
export async function post(ctx: Context, drafts: readonly Draft[]): Promise<void> {
  const writes = postings(ctx, drafts);
  if (writes.length > 0) await writeTogether(ctx.db, writes);
}

/** The same as writes of the caller's statement. */
export function postings(ctx: Context, drafts: readonly Draft[]): Write[] {
  const moving = drafts.filter(({ transfers }) => transfers.length > 0);
  if (moving.length === 0) return [];
  const { accounts, journals, transfers, receivables } = rowsOf(ctx, moving);
  return [
    records(
      "accounts",
      ACCOUNTS,
      accounts,
      (gate) => sql`where (select true from ledger_accounts known where known.id = a.id) is null and ${gate}
        on conflict do nothing returning 1`,
    ),
    {
      ...records(
        "journals",
        JOURNALS,
        journals,
        (gate) => sql`where ${gate} on conflict (event_type, event_id) do nothing returning id`,
      ),
      as: FRESH,
    },
    records("transfers", TRANSFERS, transfers, ofFresh("t")),
    ...(receivables.length > 0 ? [records("receivables", RECEIVABLES, receivables, ofFresh("r"))] : []),
  ];
}

/** One parameter for any number of rows. */
function records(shape: string, text: string, rows: readonly object[], rest: (gate: SQL) => SQL): Write {
  const alias = sql.raw(shape.slice(0, 1));
  return {
    shape,
    values: [inColumns(rows)],
    text: (place, gate) => sql`${sql.raw(text)}${place(0)}::json) ${alias} ${rest(gate)}`,
  };
}

const ofFresh = (alias: string) => (gate: SQL) =>
  sql`join ${sql.raw(FRESH)} on ${sql.raw(FRESH)}.id = ${sql.raw(alias)}.journal_id where ${gate} returning 1`;

function rowsOf(ctx: Context, drafts: readonly Draft[]) {
  const clientId = ctx.account.id;
  const createdAt = now(ctx);
  const civilDate = saoPauloDay(createdAt);
  const accounts = new Map<string, AccountRow>();
  const made = drafts.map((draft) => {
    const { merchantId, currency, chargeId = null, type: eventType, eventId, reverses = null } = draft;
    const own = { clientId, merchantId, currency };
    const memo = draft.transfers.every(({ debit, credit }) => isMemo(debit) && isMemo(credit));
    const journal = { id: newId(), ...own, eventType, eventId, memo, civilDate, chargeId, reverses, createdAt };
    const accountId = (name: AccountName): string => {
      const account = accountOf(own, name);
      accounts.set(account.id, account);
      return account.id;
    };
    const transfers = draft.transfers.map(({ debit, credit, amount }, index) => ({
      journalId: journal.id,
      line: index + 1,
      ...own,
      memo,
      debitAccount: accountId(debit),
      creditAccount: accountId(credit),
      amount,
    }));
    const receivables = (draft.receivables ?? []).map((receivable) => ({
      id: newId(),
      ...own,
      chargeId,
      journalId: journal.id,
      createdAt,
      updatedAt: createdAt,
      ...receivable,
    }));
    return { journal: { ...journal, lines: transfers.length }, transfers, receivables };
  });
  return {
    // In one order everywhere: two transactions that make the same accounts never wait for each other in turn.
    accounts: [...accounts.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    journals: made.map(({ journal }) => journal),
    transfers: made.flatMap(({ transfers }) => transfers),
    receivables: made.flatMap(({ receivables }) => receivables),
  };
}

/** Rows as the statement reads them: by the names of the columns. */
const inColumns = (rows: readonly object[]): string => JSON.stringify(rows.map(named));

function named(row: object): Record<string, unknown> {
  const given: Readonly<Record<string, unknown>> = { ...row };
  const columns: Record<string, unknown> = {};
  for (const name in given) columns[columnOf(name)] = given[name];
  return columns;
}

/** Names of members of this module: few, and each asked for with every payment. */
const columnNames = new Map<string, string>();

function columnOf(name: string): string {
  const known = columnNames.get(name);
  if (known) return known;
  const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  columnNames.set(name, column);
  return column;
}
