import { sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { type Explained, row } from "@/lib/explanations/sources/source";
import { AT_RISK, figuresWithin, MONTHLY } from "@/lib/subscriptions/operator-queries";

/** What active subscriptions bring per month. */
export async function monthly(ctx: Context): Promise<Explained> {
  const { monthly: value } = await figuresWithin(ctx);
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
  const { atRisk: value } = await figuresWithin(ctx);
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
