import { createHmac, timingSafeEqual } from "node:crypto";
import { secretsIn } from "@/lib/providers/kinds";
import type { ProviderEvent, WebhookParse } from "@/lib/providers/notification";
import type { Secret } from "@/lib/providers/provider";
import { REFERENCE } from "@/lib/providers/stripe/call";
import { event } from "@/lib/providers/stripe/wire";

export const SIGNATURE_HEADER = "stripe-signature";
const TOLERANCE_SECONDS = 300;

/** What changes a payment. */
const EVENTS: ReadonlySet<string> = new Set([
  "payment_intent.amount_capturable_updated",
  "payment_intent.canceled",
  "payment_intent.created",
  "payment_intent.payment_failed",
  "payment_intent.processing",
  "payment_intent.requires_action",
  "payment_intent.succeeded",
  "charge.captured",
  "charge.expired",
  "charge.refunded",
  "charge.refund.updated",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.funds_reinstated",
  "refund.created",
  "refund.updated",
  "refund.failed",
]);

export const signatureOf = (secret: string, seconds: number, body: Uint8Array): Buffer =>
  createHmac("sha256", secret).update(`${seconds}.`).update(body).digest();

/** Checks who signed before reading what was signed; several secrets are a rotation in progress. */
export function parseWebhook(headers: Headers, rawBody: Uint8Array, credentials: Secret[], now: Date): WebhookParse {
  const parts = (headers.get(SIGNATURE_HEADER) ?? "").split(",").map((part) => part.trim().split("="));
  const time = parts.find(([name]) => name === "t")?.[1] ?? "";
  if (!/^\d{1,12}$/.test(time)) return { kind: "forged" };
  const seconds = Number(time);
  const given = parts.filter(([name]) => name === "v1").map(([, value]) => Buffer.from(value ?? "", "hex"));
  const secrets = credentials.flatMap((one) => secretsIn(one.reveal().webhookSecret));
  const isKnown = secrets.some((secret) => {
    const expected = signatureOf(secret, seconds, rawBody);
    return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
  });
  if (!isKnown) return { kind: "forged" };
  if (Math.abs(now.getTime() / 1000 - seconds) > TOLERANCE_SECONDS) return { kind: "stale" };
  const parsed = event.safeParse(jsonOf(rawBody));
  if (!parsed.success) return { kind: "unknown_event", name: "" };
  if (!EVENTS.has(parsed.data.type)) return { kind: "unknown_event", name: parsed.data.type };
  return { kind: "authentic", events: [eventOf(parsed.data)] };
}

function eventOf({ id, type, created, data: { object } }: ReturnType<typeof event.parse>): ProviderEvent {
  const providerTxId = object.object === "payment_intent" ? object.id : object.payment_intent;
  const reference = object.metadata?.[REFERENCE];
  const { status, amount, currency } = object;
  return {
    eventId: id,
    type,
    occurredAt: new Date(created * 1000).toISOString(),
    ...(providerTxId ? { providerTxId } : {}),
    ...(reference ? { reference } : {}),
    raw: { headers: {}, body: { id, type, created, object: object.object, status, amount, currency } },
  };
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}
