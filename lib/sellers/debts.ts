import { sql } from "drizzle-orm";
import { addDays, type CivilDate } from "@/lib/brazil/bank-calendar";
import { type Context, now } from "@/lib/context";
import { accountOf } from "@/lib/ledger/accounts";
import { balancesOf } from "@/lib/ledger/checkpoints";

/** People are told of a debt that nothing was paid of for so long (spec/settlement.md section 3). */
export const QUIET_DAYS = 90;

interface Kept extends Record<string, unknown> {
  sellerId: string;
  debtSince: CivilDate | null;
  debtToldAt: string | null;
}

/**
 * Who owes, since when, and who of them is told of: once a bank day. A debt begins with the entry after which the seller
 * never had anything again; it ends when releases, later batches or a write-off have paid it.
 */
export async function keepDebts(ctx: Context, merchantId: string, day: CivilDate): Promise<void> {
  const kept = await positionsOf(ctx, merchantId);
  if (kept.length === 0) return;
  const accountIdOf = (sellerId: string) => availableAccount(ctx, merchantId, sellerId);
  const balances = await balancesOf(
    ctx,
    kept.map(({ sellerId }) => accountIdOf(sellerId)),
  );
  const at = now(ctx).toISOString();
  for (const { sellerId, debtSince, debtToldAt } of kept) {
    const owes = (balances.get(accountIdOf(sellerId)) ?? 0) > 0;
    if (!owes && debtSince === null) continue;
    const debt = owes ? await debtOf(ctx, accountIdOf(sellerId)) : undefined;
    const since = debt?.since ?? null;
    const isQuiet = debt !== undefined && addDays(debt.quietSince, QUIET_DAYS) <= day;
    const wasTold = debtToldAt !== null && debt !== undefined && debtToldAt >= debt.quietSince;
    const toldAt = isQuiet && !wasTold ? at : since === debtSince ? debtToldAt : null;
    if (since === debtSince && toldAt === debtToldAt) continue;
    await ctx.db.execute(sql`
      update seller_positions set debt_since = ${since}, debt_told_at = ${toldAt}
       where merchant_id = ${merchantId} and seller_id = ${sellerId}`);
  }
}

async function positionsOf({ db }: Context, merchantId: string): Promise<Kept[]> {
  const rows = await db.execute<Kept>(sql`
    select seller_id as "sellerId", debt_since::text as "debtSince", to_json(debt_told_at) #>> '{}' as "debtToldAt"
      from seller_positions where merchant_id = ${merchantId} order by seller_id`);
  return [...rows];
}

export const availableAccount = ({ account }: Context, merchantId: string, sellerId: string): string =>
  accountOf({ clientId: account.id, merchantId, currency: "BRL" }, { kind: "seller_available", sellerId }).id;

interface Debt extends Record<string, unknown> {
  since: CivilDate;
  /** The day of the last credit since then, else of its beginning. */
  quietSince: CivilDate;
}

/** Read from the books, of an account that is in debit. */
async function debtOf({ db }: Context, accountId: string): Promise<Debt | undefined> {
  const rows = await db.execute<Debt>(sql`
    with entries as (
      select j.civil_date, j.created_at, p.journal_id, sum(p.amount) as amount
        from postings p join journals j on j.id = p.journal_id
       where p.account_id = ${accountId} group by 1, 2, 3),
    running as (
      select civil_date, amount, row_number() over (order by created_at, journal_id) as place,
             sum(amount) over (order by created_at, journal_id) as balance from entries),
    owing as (
      select civil_date, amount from running
       where place > coalesce((select max(place) from running where balance <= 0), 0))
    select min(civil_date)::text as since,
           greatest(min(civil_date), max(civil_date) filter (where amount < 0))::text as "quietSince" from owing
    having count(*) > 0`);
  return [...rows][0];
}
