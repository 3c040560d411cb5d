import { and, eq, sql } from "drizzle-orm";
import { equalsLiteral } from "@/db/literals";
import { webhookAttempts, webhookDeliveries } from "@/db/schema/webhooks";
import { type Account, type Context, inTransaction, now, systemContext } from "@/lib/context";
import { realNow } from "@/lib/time";
import type { ClaimedDelivery } from "@/lib/webhooks/claim";
import { isListener } from "@/lib/webhooks/endpoint-rules";
import { dropOpen, goneFor, type Health, noteFailure, noteSuccess, reopen } from "@/lib/webhooks/health";
import { recordPlainSuccess } from "@/lib/webhooks/plain-success";
import { lockWebhookRow, type WebhookRow } from "@/lib/webhooks/queries";
import { nextAttempt, retryAfterSeconds } from "@/lib/webhooks/retries";
import { endSchedules, followSchedule } from "@/lib/webhooks/schedule";
import type { EndpointAnswer } from "@/lib/webhooks/send";

const GONE = 410;

export interface Attempted {
  claimed: ClaimedDelivery;
  account: Account;
  requestId: string;
  requestHeaders: Record<string, string>;
  /** When it began, on the account's clock. */
  at: Date;
  answer: EndpointAnswer;
}

export const isSuccess = ({ statusCode, error }: EndpointAnswer): boolean =>
  error === undefined && statusCode !== undefined && statusCode >= 200 && statusCode < 300;

/** Writes what came of an attempt; nothing, when somebody else has the delivery by now. */
export async function recordAttempt(attempted: Attempted): Promise<void> {
  if (isSuccess(attempted.answer) && attempted.claimed.is_well && attempted.claimed.attempts === 0) {
    await recordPlainSuccess(attempted);
  } else {
    const ctx = systemContext(attempted.account, attempted.requestId);
    await inTransaction(ctx, (inside) => recordAnswer(inside, attempted));
  }
}

async function recordAnswer(
  ctx: Context,
  { claimed, requestId, requestHeaders, at, answer }: Attempted,
): Promise<void> {
  // The webhook first, everywhere: a pause holds it and then takes its deliveries.
  const webhook = await lockWebhookRow(ctx, claimed.webhook_id);
  if (!webhook) throw new Error("a webhook is never deleted for good before its deliveries");
  const outcome = outcomeOf(webhook, { claimed, at, answer });
  const [delivery] = await ctx.db
    .update(webhookDeliveries)
    .set({
      ...outcome,
      attempts: claimed.attempts + 1,
      firstAttemptAt: sql`coalesce(${webhookDeliveries.firstAttemptAt}, ${at.toISOString()}::timestamptz)`,
      readyAt: null,
    })
    .where(
      and(
        eq(webhookDeliveries.id, claimed.id),
        eq(webhookDeliveries.epoch, claimed.epoch),
        equalsLiteral(webhookDeliveries.status, "sending"),
      ),
    )
    .returning();
  if (!delivery) return;
  await ctx.db.insert(webhookAttempts).values({
    id: requestId,
    clientId: claimed.client_id,
    deliveryId: claimed.id,
    number: delivery.attempts,
    at,
    durationMs: answer.durationMs,
    statusCode: answer.statusCode ?? null,
    error: answer.error ?? null,
    requestHeaders,
    responseHeaders: answer.headers ?? null,
    responseBody: answer.body ?? null,
    recordedAt: realNow(),
  });
  await followSchedule(ctx, delivery);
  await noteHealth(ctx, webhook, at, answer);
}

interface Outcome {
  status: "delivered" | "scheduled" | "exhausted" | "held" | "dropped";
  counted: number;
  nextAttemptAt: Date | null;
  deliveredAt: Date | null;
  exhaustedAt?: Date;
  reason?: string;
}

