import type { MandateCall, MandateProvider, MandateState } from "@/lib/providers/mandates";
import type { Outcome } from "@/lib/providers/provider";
import { callerHeaders } from "@/lib/providers/sandbox/adapter-call";
import { type Read, readAnswer } from "@/lib/providers/sandbox/answers";
import { SANDBOX_CAPABILITIES } from "@/lib/providers/sandbox/capabilities";
import { type MandateReply, mandateReply } from "@/lib/providers/sandbox/mandates-wire";
import type { SandboxTransport } from "@/lib/providers/sandbox/transport";
import { HEADER } from "@/lib/providers/sandbox/wire";
import { addSeconds } from "@/lib/time";

/** Mandates at the simulated bank. */
export function mandateCalls(transport: SandboxTransport): MandateProvider {
  const send = async (
    call: MandateCall,
    method: "GET" | "POST",
    path: string,
    body?: object,
  ): Promise<Read<MandateReply>> => {
    const headers = { ...callerHeaders(call, call.ref.reference), [HEADER.idempotencyKey]: call.ref.idempotencyKey };
    return readAnswer(await transport.send({ method, path, headers, ...(body ? { body } : {}) }, call), mandateReply);
  };
  return {
    async create(call, { amount, interval, retry, startOn, expiresAt, payer, firstPayment }) {
      const read = await send(call, "POST", "/mandates", {
        reference: call.ref.reference,
        amount,
        interval,
        retry,
        startOn,
        expiresAt,
        payerDocument: payer.document?.number ?? "",
        ...(firstPayment === undefined ? {} : { firstPayment }),
      });
      return told(call, read);
    },
    async query(call, { providerMandateId: id, sentUntil }) {
      const query = new URLSearchParams(id === undefined ? { reference: call.ref.reference } : { id });
      const read = await send(call, "GET", `/mandates?${query}`);
      if (read.ok) return { kind: "found", providerMandateId: read.value.id, ...stateOf(read.value) };
      const { outcome } = read;
      if (outcome.kind !== "rejected" || outcome.problem !== "not_found") return { kind: "unavailable" };
      const isCertain = call.clock.now() >= addSeconds(sentUntil, SANDBOX_CAPABILITIES.lateWindowSec);
      return { kind: isCertain ? "not_found_definitive" : "not_found_yet" };
    },
    async end(call, { providerMandateId: id }) {
      return told(call, await send(call, "POST", `/mandates/${encodeURIComponent(id)}/end`, {}));
    },
  };
}

function told(call: MandateCall, read: Read<MandateReply>): Outcome<MandateState> {
  if (!read.ok) return read.outcome;
  const { id, reference, status, at } = read.value;
  const raw = { status: read.status, headers: {}, body: { id, reference, status } };
  // Asked by our reference, another's answer says nothing of ours.
  if (reference !== call.ref.reference) return { kind: "undetermined", cause: "unparseable", raw };
  return { kind: "approved", at, amount: 0, providerTxId: id, data: stateOf(read.value), raw };
}

const stateOf = ({ status, qrCode, approvedAt, endedAt, endedBy, nextEventAt }: MandateReply): MandateState => ({
  status,
  qrCodeData: qrCode,
  ...(approvedAt === undefined ? {} : { approvedAt }),
  ...(endedAt === undefined ? {} : { endedAt }),
  ...(endedBy === undefined ? {} : { endedBy }),
  ...(nextEventAt === undefined ? {} : { nextEventAt }),
});
