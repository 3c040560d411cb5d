import type { z } from "zod";
import { type Context, now } from "@/lib/context";
import type { Delivery, EventRow, WebhookRow } from "@/lib/webhooks/queries";
import type { DeliveryBody, eventBody, WebhookBody } from "@/lib/webhooks/schema";

/** The only place where a webhook becomes a wire object; the previous key is shown while it lasts. */
export function serializeWebhook(ctx: Context, webhook: WebhookRow): WebhookBody {
  const { previousPublicKey, previousKeyExpiresAt, disabledAt, disabledReason } = webhook;
  const hasPrevious = previousPublicKey && previousKeyExpiresAt && previousKeyExpiresAt > now(ctx);
  return {
    id: webhook.id,
    createdAt: webhook.createdAt,
    updatedAt: webhook.updatedAt,
    clientId: webhook.clientId,
    event: webhook.event,
    endpoint: webhook.endpoint,
    version: webhook.version,
    publicKey: webhook.publicKey,
    status: webhook.status,
    health: webhook.health,
    ...(hasPrevious ? { previousPublicKey, previousKeyExpiresAt } : {}),
    ...(disabledAt ? { disabledAt } : {}),
    ...(disabledReason ? { disabledReason } : {}),
  };
}

export const serializeDelivery = ({ row, attempts }: Delivery): DeliveryBody => ({
  id: row.id,
  webhookId: row.webhookId,
  eventId: row.eventId,
  event: row.event,
  status: row.status,
  attempts: attempts.map(({ number, at, durationMs, statusCode, error }) => ({
    number,
    at,
    durationMs,
    ...(statusCode === null ? {} : { statusCode }),
    ...(error === null ? {} : { error }),
  })),
  ...(row.nextAttemptAt ? { nextAttemptAt: row.nextAttemptAt } : {}),
  ...(row.deliveredAt ? { deliveredAt: row.deliveredAt } : {}),
  createdAt: row.createdAt,
});

/** What was sent, read back from its frozen bytes. */
export const serializeEvent = ({ body, entityId }: EventRow): z.input<typeof eventBody> => ({
  // Guarantee: the reply schema checks what `emit` once wrote.
  ...(JSON.parse(body.toString("utf8")) as z.input<typeof eventBody>),
  objectId: entityId,
});
