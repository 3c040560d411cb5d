import { and, asc, between, desc, eq, gte, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import { dueJobs } from "@/db/schema/outbox";
import {
  type AttemptError,
  type DeliveryStatus,
  webhookAttempts,
  webhookDeliveries,
  webhooks,
} from "@/db/schema/webhooks";
import { type Context, now } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { findEvent, findWebhook, named, objectOfName, type WebhookRow } from "@/lib/webhooks/queries";

export const DELIVERIES_PER_PAGE = 50;
/** How the last attempt ended: a class of statuses, or what went wrong instead. */
export const RESULTS = { "2xx": 200, "3xx": 300, "4xx": 400, "5xx": 500 } as const;
export type ResultClass = keyof typeof RESULTS;
const isClass = (result: string): result is ResultClass => Object.hasOwn(RESULTS, result);

/** How often it was sent: bounds, both included. */
export const ATTEMPT_COUNTS = { none: [0, 0], one: [1, 1], several: [2, 1_000] } as const;
export type AttemptCount = keyof typeof ATTEMPT_COUNTS;

export interface DeliverySearch {
  webhookId?: string | undefined;
  status?: readonly DeliveryStatus[] | undefined;
  /** `transaction.authorized` or `transaction.*`. */
  event?: string | undefined;
  eventId?: string | undefined;
  objectId?: string | undefined;
  /** Of an object, an event or a delivery: whatever a person has at hand. */
  about?: string | undefined;
  /** These alone. */
  ids?: readonly string[] | undefined;
  attempts?: AttemptCount | undefined;
  result?: ResultClass | AttemptError | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  /** Positions, as a page before answered them. */
  after?: string | undefined;
  before?: string | undefined;
}

type DeliveryRow = typeof webhookDeliveries.$inferSelect;
export interface ListedDelivery
  extends Pick<
    DeliveryRow,
    | "id"
    | "webhookId"
    | "eventId"
    | "event"
    | "entityId"
    | "entityVersion"
    | "origin"
    | "status"
    | "reason"
    | "attempts"
    | "nextAttemptAt"
    | "deliveredAt"
    | "createdAt"
  > {
  endpoint: string;
  lastStatusCode: number | null;
  lastError: AttemptError | null;
  lastDurationMs: number | null;
}

export interface DeliveryPage {
  items: ListedDelivery[];
  previous: string | undefined;
  next: string | undefined;
}

/** Across all webhooks of the account, the newest first. */
export async function searchDeliveries(ctx: Context, search: DeliverySearch): Promise<DeliveryPage> {
  const isBackward = search.before !== undefined;
  const direction = isBackward ? asc : desc;
  const order = [direction(webhookDeliveries.createdAt), direction(webhookDeliveries.id)] as const;
  const most = DELIVERIES_PER_PAGE + 1;
  // Each webhook's own page, then the page of all of them: one index serves both, and a delivery is written to no other.
  const ofEach = ctx.db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .leftJoin(webhookAttempts, lastAttempt)
    .where(and(sql`${webhookDeliveries.webhookId} = owned.id`, ...narrowing(ctx, search), beyond(search)))
    .orderBy(...order)
    .limit(most);
  const rows = await listed(ctx)
    .where(
      sql`${webhookDeliveries.id} in (
        select found.id from ${webhooks} owned cross join lateral (${ofEach.getSQL()}) found
         where owned.client_id = ${ctx.account.id})`,
    )
    .orderBy(...order)
    .limit(most);
  const isMore = rows.length > DELIVERIES_PER_PAGE;
  const items = rows.slice(0, DELIVERIES_PER_PAGE);
  if (isBackward) items.reverse();
  const [first, last] = [items[0], items.at(-1)];
  return {
    items,
    previous: first && (isBackward ? isMore : search.after !== undefined) ? positionOf(first) : undefined,
    next: last && (isBackward || isMore) ? positionOf(last) : undefined,
  };
}

const positionOf = ({ createdAt, id }: ListedDelivery): string => `${createdAt.toISOString()}_${id}`;

function beyond({ after, before }: DeliverySearch): SQL | undefined {
  const [at = "", id = ""] = (after ?? before ?? "").split("_");
  if (!isUuid(id) || Number.isNaN(Date.parse(at))) return undefined;
  const place = sql`(${webhookDeliveries.createdAt}, ${webhookDeliveries.id})`;
  const given = sql`(${at}::timestamptz, ${id}::uuid)`;
  return after === undefined ? sql`${place} > ${given}` : sql`${place} < ${given}`;
}

/** With what the last attempt of each came to. */
const listed = (ctx: Context) =>
  ctx.db
    .select({
      id: webhookDeliveries.id,
      webhookId: webhookDeliveries.webhookId,
      endpoint: webhooks.endpoint,
      eventId: webhookDeliveries.eventId,
      event: webhookDeliveries.event,
      entityId: webhookDeliveries.entityId,
      entityVersion: webhookDeliveries.entityVersion,
      origin: webhookDeliveries.origin,
      status: webhookDeliveries.status,
      reason: webhookDeliveries.reason,
      attempts: webhookDeliveries.attempts,
      nextAttemptAt: webhookDeliveries.nextAttemptAt,
      deliveredAt: webhookDeliveries.deliveredAt,
      createdAt: webhookDeliveries.createdAt,
      lastStatusCode: webhookAttempts.statusCode,
      lastError: webhookAttempts.error,
      lastDurationMs: webhookAttempts.durationMs,
    })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .leftJoin(webhookAttempts, lastAttempt);

export const lastAttempt = and(
  eq(webhookAttempts.deliveryId, webhookDeliveries.id),
  eq(webhookAttempts.number, webhookDeliveries.attempts),
);

export function narrowing(ctx: Context, search: DeliverySearch): (SQL | undefined)[] {
  const { webhookId, status, event, eventId, objectId, about, ids, attempts, result, since, until } = search;
  const given = [webhookId, eventId, objectId, about, ...(ids ?? [])].filter((id) => id !== undefined);
  if (!given.every(isUuid)) return [sql`false`];
  return [
    eq(webhookDeliveries.clientId, ctx.account.id),
    webhookId ? eq(webhookDeliveries.webhookId, webhookId) : undefined,
    status && status.length > 0 ? inArray(webhookDeliveries.status, [...status]) : undefined,
    named(webhookDeliveries.event, objectOfName, event),
    eventId ? eq(webhookDeliveries.eventId, eventId) : undefined,
    objectId ? eq(webhookDeliveries.entityId, objectId) : undefined,
    about
      ? or(eq(webhookDeliveries.entityId, about), eq(webhookDeliveries.eventId, about), eq(webhookDeliveries.id, about))
      : undefined,
    ids ? inArray(webhookDeliveries.id, [...ids]) : undefined,
    attempts
      ? between(webhookDeliveries.attempts, ATTEMPT_COUNTS[attempts][0], ATTEMPT_COUNTS[attempts][1])
      : undefined,
    result === undefined ? undefined : endedWith(result),
    since ? gte(webhookDeliveries.createdAt, since) : undefined,
    until ? lt(webhookDeliveries.createdAt, until) : undefined,
  ];
}

const CLASS_SIZE = 100;

function endedWith(result: ResultClass | AttemptError): SQL | undefined {
  if (!isClass(result)) return eq(webhookAttempts.error, result);
  const first = RESULTS[result];
  return and(gte(webhookAttempts.statusCode, first), lt(webhookAttempts.statusCode, first + CLASS_SIZE));
}

export interface AttemptDetail {
  number: number;
  at: Date;
  durationMs: number;
  statusCode: number | null;
  error: AttemptError | null;
  requestHeaders: Record<string, string>;
  responseHeaders: Record<string, string> | null;
  /** At most 16 kB of it were kept. */
  responseBody: string | null;
}
export interface DeliveryDetail {
  delivery: ListedDelivery;
  /** Not sent before earlier events of its object are. */
  isBehind: boolean;
  webhook: WebhookRow | undefined;
  /** The exact text that is sent; null when the event is no longer kept. */
  body: string | null;
  attempts: AttemptDetail[];
}

/** As a claim judges it (claim.ts). */
async function waitsForEarlier(ctx: Context, id: string): Promise<boolean> {
  const [row] = await ctx.db.execute<{ waits: boolean }>(sql`
    select exists (
      select from webhook_deliveries d join webhook_deliveries earlier
        on earlier.webhook_id = d.webhook_id and earlier.entity_id = d.entity_id
       and earlier.entity_version < d.entity_version and earlier.status in ('scheduled', 'sending', 'held')
       where d.client_id = ${ctx.account.id} and d.id = ${id} and d.status in ('scheduled', 'held')
         and d.waits_until > ${now(ctx).toISOString()}::timestamptz) as waits`);
  return row?.waits ?? false;
}

export async function deliveryDetail(ctx: Context, id: string): Promise<DeliveryDetail> {
  if (!isUuid(id)) throw notFound("delivery");
  const [delivery] = await listed(ctx).where(
    and(eq(webhookDeliveries.clientId, ctx.account.id), eq(webhookDeliveries.id, id)),
  );
  if (!delivery) throw notFound("delivery");
  const event = await findEvent(ctx, delivery.eventId);
  const attempts = await ctx.db
    .select()
    .from(webhookAttempts)
    .where(and(eq(webhookAttempts.clientId, ctx.account.id), eq(webhookAttempts.deliveryId, id)))
    .orderBy(asc(webhookAttempts.number));
  return {
    delivery,
    isBehind: await waitsForEarlier(ctx, id),
    webhook: await findWebhook(ctx, delivery.webhookId),
    body: event?.body.toString("utf8") ?? null,
    attempts: attempts.map(({ responseBody, ...attempt }) => ({
      ...attempt,
      responseBody: responseBody?.toString("utf8") ?? null,
    })),
  };
}

/** Whether anything of what is kept was ever to be sent to it. */
export async function hasDeliveries(ctx: Context, webhookId: string): Promise<boolean> {
  const rows = await ctx.db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.clientId, ctx.account.id), eq(webhookDeliveries.webhookId, webhookId)))
    .limit(1);
  return rows.length > 0;
}

