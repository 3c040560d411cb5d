import { events } from "@/db/schema/outbox";
import { webhookDeliveries } from "@/db/schema/webhooks";
import { insertRows } from "@/db/statements";
import { audit } from "@/lib/audit";
import { type Context, now } from "@/lib/context";
import { DomainError, notFound } from "@/lib/errors";
import { EVENT_CATALOGUE } from "@/lib/event-catalogue/catalogue";
import { exampleOf } from "@/lib/event-catalogue/example";
import { newId } from "@/lib/ids";
import { realNow } from "@/lib/time";
import { webhookAt } from "@/lib/webhooks/service";
import { wakeDispatcher } from "@/lib/webhooks/wake";

/**
 * The example of the catalogue as an event of an object that does not exist, to one webhook of a sandbox account, signed
 * and written down like any other. Live accounts are never told of what did not happen.
 */
export async function sendSample(ctx: Context, webhookId: string, name: string): Promise<string> {
  if (ctx.account.mode !== "sandbox") throw notFound("event");
  const declared = EVENT_CATALOGUE.find((event) => event.name === name);
  if (!declared) throw notFound("event");
  const webhook = await webhookAt(ctx, webhookId);
  if (!webhook.status) throw new DomainError("webhook_disabled", "the webhook is disabled");
  const at = now(ctx);
  const [id, entityId] = [newId(), newId()];
  const { object, event } = declared;
  const body = { ...exampleOf(declared), id, entityVersion: 1, createdAt: at.toISOString() };
  await insertRows(ctx.db, events, [
    {
      id,
      clientId: ctx.account.id,
      object,
      event,
      entityId,
      entityVersion: 1,
      body: Buffer.from(JSON.stringify(body)),
      createdAt: at,
      // Nobody else hears of it.
      fannedOutAt: realNow(),
    },
  ]);
  const deliveryId = newId();
  await ctx.db.insert(webhookDeliveries).values({
    id: deliveryId,
    clientId: ctx.account.id,
    webhookId,
    eventId: id,
    event: name,
    entityId,
    entityVersion: 1,
    eventCreatedAt: at,
    origin: "resend",
    status: "scheduled",
    nextAttemptAt: at,
    readyAt: realNow(),
    createdAt: at,
  });
  await audit(ctx, { action: "webhook.sample", object: "webhook", objectId: webhookId, after: { event: name } });
  await wakeDispatcher(ctx);
  return deliveryId;
}
