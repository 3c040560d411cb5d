import { type SQL, sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { notWithdrawn, PROPOSAL_SECONDS } from "@/lib/operators/second-person";
import { addSeconds, realNow } from "@/lib/time";

/**
 * Refunds that one person asked for and a second one has not confirmed: the payment still stands as it did. The text is
 * the plan that the confirmation was made from (lib/charges/operator-actions.ts).
 */
export const proposedRefunds = ({ account }: Context): SQL => sql`
  select distinct on (c.id) c.id, (l.after->>'amount')::bigint as amount, c.currency, l.account_at as at
    from audit_log l join charges c on c.client_id = l.client_id and c.id = l.object_id::uuid
   where l.client_id = ${account.id} and l.at >= ${addSeconds(realNow(), -PROPOSAL_SECONDS).toISOString()}::timestamptz
     and l.action = 'charge.refund.propose' and ${notWithdrawn(sql`l`)}
     and l.after->>'plan' = concat_ws('.', c.status, c.amount, c.captured_amount, c.refunded_amount)
   order by c.id, l.at`;
