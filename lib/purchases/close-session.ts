import { and, eq } from "drizzle-orm";
import { purchases } from "@/db/schema/purchases";
import { type Context, inTransaction, now } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { DomainError } from "@/lib/errors";
import { voidPurchase } from "@/lib/purchases/change";
import { driveOperation } from "@/lib/purchases/work";
import { closePayment } from "@/lib/session-payments/close";
import { chargesHolding } from "@/lib/session-payments/queries";
import { addSeconds } from "@/lib/time";

/** What was busy, or not known, when its session was canceled is come back to, for as long as a query would. */
const AGAIN_SECONDS = 300;

/** Closes and releases everything that still takes a place on a canceled session. */
export async function closeSessionPayments(ctx: Context, sessionId: string): Promise<void> {
  const waiting = await inTransaction(ctx, (inside) => chargesHolding(inside, sessionId));
  for (const { id } of waiting) await closePayment(ctx, id);
  for (const purchaseId of await pendingOf(ctx, sessionId)) await voidHeld(ctx, purchaseId);
  await inTransaction(ctx, async (inside) => {
    const left = (await chargesHolding(inside, sessionId)).filter(({ reviewReason }) => reviewReason === null);
    const isLeft = left.length > 0 || (await pendingOf(inside, sessionId)).length > 0;
    if (isLeft) await schedule(inside, "session.close", sessionId, addSeconds(now(inside), AGAIN_SECONDS));
  });
}

/** Under review people decide; everything else can still be released. */
const pendingOf = (ctx: Context, sessionId: string): Promise<string[]> =>
  inTransaction(ctx, async ({ db, account }) => {
    const rows = await db
      .select({ id: purchases.id, reviewReason: purchases.reviewReason })
      .from(purchases)
      .where(
        and(eq(purchases.clientId, account.id), eq(purchases.sessionId, sessionId), eq(purchases.status, "pending")),
      );
    return rows.filter(({ reviewReason }) => reviewReason === null).map(({ id }) => id);
  });

async function voidHeld(ctx: Context, purchaseId: string): Promise<void> {
  try {
    const { operation } = await inTransaction(ctx, (inside) => voidPurchase(inside, purchaseId));
    await driveOperation(ctx, operation.id);
  } catch (thrown) {
    const isBusy = thrown instanceof DomainError && thrown.businessCode === "purchase_operation_in_progress";
    if (!isBusy) throw thrown;
  }
}
