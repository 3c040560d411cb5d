import { and, desc, eq, isNull } from "drizzle-orm";
import { subscriptionMandates, subscriptionTries } from "@/db/schema/subscriptions";
import { type Context, now } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";

export type MandateRow = typeof subscriptionMandates.$inferSelect;

/** The newest, over or not. */
export async function mandateOf(ctx: Context, subscriptionId: string): Promise<MandateRow | undefined> {
  const [row] = await ctx.db
    .select()
    .from(subscriptionMandates)
    .where(
      and(eq(subscriptionMandates.clientId, ctx.account.id), eq(subscriptionMandates.subscriptionId, subscriptionId)),
    )
    .orderBy(desc(subscriptionMandates.createdAt), desc(subscriptionMandates.id))
    .limit(1);
  return row;
}

export async function findMandate(ctx: Context, id: string): Promise<MandateRow | undefined> {
  const [row] = await ctx.db
    .select()
    .from(subscriptionMandates)
    .where(and(eq(subscriptionMandates.clientId, ctx.account.id), eq(subscriptionMandates.id, id)));
  return row;
}

export const isOpenMandate = ({ status }: Pick<MandateRow, "status">): boolean =>
  status === "created" || status === "approved";

/** Compared with what it was read as; undefined where somebody else was first: what they wrote stands. */
export async function changeMandate(
  ctx: Context,
  { id, status, call }: MandateRow,
  changes: Partial<typeof subscriptionMandates.$inferInsert>,
): Promise<MandateRow | undefined> {
  const { id: idOf, status: statusOf, call: callOf } = subscriptionMandates;
  const [changed] = await ctx.db
    .update(subscriptionMandates)
    .set({ ...changes, updatedAt: now(ctx) })
    .where(and(eq(idOf, id), eq(statusOf, status), eq(callOf, call)))
    .returning();
  return changed;
}

/** Nothing is debited under it any more; the provider is told by whoever works on it, and says when it is over. */
export async function askToEnd(ctx: Context, subscriptionId: string, why: string): Promise<void> {
  const mandate = await mandateOf(ctx, subscriptionId);
  if (!mandate || !isOpenMandate(mandate) || mandate.ending !== null) return;
  await ctx.db
    .update(subscriptionMandates)
    .set({ ending: why, queries: 0, updatedAt: now(ctx) })
    .where(and(eq(subscriptionMandates.id, mandate.id), isNull(subscriptionMandates.ending)));
  await schedule(ctx, "mandate.query", mandate.id, now(ctx));
}

/** The charge of the Pix whose payment authorizes the mandate. */
export async function firstPaymentOf(ctx: Context, { id, subscriptionId }: MandateRow): Promise<string | undefined> {
  const [row] = await ctx.db
    .select({ chargeId: subscriptionTries.chargeId })
    .from(subscriptionTries)
    .where(
      and(
        eq(subscriptionTries.subscriptionId, subscriptionId),
        eq(subscriptionTries.mandateId, id),
        isNull(subscriptionTries.settleOn),
      ),
    )
    .orderBy(subscriptionTries.createdAt)
    .limit(1);
  return row?.chargeId ?? undefined;
}
