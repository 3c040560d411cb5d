import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { events } from "@/db/schema/outbox";
import { webhookAttempts, webhookDeliveries, webhooks } from "@/db/schema/webhooks";
import { audit } from "@/lib/audit";
import { type Context, now } from "@/lib/context";
import { addSeconds } from "@/lib/time";
import { type DeliverySearch, lastAttempt, narrowing } from "@/lib/webhooks/explorer";
import { ORDER_PATIENCE_SECONDS } from "@/lib/webhooks/fan-out";
import { timeOrderedId } from "@/lib/webhooks/time-ordered-id";
import { wakeDispatcher } from "@/lib/webhooks/wake";

/** One press sends no more than a day's worth of a busy shop. */
export const MOST_RESENT = 10_000;

/** The event of each delivery that matches, once for each webhook that is on; oldest first. */
const matching = (ctx: Context, search: DeliverySearch, most: number) =>
  ctx.db
    .selectDistinct({
      webhookId: webhookDeliveries.webhookId,
      eventId: webhookDeliveries.eventId,
      at: sql`${webhookDeliveries.eventCreatedAt}`.as("at"),
    })
    .from(webhookDeliveries)
    .innerJoin(webhooks, takesEvents)
    .innerJoin(events, eq(events.id, webhookDeliveries.eventId))
    .leftJoin(webhookAttempts, lastAttempt)
    .where(and(...narrowing(ctx, search)))
    .orderBy(asc(webhookDeliveries.eventCreatedAt), asc(webhookDeliveries.eventId), asc(webhookDeliveries.webhookId))
    .limit(most)
    .as("chosen");

const takesEvents: SQL | undefined = and(
  eq(webhooks.id, webhookDeliveries.webhookId),
  eq(webhooks.status, true),
  isNull(webhooks.deletedAt),
);

/** How many would be sent: what a confirmation shows. */
export const countMatching = (ctx: Context, search: DeliverySearch): Promise<number> =>
  ctx.db.$count(matching(ctx, search, MOST_RESENT));

/** As deliveries of their own, oldest first; never more than were shown. Answers how many. */
export async function resendMatching(ctx: Context, search: DeliverySearch, shown: number): Promise<number> {
  const at = now(ctx).toISOString();
  const patience = addSeconds(now(ctx), ORDER_PATIENCE_SECONDS).toISOString();
  const chosen = matching(ctx, search, Math.max(0, Math.min(MOST_RESENT, shown)));
  const made = await ctx.db.execute<{ webhook_id: string }>(sql`
    insert into webhook_deliveries
           (id, client_id, webhook_id, event_id, event, entity_id, entity_version, event_created_at,
            origin, status, next_attempt_at, waits_until, ready_at, created_at)
    select ${timeOrderedId}, e.client_id, chosen.webhook_id, e.id, e.object || '.' || e.event, e.entity_id,
           e.entity_version, e.created_at, 'resend', 'scheduled', ${at}::timestamptz, ${patience}::timestamptz, now(),
           ${at}::timestamptz
      from ${chosen} join events e on e.id = chosen.event_id
    returning webhook_id`);
  const counts = new Map<string, number>();
  for (const { webhook_id } of made) counts.set(webhook_id, (counts.get(webhook_id) ?? 0) + 1);
  for (const [webhookId, count] of counts)
    await audit(ctx, { action: "webhook.resend", object: "webhook", objectId: webhookId, after: { count } });
  if (made.length > 0) await wakeDispatcher(ctx);
  return made.length;
}