function outcomeOf(
  webhook: WebhookRow,
  { claimed, at, answer }: Pick<Attempted, "claimed" | "at" | "answer">,
): Outcome {
  const counted = claimed.counted + 1;
  const over = { counted, nextAttemptAt: null, deliveredAt: null };
  if (isSuccess(answer)) return { ...over, status: "delivered", deliveredAt: at };
  if (isGone(webhook, answer)) return { ...over, status: "dropped", reason: "answered 410" };
  if (!webhook.status) {
    return webhook.health === "paused"
      ? { ...over, status: "held" }
      : { ...over, status: "dropped", reason: "webhook stopped" };
  }
  const asked = retryAfterSeconds(answer.statusCode, answer.retryAfter, realNow());
  if (asked !== undefined) {
    const nextAttemptAt = new Date(at.getTime() + asked * 1_000);
    return { status: "scheduled", counted: claimed.counted, nextAttemptAt, deliveredAt: null };
  }
  const next = nextAttempt(claimed.first_attempt_at ?? at, counted, at);
  return next
    ? { ...over, status: "scheduled", nextAttemptAt: next }
    : { ...over, status: "exhausted", exhaustedAt: at };
}

/** Of a listener it is one answer of a program under work, no farewell. */
const isGone = ({ address }: WebhookRow, { statusCode }: EndpointAnswer): boolean =>
  statusCode === GONE && !isListener(address);

async function noteHealth(ctx: Context, webhook: WebhookRow, at: Date, answer: EndpointAnswer): Promise<void> {
  // A reader that is away fails at nothing: what it did not take waits for it.
  if (webhook.deletedAt || isListener(webhook.address)) return;
  const known: Health = webhook;
  if (isSuccess(answer)) {
    if (webhook.health === "paused") await reopen(ctx, webhook, now(ctx));
    else if (known.failures > 0 || known.health !== "healthy") await noteSuccess(ctx, webhook, at);
    return;
  }
  if (isGone(webhook, answer)) {
    await goneFor(ctx, webhook, at);
    await dropOpen(ctx, webhook.id, "answered 410");
    return;
  }
  await noteFailure(ctx, webhook, at, answer.error ?? `HTTP ${answer.statusCode}`);
}

/** The event is no longer kept: there is nothing to send. */
export async function recordLost(account: Account, claimed: ClaimedDelivery, requestId: string): Promise<void> {
  await inTransaction(systemContext(account, requestId), async (ctx) => {
    await ctx.db
      .update(webhookDeliveries)
      .set({ status: "dropped", reason: "event no longer kept", readyAt: null, nextAttemptAt: null })
      .where(and(eq(webhookDeliveries.id, claimed.id), eq(webhookDeliveries.epoch, claimed.epoch)));
    await endSchedules(ctx, [claimed.id]);
  });
}

/** Waiting behind a breaker uses up no attempt. */
export async function postpone(
  account: Account,
  claimed: ClaimedDelivery,
  pauseMs: number,
  requestId: string,
): Promise<void> {
  await inTransaction(systemContext(account, requestId), async (ctx) => {
    const next = new Date(now(ctx).getTime() + pauseMs);
    const [delivery] = await ctx.db
      .update(webhookDeliveries)
      .set({
        status: sql`case when ${isPaused(claimed)} then 'held' else 'scheduled' end`,
        nextAttemptAt: sql`case when not ${isPaused(claimed)} then ${next.toISOString()}::timestamptz end`,
        readyAt: null,
      })
      .where(
        and(
          eq(webhookDeliveries.id, claimed.id),
          eq(webhookDeliveries.epoch, claimed.epoch),
          equalsLiteral(webhookDeliveries.status, "sending"),
        ),
      )
      .returning();
    if (delivery) await followSchedule(ctx, delivery);
  });
}

const isPaused = (claimed: ClaimedDelivery) => sql`exists (
  select from webhooks w where w.id = ${claimed.webhook_id} and w.health = 'paused')`;
