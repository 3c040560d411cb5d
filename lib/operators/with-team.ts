import { eq } from "drizzle-orm";
import { type Database, systemDb } from "@/db/client";
import { clients } from "@/db/schema/accounts";
import type { Context } from "@/lib/context";

/** One change of a team at a time: two owners cannot remove each other in the same moment. */
export function withTeam<T>(ctx: Context, work: (inside: Context) => Promise<T>): Promise<T> {
  return systemDb().transaction(async (db: Database) => {
    await db.select({ id: clients.id }).from(clients).where(eq(clients.id, ctx.account.id)).for("update");
    return work({ ...ctx, db, isInTransaction: true });
  });
}
