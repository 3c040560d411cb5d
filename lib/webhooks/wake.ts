import { sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { EVENTS_CHANNEL } from "@/lib/events";

/** On the channel of events, which says nothing more of those. */
export const READY = "ready";

/** Tells the dispatcher, once the transaction commits, that a delivery became ready. */
export const wakeDispatcher = (ctx: Context): Promise<unknown> =>
  ctx.db.execute(sql`select pg_notify(${EVENTS_CHANNEL}, ${READY})`);
