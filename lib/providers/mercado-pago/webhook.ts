import { createHmac, timingSafeEqual } from "node:crypto";
import { secretsIn } from "@/lib/providers/kinds";
import { event } from "@/lib/providers/mercado-pago/wire";
import type { WebhookParse } from "@/lib/providers/notification";
import type { Secret } from "@/lib/providers/provider";

export const SIGNATURE_HEADER = "x-signature";
export const REQUEST_ID_HEADER = "x-request-id";
const TOLERANCE_SECONDS = 300;
/** Some of its clocks count milliseconds. */
const LATEST_SECONDS = 100_000_000_000;
const PAYMENTS = "payment";

/** What is signed: which payment it is about, and when it was sent. The body is not. */
export const signatureOf = (
  secret: string,
  { id, requestId, ts }: { id: string; requestId: string; ts: string },
): Buffer =>
  createHmac("sha256", secret)
    .update(`id:${id.toLowerCase()};${requestId === "" ? "" : `request-id:${requestId};`}ts:${ts};`)
    .digest();

export function parseWebhook(headers: Headers, rawBody: Uint8Array, credentials: Secret[], now: Date): WebhookParse {
  const parts = (headers.get(SIGNATURE_HEADER) ?? "").split(",").map((part) => part.trim().split("="));
  const ts = parts.find(([name]) => name === "ts")?.[1] ?? "";
  const given = Buffer.from(parts.find(([name]) => name === "v1")?.[1] ?? "", "hex");
  const parsed = event.safeParse(jsonOf(rawBody));
  if (!/^\d{1,15}$/.test(ts) || !parsed.success) return { kind: "forged" };
  const { id, type, action, date_created: created, data } = parsed.data;
  const requestId = headers.get(REQUEST_ID_HEADER) ?? "";
  const secrets = credentials.flatMap((one) => secretsIn(one.reveal().webhookSecret));
  const isKnown = secrets.some((secret) => {
    const expected = signatureOf(secret, { id: data.id, requestId, ts });
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isKnown) return { kind: "forged" };
  const seconds = Number(ts) > LATEST_SECONDS ? Number(ts) / 1000 : Number(ts);
  if (Math.abs(now.getTime() / 1000 - seconds) > TOLERANCE_SECONDS) return { kind: "stale" };
  if (type !== PAYMENTS) return { kind: "unknown_event", name: type };
  const at = new Date(created ?? seconds * 1000);
  return {
    kind: "authentic",
    events: [
      {
        eventId: id,
        type: action ?? type,
        occurredAt: (Number.isNaN(at.getTime()) ? now : at).toISOString(),
        providerTxId: data.id,
        raw: { headers: {}, body: { id, type, action, data: { id: data.id } } },
      },
    ],
  };
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}
