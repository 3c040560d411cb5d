import { asc, eq } from "drizzle-orm";
import { dueJobs } from "@/db/schema/outbox";
import { type Context, inSnapshot } from "@/lib/context";

const MOST_SHOWN = 12;

export interface DueNext {
  kind: string;
  refId: string;
  dueAt: Date;
}

/** What the account's clock comes to next, in order. */
export const dueNext = (ctx: Context): Promise<DueNext[]> =>
  inSnapshot(ctx, ({ db, account }) =>
    db
      .select({ kind: dueJobs.kind, refId: dueJobs.refId, dueAt: dueJobs.dueAt })
      .from(dueJobs)
      .where(eq(dueJobs.clientId, account.id))
      .orderBy(asc(dueJobs.dueAt))
      .limit(MOST_SHOWN),
  );
