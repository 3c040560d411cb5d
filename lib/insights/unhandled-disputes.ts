import { type SQL, sql } from "drizzle-orm";
import { type Context, now } from "@/lib/context";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** What a payer's bank took back of a Pix is final: it is told for so long. */
const TOLD_SECONDS = 7 * DAY_SECONDS;

/** The last of its marks says so; a note by itself changes nothing. */
export const isHandled = (ctx: Context): SQL => sql`coalesce(
  (select d.mark = 'handled' from dispute_notes d
    where d.client_id = ${ctx.account.id} and d.dispute_id = n.id and d.mark is not null
    order by d.created_at desc, d.id desc limit 1), false)`;

/**
 * Of a dispute `n` and its charge `c`: nobody called it handled, and it is not won. A chargeback waits for somebody
 * however old it is.
 */
export const isUnhandled = (ctx: Context): SQL => sql`(
  (n.request_type = 'charge_back' or n.created_at >= ${addSeconds(now(ctx), -TOLD_SECONDS).toISOString()}::timestamptz)
  and not ${isHandled(ctx)}
  and not exists (select from transaction_requests w where w.charge_id = n.charge_id
                   and w.request_type = 'dispute_closed' and w.created_at >= n.created_at))`;
