import { and, asc, desc, eq, gt, inArray, sql } from "drizzle-orm";
import { textArray } from "@/db/arrays";
import { ACCOUNT_KINDS, type AccountKind, journals, ledgerAccounts, postings } from "@/db/schema/ledger";
import { merchants } from "@/db/schema/merchants";
import { sellers } from "@/db/schema/sellers";
import { type Context, inSnapshot } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { type Evidence, evidenceOfJournal } from "@/lib/finance/evidence";
import { isUuid } from "@/lib/ids";
import { type AccountTotals, balancesOf, totalsOf } from "@/lib/ledger/checkpoints";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { shownSeller } from "@/lib/sellers/operator-queries";

const PER_PAGE = 25;
/** Journals of one piece of evidence. */
const MOST_FOUND = 100;
/** Receivables of a prepayment whose journals are looked up. */
const MOST_PARTS = 200;

// Object.keys of the literal gives exactly its keys.
const KINDS = Object.keys(ACCOUNT_KINDS) as AccountKind[];

export interface ShownAccount {
  id: string;
  kind: AccountKind;
  /** What tells accounts of one kind apart. */
  seller: string | null;
  arrangement: string | null;
  merchant: string | null;
  /** Debit +, credit −. */
  balance: number;
}

export interface ShownJournal {
  id: string;
  type: string;
  at: Date;
  isMemo: boolean;
  /** Everything that it moved, or what it did to the account that is looked at. */
  amount: number;
}

export interface LedgerView {
  totals: AccountTotals[];
  /** Over all accounts: nothing but 0. */
  sum: number;
  accounts: { kind: AccountKind; items: ShownAccount[]; next: string | undefined } | undefined;
  account: ShownAccount | undefined;
  journals: { items: ShownJournal[]; next: string | undefined } | undefined;
}

interface Asked {
  /** Accounts of one kind. */
  kind?: string | undefined;
  /** Movements of one account. */
  accountId?: string | undefined;
  /** Journals with this evidence. */
  search?: string | undefined;
  after?: string | undefined;
}

/** The chart with its balances, and below it the accounts of a kind, the movements of an account or what was searched. */
export async function ledgerView(ctx: Context, role: OperatorRole, asked: Asked): Promise<LedgerView> {
  demand(role, "ledger.see");
  return inSnapshot(ctx, async (inside) => {
    const totals = await totalsOf(inside, KINDS);
    const kind = KINDS.find((each) => each === asked.kind);
    const account = isUuid(asked.accountId ?? "") ? await accountAt(inside, role, asked.accountId ?? "") : undefined;
    return {
      totals: totals.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)),
      sum: totals.reduce((sum, { balance }) => sum + balance, 0),
      accounts: kind && !account && !asked.search ? await accountsOf(inside, role, kind, asked.after) : undefined,
      account,
      journals: asked.search
        ? { items: await foundBy(inside, asked.search), next: undefined }
        : account && (await movementsOf(inside, account.id, asked.after)),
    };
  });
}

async function shownAccounts(
  ctx: Context,
  role: OperatorRole,
  rows: readonly (typeof ledgerAccounts.$inferSelect)[],
): Promise<ShownAccount[]> {
  if (rows.length === 0) return [];
  const { db } = ctx;
  const ids = [...new Set(rows.flatMap(({ sellerId }) => sellerId ?? []))];
  const known = ids.length === 0 ? [] : await db.select().from(sellers).where(inArray(sellers.id, ids));
  const names = new Map(known.map((row) => [row.id, shownSeller(role, row).name]));
  const shops = await db
    .select({ id: merchants.id, name: merchants.name })
    .from(merchants)
    .where(inArray(merchants.id, [...new Set(rows.map(({ merchantId }) => merchantId))]));
  const balances = await balancesOf(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.map(({ id, kind, sellerId, arrangement, merchantId }) => ({
    id,
    kind,
    seller: sellerId === null ? null : (names.get(sellerId) ?? sellerId),
    arrangement,
    merchant: shops.find((shop) => shop.id === merchantId)?.name ?? null,
    balance: balances.get(id) ?? 0,
  }));
}

async function accountAt(ctx: Context, role: OperatorRole, id: string): Promise<ShownAccount> {
  const rows = await ctx.db
    .select()
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.clientId, ctx.account.id), eq(ledgerAccounts.id, id)));
  const [account] = await shownAccounts(ctx, role, rows);
  if (!account) throw notFound("account");
  return account;
}

async function accountsOf(
  ctx: Context,
  role: OperatorRole,
  kind: AccountKind,
  after: string | undefined,
): Promise<LedgerView["accounts"]> {
  const rows = await ctx.db
    .select()
    .from(ledgerAccounts)
    .where(
      and(
        eq(ledgerAccounts.clientId, ctx.account.id),
        eq(ledgerAccounts.kind, kind),
        sql`${ledgerAccounts.merchantId} in (select id from merchants where client_id = ${ctx.account.id})`,
        isUuid(after ?? "") ? gt(ledgerAccounts.id, after ?? "") : undefined,
      ),
    )
    .orderBy(asc(ledgerAccounts.id))
    .limit(PER_PAGE + 1);
  const items = await shownAccounts(ctx, role, rows.slice(0, PER_PAGE));
  return { kind, items, next: rows.length > PER_PAGE ? items.at(-1)?.id : undefined };
}

/** Of digits as many as a transaction of the database has at most, less one: the next beyond may be none. */
const POSITION = /^(\d{1,19})_(.+)$/;

