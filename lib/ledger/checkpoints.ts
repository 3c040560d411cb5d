import { type SQL, sql } from "drizzle-orm";
import { textArray } from "@/db/arrays";
import type { AccountKind } from "@/db/schema/ledger";
import { type Write, writeTogether } from "@/db/writes";
import { type Context, now } from "@/lib/context";

/**
 * Newest checkpoint of account `a`, or the beginning of all. None of another database's transactions counts: they have
 * numbers of their own. What is compared with its `up_to` must not be wrapped in an expression: behind row security only
 * a bare column is let into the condition of an index.
 */
const LAST = sql.raw(`lateral (
  select up_to, balance, id, created_at from (
    (select up_to, balance, id, created_at from ledger_checkpoints k
      where k.account_id = a.id and k.up_to <= pg_snapshot_xmin(pg_current_snapshot()) order by k.up_to desc limit 1)
    union all select '0'::xid8, 0, null, null) known order by up_to desc limit 1)`);

const movedBetween = (from: string, until: string) =>
  sql.raw(`lateral (
    select coalesce(sum(amount), 0) as amount, count(*) as transfers from (
      select amount from transfers t where t.debit_account = a.id and t.tx >= ${from} and t.tx < ${until}
      union all
      select -amount from transfers t where t.credit_account = a.id and t.tx >= ${from} and t.tx < ${until}) sides)`);

/**
 * Keeps the balance of each account of a merchant that moved since its last one, as a write of the caller's statement.
 * Transactions under way may still write transfers: it counts those before the oldest of them.
 */
export const checkpointing = (ctx: Context, merchantId: string): Write => ({
  shape: "checkpoint",
  values: [merchantId, now(ctx).toISOString()],
  text: (place, gate) => sql`
    insert into ledger_checkpoints (id, client_id, merchant_id, account_id, up_to, balance, created_at)
    select gen_random_uuid(), a.client_id, a.merchant_id, a.id, h.horizon, last.balance + moved.amount,
           ${place(1)}::timestamptz
      from ledger_accounts a
      cross join (select pg_snapshot_xmin(pg_current_snapshot()) as horizon) h
      cross join ${LAST} last
      cross join ${movedBetween("last.up_to", "h.horizon")} moved
     where a.merchant_id = ${place(0)}::uuid and moved.transfers > 0 and ${gate}
    on conflict do nothing returning 1`,
});

export async function checkpoint(ctx: Context, merchantId: string): Promise<void> {
  await writeTogether(ctx.db, [checkpointing(ctx, merchantId)]);
}

/** Debit +, credit −, by account, of accounts that have moved: the newest checkpoint and what came after it. */
export async function balancesOf({ db }: Context, accountIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.execute<{ id: string; balance: number }>(sql`
    select a.id, (last.balance + moved.amount)::float8 as balance
      from ledger_accounts a
      cross join ${LAST} last
      cross join ${movedBetween("last.up_to", "'18446744073709551615'")} moved
     where a.id = any(${`{${accountIds.join(",")}}`}::uuid[])`);
  return new Map([...rows].map(({ id, balance }) => [id, balance]));
}

/** What moves a balance: transfers, and what a checkpoint stands for. */
export interface Movements {
  /** `k` is the checkpoint: id, account_id, balance, created_at. */
  broughtForward: SQL;
  /** `p`: journal_id, line and amount, debit +, credit −. */
  postings: SQL;
}

/** The newest checkpoint of each account and what was booked since; nothing that stands before it is read. */
export const movementsSince = (accountIds: readonly string[]): Movements => {
  const a = sql`(select id from ledger_accounts where id = any(${textArray(accountIds)}::uuid[])) a`;
  return {
    broughtForward: sql`(select last.id, a.id as account_id, last.balance, last.created_at
      from ${a} cross join ${LAST} last where last.id is not null) k`,
    postings: sql`(select sides.* from ${a} cross join ${LAST} last
      cross join ${sidesBetween("last.up_to", "'18446744073709551615'")} sides) p`,
  };
};

/** What a checkpoint of an account is made of: the one before it, and what was booked between the two. */
export const movementsOfCheckpoint = (id: string): Movements => {
  const own = sql`(select account_id as id, up_to from ledger_checkpoints where id = ${id}::uuid) a`;
  const before = sql.raw(`lateral (
    select id, up_to, balance, created_at from (
      (select id, up_to, balance, created_at from ledger_checkpoints k
        where k.account_id = a.id and k.up_to < a.up_to order by k.up_to desc limit 1)
      union all select null, '0'::xid8, 0, null) known order by up_to desc limit 1)`);
  return {
    broughtForward: sql`(select last.id, a.id as account_id, last.balance, last.created_at
      from ${own} cross join ${before} last where last.id is not null) k`,
    postings: sql`(select sides.* from ${own} cross join ${before} last
      cross join ${sidesBetween("last.up_to", "a.up_to")} sides) p`,
  };
};

const sidesBetween = (from: string, until: string) =>
  sql.raw(`lateral (
    select journal_id, line, amount from transfers t where t.debit_account = a.id and t.tx >= ${from} and t.tx < ${until}
    union all
    select journal_id, line, -amount from transfers t where t.credit_account = a.id and t.tx >= ${from} and t.tx < ${until})`);

/** Debit +, credit −: `id`, `kind`, `seller_id` and `balance` of each account of these kinds that the reader may see. */
export const accountBalances = ({ account }: Context, kinds: readonly AccountKind[]): SQL => sql`
  select a.id, a.kind, a.seller_id, last.balance + moved.amount as balance
    from ledger_accounts a
    cross join ${LAST} last
    cross join ${movedBetween("last.up_to", "'18446744073709551615'")} moved
   where a.client_id = ${account.id} and a.kind = any(${textArray(kinds)})
     and a.merchant_id in (select id from merchants where client_id = ${account.id})`;

export interface AccountTotals {
  kind: AccountKind;
  accounts: number;
  /** Debit +, credit −. */
  balance: number;
  /** Of those accounts alone that stand in debit, and of those in credit: both above 0. */
  debit: number;
  credit: number;
}

/** Over all accounts of these kinds that the reader may see. */
export async function totalsOf(ctx: Context, kinds: readonly AccountKind[]): Promise<AccountTotals[]> {
  const rows = await ctx.db.execute<AccountTotals & Record<string, unknown>>(sql`
    select kind, count(*)::int as accounts, sum(balance)::float8 as balance,
           sum(greatest(balance, 0))::float8 as debit, sum(greatest(0 - balance, 0))::float8 as credit
      from (${accountBalances(ctx, kinds)}) known
     group by kind`);
  return [...rows];
}
