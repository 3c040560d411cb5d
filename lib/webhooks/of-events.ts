import { and, asc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { equalsLiteral } from "@/db/literals";
import { events } from "@/db/schema/outbox";
import { type DeliveryStatus, webhookDeliveries, webhooks } from "@/db/schema/webhooks";
import { type Context, inTransaction } from "@/lib/context";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

export interface EventDelivery {
  id: string;
  eventId: string;
  endpoint: string;
  status: DeliveryStatus;
  attempts: number;
  firstAttemptAt: Date | null;
  deliveredAt: Date | null;
  /** It can be sent once more: its webhook is on. */
  isOpen: boolean;
}

/** Where each of these events went first; sending one again is a delivery of its own, in the explorer. */
export const deliveriesOf = async (
  ctx: Context,
  role: OperatorRole,
  eventIds: readonly string[],
): Promise<EventDelivery[]> => {
  if (eventIds.length === 0 || !may(role, "webhooks.see")) return [];
  return inTransaction(ctx, ({ db, account }) =>
    db
      .select({
        id: webhookDeliveries.id,
        eventId: webhookDeliveries.eventId,
        endpoint: webhooks.endpoint,
        status: webhookDeliveries.status,
        attempts: webhookDeliveries.attempts,
        firstAttemptAt: webhookDeliveries.firstAttemptAt,
        deliveredAt: webhookDeliveries.deliveredAt,
        isOpen: webhooks.status,
      })
      .from(webhookDeliveries)
      .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
      .where(
        and(
          eq(webhookDeliveries.clientId, account.id),
          inArray(webhookDeliveries.eventId, [...eventIds]),
          equalsLiteral(webhookDeliveries.origin, "event"),
        ),
      )
      .orderBy(asc(webhookDeliveries.createdAt), asc(webhookDeliveries.id)),
  );
};

/** Those of these events that no enabled webhook asked for; what still waits for its deliveries is not among them. */
export async function untakenAmong(
  ctx: Context,
  role: OperatorRole,
  eventIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (eventIds.length === 0 || !may(role, "webhooks.see")) return new Set();
  const rows = await inTransaction(ctx, ({ db, account }) =>
    db
      .select({ id: events.id })
      .from(events)
      .where(
        and(
          eq(events.clientId, account.id),
          inArray(events.id, [...eventIds]),
          isNotNull(events.fannedOutAt),
          sql`not exists (select from ${webhookDeliveries} d where d.client_id = ${account.id} and d.event_id = ${events.id})`,
        ),
      ),
  );
  return new Set(rows.map(({ id }) => id));
}
