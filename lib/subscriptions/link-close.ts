import { and, eq, isNull } from "drizzle-orm";
import { subscriptionStarts } from "@/db/schema/subscriptions";
import { type Context, inTransaction } from "@/lib/context";
import { findStart, lockStart, type StartRow } from "@/lib/subscriptions/link-start";
import { isOver } from "@/lib/subscriptions/machine";
import { mandateOf } from "@/lib/subscriptions/mandate-queries";
import { workOnMandate } from "@/lib/subscriptions/mandate-work";
import { cancelSubscription } from "@/lib/subscriptions/moves";
import { lockSubscription } from "@/lib/subscriptions/queries";
import type { OwnReason } from "@/lib/subscriptions/reasons";

/** Trials of the link whose code waits to be authorized. */
export const waitingStartsOf = (ctx: Context, sessionId: string): Promise<StartRow[]> => {
  const { clientId, sessionId: of, status, cardId, chargeId } = subscriptionStarts;
  return ctx.db
    .select()
    .from(subscriptionStarts)
    .where(
      and(eq(clientId, ctx.account.id), eq(of, sessionId), eq(status, "pending"), isNull(cardId), isNull(chargeId)),
    );
};

/**
 * Another way is taken instead, or the link is canceled: the code begins nothing any more, and the bank is told. False
 * where it was authorized before, or the bank could not be told yet: then the place is still taken.
 */
export async function closeStart(caller: Context, id: string, why: OwnReason): Promise<boolean> {
  const { idempotency: _key, scenario: _scenario, ...plain } = caller;
  const ctx: Context = { ...plain, principal: { kind: "system" } };
  const mandate = await inTransaction(ctx, async (inside) => {
    const row = await lockSubscription(inside, id);
    const start = await lockStart(inside, { id });
    if (start?.status === "pending" && !isOver(row.status)) await cancelSubscription(inside, row, why);
    return mandateOf(inside, id);
  });
  if (mandate) await workOnMandate(ctx, mandate.id);
  return inTransaction(ctx, async (inside) => (await findStart(inside, id))?.status === "failed");
}

/** Of the job `session.close`: what cannot be closed now is gone on with by the mandate's own job. */
export async function closeWaitingStarts(ctx: Context, sessionId: string): Promise<void> {
  const waiting = await inTransaction(ctx, (inside) => waitingStartsOf(inside, sessionId));
  for (const { id } of waiting) await closeStart(ctx, id, "link_canceled");
}
