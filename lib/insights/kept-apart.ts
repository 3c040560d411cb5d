import { type SQL, sql } from "drizzle-orm";
import type { Context } from "@/lib/context";

/** Money that came after the payment was closed, at a provider that cannot send it back: people pay the buyer back. */
export const keptApart = ({ account }: Context): SQL => sql`
  select n.id as attempt_id, n.charge_id as id, coalesce(r.name, n.provider_type) as provider, n.amount, c.currency,
         n.created_at as since
    from transaction_requests n join charges c on c.id = n.charge_id left join providers r on r.id = n.provider_id
   where n.client_id = ${account.id} and n.request_status_reason = 'paid_after_cancellation'
     and not exists (
       select from transaction_requests other
        where other.charge_id = n.charge_id and other.details->>'surplus' = n.transaction_id
          and other.state = 'approved')`;
