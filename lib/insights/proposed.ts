import { type SQL, sql } from "drizzle-orm";
import { textArray } from "@/db/arrays";
import { type Context, inSnapshot } from "@/lib/context";
import { notEnded, PROPOSAL_SECONDS } from "@/lib/operators/second-person";
import { addSeconds, realNow } from "@/lib/time";

/** Refunds that one person asked for and a second one has not confirmed: they wait as long as they can still be made. */
export const proposedRefunds = ({ account }: Context): SQL => sql`
  select distinct on (c.id) c.id, (l.after->>'amount')::bigint as amount, c.currency, l.account_at as at
    from audit_log l join charges c on c.client_id = l.client_id and c.id = l.object_id::uuid
   where l.client_id = ${account.id} and l.at >= ${addSeconds(realNow(), -PROPOSAL_SECONDS).toISOString()}::timestamptz
     and l.action = 'charge.refund.propose' and ${notEnded(sql`l`)}
     and c.status = 'authorized' and (l.after->>'amount')::bigint <= c.captured_amount - c.refunded_amount
   order by c.id, l.at`;

/** Of these payments, those about which somebody proposed a decision that a second person has still to make. */
export async function proposedAmong(ctx: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await inSnapshot(ctx, ({ db, account }) =>
    db.execute<{ id: string }>(sql`
      select distinct l.object_id as id from audit_log l
       where l.client_id = ${account.id} and l.at >= ${addSeconds(realNow(), -PROPOSAL_SECONDS).toISOString()}::timestamptz
         and l.action in ('purchase.resolve.propose', 'charge.hand_back.propose', 'charge.resolve.propose') and ${notEnded(sql`l`)}
         and l.object_id = any(${textArray(ids)})`),
  );
  return new Set([...rows].map(({ id }) => id));
}
