import { type Context, now } from "@/lib/context";
import { newId } from "@/lib/ids";
import { rolledBack } from "@/lib/plans/rolled-back";
import { utcDayOf } from "@/lib/subscriptions/calendar";
import { acceptSubscription } from "@/lib/subscriptions/create";
import { getSubscription, openCycleOf, type SubscriptionRow } from "@/lib/subscriptions/queries";
import type { NewSubscription, SubscriptionChanges } from "@/lib/subscriptions/schema";
import { type CyclePreview, chooseTriable, previewOf } from "@/lib/subscriptions/service";
import { changeWithin } from "@/lib/subscriptions/update";

/** What a request would leave, told before it is sent. Amounts are cents, days UTC calendar days. */
export interface SubscriptionPlan {
  row: SubscriptionRow;
  /** What is charged to the card within the request; null where nothing is. */
  chargedNow: number | null;
  /** A cycle that was tried already keeps its amount. */
  openAmount: number | null;
  items: CyclePreview["items"];
}

/** Refused as the request itself would be. */
export const planOfNew = (ctx: Context, input: NewSubscription): Promise<SubscriptionPlan> =>
  rolledBack(ctx, async (inside) => {
    const id = newId();
    await acceptSubscription(inside, id, input);
    const [row, { items }] = [await getSubscription(inside, id), await previewOf(inside, id)];
    const isAtOnce = row.method === "credit" && row.trialEndAt === null && row.startAt === utcDayOf(now(inside));
    return { row, chargedNow: isAtOnce ? row.amount : null, openAmount: null, items };
  });

export const planOfChange = (ctx: Context, id: string, input: SubscriptionChanges): Promise<SubscriptionPlan> =>
  rolledBack(ctx, async (inside) => {
    const replaced = await changeWithin(inside, id, input);
    const row = await getSubscription(inside, id);
    const tried = replaced && (await chooseTriable(inside, row));
    const open = tried?.cycle ?? (await openCycleOf(inside, id));
    const openAmount = open ? (open.amount ?? row.amount) : null;
    return { row, chargedNow: tried ? openAmount : null, openAmount, items: (await previewOf(inside, id)).items };
  });
