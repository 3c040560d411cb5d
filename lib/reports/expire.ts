import { and, eq, inArray } from "drizzle-orm";
import { reports } from "@/db/schema/reports";
import { type Context, inTransaction, now } from "@/lib/context";
import { statesBefore } from "@/lib/reports/machine";
import { expireFile } from "@/lib/storage/files";

/** When its time is over its files are erased; that it was made stays to be seen. */
export async function reportExpires(ctx: Context, id: string): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const [expired] = await inside.db
      .update(reports)
      .set({ status: "expired", updatedAt: now(inside) })
      .where(
        and(
          eq(reports.clientId, inside.account.id),
          eq(reports.id, id),
          inArray(reports.status, statesBefore("expired")),
        ),
      )
      .returning({ files: reports.files });
    for (const { stored } of expired?.files ?? []) await expireFile(inside, stored, 0);
  });
}
