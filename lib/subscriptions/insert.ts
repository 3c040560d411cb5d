import type { SQL } from "drizzle-orm";
import { subscriptionAnchors, subscriptions } from "@/db/schema/subscriptions";
import { audit } from "@/lib/audit";
import type { Context } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { beginOf, utcDayOf } from "@/lib/subscriptions/calendar";
import { writeStarted } from "@/lib/subscriptions/letters";
import { opensAt } from "@/lib/subscriptions/mandate-days";
import { type MandateTerms, makeMandate } from "@/lib/subscriptions/mandate-make";
import { announceSubscription } from "@/lib/subscriptions/moves";
import type { SubscriptionRow } from "@/lib/subscriptions/queries";
import { remindOfCard, remindOfTrial } from "@/lib/subscriptions/reminders";

type NewRow = Omit<
  typeof subscriptions.$inferInsert,
  "clientId" | "currency" | "status" | "nextDueOn" | "trialEndAt" | "createdAt" | "locale"
> & { trialEndAt: string | null; createdAt: Date; locale: SubscriptionRow["locale"] | SQL<SubscriptionRow["locale"]> };

/** A subscription that begins: its row, its mandate, its first due date with what comes due, and what is told of it. */
export async function insertSubscription(
  ctx: Context,
  given: NewRow,
  mandate?: MandateTerms,
): Promise<SubscriptionRow> {
  const { db, account } = ctx;
  const { amount, interval, startAt, trialEndAt } = given;
  const [row] = await db
    .insert(subscriptions)
    .values({
      ...given,
      clientId: account.id,
      currency: "BRL",
      status: trialEndAt === null ? "created" : "trialing",
      nextDueOn: startAt,
    })
    .returning();
  if (!row) throw new Error("the subscription was not written");
  await db
    .insert(subscriptionAnchors)
    .values({ clientId: account.id, subscriptionId: row.id, fromCycle: 1, startOn: startAt, interval });
  if (trialEndAt !== null) await schedule(ctx, "trial.ends", row.id, beginOf(trialEndAt));
  await schedule(ctx, "subscription.due", row.id, opensAt(row, startAt));
  if (mandate) await makeMandate(ctx, row, mandate);
  await audit(ctx, { action: "subscription.create", object: "subscription", objectId: row.id, after: { amount } });
  const made = await announceSubscription(ctx, row, "created", { detail: { amount, interval } });
  const begun = trialEndAt === null ? made : await announceSubscription(ctx, made, "trial_started");
  // One that is charged at once has started when its first payment is approved, as has one that a bank must authorize.
  if (startAt !== utcDayOf(given.createdAt) && !mandate) await writeStarted(ctx, begun);
  await remindOfTrial(ctx, begun);
  await remindOfCard(ctx, begun);
  return begun;
}
