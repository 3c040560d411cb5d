import { createHmac, timingSafeEqual } from "node:crypto";
import type { ProviderEvent, WebhookParse } from "@/lib/providers/notification";
import type { Secret } from "@/lib/providers/provider";
import { HEADER, type MirrorEvent, mirrorEvent } from "@/lib/testing/mirror/wire";

const TOLERANCE_SECONDS = 300;

const digest = (apiKey: string, seconds: number, body: Uint8Array): Buffer =>
  createHmac("sha256", apiKey).update(`${seconds}:`).update(body).digest();

export const signatureOf = (apiKey: string, at: Date, body: string): string => {
  const seconds = Math.floor(at.getTime() / 1000);
  return `${seconds}:${digest(apiKey, seconds, Buffer.from(body)).toString("base64")}`;
};

export function parseWebhook(headers: Headers, rawBody: Uint8Array, credentials: Secret[], now: Date): WebhookParse {
  const [time = "", signature = ""] = (headers.get(HEADER.signature) ?? "").split(":");
  const seconds = Number(time);
  const given = Buffer.from(signature, "base64");
  const isKnown = credentials.some((secret) => {
    const expected = digest(secret.reveal().apiKey ?? "", seconds, rawBody);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isKnown) return { kind: "forged" };
  if (Math.abs(now.getTime() / 1000 - seconds) > TOLERANCE_SECONDS) return { kind: "stale" };
  const body = jsonOf(rawBody);
  const items = isBatch(body) ? body.items : [body];
  const events = items.flatMap((item) => {
    const parsed = mirrorEvent.safeParse(item);
    return parsed.success ? [providerEvent(parsed.data)] : [];
  });
  if (events.length > 0) return { kind: "authentic", events };
  return { kind: "unknown_event", name: typeOf(items[0]) };
}

const isBatch = (body: unknown): body is { items: unknown[] } =>
  typeof body === "object" && body !== null && "items" in body && Array.isArray(body.items);

const typeOf = (item: unknown): string =>
  typeof item === "object" && item !== null && "type" in item ? String(item.type) : "";

export const providerEvent = (event: MirrorEvent): ProviderEvent => ({
  eventId: event.id,
  type: event.type,
  occurredAt: event.createdAt,
  ...(event.transactionId === undefined ? {} : { providerTxId: event.transactionId }),
  ...(event.recipientId === undefined ? {} : { recipientId: event.recipientId }),
  reference: event.reference,
  raw: { headers: {}, body: event },
});

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}
