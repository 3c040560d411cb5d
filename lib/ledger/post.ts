import { type SQL, sql } from "drizzle-orm";
import { columnSet, type Members } from "@/db/column-sets";
import type { splitRules } from "@/db/schema/charges";
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

/** What a rule of a split came to when its charge was captured. */
export type KeptShare = Pick<
  typeof splitRules.$inferSelect,
  | "id"
  | "capturedShare"
  | "processing"
  | "processingMdr"
  | "processingRefundable"
  | "rateId"
  | "fares"
  | "faresMdr"
  | "faresRefundable"
>;

export interface Draft extends JournalSubject {
  type: EvidenceType;
  eventId: string;
  transfers: readonly Transfer[];
  /** The journal that it takes back: no journal is taken back twice. */
  reverses?: string;
  /** Come with the journal: evidence already posted makes none. */
  receivables?: readonly NewReceivable[];
  /** Of a capture that is shared: kept beside its rules, so that a refund gives back by what was charged. */
  shares?: readonly KeptShare[];
}

/** A transfer, or none of nothing. */
export const transfer = (debit: AccountName, credit: AccountName, amount: Cents): Transfer[] =>
  amount === 0 ? [] : [{ debit, credit, amount }];

/** Left alone when they are there: most are, and one that is not tried costs no look at its checks and keys. */
const ACCOUNTS = `insert into ledger_accounts (id, client_id, merchant_id, kind, seller_id, arrangement, currency, memo)
  select id, client_id, merchant_id, kind, seller_id, arrangement, currency, memo from `;

const ACCOUNT: Members = [
  ["id", "uuid"],
  ["clientId", "uuid"],
  ["merchantId", "uuid"],
  ["kind", "text"],
  ["sellerId", "uuid"],
  ["arrangement", "text"],
  ["currency", "text"],
  ["memo", "boolean"],
];

const JOURNALS = `insert into journals (id, client_id, merchant_id, event_type, event_id, currency, memo, lines, civil_date,
    charge_id, reverses, created_at)
  select id, client_id, merchant_id, event_type, event_id, currency, memo, lines, civil_date, charge_id, reverses, created_at
    from `;

const JOURNAL: Members = [
  ["id", "uuid"],
  ["clientId", "uuid"],
  ["merchantId", "uuid"],
  ["eventType", "text"],
  ["eventId", "text"],
  ["currency", "text"],
  ["memo", "boolean"],
  ["lines", "smallint"],
  ["civilDate", "date"],
  ["chargeId", "uuid"],
  ["reverses", "uuid"],
  ["createdAt", "timestamptz"],
];

const TRANSFERS = `insert into transfers (journal_id, line, client_id, merchant_id, currency, memo, debit_account,
    credit_account, amount)
  select t.journal_id, t.line, j.client_id, j.merchant_id, j.currency, j.memo, t.debit_account, t.credit_account, t.amount
    from `;

const TRANSFER: Members = [
  ["journalId", "uuid"],
  ["line", "smallint"],
  ["debitAccount", "uuid"],
  ["creditAccount", "uuid"],
  ["amount", "bigint"],
];

const RECEIVABLES = `insert into receivables (id, client_id, merchant_id, charge_id, journal_id, seller_id, type, status,
    installment, installments, currency, gross, fee, anticipation_fee, payment_method, payment_arrangement, payment_date,
    original_payment_date, reduces, available_at, created_at, updated_at)
  select r.id, j.client_id, j.merchant_id, j.charge_id, r.journal_id, r.seller_id, r.type, r.status, r.installment,
         r.installments, j.currency, r.gross, r.fee, r.anticipation_fee, r.payment_method, r.payment_arrangement,
         r.payment_date, r.original_payment_date, r.reduces, r.available_at, j.created_at, j.created_at
    from `;

const RECEIVABLE: Members = [
  ["id", "uuid"],
  ["journalId", "uuid"],
  ["sellerId", "uuid"],
  ["type", "text"],
  ["status", "text"],
  ["installment", "smallint"],
  ["installments", "smallint"],
  ["gross", "bigint"],
  ["fee", "bigint"],
  ["anticipationFee", "bigint"],
  ["paymentMethod", "text"],
  ["paymentArrangement", "text"],
  ["paymentDate", "date"],
  ["originalPaymentDate", "date"],
  ["reduces", "uuid"],
  ["availableAt", "timestamptz"],
];