/** Newest first, in the order of their transactions; of each what it did to this account. */
async function movementsOf(
  ctx: Context,
  accountId: string,
  after: string | undefined,
): Promise<LedgerView["journals"]> {
  const [, tx = "", id = ""] = POSITION.exec(after ?? "") ?? [];
  const from = isUuid(id) ? sql`and t.tx <= ${tx}::xid8 and (t.tx < ${tx}::xid8 or t.journal_id < ${id})` : sql``;
  const side = (column: "debit_account" | "credit_account") => sql`
    (select distinct t.tx, t.journal_id from transfers t where t.${sql.raw(column)} = ${accountId} ${from}
      order by t.tx desc, t.journal_id desc limit ${PER_PAGE + 1})`;
  const rows = await ctx.db.execute<{ tx: string; id: string }>(sql`
    select distinct tx::text as tx, journal_id as id, tx as place from (
      ${side("debit_account")} union all ${side("credit_account")}) sides
     order by place desc, journal_id desc limit ${PER_PAGE + 1}`);
  const found = [...rows];
  const shown = found.slice(0, PER_PAGE);
  const last = shown.at(-1);
  const known = await journalsBy(
    ctx,
    shown.map((each) => each.id),
    sql`sum(p.amount) filter (where p.account_id = ${accountId})`,
  );
  return {
    items: shown.flatMap((each) => known.get(each.id) ?? []),
    next: found.length > PER_PAGE && last ? `${last.tx}_${last.id}` : undefined,
  };
}

async function journalsBy(
  { db, account }: Context,
  ids: readonly string[],
  amount: ReturnType<typeof sql>,
): Promise<Map<string, ShownJournal>> {
  if (ids.length === 0) return new Map();
  const rows = await db.execute<Omit<ShownJournal, "at"> & { at: string }>(sql`
    select j.id, j.event_type as type, j.created_at as at, j.memo as "isMemo", coalesce(${amount}, 0)::float8 as amount
      from journals j join postings p on p.journal_id = j.id
     where j.client_id = ${account.id} and j.id = any(${textArray(ids)}::uuid[]) group by j.id`);
  return new Map([...rows].map((row) => [row.id, { ...row, at: new Date(row.at) }]));
}

/** By a journal's id, its evidence, or what its evidence belongs to: a payment, a batch, a transfer, a prepayment. */
async function foundBy(ctx: Context, search: string): Promise<ShownJournal[]> {
  const client = ctx.account.id;
  const id = isUuid(search) ? search.toLowerCase() : NO_ID;
  const rows = await ctx.db.execute<{ id: string }>(sql`
    with events (id) as (
      select ${isUuid(search) ? id : search}::text
      union select batch_id::text from payout_transfers where client_id = ${client} and (reference = ${search} or id = ${id})
      union select id::text from payout_transfers where client_id = ${client} and (reference = ${search} or batch_id = ${id})
      union (select i.prepayment_id || ':' || i.receivable_id from prepayment_items i
              where i.client_id = ${client} and i.prepayment_id = ${id} limit ${MOST_PARTS})
      union select l.provider_id || ':' || l.external_id from statement_lines l
             where l.client_id = ${client} and (l.id = ${id} or l.charge_id = ${id})
      union (select id::text from seller_adjustments where client_id = ${client} and seller_id = ${id} limit ${MOST_PARTS})
    )
    select id from (
      select j.id from journals j where j.client_id = ${client} and j.id = ${id}
      union select j.id from journals j where j.client_id = ${client} and j.event_id in (select id from events)
      union select j.id from journals j where j.client_id = ${client} and j.charge_id in (
        select c.id from charges c where c.client_id = ${client} and (c.id = ${id} or c.purchase_id = ${id}))) found
     order by id desc limit ${MOST_FOUND}`);
  const ids = [...rows].map((row) => row.id);
  const known = await journalsBy(ctx, ids, sql`sum(p.amount) filter (where p.amount > 0)`);
  return ids.flatMap((each) => known.get(each) ?? []);
}

const NO_ID = "00000000-0000-0000-0000-000000000000";

export interface JournalView {
  row: typeof journals.$inferSelect;
  merchant: string | null;
  lines: { line: number; account: ShownAccount; amount: number }[];
  /** Of all lines: 0. */
  sum: number;
  evidence: Evidence | undefined;
}

export async function journalView(ctx: Context, role: OperatorRole, id: string): Promise<JournalView> {
  demand(role, "ledger.see");
  if (!isUuid(id)) throw notFound("journal");
  return inSnapshot(ctx, async (inside) => {
    const { db, account } = inside;
    const [found] = await db
      .select({ row: journals, merchant: merchants.name })
      .from(journals)
      .leftJoin(merchants, eq(merchants.id, journals.merchantId))
      .where(and(eq(journals.clientId, account.id), eq(journals.id, id)));
    if (!found) throw notFound("journal");
    const lines = await db
      .select({ line: postings.line, amount: postings.amount, account: ledgerAccounts })
      .from(postings)
      .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, postings.accountId))
      .where(and(eq(postings.clientId, account.id), eq(postings.journalId, id)))
      .orderBy(asc(postings.line), desc(postings.amount));
    const accounts = await shownAccounts(
      inside,
      role,
      lines.map((each) => each.account),
    );
    return {
      ...found,
      lines: lines.flatMap(({ line, amount, account: { id: accountId } }) => {
        const shown = accounts.find((each) => each.id === accountId);
        return shown ? [{ line, amount, account: shown }] : [];
      }),
      sum: lines.reduce((sum, { amount }) => sum + amount, 0),
      evidence: await evidenceOfJournal(inside, found.row),
    };
  });
}
