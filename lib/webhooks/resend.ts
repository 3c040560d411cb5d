import { sql } from "drizzle-orm";
import { webhookDeliveries } from "@/db/schema/webhooks";
import { type Context, now } from "@/lib/context";
import { DomainError, notFound } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { addSeconds, realNow } from "@/lib/time";
import { ORDER_PATIENCE_SECONDS } from "@/lib/webhooks/fan-out";
import { type Delivery, eventsToReplay, findDelivery, findEvent, type WebhookRow } from "@/lib/webhooks/queries";
import type { NewReplay } from "@/lib/webhooks/schema";
import { webhookAt } from "@/lib/webhooks/service";
import { timeOrderedId } from "@/lib/webhooks/time-ordered-id";
import { wakeDispatcher } from "@/lib/webhooks/wake";

/** A delivery of its own with the same event, sent at once and before whatever else waits of its object. */
export async function resendDelivery(ctx: Context, webhookId: string, deliveryId: string): Promise<Delivery> {
  const webhook = await webhookAt(ctx, webhookId);
  const known = await findDelivery(ctx, webhookId, deliveryId);
  if (!known || !(await findEvent(ctx, known.row.eventId))) throw notFound("delivery");
  refuseDisabled(webhook);
  const at = now(ctx);
  const { clientId, eventId, event, entityId, entityVersion, eventCreatedAt } = known.row;
  const [row] = await ctx.db
    .insert(webhookDeliveries)
    .values({
      id: newId(),
      clientId,
      webhookId,
      eventId,
      event,
      entityId,
      entityVersion,
      eventCreatedAt,
      origin: "resend",
      status: "scheduled",
      nextAttemptAt: at,
      readyAt: realNow(),
      createdAt: at,
    })
    .returning();
  if (!row) throw new Error("the delivery was not written");
  await wakeDispatcher(ctx);
  return { row, attempts: [] };
}

/** Every event of the window that the webhook takes, as deliveries of their own, oldest first; answers how many. */
export async function replay(ctx: Context, webhookId: string, { since, until, event }: NewReplay): Promise<number> {
  const webhook = await webhookAt(ctx, webhookId);
  refuseDisabled(webhook);
  const at = now(ctx);
  const chosen = eventsToReplay(ctx, event ? [webhook.event, event] : [webhook.event], since, until);
  // One clock reading for all of them: those that are ready together go by the age of their events.
  const made = await ctx.db.execute(sql`
    insert into webhook_deliveries
           (id, client_id, webhook_id, event_id, event, entity_id, entity_version, event_created_at,
            origin, status, next_attempt_at, waits_until, ready_at, created_at)
    select ${timeOrderedId}, e.client_id, ${webhook.id}, e.id, e.object || '.' || e.event, e.entity_id,
           e.entity_version, e.created_at, 'replay', 'scheduled', ${iso(at)}::timestamptz,
           ${iso(addSeconds(at, ORDER_PATIENCE_SECONDS))}::timestamptz, now(), ${iso(at)}::timestamptz
      from events e where e.id in (${chosen})
    returning 1`);
  if (made.length > 0) await wakeDispatcher(ctx);
  return made.length;
}

const iso = (at: Date): string => at.toISOString();

function refuseDisabled({ status }: WebhookRow): void {
  if (!status) throw new DomainError("webhook_disabled", "the webhook is disabled");
}
