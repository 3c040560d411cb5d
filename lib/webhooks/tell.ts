import { eq } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { clients } from "@/db/schema/accounts";
import type { NoticeKind } from "@/db/schema/notices";
import { audit } from "@/lib/audit";
import type { Context } from "@/lib/context";
import { env } from "@/lib/env";
import { DEFAULT_LOCALE, type Locale } from "@/lib/i18n/locales";
import { type NewMail, queueMail } from "@/lib/mail/queue";
import { localesOf, mailChoicesOf } from "@/lib/notices/choices";
import { colleaguesWho } from "@/lib/operators/held-role";
import type { WebhookRow } from "@/lib/webhooks/queries";

export type HealthChange = "webhook.fail" | "webhook.recover" | "webhook.pause" | "webhook.reopen" | "webhook.gone";

interface Administrator {
  email: string;
  locale: Locale;
  account: string;
}

/** A change of a webhook's state that its administrators are to know: an audit row, and an e-mail when they must act. */
export async function tellAdministrators(
  ctx: Context,
  webhook: WebhookRow,
  change: HealthChange,
  at: Date,
  lastFailure?: string,
): Promise<void> {
  const { health, failures, firstFailureAt } = webhook;
  const since = firstFailureAt?.toISOString() ?? null;
  await audit(ctx, { action: change, object: "webhook", objectId: webhook.id, before: { health, failures, since } });
  if (change !== "webhook.fail" && change !== "webhook.pause" && change !== "webhook.gone") return;
  const kind = change === "webhook.fail" ? "webhook_failing" : "webhook_paused";
  for (const administrator of await administratorsOf(ctx.account.id, kind)) {
    const { email: to } = administrator;
    const dedupe = `${change}:${webhook.id}:${at.toISOString()}:${to}`;
    await queueMail(ctx, { ...letterOf(webhook, change, at, administrator, lastFailure), to, dedupe });
  }
}

/** Those who may set the webhook right and did not turn these letters off. People belong to several accounts, so only the system sees them. */
async function administratorsOf(clientId: string, kind: NoticeKind): Promise<Administrator[]> {
  const [client] = await systemDb().select({ name: clients.name }).from(clients).where(eq(clients.id, clientId));
  // An endpoint tells of every merchant: it is no business of somebody who knows some of them.
  const people = await colleaguesWho(systemDb(), clientId, "webhooks.edit");
  const [choices, locales] = await Promise.all([
    mailChoicesOf(clientId, kind),
    localesOf(people.map(({ operatorId }) => operatorId)),
  ]);
  return people
    .filter(({ merchants, operatorId }) => merchants === null && (choices.get(operatorId) ?? true))
    .map(({ email, operatorId }) => ({
      email,
      account: client?.name ?? "",
      locale: locales.get(operatorId) ?? DEFAULT_LOCALE,
    }));
}

type Letter = Extract<NewMail, { template: "webhook-failing" | "webhook-disabled" }>;

function letterOf(
  { id, endpoint, event, firstFailureAt }: WebhookRow,
  change: HealthChange,
  at: Date,
  { account, email, locale }: Administrator,
  lastFailure?: string,
): Letter {
  const about = { accountName: account, endpoint, event, url: `${env().BASE_URL}/dashboard/developers/webhooks/${id}` };
  const letter = { to: email, locale, merchantId: null };
  if (change === "webhook.fail") {
    const since = (firstFailureAt ?? at).toISOString();
    return { ...letter, template: "webhook-failing", data: { ...about, since, lastFailure } };
  }
  const reason = change === "webhook.gone" ? ("gone" as const) : ("delivery_failures" as const);
  return { ...letter, template: "webhook-disabled", data: { ...about, reason, at: at.toISOString() } };
}
