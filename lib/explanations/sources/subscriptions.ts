import { sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { AskedFigure } from "@/lib/explanations/schema";
import { type Explained, row } from "@/lib/explanations/sources/source";
import { AT_RISK, MONTHLY, subscriptionFiguresWithin } from "@/lib/subscriptions/operator-queries";
import { declinedIn, recoveryWithin } from "@/lib/subscriptions/recovery";

/** What active subscriptions bring per month. */
export async function monthly(ctx: Context): Promise<Explained> {
  const { monthly: value } = await subscriptionFiguresWithin(ctx);
  return {
    value,
    currency: "BRL",
    rows: sql`
      select ${row({
        id: sql`s.id`,
        at: sql`s.created_at`,
        type: sql`'subscription'`,
        amount: MONTHLY,
        sourceType: "subscription",
        sourceId: sql`s.id`,
      })}
        from subscriptions s where s.client_id = ${ctx.account.id} and s.status = 'active'`,
  };
}

/** What cycles that failed and are still tried leave open. */
export async function atRisk(ctx: Context): Promise<Explained> {
  const { atRisk: value } = await subscriptionFiguresWithin(ctx);
  return {
    value,
    currency: "BRL",
    rows: sql`
      select ${row({
        id: sql`k.id`,
        at: sql`k.created_at`,
        type: sql`'cycle'`,
        amount: sql`coalesce(k.amount, s.amount)`,
        sourceType: "subscription",
        sourceId: sql`s.id`,
        chargeId: sql`null`,
      })}
        from subscription_cycles k join subscriptions s on s.id = k.subscription_id
       where k.client_id = ${ctx.account.id} and (${AT_RISK})`,
  };
}

const BECAME = {
  declined: sql`true`,
  recovered: sql`k.status = 'authorized'`,
  open: sql`k.status in ('retrying', 'pending')`,
  lost: sql`k.status not in ('authorized', 'retrying', 'pending')`,
} as const;

/** What became of the cycles of a month that were declined at first. */
export const ofMonth =
  (name: keyof typeof BECAME) =>
  async (ctx: Context, { month = "" }: AskedFigure): Promise<Explained> => {
    const { [name]: sum } = await recoveryWithin(ctx, month);
    return {
      value: sum.amount,
      currency: "BRL",
      rows: sql`
        select ${row({
          id: sql`k.id`,
          at: sql`k.created_at`,
          type: sql`'cycle'`,
          amount: sql`coalesce(k.amount, s.amount)`,
          sourceType: "subscription",
          sourceId: sql`s.id`,
        })}
          from subscription_cycles k join subscriptions s on s.id = k.subscription_id
         where ${declinedIn(ctx, month)} and ${BECAME[name]}`,
    };
  };
