import { and, eq, sql } from "drizzle-orm";
import { webhooks } from "@/db/schema/webhooks";
import { audit } from "@/lib/audit";
import { type Context, now, violatedConstraint } from "@/lib/context";
import { unschedule } from "@/lib/due-jobs/schedule";
import { DomainError, notFound } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { addSeconds, DAY_SECONDS } from "@/lib/time";
import { leadsAstray } from "@/lib/webhooks/connection";
import { type EndpointProblem, isListener, judgeEndpoint, reachOf } from "@/lib/webhooks/endpoint-rules";
import { dropOpen, endOutage, reopen } from "@/lib/webhooks/health";
import { type EventRow, findEvent, findWebhook, lockWebhookRow, type WebhookRow } from "@/lib/webhooks/queries";
import type { NewWebhook, WebhookChange } from "@/lib/webhooks/schema";
import { newKeyPair } from "@/lib/webhooks/signature";

const PREVIOUS_KEY_SECONDS = DAY_SECONDS;

export async function createWebhook(ctx: Context, input: NewWebhook): Promise<WebhookRow> {
  const id = newId();
  const at = now(ctx);
  const row = {
    id,
    clientId: ctx.account.id,
    event: input.event,
    endpoint: input.endpoint,
    address: await addressOf(ctx, input.endpoint),
    version: input.version,
    status: input.status,
    activeSince: at,
    ...(input.status ? {} : { disabledAt: at, disabledReason: "client" as const }),
    ...newKeyPair(id),
    createdAt: at,
    updatedAt: at,
  };
  const [webhook] = await unlessTaken(() =>
    ctx.db.transaction((inner) => inner.insert(webhooks).values(row).returning()),
  );
  if (!webhook) throw new Error("the webhook was not written");
  await audit(ctx, { action: "webhook.create", object: "webhook", objectId: id, after: shown(webhook) });
  return webhook;
}

const shown = ({ event, endpoint, version, status }: WebhookRow) => ({ event, endpoint, version, status });

/** The one spelling of an endpoint that may be sent to. */
async function addressOf(ctx: Context, endpoint: string): Promise<string> {
  if (isListener(endpoint)) return endpoint;
  const judged = judgeEndpoint(endpoint, reachOf(ctx.account));
  if ("problem" in judged) throw notAllowed(judged.problem);
  const { url, network } = judged.endpoint;
  if (network === "public" && (await leadsAstray(url.hostname))) throw notAllowed("must be at a public address");
  return url.href;
}

const notAllowed = (problem: EndpointProblem): DomainError =>
  new DomainError("webhook_endpoint_not_allowed", "the endpoint is not allowed", { details: [`endpoint: ${problem}`] });

async function unlessTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (thrown) {
    if (violatedConstraint(thrown) !== "webhooks_endpoint") throw thrown;
    throw new DomainError("webhook_endpoint_already_exists", "another webhook has this endpoint");
  }
}

export async function webhookAt(ctx: Context, id: string): Promise<WebhookRow> {
  const webhook = await findWebhook(ctx, id);
  if (!webhook) throw notFound("webhook");
  return webhook;
}

export async function eventAt(ctx: Context, id: string): Promise<EventRow> {
  const event = await findEvent(ctx, id);
  if (!event) throw notFound("event");
  return event;
}

async function lockWebhookAt(ctx: Context, id: string): Promise<WebhookRow> {
  const webhook = await lockWebhookRow(ctx, id);
  if (!webhook || webhook.deletedAt) throw notFound("webhook");
  return webhook;
}

