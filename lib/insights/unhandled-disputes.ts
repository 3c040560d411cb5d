import { type SQL, sql } from "drizzle-orm";
import { type Context, now } from "@/lib/context";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** What a payer's bank took back of a Pix is final: it is told for so long. */
const TOLD_SECONDS = 7 * DAY_SECONDS;

/**
 * Of a dispute `n` and its charge `c`: nobody wrote on it, and it is not won. A chargeback waits for somebody however old
 * it is.
 */
export const isUnhandled = (ctx: Context): SQL => sql`(
  (n.request_type = 'charge_back' or n.created_at >= ${addSeconds(now(ctx), -TOLD_SECONDS).toISOString()}::timestamptz)
  and not exists (select from dispute_notes d where d.client_id = ${ctx.account.id} and d.dispute_id = n.id)
  and not exists (select from transaction_requests w where w.charge_id = n.charge_id
                   and w.request_type = 'dispute_closed' and w.created_at >= n.created_at))`;
