import { createHash, timingSafeEqual } from "node:crypto";
import { secretsIn } from "@/lib/providers/kinds";
import type { ProviderEvent, WebhookParse } from "@/lib/providers/notification";
import { REFERENCE } from "@/lib/providers/pagarme-v5/call";
import { event } from "@/lib/providers/pagarme-v5/wire";
import type { Secret } from "@/lib/providers/provider";

/** What changes a payment, and what changes a seller. */
const OF_CHARGES = /^charge\.[a-z_.-]+$/;
const OF_RECIPIENTS = /^recipient\.[a-z_.-]+$/;

/** Pagar.me signs nothing: it signs in at our address with the user and password that the merchant gave it. */
export function parseWebhook(headers: Headers, rawBody: Uint8Array, credentials: Secret[]): WebhookParse {
  const given = /^Basic ([A-Za-z0-9+/=]+)$/.exec(headers.get("authorization") ?? "")?.[1];
  const secrets = credentials.flatMap((one) => secretsIn(one.reveal().webhookSecret));
  const shown = given === undefined ? undefined : digestOf(Buffer.from(given, "base64"));
  if (!shown || !secrets.some((secret) => timingSafeEqual(digestOf(Buffer.from(secret)), shown))) {
    return { kind: "forged" };
  }
  const parsed = event.safeParse(jsonOf(rawBody));
  if (!parsed.success) return { kind: "unknown_event", name: "" };
  const { type } = parsed.data;
  if (!OF_CHARGES.test(type) && !OF_RECIPIENTS.test(type)) return { kind: "unknown_event", name: type };
  return { kind: "authentic", events: [eventOf(parsed.data)] };
}

/** Of one length whatever was sent. */
const digestOf = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();

function eventOf({ id, type, created_at: createdAt, data }: ReturnType<typeof event.parse>): ProviderEvent {
  const isOfRecipient = OF_RECIPIENTS.test(type);
  const told = data.metadata?.[REFERENCE];
  const reference = typeof told === "string" ? told : data.order?.code;
  const { status, amount, currency } = data;
  const at = new Date(createdAt);
  return {
    eventId: id,
    type,
    occurredAt: (Number.isNaN(at.getTime()) ? new Date(0) : at).toISOString(),
    ...(data.id && !isOfRecipient ? { providerTxId: data.id } : {}),
    ...(data.id && isOfRecipient ? { recipientId: data.id } : {}),
    ...(reference && !isOfRecipient ? { reference } : {}),
    raw: { headers: {}, body: { id, type, created_at: createdAt, status, amount, currency } },
  };
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}
