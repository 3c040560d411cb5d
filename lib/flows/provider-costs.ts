import { type SQL, sql } from "drizzle-orm";
import { type Context, now } from "@/lib/context";
import { settledCost } from "@/lib/payments/routing/settled-cost";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** Costs come with settlement, days or weeks after the payment. */
export const COST_DAYS = 30;
/** A month of a large account is more than is needed to tell: what was settled last is. */
const MOST_CHARGES = 10_000;

/** Cost per cent captured, of the charges of a select that names \`provider\`, \`captured\` and \`cost\`, by provider. */
async function ratesOf(ctx: Context, settled: SQL): Promise<Map<string, number>> {
  const rows = await ctx.db.execute<{ provider: string; rate: number }>(sql`
    select provider, sum(cost)::float8 / sum(captured) as rate from (${settled}) settled
     where cost is not null group by 1 having sum(captured) > 0`);
  return new Map(rows.map(({ provider, rate }) => [provider, rate]));
}

/** Of the charges whose first installment was settled in the last month: its line states the cost of the whole charge. */
export function costsOfProviders(ctx: Context): Promise<Map<string, number>> {
  const since = addSeconds(now(ctx), -COST_DAYS * DAY_SECONDS).toISOString();
  return ratesOf(
    ctx,
    sql`
    select f.provider_id as provider, c.captured_amount as captured, ${settledCost(sql`c.id`)} as cost
      from (select l.provider_id, l.charge_id
              from merchants m join statement_lines l on l.merchant_id = m.id
             where m.client_id = ${ctx.account.id} and l.settled_on >= (${since}::timestamptz at time zone 'America/Sao_Paulo')::date and l.kind = 'settlement'
               and l.installment = 1 and l.charge_id is not null
             group by 1, 2 order by max(l.settled_on) desc, 2 limit ${MOST_CHARGES}) f
      join charges c on c.id = f.charge_id`,
  );
}

/** Of the charges made in a span of time. */
export const costsOfSpan = (
  ctx: Context,
  { since, until }: { since: Date; until: Date },
): Promise<Map<string, number>> =>
  ratesOf(
    ctx,
    sql`
    select c.provider_id as provider, c.captured_amount as captured, ${settledCost(sql`c.id`)} as cost
      from charges c
     where c.client_id = ${ctx.account.id} and c.created_at >= ${since.toISOString()}::timestamptz
       and c.created_at < ${until.toISOString()}::timestamptz and c.provider_id is not null`,
  );
