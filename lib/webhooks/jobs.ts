import { and, eq, isNotNull, sql } from "drizzle-orm";
import { webhookDeliveries, webhooks } from "@/db/schema/webhooks";
import { type Context, inTransaction, now } from "@/lib/context";
import { dueAtOf, schedule } from "@/lib/due-jobs/schedule";
import { addSeconds, realNow } from "@/lib/time";
import { isListener } from "@/lib/webhooks/endpoint-rules";
import { HELD_SECONDS, healthAfter, pauseWebhook } from "@/lib/webhooks/health";
import { findWebhook, lockWebhookRow, type WebhookRow } from "@/lib/webhooks/queries";
import { tellAdministrators } from "@/lib/webhooks/tell";
import { wakeDispatcher } from "@/lib/webhooks/wake";

/** The moment's work is with the dispatcher and not over: a test clock waits for it before it goes on. */
export class StillSending extends Error {}

/** Live accounts wait for nobody: the drain serves all of them. */
const isAwaited = (ctx: Context): boolean => ctx.account.mode === "sandbox";

/** A retry is due: the dispatcher may take it. */
export async function attemptDue(ctx: Context, deliveryId: string): Promise<void> {
  const isSent = await inTransaction(ctx, async (inside) => {
    const [delivery] = await inside.db
      .select()
      .from(webhookDeliveries)
      .where(and(eq(webhookDeliveries.clientId, ctx.account.id), eq(webhookDeliveries.id, deliveryId)))
      .for("update");
    if (delivery?.status === "sending") return isSentByUs(inside, delivery.webhookId);
    if (delivery?.status !== "scheduled" || (delivery.nextAttemptAt && delivery.nextAttemptAt > now(inside)))
      return false;
    if (!delivery.readyAt) await makeReady(inside, deliveryId);
    return isSentByUs(inside, delivery.webhookId);
  });
  if (isSent && isAwaited(ctx)) throw new StillSending("the delivery is being sent");
}

/** Whoever takes events by itself may be away for ever: no clock waits for it. */
async function isSentByUs(ctx: Context, webhookId: string): Promise<boolean> {
  const webhook = await findWebhook(ctx, webhookId);
  return webhook !== undefined && !isListener(webhook.address);
}

async function makeReady(ctx: Context, deliveryId: string): Promise<void> {
  await ctx.db.update(webhookDeliveries).set({ readyAt: realNow() }).where(eq(webhookDeliveries.id, deliveryId));
  await wakeDispatcher(ctx);
}

/** A quarter of an hour after the first failure: it is failing from this moment, whenever the next attempt is. */
export async function failingDue(ctx: Context, webhookId: string): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const webhook = await lockWebhookRow(inside, webhookId);
    if (!webhook?.status || webhook.deletedAt || webhook.health !== "healthy") return;
    const at = now(inside);
    if (healthAfter(webhook, at) !== "failing") return;
    await inside.db.update(webhooks).set({ health: "failing" }).where(eq(webhooks.id, webhookId));
    await tellAdministrators(inside, webhook, "webhook.fail", at);
  });
}

/** Five days after the first failure: is it an outage? */
export async function pauseDue(ctx: Context, webhookId: string): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const webhook = await lockWebhookRow(inside, webhookId);
    if (!webhook?.status || webhook.deletedAt) return;
    const at = now(inside);
    if (healthAfter(webhook, at) === "paused") await pauseWebhook(inside, webhook, at);
  });
}

const PROBE_EVERY_SECONDS = 3_600;

/** Every hour of a pause the oldest held event asks whether the endpoint is back. */
export async function probeDue(ctx: Context, webhookId: string): Promise<void> {
  const isAsking = await inTransaction(ctx, async (inside) => {
    const webhook = await lockWebhookRow(inside, webhookId);
    if (webhook?.health !== "paused" || webhook.deletedAt) return false;
    if (await isOnItsWay(inside, webhookId)) return true;
    const at = now(inside);
    // Its answer came while this waited for the row, and has set the next hour.
    const dueAt = await dueAtOf(inside, "webhook.probe", webhookId);
    if (dueAt && dueAt > at) return false;
    if (webhook.disabledAt && at > addSeconds(webhook.disabledAt, HELD_SECONDS)) return false;
    const probe = await oldestHeld(inside, webhook);
    if (!probe) {
      await schedule(inside, "webhook.probe", webhookId, addSeconds(at, PROBE_EVERY_SECONDS));
      return false;
    }
    await inside.db.update(webhookDeliveries).set({ status: "held" }).where(eq(webhookDeliveries.id, probe));
    await makeReady(inside, probe);
    return true;
  });
  // Its answer sets the next hour, or opens the webhook.
  if (isAsking && isAwaited(ctx)) throw new StillSending("the endpoint is being asked");
}

async function isOnItsWay(ctx: Context, webhookId: string): Promise<boolean> {
  const rows = await ctx.db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhookId), isNotNull(webhookDeliveries.readyAt)))
    .limit(1);
  return rows.length > 0;
}

/** What failed for good in the outage stands in when nothing is held. */
async function oldestHeld(ctx: Context, { id, firstFailureAt }: WebhookRow): Promise<string | undefined> {
  const since = (firstFailureAt ?? now(ctx)).toISOString();
  const [oldest] = await ctx.db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.webhookId, id),
        sql`(${webhookDeliveries.status} = 'held' or (${webhookDeliveries.status} = 'exhausted'
             and ${webhookDeliveries.exhaustedAt} >= ${since}::timestamptz))`,
      ),
    )
    .orderBy(
      sql`${webhookDeliveries.status} <> 'held'`,
      webhookDeliveries.eventCreatedAt,
      webhookDeliveries.entityVersion,
      webhookDeliveries.id,
    )
    .limit(1);
  return oldest?.id;
}
