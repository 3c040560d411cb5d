import { type SQL, sql } from "drizzle-orm";
import type { Context } from "@/lib/context";

/** How an attempt to give it back ends that gave nothing back. */
const OVER = sql`('declined', 'rejected', 'not_sent', 'reversed')`;

/**
 * Money that came twice or too late, and could not be given back so far, or was seen to go back and failed after all. It
 * is kept apart and tried again by itself (lib/charges/engine/surplus.ts); what stands in the way, such as an empty
 * account, is for people to mend.
 */
export const notReturned = ({ account }: Context): SQL => sql`
  select t.id as attempt_id, t.charge_id as id, coalesce(r.name, t.provider_type) as provider, t.amount, c.currency,
         (select min(created_at) from transaction_requests
           where charge_id = t.charge_id and details->>'surplus' = t.details->>'surplus') as since
    from transaction_requests t join charges c on c.id = t.charge_id left join providers r on r.id = t.provider_id
   where t.client_id = ${account.id} and t.kind in ('refund', 'notice') and t.details ? 'surplus'
     and t.state in ${OVER}
     and not exists (
       select from transaction_requests other
        where other.charge_id = t.charge_id and other.details->>'surplus' = t.details->>'surplus' and other.id <> t.id
          and (other.id > t.id or other.state not in ${OVER}))`;
