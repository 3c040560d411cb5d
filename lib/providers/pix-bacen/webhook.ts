import type { ProviderEvent, WebhookParse } from "@/lib/providers/notification";
import { instructionName } from "@/lib/providers/pix-bacen/instructions";
import { toldInstruction, toldMandate } from "@/lib/providers/pix-bacen/mandate-wire";
import { notification, notified } from "@/lib/providers/pix-bacen/wire";

/** The connection proves who sends it, and the receiver looks at that; here it is only read. */
export function parseWebhook(_headers: Headers, rawBody: Uint8Array): WebhookParse {
  const parsed = notification.safeParse(jsonOf(rawBody));
  if (!parsed.success) return { kind: "unknown_event", name: "" };
  const { pix, recs, cobsr } = parsed.data;
  // One item that cannot be read, or of no charge, does not take the others with it.
  const events = [...pix.flatMap(paymentTold), ...recs.flatMap(mandateTold), ...cobsr.flatMap(instructionTold)];
  const name = recs.length > 0 ? "rec" : cobsr.length > 0 ? "cobr" : "pix";
  return events.length > 0 ? { kind: "authentic", events } : { kind: "unknown_event", name };
}

function paymentTold(item: unknown): ProviderEvent[] {
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

function mandateTold(item: unknown): ProviderEvent[] {
  const parsed = toldMandate.safeParse(item);
  if (!parsed.success) return [];
  const { idRec, status, atualizacao } = parsed.data;
  const at = newest(atualizacao);
  const eventId = `${idRec}:${status}:${at ?? ""}`.slice(0, MAX_ID);
  const raw = { headers: {}, body: { idRec, status } };
  return [{ eventId, type: "rec", occurredAt: at ?? NEVER, mandateId: idRec, raw }];
}

/** Of each day that it was tried on: there every day is a payment of its own. */
function instructionTold(item: unknown): ProviderEvent[] {
  const parsed = toldInstruction.safeParse(item);
  if (!parsed.success) return [];
  const { txid, status, atualizacao, tentativas } = parsed.data;
  const at = newest(atualizacao);
  const raw = { headers: {}, body: { txid, status, tentativas } };
  const told = { type: "cobr", occurredAt: at ?? NEVER, raw };
  const ofDays = tentativas.map((one) => ({
    ...told,
    eventId: `${txid}:${one.dataLiquidacao}:${one.status}`.slice(0, MAX_ID),
    providerTxId: instructionName({ txid, settleOn: one.dataLiquidacao }),
  }));
  const eventId = `${txid}:${status}:${at ?? ""}`.slice(0, MAX_ID);
  return ofDays.length > 0 ? ofDays : [{ ...told, eventId, reference: txid }];
}

const MAX_ID = 100;
const NEVER = new Date(0).toISOString();

/** When a state was reached last, as far as it says so in a way that can be read. */
function newest(changes: readonly { data: string }[]): string | undefined {
  const times = changes.map(({ data }) => Date.parse(data)).filter((at) => !Number.isNaN(at));
  return times.length === 0 ? undefined : new Date(Math.max(...times)).toISOString();
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}
