import { and, eq, sql } from "drizzle-orm";
import { equalsLiteral, isOneOf } from "@/db/literals";
import { webhookDeliveries, webhooks } from "@/db/schema/webhooks";
import type { Context } from "@/lib/context";
import { schedule, unschedule } from "@/lib/due-jobs/schedule";
import { addSeconds, DAY_SECONDS } from "@/lib/time";
import { ORDER_PATIENCE_SECONDS } from "@/lib/webhooks/fan-out";
import type { WebhookRow } from "@/lib/webhooks/queries";
import { endSchedules } from "@/lib/webhooks/schedule";
import { tellAdministrators } from "@/lib/webhooks/tell";
import { wakeDispatcher } from "@/lib/webhooks/wake";

const FAILING_AFTER_SECONDS = 900;
const FAILING_FROM = 3;
const PAUSED_AFTER_SECONDS = 5 * DAY_SECONDS;
/** One burst of failures is no outage of five days, however long ago it was. */
const SPREAD_SECONDS = DAY_SECONDS;
const PROBE_EVERY_SECONDS = 3_600;
export const HELD_SECONDS = 30 * DAY_SECONDS;

export type Health = Pick<WebhookRow, "health" | "failures" | "firstFailureAt" | "lastFailureAt">;

const WELL = { failures: 0, firstFailureAt: null, lastFailureAt: null, health: "healthy" } as const;

const secondsBetween = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / 1_000;

/** The state of a webhook that has failed until `at` without a success. */
export function healthAfter({ failures, firstFailureAt, lastFailureAt }: Health, at: Date): WebhookRow["health"] {
  if (!firstFailureAt || !lastFailureAt) return "healthy";
  const outage = secondsBetween(firstFailureAt, at);
  if (outage >= PAUSED_AFTER_SECONDS && secondsBetween(firstFailureAt, lastFailureAt) >= SPREAD_SECONDS)
    return "paused";
  return failures >= FAILING_FROM && outage >= FAILING_AFTER_SECONDS ? "failing" : "healthy";
}

export async function noteSuccess(ctx: Context, webhook: WebhookRow, at: Date): Promise<void> {
  await ctx.db.update(webhooks).set(WELL).where(eq(webhooks.id, webhook.id));
  await endOutage(ctx, webhook.id);
  if (webhook.health === "failing") await tellAdministrators(ctx, webhook, "webhook.recover", at);
}

/** The caller holds the webhook's row. */
export async function noteFailure(ctx: Context, webhook: WebhookRow, at: Date, what: string): Promise<void> {
  if (webhook.health === "paused")
    return schedule(ctx, "webhook.probe", webhook.id, addSeconds(at, PROBE_EVERY_SECONDS));
  if (!webhook.status) return;
  const failed = {
    health: webhook.health,
    failures: webhook.failures + 1,
    firstFailureAt: webhook.firstFailureAt ?? at,
    lastFailureAt: at,
  };
  // The failures before this one must be spread: a single late one after a burst does not make an outage.
  const isOver = healthAfter({ ...failed, lastFailureAt: webhook.lastFailureAt }, at) === "paused";
  const health = isOver ? "failing" : healthAfter(failed, at) === "healthy" ? webhook.health : "failing";
  await ctx.db
    .update(webhooks)
    .set({ ...failed, health })
    .where(eq(webhooks.id, webhook.id));
  if (isOver) return pauseWebhook(ctx, { ...webhook, ...failed, health }, at);
  if (health === "failing" && webhook.health === "healthy")
    await tellAdministrators(ctx, webhook, "webhook.fail", at, what);
  if (webhook.firstFailureAt) return;
  await schedule(ctx, "webhook.failing", webhook.id, addSeconds(at, FAILING_AFTER_SECONDS));
  await schedule(ctx, "webhook.pause", webhook.id, addSeconds(at, PAUSED_AFTER_SECONDS));
}

/** The moments that were counted from its first failure mean nothing any more. */
export async function endOutage(ctx: Context, webhookId: string): Promise<void> {
  await unschedule(ctx, "webhook.failing", webhookId);
  await unschedule(ctx, "webhook.pause", webhookId);
}

