import type { ProviderEvent, WebhookParse } from "@/lib/providers/notification";
import { notification, notified } from "@/lib/providers/pix-bacen/wire";

/** The connection proves who sends it, and the receiver looks at that; here it is only read. */
export function parseWebhook(_headers: Headers, rawBody: Uint8Array): WebhookParse {
  const parsed = notification.safeParse(jsonOf(rawBody));
  if (!parsed.success) return { kind: "unknown_event", name: "" };
  // One item that cannot be read, or of no charge, does not take the others with it.
  const events = parsed.data.pix.flatMap(eventOf);
  return events.length > 0 ? { kind: "authentic", events } : { kind: "unknown_event", name: "pix" };
}

function eventOf(item: unknown): ProviderEvent[] {
  const parsed = notified.safeParse(item);
  if (!parsed.success) return [];
  const { endToEndId, txid, valor, horario, devolucoes } = parsed.data;
  const at = new Date(horario);
  if (Number.isNaN(at.getTime())) return [];
  const returned = devolucoes.map(({ id, status }) => `${id}:${status}`).join(",");
  return [
    {
      // The same Pix is told of again when a refund of it changes.
      eventId: returned === "" ? endToEndId : `${endToEndId}:${returned}`.slice(0, MAX_ID),
      type: returned === "" ? "pix" : "devolucao",
      occurredAt: at.toISOString(),
      providerTxId: txid,
      reference: txid,
      raw: { headers: {}, body: { endToEndId, txid, valor, horario, devolucoes } },
    },
  ];
}

const MAX_ID = 100;

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}
