import { sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { asClient, type Context, limitOf } from "@/lib/context";

/** One look-up of its own, under row security, that is given up when it takes too long. */
export const inPatience = <T>(
  ctx: Context,
  patienceMs: number,
  find: (db: Database, clientId: string) => Promise<T>,
): Promise<T> =>
  asClient(
    ctx.account.id,
    async (db) => {
      await db.execute(sql`select set_config('statement_timeout', ${String(patienceMs)}, true)`);
      return find(db, ctx.account.id);
    },
    limitOf(ctx),
  );
