import { sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { EVENTS_CHANNEL } from "@/lib/events";

/** Tells the dispatcher, once the transaction commits, that something became ready. */
export const wakeDispatcher = (ctx: Context): Promise<unknown> =>
  ctx.db.execute(sql`select pg_notify(${EVENTS_CHANNEL}, '')`);
