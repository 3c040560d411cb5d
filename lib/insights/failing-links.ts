import { type SQL, sql } from "drizzle-orm";
import type { LinkFailure } from "@/db/schema/checkout";
import { type Context, inTransaction, now } from "@/lib/context";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

const ONE_PER_SECONDS = 3_600;
const MOST_COUNTED = 1_000;

/** The shop changed a provider, or itself, since buyers last met the failure. */
const MENDED = sql`(
  exists (select from providers p
           where p.client_id = f.client_id and p.merchant_id = f.merchant_id and p.updated_at > f.last_at)
  or exists (select from merchants m
              where m.client_id = f.client_id and m.id = f.merchant_id and m.updated_at > f.last_at))`;

/** Open links that a buyer of the last day could not pay, and whose shop has not done anything about it. */
export const failingLinks = (ctx: Context): SQL => sql`
  select f.session_id, min(f.first_at) as since
    from link_failures f
    join sessions s on s.client_id = f.client_id and s.id = f.session_id and s.status = 'created' and s.is_active
   where f.client_id = ${ctx.account.id}
     and f.last_at > ${addSeconds(now(ctx), -DAY_SECONDS).toISOString()}::timestamptz and not ${MENDED}
   group by f.session_id limit ${MOST_COUNTED}`;

export async function listFailingLinks(ctx: Context): Promise<ReadonlySet<string>> {
  const rows = await inTransaction(ctx, ({ db }) => db.execute<{ session_id: string }>(failingLinks(ctx)));
  return new Set(rows.map(({ session_id }) => session_id));
}

interface Failed {
  readonly id: string;
  readonly merchantId: string;
}

/** Tells the shop that a link cannot be paid; once an hour, however often it is opened. */
export async function tellFailure(ctx: Context, { id, merchantId }: Failed, cause: LinkFailure): Promise<void> {
  const at = now(ctx).toISOString();
  const before = addSeconds(now(ctx), -ONE_PER_SECONDS).toISOString();
  const yesterday = addSeconds(now(ctx), -DAY_SECONDS).toISOString();
  await inTransaction(ctx, async ({ db, account }) => {
    const [told] = await db.execute(sql`
      select 1 from link_failures f
       where f.client_id = ${account.id} and f.session_id = ${id} and f.cause = ${cause}
         and f.last_at > ${before}::timestamptz and not ${MENDED}`);
    if (told) return;
    await db.execute(sql`
      insert into link_failures as f (session_id, cause, client_id, merchant_id, first_at, last_at)
      values (${id}, ${cause}, ${account.id}, ${merchantId}, ${at}::timestamptz, ${at}::timestamptz)
      on conflict (session_id, cause) do update
         set last_at = excluded.last_at,
             first_at = case when f.last_at < ${yesterday}::timestamptz or ${MENDED}
                             then excluded.last_at else f.first_at end`);
  });
}
