import { type Interval, subscriptionAnchors } from "@/db/schema/subscriptions";
import type { Context } from "@/lib/context";
import { cycleDueOn } from "@/lib/subscriptions/calendar";
import { anchorsOf, type SubscriptionRow } from "@/lib/subscriptions/queries";

/** From this cycle on its due dates are counted anew, from the day it was due anyway. */
export async function newestAnchor(
  ctx: Context,
  { id }: SubscriptionRow,
  fromCycle: number,
  interval: Interval,
): Promise<void> {
  const startOn = cycleDueOn(await anchorsOf(ctx, id), fromCycle);
  await ctx.db
    .insert(subscriptionAnchors)
    .values({ clientId: ctx.account.id, subscriptionId: id, fromCycle, startOn, interval })
    .onConflictDoUpdate({
      target: [subscriptionAnchors.subscriptionId, subscriptionAnchors.fromCycle],
      set: { interval, startOn },
    });
}
