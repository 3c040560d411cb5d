import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { countWebhookAttempt } from "@/lib/metrics";
import { nowOn, realNow } from "@/lib/time";
import { type SpanGiven, traced } from "@/lib/tracing";
import { breakerPauseMs, reportHost } from "@/lib/webhooks/breaker";
import { accountOfDelivery, type ClaimedDelivery, causeOf } from "@/lib/webhooks/claim";
import type { EndpointConnections } from "@/lib/webhooks/connection";
import { reachOf } from "@/lib/webhooks/endpoint-rules";
import { postpone, recordAttempt, recordLost } from "@/lib/webhooks/record";
import { type EndpointAnswer, postToEndpoint } from "@/lib/webhooks/send";
import { privateKeyOf, type Signed, signedHeaders } from "@/lib/webhooks/signature";

export interface Delivering {
  connections: EndpointConnections;
  timeoutMs?: number;
}

/** One attempt, from the claim to its record. No transaction is open while it is on the wire. */
export async function attemptDelivery({ connections, timeoutMs }: Delivering, claimed: ClaimedDelivery): Promise<void> {
  const account = accountOfDelivery(claimed);
  const requestId = newId();
  if (!claimed.body) return recordLost(account, claimed, requestId);
  const url = new URL(claimed.address);
  // One an hour is less than a breaker lets through.
  const pauseMs = claimed.is_probe ? 0 : breakerPauseMs(account, url);
  if (pauseMs > 0) return postpone(account, claimed, pauseMs, requestId);
  const at = nowOn(account.clock);
  const { body } = claimed;
  const requestHeaders = signedHeaders(toSign(claimed, body, at, realNow()));
  const answer = await traced(
    () => spanOf(claimed),
    async (note) => {
      const given = await postToEndpoint(
        connections,
        { address: claimed.address, reach: reachOf(account), headers: requestHeaders, body },
        timeoutMs,
      );
      note({ ...(given.statusCode ? { status: given.statusCode } : {}), outcome: given.error ?? "answered" });
      return given;
    },
  );
  countWebhookAttempt(answer.statusCode, answer.error, answer.durationMs);
  reportHost(account, url, isAlive(answer));
  await recordAttempt({ claimed, account, requestId, requestHeaders, at, answer });
  log.debug(
    {
      requestId,
      clientId: account.id,
      status: answer.statusCode ?? null,
      outcome: answer.error ?? null,
      durationMs: answer.durationMs,
    },
    "webhook attempt",
  );
}

const spanOf = ({ id, client_id: clientId, webhook_id: webhookId, event_id: eventId }: ClaimedDelivery): SpanGiven => ({
  name: "webhook delivery",
  fields: { clientId, webhookId, eventId, deliveryId: id },
  of: () => causeOf(systemSql(), id),
});

/** `at` of the account's clock says which keys there are; receivers judge `sentAt`, of the real one. */
function toSign(claimed: ClaimedDelivery, body: Buffer, at: Date, sentAt: Date): Signed {
  const { webhook_id: id, previous_private_key: previous, previous_key_expires_at: until } = claimed;
  return {
    eventId: claimed.event_id,
    body,
    at: sentAt,
    key: privateKeyOf(id, claimed.private_key),
    previousKey: previous && until && until > at ? privateKeyOf(id, previous) : undefined,
  };
}

export const headersOfDelivery = (...given: Parameters<typeof toSign>): Record<string, string> =>
  signedHeaders(toSign(...given));

const SERVER_ERROR = 500;
const TOO_MANY = 429;

/** A refusal of this one request says nothing against its host. */
const isAlive = ({ statusCode, error }: EndpointAnswer): boolean =>
  statusCode !== undefined ? statusCode < SERVER_ERROR && statusCode !== TOO_MANY : error === "blocked_address";