export interface Backlog {
  scheduled: number;
  sending: number;
  held: number;
  exhausted: number;
  oldestOpenAt: Date | null;
  /** When what waits is tried next: a retry, or the question of each hour whether the endpoint is back. */
  nextTryAt: Date | null;
}

/** What each webhook still has to get, and what it will not get by itself. */
export async function backlogOf(ctx: Context, webhookIds: readonly string[]): Promise<Map<string, Backlog>> {
  if (webhookIds.length === 0) return new Map();
  const { status, webhookId, eventCreatedAt, nextAttemptAt, clientId } = webhookDeliveries;
  const count = (of: DeliveryStatus) => sql<number>`count(*) filter (where ${status} = ${of})`.mapWith(Number);
  const rows = await ctx.db
    .select({
      webhookId,
      scheduled: count("scheduled"),
      sending: count("sending"),
      held: count("held"),
      exhausted: count("exhausted"),
      next: sql<string | null>`least(min(${nextAttemptAt}) filter (where ${status} = 'scheduled'), (
        select min(${dueJobs.dueAt}) from ${dueJobs}
         where ${dueJobs.kind} = 'webhook.probe' and ${dueJobs.refId} = ${webhookId}))`,
      oldest: sql<string | null>`min(${eventCreatedAt}) filter (where ${status} in ('scheduled', 'sending', 'held'))`,
    })
    .from(webhookDeliveries)
    .where(
      and(
        eq(clientId, ctx.account.id),
        inArray(webhookId, [...webhookIds]),
        inArray(status, ["scheduled", "sending", "held", "exhausted"]),
      ),
    )
    .groupBy(webhookId);
  return new Map(
    rows.map(({ webhookId: id, oldest, next, ...row }) => [
      id,
      { ...row, oldestOpenAt: oldest ? new Date(oldest) : null, nextTryAt: next ? new Date(next) : null },
    ]),
  );
}
