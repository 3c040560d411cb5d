import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { liabilityShiftIn } from "@/lib/providers/adyen/three-ds";
import { type KeptNews, notification, notificationItem, type WireItem } from "@/lib/providers/adyen/wire";
import { secretsIn } from "@/lib/providers/kinds";
import type { ProviderEvent, WebhookParse } from "@/lib/providers/notification";
import type { Secret } from "@/lib/providers/provider";

/** What changes a payment, or may. */
const EVENTS: ReadonlySet<string> = new Set([
  "AUTHORISATION",
  "CANCELLATION",
  "CANCEL_OR_REFUND",
  "CAPTURE",
  "CAPTURE_FAILED",
  "CHARGEBACK",
  "CHARGEBACK_REVERSED",
  "EXPIRE",
  "NOTIFICATION_OF_CHARGEBACK",
  "OFFER_CLOSED",
  "PREARBITRATION_LOST",
  "PREARBITRATION_WON",
  "REFUND",
  "REFUNDED_REVERSED",
  "REFUND_FAILED",
  "SECOND_CHARGEBACK",
  "TECHNICAL_CANCEL",
]);

/** Eight members, joined; nothing else of an item is proven by its signature. */
export const signatureOf = (hexKey: string, item: WireItem): string =>
  createHmac("sha256", Buffer.from(hexKey, "hex"))
    .update(
      [
        item.pspReference,
        item.originalReference ?? "",
        item.merchantAccountCode,
        item.merchantReference ?? "",
        item.amount.value,
        item.amount.currency,
        item.eventCode,
        item.success,
      ].join(":"),
    )
    .digest("base64");

/**
 * Each item is signed by itself; several keys are a rotation in progress. What cannot be read does not take the others with
 * it; a wrong signature does. A company has one key for all its accounts: what is signed and of another account is thanked
 * for and left, since Adyen holds back everything that follows a notification which was refused.
 */
export function parseWebhook(headers: Headers, rawBody: Uint8Array, credentials: Secret[], now: Date): WebhookParse {
  const known = credentials.filter((one) => isAllowedIn(headers, one));
  if (known.length === 0) return { kind: "forged" };
  const parsed = notification.safeParse(jsonOf(rawBody));
  if (!parsed.success) return { kind: "forged" };
  const items = parsed.data.notificationItems.flatMap((one) => {
    const item = notificationItem.safeParse(one);
    return item.success ? [item.data] : [];
  });
  const signed = items.filter((item) => known.some((one) => isSigned(item, one)));
  if (signed.length < items.length || signed.length === 0) return { kind: "forged" };
  const events = signed.filter(
    (item) => EVENTS.has(item.eventCode) && known.some((one) => isOf(item, one) && isSigned(item, one)),
  );
  if (events.length === 0) return { kind: "unknown_event", name: signed[0]?.eventCode ?? "" };
  return { kind: "authentic", events: events.map((item) => eventOf(item, now)) };
}

const isOf = ({ merchantAccountCode }: WireItem, secret: Secret): boolean =>
  merchantAccountCode === secret.reveal().merchantAccount;

function isSigned(item: WireItem, secret: Secret): boolean {
  const given = Buffer.from(item.additionalData?.hmacSignature ?? "", "base64");
  return secretsIn(secret.reveal().webhookHmacKey).some((key) => {
    const expected = Buffer.from(signatureOf(key, item), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Where a user and a password were agreed on with Adyen, they come with every notification. */
function isAllowedIn(headers: Headers, secret: Secret): boolean {
  const { webhookUsername, webhookPassword } = secret.reveal();
  if (webhookUsername === undefined && webhookPassword === undefined) return true;
  const expected = `Basic ${Buffer.from(`${webhookUsername ?? ""}:${webhookPassword ?? ""}`).toString("base64")}`;
  return timingSafeEqual(digestOf(headers.get("authorization") ?? ""), digestOf(expected));
}

const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest();

function eventOf(item: WireItem, now: Date): ProviderEvent {
  const { pspReference, originalReference, merchantReference, eventCode, success } = item;
  return {
    // Adyen numbers what was asked, not what it tells: the same number comes with each thing that is told of it.
    eventId: `${pspReference} ${eventCode} ${success}`,
    type: eventCode,
    // The day that it names is not signed: what counts is when it came.
    occurredAt: now.toISOString(),
    providerTxId: originalReference || pspReference,
    ...(merchantReference ? { reference: merchantReference } : {}),
    raw: { headers: {}, body: newsOf(item) },
  };
}

function newsOf(item: WireItem): KeptNews {
  const { additionalData: more, reason, paymentMethod, originalReference } = item;
  const isDone = item.success === "true";
  const liabilityShift = liabilityShiftIn(more);
  return {
    pspReference: item.pspReference,
    ...(originalReference ? { originalReference } : {}),
    merchantAccountCode: item.merchantAccountCode,
    merchantReference: item.merchantReference ?? "",
    currency: item.amount.currency,
    amount: item.amount.value,
    eventCode: item.eventCode,
    success: isDone,
    ...(paymentMethod ? { brand: paymentMethod } : {}),
    // Of a success it holds the end of the card's number and its expiry: they are left out.
    ...(reason && !isDone ? { reason } : {}),
    ...(more?.refusalReasonRaw ? { refusalReasonRaw: more.refusalReasonRaw } : {}),
    ...(more?.merchantAdviceCode ? { merchantAdviceCode: more.merchantAdviceCode } : {}),
    ...(more?.chargebackReasonCode ? { chargebackReasonCode: more.chargebackReasonCode } : {}),
    ...(more?.authCode ? { authCode: more.authCode } : {}),
    ...(liabilityShift === undefined ? {} : { liabilityShift }),
  };
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}