/** The journals that are new: evidence already posted makes no other rows. */
export const FRESH = "fresh_journals";

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
    accountsWrite(accounts),
    {
      ...columnSet(
        "journals",
        JOURNALS,
        "j",
        JOURNAL,
        journals,
        (gate) => sql`where ${gate} on conflict (event_type, event_id) do nothing
          returning id, client_id, merchant_id, charge_id, currency, memo, created_at`,
      ),
      as: FRESH,
    },
    columnSet("transfers", TRANSFERS, "t", TRANSFER, transfers, ofFresh("t")),
    ...(receivables.length > 0
      ? [columnSet("receivables", RECEIVABLES, "r", RECEIVABLE, receivables, ofFresh("r"))]
      : []),
    ...moving.flatMap(({ chargeId, shares = [] }) => (chargeId && shares.length > 0 ? [kept(chargeId, shares)] : [])),
  ];
}

/** In one order everywhere: two transactions that make the same accounts never wait for each other in turn. */
export const accountsWrite = (accounts: readonly AccountRow[]): Write =>
  columnSet(
    "accounts",
    ACCOUNTS,
    "a",
    ACCOUNT,
    [...accounts].sort((a, b) => (a.id < b.id ? -1 : 1)),
    (gate) => sql`where (select true from ledger_accounts known where known.id = a.id) is null and ${gate}
      on conflict do nothing returning 1`,
  );

/** Once: what a rule came to is never written anew. Through the charge, which finds its rules by their key. */
const kept = (chargeId: string, shares: readonly KeptShare[]): Write => ({
  shape: "kept shares",
  values: [JSON.stringify(shares), chargeId],
  text: (place, gate) => sql`
    update split_rules s
       set captured_share = k."capturedShare", processing = k.processing, processing_mdr = k."processingMdr",
           processing_refundable = k."processingRefundable", rate_id = k."rateId",
           fares = k.fares, fares_mdr = k."faresMdr", fares_refundable = k."faresRefundable"
      from json_to_recordset(${place(0)}::json)
             as k (id uuid, "capturedShare" bigint, processing bigint, "processingMdr" bigint, "processingRefundable" text,
                   "rateId" uuid, fares bigint, "faresMdr" bigint, "faresRefundable" text)
     where s.charge_id = ${place(1)}::uuid and s.id = k.id and s.captured_share is null and ${gate} returning 1`,
});

const ofFresh = (alias: string) => (gate: SQL) =>
  sql`join ${sql.raw(FRESH)} j on j.id = ${sql.raw(alias)}.journal_id where ${gate} returning 1`;

function rowsOf(ctx: Context, drafts: readonly Draft[]) {
  const clientId = ctx.account.id;
  const createdAt = now(ctx);
  const civilDate = saoPauloDay(createdAt);
  const accounts = new Map<string, AccountRow>();
  // An id is a digest, which counts where thousands of journals are of the same few accounts.
  const named = new Map<string, AccountRow>();
  const made = drafts.map((draft) => {
    const { merchantId, currency, chargeId = null, type: eventType, eventId, reverses = null } = draft;
    const own = { clientId, merchantId, currency };
    const memo = draft.transfers.every(({ debit, credit }) => isMemo(debit) && isMemo(credit));
    const journal = { id: newId(), ...own, eventType, eventId, memo, civilDate, chargeId, reverses, createdAt };
    const accountId = (name: AccountName): string => {
      const key = JSON.stringify([merchantId, currency, name]);
      const account = named.get(key) ?? accountOf(own, name);
      named.set(key, account);
      accounts.set(account.id, account);
      return account.id;
    };
    const transfers = draft.transfers.map(({ debit, credit, amount }, index) => ({
      journalId: journal.id,
      line: index + 1,
      debitAccount: accountId(debit),
      creditAccount: accountId(credit),
      amount,
    }));
    const receivables = (draft.receivables ?? []).map((receivable) => ({
      id: newId(),
      journalId: journal.id,
      ...receivable,
    }));
    return { journal: { ...journal, lines: transfers.length }, transfers, receivables };
  });
  return {
    accounts: [...accounts.values()],
    journals: made.map(({ journal }) => journal),
    transfers: made.flatMap(({ transfers }) => transfers),
    receivables: made.flatMap(({ receivables }) => receivables),
  };
}
