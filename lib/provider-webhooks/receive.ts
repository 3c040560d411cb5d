import { eq } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { providerNotifications } from "@/db/schema/charges";
import { providers } from "@/db/schema/merchants";
import { loadAccount } from "@/lib/accounts/service";
import { type Context, inTransaction, now, systemContext } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { notFound } from "@/lib/errors";
import { unauthorized } from "@/lib/http/authenticate";
import { type HttpReply, render } from "@/lib/http/endpoint";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { openCredentials } from "@/lib/payments/credentials";
import { chargeOfEvent, hasOpenAttempt } from "@/lib/provider-webhooks/queries";
import { isAntifraudKind } from "@/lib/providers/kinds";
import type { ProviderEvent } from "@/lib/providers/notification";
import { antifraudFor, providerFor } from "@/lib/providers/registry";
import { realNow } from "@/lib/time";

type ProviderRow = typeof providers.$inferSelect;

/** Of a name that came from outside, as the log keeps it. */
const LONGEST_NAME = 100;
const RECEIVED: HttpReply = { status: 200, body: render({ received: true }) };

/**
 * Verified, kept once, and followed by a query at once: what a notification says is never believed (spec/contract.md
 * 11.3). Authentic ones are thanked for however often they come, also those of a provider that was removed.
 */
export async function receiveNotification(
  requestId: string,
  providerId: string,
  headers: Headers,
  bytes: Uint8Array,
): Promise<HttpReply> {
  const [provider] = await systemDb().select().from(providers).where(eq(providers.id, providerId));
  if (!provider?.routable) throw notFound("provider");
  const secret = openCredentials(provider.id, provider.credentials);
  const adapter = isAntifraudKind(provider.kind) ? antifraudFor(provider.kind) : providerFor(provider.kind);
  const parsed = adapter.parseWebhook(headers, bytes, [secret], realNow());
  switch (parsed.kind) {
    case "forged":
    case "stale":
      log.warn({ requestId, providerId, reason: parsed.kind }, "notification refused");
      throw unauthorized();
    case "unknown_event":
      log.info(
        { requestId, providerId, reason: parsed.name.slice(0, LONGEST_NAME) },
        "notification of a kind nobody waits for",
      );
      return RECEIVED;
    case "authentic": {
      const ctx = systemContext(await loadAccount(provider.clientId), requestId);
      for (const event of parsed.events) await inTransaction(ctx, (inside) => keep(inside, provider, event));
      return RECEIVED;
    }
  }
}

async function keep(ctx: Context, { id: providerId, kind: of }: ProviderRow, event: ProviderEvent): Promise<void> {
  const chargeId = await chargeOfEvent(ctx, providerId, event);
  const fresh = await ctx.db
    .insert(providerNotifications)
    .values({
      id: newId(),
      clientId: ctx.account.id,
      providerId,
      eventId: event.eventId,
      type: event.type,
      reference: event.reference ?? null,
      transactionId: event.providerTxId ?? null,
      body: bodyOf(event),
      receivedAt: now(ctx),
      chargeId: chargeId ?? null,
    })
    .onConflictDoNothing()
    .returning({ id: providerNotifications.id });
  if (fresh.length === 0 || !chargeId) return;
  if (isAntifraudKind(of)) return schedule(ctx, "analysis.query", chargeId, now(ctx));
  // An attempt of ours without an outcome comes first; its answer is followed by a look at the rest.
  const kind = (await hasOpenAttempt(ctx, chargeId)) ? "attempt.query" : "charge.watch";
  await schedule(ctx, kind, chargeId, now(ctx));
}

const bodyOf = ({ raw }: ProviderEvent): Record<string, unknown> | null =>
  typeof raw.body === "object" && raw.body !== null ? { ...raw.body } : null;
