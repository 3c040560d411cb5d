import { sql } from "drizzle-orm";
import { textArray } from "@/db/arrays";
import type { AccountKind } from "@/db/schema/ledger";
import { type Context, now } from "@/lib/context";

/**
 * Newest checkpoint of account `a`, or the beginning of all. None of another database's transactions counts: they have
 * numbers of their own. What is compared with its `up_to` must not be wrapped in an expression: behind row security only
 * a bare column is let into the condition of an index.
 */
const LAST = sql.raw(`lateral (
  select up_to, balance from (
    (select up_to, balance from ledger_checkpoints k
      where k.account_id = a.id and k.up_to <= pg_snapshot_xmin(pg_current_snapshot()) order by k.up_to desc limit 1)
    union all select '0'::xid8, 0) known order by up_to desc limit 1)`);

const movedBetween = (from: string, until: string) =>
  sql.raw(`lateral (
    select coalesce(sum(amount), 0) as amount, count(*) as transfers from (
      select amount from transfers t where t.debit_account = a.id and t.tx >= ${from} and t.tx < ${until}
      union all
      select -amount from transfers t where t.credit_account = a.id and t.tx >= ${from} and t.tx < ${until}) sides)`);

/**
 * Keeps the balance of each account of a merchant that moved since its last one. Transactions under way may still write
 * transfers: it counts those before the oldest of them.
 */
export async function checkpoint(ctx: Context, merchantId: string): Promise<void> {
  await ctx.db.execute(sql`
    insert into ledger_checkpoints (id, client_id, merchant_id, account_id, up_to, balance, created_at)
    select gen_random_uuid(), a.client_id, a.merchant_id, a.id, h.horizon, last.balance + moved.amount,
           ${now(ctx).toISOString()}
      from ledger_accounts a
      cross join (select pg_snapshot_xmin(pg_current_snapshot()) as horizon) h
      cross join ${LAST} last
      cross join ${movedBetween("last.up_to", "h.horizon")} moved
     where a.merchant_id = ${merchantId} and moved.transfers > 0
    on conflict do nothing`);
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

export interface Totals {
  kind: AccountKind;
  accounts: number;
  /** Debit +, credit −. */
  balance: number;
  /** Of those accounts alone that stand in debit, and of those in credit: both above 0. */
  debit: number;
  credit: number;
}

/** Over all accounts of these kinds that the reader may see. */
export async function totalsOf({ account, db }: Context, kinds: readonly AccountKind[]): Promise<Totals[]> {
  const rows = await db.execute<Totals & Record<string, unknown>>(sql`
    select kind, count(*)::int as accounts, sum(balance)::float8 as balance,
           sum(greatest(balance, 0))::float8 as debit, sum(greatest(0 - balance, 0))::float8 as credit
      from (select a.kind, last.balance + moved.amount as balance
              from ledger_accounts a
              cross join ${LAST} last
              cross join ${movedBetween("last.up_to", "'18446744073709551615'")} moved
             where a.client_id = ${account.id} and a.kind = any(${textArray(kinds)})
               and a.merchant_id in (select id from merchants where client_id = ${account.id})) known
     group by kind`);
  return [...rows];
}
