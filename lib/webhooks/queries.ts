import { and, asc, desc, eq, gt, gte, inArray, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { events } from "@/db/schema/outbox";
import { webhookAttempts, webhookDeliveries, webhooks } from "@/db/schema/webhooks";
import type { Context } from "@/lib/context";
import { directionOf, offsetOf, type Page, type Paged } from "@/lib/http/pagination";
import type { DeliveryFilters, EventFilters } from "@/lib/webhooks/schema";

export type WebhookRow = typeof webhooks.$inferSelect;
export type DeliveryAttemptRow = Pick<
  typeof webhookAttempts.$inferSelect,
  "deliveryId" | "number" | "at" | "durationMs" | "statusCode" | "error"
>;
export interface Delivery {
  row: typeof webhookDeliveries.$inferSelect;
  attempts: DeliveryAttemptRow[];
}
export type EventRow = typeof events.$inferSelect;

const ownedBy = (ctx: Context): SQL => eq(webhooks.clientId, ctx.account.id);

export async function findWebhook(ctx: Context, id: string): Promise<WebhookRow | undefined> {
  const [row] = await ctx.db
    .select()
    .from(webhooks)
    .where(and(ownedBy(ctx), eq(webhooks.id, id), isNull(webhooks.deletedAt)));
  return row;
}

/** Deleted ones too: their deliveries may still be on the wire. */
export async function lockWebhookRow(ctx: Context, id: string): Promise<WebhookRow | undefined> {
  const [row] = await ctx.db
    .select()
    .from(webhooks)
    .where(and(ownedBy(ctx), eq(webhooks.id, id)))
    // Fan-out refers to the row meanwhile: only its key must stand still for that.
    .for("no key update");
  return row;
}

export async function listWebhooks(ctx: Context, page: Page): Promise<Paged<WebhookRow>> {
  const where = and(ownedBy(ctx), isNull(webhooks.deletedAt));
  const items = await ctx.db
    .select()
    .from(webhooks)
    .where(where)
    .orderBy(...ordered(page, webhooks))
    .limit(page.limit)
    .offset(offsetOf(page));
  return { items, totalItems: await ctx.db.$count(webhooks, where) };
}

/** Whether any webhook that is on asks for the event. */
export async function isTakenByWebhook(ctx: Context, object: string, event: string): Promise<boolean> {
  const [row] = await ctx.db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(
      and(
        ownedBy(ctx),
        isNull(webhooks.deletedAt),
        eq(webhooks.status, true),
        inArray(webhooks.event, ["*", `${object}.*`, `${object}.${event}`]),
      ),
    )
    .limit(1);
  return row !== undefined;
}

function ordered(page: Page, { createdAt, id }: { createdAt: AnyPgColumn; id: AnyPgColumn }): SQL[] {
  const order = directionOf(page) === "asc" ? asc : desc;
  return [order(createdAt), order(id)];
}

type Span = Pick<DeliveryFilters, "created" | "created.gt" | "created.lt">;

const within = (
  createdAt: AnyPgColumn,
  { created, "created.gt": after, "created.lt": before }: Span,
): SQL | undefined =>
  and(
    created ? and(gte(createdAt, created.from), lt(createdAt, created.until)) : undefined,
    after ? gt(createdAt, after) : undefined,
    before ? lt(createdAt, before) : undefined,
  );

/** `transaction.authorized`, `transaction.*` or `*`. */
export const named = (name: SQL | AnyPgColumn, object: SQL, wanted: string | undefined): SQL | undefined => {
  if (wanted === undefined || wanted === "*") return undefined;
  return wanted.endsWith(".*") ? sql`${object} = ${wanted.slice(0, -2)}` : sql`${name} = ${wanted}`;
};

export const objectOfName = sql`regexp_replace(${webhookDeliveries.event}, '\\.[^.]*$', '')`;

export async function listDeliveries(
  ctx: Context,
  webhookId: string,
  filters: DeliveryFilters,
): Promise<Paged<Delivery>> {
  const where = and(
    eq(webhookDeliveries.clientId, ctx.account.id),
    eq(webhookDeliveries.webhookId, webhookId),
    filters.status ? inArray(webhookDeliveries.status, filters.status) : undefined,
    named(webhookDeliveries.event, objectOfName, filters.event),
    filters.eventId ? eq(webhookDeliveries.eventId, filters.eventId) : undefined,
    within(webhookDeliveries.createdAt, filters),
  );
  const rows = await ctx.db
    .select()
    .from(webhookDeliveries)
    .where(where)
    .orderBy(...ordered(filters, webhookDeliveries))
    .limit(filters.limit)
    .offset(offsetOf(filters));
  return { items: await withAttempts(ctx, rows), totalItems: await ctx.db.$count(webhookDeliveries, where) };
}

export async function findDelivery(ctx: Context, webhookId: string, id: string): Promise<Delivery | undefined> {
  const rows = await ctx.db
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.clientId, ctx.account.id),
        eq(webhookDeliveries.webhookId, webhookId),
        eq(webhookDeliveries.id, id),
      ),
    );
  return (await withAttempts(ctx, rows))[0];
}

async function withAttempts(ctx: Context, rows: Delivery["row"][]): Promise<Delivery[]> {
  if (rows.length === 0) return [];
  const { deliveryId, number, at, durationMs, statusCode, error } = webhookAttempts;
  const attempts: DeliveryAttemptRow[] = await ctx.db
    .select({ deliveryId, number, at, durationMs, statusCode, error })
    .from(webhookAttempts)
    .where(
      and(
        eq(webhookAttempts.clientId, ctx.account.id),
        inArray(
          deliveryId,
          rows.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(asc(number));
  return rows.map((row) => ({ row, attempts: attempts.filter((attempt) => attempt.deliveryId === row.id) }));
}

const ownEvents = (ctx: Context): SQL => eq(events.clientId, ctx.account.id);
const fullName = sql`${events.object} || '.' || ${events.event}`;

export async function listEvents(ctx: Context, filters: EventFilters): Promise<Paged<EventRow>> {
  const where = and(
    ownEvents(ctx),
    named(fullName, sql`${events.object}`, filters.event),
    filters.objectId ? eq(events.entityId, filters.objectId) : undefined,
    within(events.createdAt, filters),
  );
  const items = await ctx.db
    .select()
    .from(events)
    .where(where)
    .orderBy(...ordered(filters, events))
    .limit(filters.limit)
    .offset(offsetOf(filters));
  return { items, totalItems: await ctx.db.$count(events, where) };
}

export async function findEvent(ctx: Context, id: string): Promise<EventRow | undefined> {
  const [row] = await ctx.db
    .select()
    .from(events)
    .where(and(ownEvents(ctx), eq(events.id, id)));
  return row;
}

/** The events of a window that both filters take; the caller orders them. */
export const eventsToReplay = (ctx: Context, filters: readonly string[], since: Date, until: Date): SQL => {
  const where = and(
    ownEvents(ctx),
    ...filters.map((filter) => named(fullName, sql`${events.object}`, filter)),
    gte(events.createdAt, since),
    lt(events.createdAt, new Date(until.getTime() + 1)),
  );
  return sql`select ${events.id} as id from ${events} where ${where}`;
};
