import { eq } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { providerNotifications } from "@/db/schema/charges";
import { providers } from "@/db/schema/merchants";
import { loadAccount } from "@/lib/accounts/service";
import { type Context, inTransaction, now, systemContext } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { notFound } from "@/lib/errors";
import { unauthorized } from "@/lib/http/authenticate";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { openCredentials } from "@/lib/payments/credentials";
import type { ProviderRow } from "@/lib/payments/routing/provider";
import { notificationProof, type Proof } from "@/lib/provider-webhooks/proof";
import { chargeOfEvent, hasOpenAttempt, mandateOfEvent, registrationOfEvent } from "@/lib/provider-webhooks/queries";
import { isAntifraudKind } from "@/lib/providers/kinds";
import type { ProviderEvent, WebhookParse } from "@/lib/providers/notification";
import type { Secret } from "@/lib/providers/provider";
import { antifraudFor, providerFor } from "@/lib/providers/registry";
import { realNow } from "@/lib/time";

/** Of a name that came from outside, as the log keeps it. */
const LONGEST_NAME = 100;

/**
 * Verified, kept once, and followed by a query at once: what a notification says never moves money (spec/contract.md
 * 11.3). Authentic ones are thanked for however often they come, also those of a provider that was removed.
 */
export async function receiveNotification(
  requestId: string,
  providerId: string,
  headers: Headers,
  bytes: Uint8Array,
): Promise<void> {
  const [provider] = await systemDb().select().from(providers).where(eq(providers.id, providerId));
  if (!provider?.routable) throw notFound("provider");
  const secret = openCredentials(provider.id, provider.credentials);
  const { parsed, proof } = read(provider.kind, headers, bytes, secret);
  const refused = (reason: string) => {
    log.warn({ requestId, providerId, reason }, "notification refused");
    return unauthorized();
  };
  if (proof === "forged") throw refused(proof);
  switch (parsed.kind) {
    case "forged":
    case "stale":
      throw refused(parsed.kind);
    case "unknown_event":
      log.info(
        { requestId, providerId, reason: parsed.name.slice(0, LONGEST_NAME) },
        "notification of a kind nobody waits for",
      );
      return;
    case "authentic": {
      const ctx = systemContext(await loadAccount(provider.clientId), requestId);
      for (const event of parsed.events) await inTransaction(ctx, (inside) => keep(inside, provider, event, proof));
    }
  }
}

function read(
  kind: string,
  headers: Headers,
  bytes: Uint8Array,
  secret: Secret,
): { parsed: WebhookParse; proof: Proof } {
  if (isAntifraudKind(kind)) {
    return { parsed: antifraudFor(kind).parseWebhook(headers, bytes, [secret], realNow()), proof: "proved" };
  }
  const adapter = providerFor(kind);
  return {
    parsed: adapter.parseWebhook(headers, bytes, [secret], realNow()),
    proof: notificationProof(adapter, headers),
  };
}

async function keep(
  ctx: Context,
  { id: providerId, kind }: ProviderRow,
  event: ProviderEvent,
  proof: Proof,
): Promise<void> {
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
      isProved: proof === "proved",
    })
    .onConflictDoNothing()
    .returning({ id: providerNotifications.id });
  if (fresh.length === 0) return;
  const registrationId = await registrationOfEvent(ctx, providerId, event);
  if (registrationId) await schedule(ctx, "registration.query", registrationId, now(ctx));
  const mandateId = await mandateOfEvent(ctx, providerId, event);
  if (mandateId) await schedule(ctx, "mandate.query", mandateId, now(ctx));
  if (!chargeId) return;
  if (isAntifraudKind(kind)) return schedule(ctx, "analysis.query", chargeId, now(ctx));
  // An attempt of ours without an outcome is asked about at once; what else happened is read when it has one.
  if (await hasOpenAttempt(ctx, chargeId)) await schedule(ctx, "attempt.query", chargeId, now(ctx));
  await schedule(ctx, "charge.watch", chargeId, now(ctx));
}

const bodyOf = ({ raw }: ProviderEvent): Record<string, unknown> | null =>
  typeof raw.body === "object" && raw.body !== null ? { ...raw.body } : null;