/** We stop it: nothing is lost, what is open and what comes is held, and one event an hour asks whether it is back. */
export async function pauseWebhook(ctx: Context, webhook: WebhookRow, at: Date): Promise<void> {
  await ctx.db
    .update(webhooks)
    .set({ status: false, health: "paused", disabledAt: at, disabledReason: "delivery_failures", updatedAt: at })
    .where(eq(webhooks.id, webhook.id));
  const held = await ctx.db
    .update(webhookDeliveries)
    .set({ status: "held", nextAttemptAt: null, readyAt: null })
    .where(and(eq(webhookDeliveries.webhookId, webhook.id), equalsLiteral(webhookDeliveries.status, "scheduled")))
    .returning({ id: webhookDeliveries.id });
  await endSchedules(
    ctx,
    held.map(({ id }) => id),
  );
  await endOutage(ctx, webhook.id);
  await schedule(ctx, "webhook.probe", webhook.id, addSeconds(at, PROBE_EVERY_SECONDS));
  await tellAdministrators(ctx, webhook, "webhook.pause", at);
}

/**
 * It answers again, or its client says so: everything held, and what was exhausted in the outage, goes out. `latestOnly`
 * leaves of each entity the newest event alone.
 */
export async function reopen(ctx: Context, webhook: WebhookRow, at: Date, latestOnly = false): Promise<void> {
  await ctx.db
    .update(webhooks)
    .set({ ...WELL, status: true, disabledAt: null, disabledReason: null, updatedAt: at })
    .where(eq(webhooks.id, webhook.id));
  const since = webhook.firstFailureAt ?? webhook.disabledAt ?? at;
  await ctx.db
    .update(webhookDeliveries)
    .set({
      status: "scheduled",
      counted: 0,
      firstAttemptAt: null,
      exhaustedAt: null,
      nextAttemptAt: at,
      readyAt: sql`now()`,
      waitsUntil: addSeconds(at, ORDER_PATIENCE_SECONDS),
    })
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhook.id),
        sql`(${webhookDeliveries.status} = 'held' or (${webhookDeliveries.status} = 'exhausted'
             and ${webhookDeliveries.exhaustedAt} >= ${since.toISOString()}::timestamptz))`,
      ),
    );
  if (latestOnly) await dropOlderStates(ctx, webhook.id);
  await unschedule(ctx, "webhook.probe", webhook.id);
  await tellAdministrators(ctx, webhook, "webhook.reopen", at);
  await wakeDispatcher(ctx);
}

/** The endpoint says that it is there no more: its client must set it right, and nothing is held. */
export async function goneFor(ctx: Context, webhook: WebhookRow, at: Date): Promise<void> {
  if (!webhook.status && webhook.health !== "paused") return;
  await ctx.db
    .update(webhooks)
    .set({ ...WELL, status: false, disabledAt: at, disabledReason: "gone", updatedAt: at })
    .where(eq(webhooks.id, webhook.id));
  await endOutage(ctx, webhook.id);
  await unschedule(ctx, "webhook.probe", webhook.id);
  await tellAdministrators(ctx, webhook, "webhook.gone", at);
}

/** What has not been delivered will not be. What is on the wire ends by itself. */
export async function dropOpen(ctx: Context, webhookId: string, reason: string): Promise<number> {
  const dropped = await ctx.db
    .update(webhookDeliveries)
    .set({ status: "dropped", reason, nextAttemptAt: null, readyAt: null })
    .where(and(eq(webhookDeliveries.webhookId, webhookId), isOneOf(webhookDeliveries.status, ["scheduled", "held"])))
    .returning({ id: webhookDeliveries.id });
  await endSchedules(
    ctx,
    dropped.map(({ id }) => id),
  );
  return dropped.length;
}

async function dropOlderStates(ctx: Context, webhookId: string): Promise<void> {
  await ctx.db.execute(sql`
    update webhook_deliveries d
       set status = 'dropped', reason = 'latest state only', next_attempt_at = null, ready_at = null
     where d.webhook_id = ${webhookId} and d.status = 'scheduled' and exists (
       select from webhook_deliveries newer
        where newer.webhook_id = d.webhook_id and newer.entity_id = d.entity_id
          and newer.entity_version > d.entity_version and newer.status = 'scheduled')`);
}
