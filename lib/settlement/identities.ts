import { type SQL, sql } from "drizzle-orm";
import { textArray } from "@/db/arrays";
import type { CivilDate } from "@/lib/brazil/bank-calendar";
import type { Context } from "@/lib/context";
import { pipelined } from "@/lib/pipeline";
import { keepBreaks, type StatementDifference } from "@/lib/settlement/breaks";

/** The daily identities of spec/money.md section 10, each as two figures by whom they are about; '' is the merchant. */
const IDENTITIES = {
  "what is pending is what receivables still wait for": (merchantId) => ({
    books: balances(merchantId, ["merchant_pending", "seller_pending"]),
    rows: sql`
      select coalesce(seller_id::text, '') as who, sum(amount + coalesce((
               select sum(d.gross - d.fee) from receivables d where d.reduces = waiting.id), 0)) as amount
        from (
          select id, seller_id, gross - fee - anticipation_fee as amount from receivables
           where merchant_id = ${merchantId} and status = 'waiting_funds'
          union all
          select id, seller_id, gross - fee from receivables
           where merchant_id = ${merchantId} and status = 'prepaid' and available_at is null
        ) waiting group by 1`,
  }),
  "what a seller has available is what stands in no batch, and what it owes": (merchantId) => ({
    books: balances(merchantId, ["seller_available"]),
    rows: sql`
      select who, sum(amount) as amount from (
        select r.seller_id::text as who, r.gross - r.fee - r.anticipation_fee as amount
          from receivables r left join receivables p on p.id = r.reduces
         where r.merchant_id = ${merchantId} and r.seller_id is not null and r.batch_id is null
           and r.available_at is not null and (r.reduces is null or p.available_at is not null)
        union all
        select a.seller_id::text, a.amount from seller_adjustments a
         where a.merchant_id = ${merchantId} and a.batch_id is null
        union all
        select b.seller_id::text, b.final_balance from payout_batches b
         where b.merchant_id = ${merchantId} and b.seller_id is not null and b.status = 'offset'
           and not exists (select from payout_lines l where l.source_id = b.id and l.type = 'carried' and l.is_live)
      ) parts group by 1`,
  }),
  "what is in transit is what pending batches send": (merchantId) => ({
    books: balances(merchantId, ["payout_in_transit"]),
    rows: sql`
      select seller_id::text as who, sum(final_balance) as amount from payout_batches
       where merchant_id = ${merchantId} and seller_id is not null and status = 'pending' group by 1`,
  }),
} satisfies Record<string, (merchantId: string) => { books: SQL; rows: SQL }>;
export type IdentityName = keyof typeof IDENTITIES;

const balances = (merchantId: string, kinds: readonly string[]): SQL => sql`
  select coalesce(a.seller_id::text, '') as who, -sum(p.amount) as amount
    from ledger_accounts a join postings p on p.account_id = a.id
   where a.merchant_id = ${merchantId} and a.kind = any(${textArray(kinds)}) group by 1`;

/**
 * Whether `checkIdentities` would open or close anything: on most days every identity holds. One statement, and a
 * transaction of its own, which names the client to row security before anything is looked at.
 */
export async function isIdentityNews(ctx: Context, merchantId: string): Promise<boolean> {
  // Counted: of what need only exist, the planner reads the books for the first row's sake, one account at a time.
  const differ = Object.values(IDENTITIES).map(
    (identity) => sql`(select count(*) > 0 from (${differing(identity(merchantId))}) differing)`,
  );
  const rows = await ctx.db.execute<{ isSeen: boolean; isNews: boolean }>(sql`
    select found.* from (select set_config('app.client_id', ${ctx.account.id}, true)::uuid as client_id) who
     cross join lateral (
       select exists (select from merchants m where m.client_id = who.client_id and m.id = ${merchantId}) as "isSeen",
              exists (select from settlement_breaks b where b.client_id = who.client_id
                         and b.merchant_id = ${merchantId} and b.kind = 'identity' and b.closed_at is null)
                or ${sql.join(differ, sql` or `)} as "isNews"
        where who.client_id is not null offset 0) found`);
  const [found] = [...rows];
  if (!found?.isSeen) throw new Error("a look at a merchant that is not there");
  return found.isNews;
}

const differing = ({ books, rows }: { books: SQL; rows: SQL }): SQL => sql`
  select coalesce(b.who, r.who) as who, coalesce(r.amount, 0)::float8 as expected, coalesce(b.amount, 0)::float8 as found
    from (${books}) b full join (${rows}) r on r.who = b.who
   where coalesce(b.amount, 0) <> coalesce(r.amount, 0)`;

/** Every identity of the merchant, in the caller's snapshot; what differs is a break that somebody owns. */
export async function checkIdentities(ctx: Context, merchantId: string, day: CivilDate): Promise<void> {
  const compared = Object.entries(IDENTITIES).map(async ([name, identity]) => {
    const found = await ctx.db.execute<{ who: string; expected: number; found: number }>(
      differing(identity(merchantId)),
    );
    return [...found].map(
      ({ who, expected, found }): StatementDifference => ({
        subject: who === "" ? name : `${name}: ${who}`,
        chargeId: null,
        day,
        expected,
        found,
      }),
    );
  });
  const differences = (await pipelined(compared)).flat();
  await keepBreaks(ctx, merchantId, "identity", differences);
}
