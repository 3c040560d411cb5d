import { type SQL, sql } from "drizzle-orm";
import { type Context, now } from "@/lib/context";
import { addSeconds } from "@/lib/time";

/** An answer that is still missing after this is no longer the ordinary course of things. */
const PATIENCE_SECONDS = 120;

/**
 * Attempts whose outcome nobody knows yet. Where a payment is already in review, that is the same matter, told once.
 * The check of a card has no payment.
 */
export const unansweredPayments = (ctx: Context): SQL => sql`
  select a.id as attempt_id, a.charge_id as id, coalesce(r.name, a.provider_type) as provider, a.amount, c.currency,
         a.sent_at
    from transaction_requests a left join charges c on c.id = a.charge_id left join purchases p on p.id = c.purchase_id
         left join providers r on r.id = a.provider_id
   where a.client_id = ${ctx.account.id} and a.state in ('sent', 'undetermined') and a.kind <> 'notice'
     and a.sent_at < ${addSeconds(now(ctx), -PATIENCE_SECONDS).toISOString()}::timestamptz
     and c.review_reason is null and p.review_reason is null`;
