import { and, asc, eq, or } from "drizzle-orm";
import { savedViews } from "@/db/schema/saved-views";
import { audit } from "@/lib/audit";
import { type Context, inTransaction, now } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { newId } from "@/lib/ids";

export type ViewedList = (typeof savedViews.$inferSelect)["list"];
export interface SavedView {
  id: string;
  name: string;
  /** The address without its page: filters, columns, rows. */
  query: string;
  isShared: boolean;
  isOwn: boolean;
}

export const LONGEST_VIEW_NAME = 60;
const LONGEST_QUERY = 2_000;
/** A list of views that nobody can read through helps nobody. */
export const MOST_VIEWS = 40;

const personOf = ({ principal }: Context): string => {
  if (principal.kind !== "operator") throw notFound("view");
  return principal.operatorId;
};

/** A person's own views of a list and those that others share with the account, by name. */
export const viewsOf = (ctx: Context, list: ViewedList): Promise<SavedView[]> =>
  inTransaction(ctx, async ({ db, account }) => {
    const person = personOf(ctx);
    const rows = await db
      .select()
      .from(savedViews)
      .where(
        and(
          eq(savedViews.clientId, account.id),
          eq(savedViews.list, list),
          or(eq(savedViews.operatorId, person), eq(savedViews.isShared, true)),
        ),
      )
      .orderBy(asc(savedViews.name), asc(savedViews.id))
      .limit(MOST_VIEWS);
    return rows.map(({ id, name, query, isShared, operatorId }) => ({
      id,
      name,
      query,
      isShared,
      isOwn: operatorId === person,
    }));
  });

export interface NewView {
  list: ViewedList;
  name: string;
  query: string;
  isShared: boolean;
}

/** Under a name that the person uses already, it takes that one's place. */
export const saveView = (ctx: Context, { list, name, query, isShared }: NewView): Promise<void> =>
  inTransaction(ctx, async (inside) => {
    const { db, account } = inside;
    const values = { name: name.trim().slice(0, LONGEST_VIEW_NAME), query: query.slice(0, LONGEST_QUERY), isShared };
    const [row] = await db
      .insert(savedViews)
      .values({
        id: newId(),
        clientId: account.id,
        operatorId: personOf(ctx),
        list,
        ...values,
        createdAt: now(ctx),
      })
      .onConflictDoUpdate({
        target: [savedViews.clientId, savedViews.operatorId, savedViews.list, savedViews.name],
        set: { query: values.query, isShared },
      })
      .returning({ id: savedViews.id });
    await audit(inside, { action: "view.save", object: "view", objectId: row?.id ?? "", after: { list, isShared } });
  });

/** One's own alone; another's does not exist. */
export const deleteView = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (inside) => {
    const { db, account } = inside;
    const gone = await db
      .delete(savedViews)
      .where(and(eq(savedViews.clientId, account.id), eq(savedViews.id, id), eq(savedViews.operatorId, personOf(ctx))))
      .returning({ id: savedViews.id });
    if (gone.length === 0) throw notFound("view");
    await audit(inside, { action: "view.delete", object: "view", objectId: id });
  });