export async function updateWebhook(ctx: Context, id: string, change: WebhookChange): Promise<WebhookRow> {
  const before = await lockWebhookAt(ctx, id);
  const moved =
    change.endpoint === undefined ? {} : { endpoint: change.endpoint, address: await addressOf(ctx, change.endpoint) };
  await unlessTaken(() =>
    ctx.db.transaction((inner) =>
      inner
        .update(webhooks)
        .set({ event: change.event, version: change.version, ...moved, updatedAt: now(ctx) })
        .where(eq(webhooks.id, id)),
    ),
  );
  if (change.status !== undefined && change.status !== before.status) await turn(ctx, before, change.status);
  const after = await webhookAt(ctx, id);
  await audit(ctx, {
    action: "webhook.update",
    object: "webhook",
    objectId: id,
    before: shown(before),
    after: shown(after),
  });
  return after;
}

/** On: what we held goes out, what its client missed by itself is left to replay. Off: nothing is held. */
async function turn(ctx: Context, webhook: WebhookRow, on: boolean): Promise<void> {
  const at = now(ctx);
  if (on && webhook.disabledReason === "delivery_failures") return reopen(ctx, webhook, at);
  if (on) {
    await ctx.db
      .update(webhooks)
      .set({
        status: true,
        health: "healthy",
        activeSince: at,
        disabledAt: null,
        disabledReason: null,
        failures: 0,
        firstFailureAt: null,
        lastFailureAt: null,
      })
      .where(eq(webhooks.id, webhook.id));
    return;
  }
  await stop(ctx, webhook.id, at);
  await dropOpen(ctx, webhook.id, "webhook stopped");
}

async function stop(ctx: Context, id: string, at: Date): Promise<void> {
  await ctx.db
    .update(webhooks)
    .set({ status: false, health: "healthy", disabledAt: at, disabledReason: "client" })
    .where(eq(webhooks.id, id));
  await endOutage(ctx, id);
  await unschedule(ctx, "webhook.probe", id);
}

/** Opens a webhook that we stopped, with the newest event of each object alone. */
export async function reopenWithLatest(ctx: Context, id: string): Promise<WebhookRow> {
  const webhook = await lockWebhookAt(ctx, id);
  if (webhook.disabledReason !== "delivery_failures") return webhook;
  await reopen(ctx, webhook, now(ctx), true);
  await audit(ctx, { action: "webhook.reopen-latest", object: "webhook", objectId: id, before: shown(webhook) });
  return webhookAt(ctx, id);
}

/** What has not arrived yet will not be sent; replay covers it. Answers how many. */
export async function discardBacklog(ctx: Context, id: string): Promise<number> {
  await lockWebhookAt(ctx, id);
  const count = await dropOpen(ctx, id, "discarded by the client");
  await audit(ctx, { action: "webhook.discard", object: "webhook", objectId: id, after: { count } });
  return count;
}

export async function deleteWebhook(ctx: Context, id: string): Promise<void> {
  const webhook = await lockWebhookAt(ctx, id);
  const at = now(ctx);
  await stop(ctx, id, webhook.disabledAt ?? at);
  await ctx.db.update(webhooks).set({ deletedAt: at, updatedAt: at }).where(eq(webhooks.id, id));
  await dropOpen(ctx, id, "webhook deleted");
  await audit(ctx, { action: "webhook.delete", object: "webhook", objectId: id, before: shown(webhook) });
}

/** A new pair signs from now on, the one before it for 24 hours more; a third is forgotten at once. */
export async function rotateKey(ctx: Context, id: string): Promise<WebhookRow> {
  const { publicKey, privateKey } = await lockWebhookAt(ctx, id);
  const at = now(ctx);
  const [rotated] = await ctx.db
    .update(webhooks)
    .set({
      ...newKeyPair(id),
      previousPublicKey: publicKey,
      previousPrivateKey: privateKey,
      previousKeyExpiresAt: addSeconds(at, PREVIOUS_KEY_SECONDS),
      updatedAt: at,
    })
    .where(and(eq(webhooks.clientId, ctx.account.id), eq(webhooks.id, id), sql`${webhooks.deletedAt} is null`))
    .returning();
  if (!rotated) throw new Error("a locked webhook was not updated");
  await audit(ctx, { action: "webhook.rotate-key", object: "webhook", objectId: id });
  return rotated;
}
