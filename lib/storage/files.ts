import { eq, inArray, lt } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { storedFiles } from "@/db/schema/files";
import { type Context, inTransaction } from "@/lib/context";
import { newId } from "@/lib/ids";
import { contentTypeOf } from "@/lib/storage/names";
import { fileStore } from "@/lib/storage/storage";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

/** What nothing points to in time is erased: its request was refused or died. */
const UNUSED_SECONDS = DAY_SECONDS;
const MOST_ERASED = 500;

/**
 * Keeps a file for an account, outside any transaction: a network is in between. It expires by itself until `claimFile`
 * is called in the transaction of what points to it.
 */
export async function keepFile(ctx: Context, name: string, content: Buffer): Promise<void> {
  if (ctx.isInTransaction) throw new Error("a file is stored before the transaction that points to it");
  await inTransaction(ctx, ({ db, account }) =>
    db.insert(storedFiles).values({
      id: newId(),
      clientId: account.id,
      name,
      contentType: contentTypeOf(name),
      size: content.length,
      createdAt: realNow(),
      expiresAt: addSeconds(realNow(), UNUSED_SECONDS),
    }),
  );
  await fileStore().put(name, content);
}

/** In the transaction that points to it. */
export async function claimFile(ctx: Context, name: string): Promise<void> {
  const used = await ctx.db
    .update(storedFiles)
    .set({ expiresAt: null })
    .where(eq(storedFiles.name, name))
    .returning({ id: storedFiles.id });
  if (used.length === 0) throw new Error("the file was erased before it was used");
}

/** In the transaction that points elsewhere now: those who still show the file may do so for a while. */
export async function expireFile(ctx: Context, name: string, afterSeconds: number): Promise<void> {
  await ctx.db
    .update(storedFiles)
    .set({ expiresAt: addSeconds(realNow(), afterSeconds) })
    .where(eq(storedFiles.name, name));
}

/** The content goes first: a row without a file is found again, a file without a row never. */
export async function eraseExpiredFiles(): Promise<number> {
  const due = await systemDb()
    .select({ id: storedFiles.id, name: storedFiles.name })
    .from(storedFiles)
    .where(lt(storedFiles.expiresAt, realNow()))
    .orderBy(storedFiles.expiresAt)
    .limit(MOST_ERASED);
  for (const { name } of due) await fileStore().delete(name);
  if (due.length > 0)
    await systemDb()
      .delete(storedFiles)
      .where(
        inArray(
          storedFiles.id,
          due.map(({ id }) => id),
        ),
      );
  return due.length;
}
