import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { ProviderEvent, WebhookParse } from "@/lib/providers/notification";
import type { Secret } from "@/lib/providers/provider";
import { NOTIFICATION_TYPES } from "@/lib/providers/sandbox/events";
import { serverSecret } from "@/lib/secrets";

export const SIGNATURE_HEADER = "x-sandbox-signature";
const TOLERANCE_SECONDS = 300;
const PURPOSE = "sandbox notifications";

/** The account's key at the simulator signs; an account without one is signed with the installation's. */
const keyOf = (apiKey: string | undefined): string | Buffer => (apiKey ? apiKey : serverSecret(PURPOSE));

const digest = (apiKey: string | undefined, seconds: number, body: Uint8Array): Buffer =>
  createHmac("sha256", keyOf(apiKey)).update(`${seconds}.`).update(body).digest();

export const signature = (apiKey: string | undefined, at: Date, body: Uint8Array): string => {
  const seconds = Math.floor(at.getTime() / 1000);
  return `t=${seconds},v1=${digest(apiKey, seconds, body).toString("hex")}`;
};

const item = z.object({
  id: z.string().min(1).max(100),
  type: z.string().min(1).max(100),
  createdAt: z.iso.datetime(),
  transactionId: z.string().optional(),
  reference: z.string().optional(),
});
const batch = z.object({ events: z.array(z.unknown()) });

/** Checks who signed before reading what was signed; several credentials are a rotation in progress. */
export function parseWebhook(headers: Headers, rawBody: Uint8Array, credentials: Secret[], now: Date): WebhookParse {
  const signed = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(headers.get(SIGNATURE_HEADER) ?? "");
  if (!signed) return { kind: "forged" };
  const seconds = Number(signed[1]);
  const given = Buffer.from(signed[2] ?? "", "hex");
  const known = credentials.some((secret) => timingSafeEqual(digest(secret.reveal().apiKey, seconds, rawBody), given));
  if (!known) return { kind: "forged" };
  if (Math.abs(now.getTime() / 1000 - seconds) > TOLERANCE_SECONDS) return { kind: "stale" };
  const body = jsonOf(rawBody);
  const list = batch.safeParse(body);
  // One item that cannot be read does not take the others with it.
  const items = (list.success ? list.data.events : [body])
    .map((one) => item.safeParse(one))
    .flatMap((one) => (one.success ? [one.data] : []));
  const events = items.filter(({ type }) => NOTIFICATION_TYPES.has(type)).map(eventOf);
  if (events.length > 0) return { kind: "authentic", events };
  return { kind: "unknown_event", name: items[0]?.type ?? "" };
}

const eventOf = ({ id, type, createdAt, transactionId, reference }: z.output<typeof item>): ProviderEvent => ({
  eventId: id,
  type,
  occurredAt: new Date(createdAt).toISOString(),
  ...(transactionId === undefined ? {} : { providerTxId: transactionId }),
  ...(reference === undefined ? {} : { reference }),
  raw: { headers: {}, body: { id, type, createdAt, transactionId, reference } },
});

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}
