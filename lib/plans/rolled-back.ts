import { type Context, inTransaction, leavingApart } from "@/lib/context";

/**
 * Nothing of it stays, in the database or beside it: what a rollback would leave behind is undone as for a refusal.
 * Inside a transaction only what `run` did is taken back.
 */
export async function rolledBack<T>(ctx: Context, run: (ctx: Context) => Promise<T>): Promise<T> {
  const rollback = new Error("a plan is not carried out");
  let value: { of: T } | undefined;
  const work = async (inside: Context): Promise<void> => {
    value = { of: await leavingApart(inside, run) };
    throw rollback;
  };
  try {
    await (ctx.isInTransaction ? ctx.db.transaction((db) => work({ ...ctx, db })) : inTransaction(ctx, work));
  } catch (thrown) {
    if (thrown !== rollback) throw thrown;
  }
  if (!value) throw new Error("a transaction that ends without its work");
  return value.of;
}
