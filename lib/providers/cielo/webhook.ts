import { createHash, timingSafeEqual } from "node:crypto";
import { event } from "@/lib/providers/cielo/wire";
import { secretsIn } from "@/lib/providers/kinds";
import type { WebhookParse } from "@/lib/providers/notification";
import type { Secret } from "@/lib/providers/provider";

/** The merchant has the provider's people send its secret in this one. */
export const SECRET_HEADER = "x-notification-secret";
/** Of payments; the others are of recurrences that the provider would keep, and of products that are not used. */
const OF_PAYMENTS: readonly number[] = [1, 3, 5, 6, 7, 8, 25];
const SECOND_MS = 1_000;

/** Nothing is signed: a header that never changes is all there is, and the body says only what to ask about. */
export function parseWebhook(headers: Headers, rawBody: Uint8Array, credentials: Secret[], now: Date): WebhookParse {
  const given = digest(headers.get(SECRET_HEADER) ?? "");
  const secrets = credentials.flatMap((one) => secretsIn(one.reveal().webhookSecret));
  const isKnown = secrets.some((secret) => timingSafeEqual(given, digest(secret)));
  const parsed = event.safeParse(jsonOf(rawBody));
  if (!isKnown || !parsed.success) return { kind: "forged" };
  const { PaymentId, ChangeType } = parsed.data;
  if (!OF_PAYMENTS.includes(ChangeType)) return { kind: "unknown_event", name: `ChangeType ${ChangeType}` };
  // It has no name of its own: what comes again at once is one, and anything later may be of another change.
  const second = Math.floor(now.getTime() / SECOND_MS);
  return {
    kind: "authentic",
    events: [
      {
        eventId: `${PaymentId}:${ChangeType}:${second}`,
        type: `change.${ChangeType}`,
        occurredAt: now.toISOString(),
        providerTxId: PaymentId,
        raw: { headers: {}, body: { PaymentId, ChangeType } },
      },
    ],
  };
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}
