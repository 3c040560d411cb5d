import type { ProviderCall } from "@/lib/providers/provider";
import { callerHeaders } from "@/lib/providers/sandbox/adapter-call";
import { readAnswer } from "@/lib/providers/sandbox/answers";
import { transferReply, transfersReply } from "@/lib/providers/sandbox/transfers-wire";
import type { SandboxTransport } from "@/lib/providers/sandbox/transport";
import type { TransferAnswer, TransferBank } from "@/lib/providers/transfers";

/** The bank that the simulator is, for transfers to sellers. */
export function sandboxBank(transport: SandboxTransport): TransferBank {
  const ask = async (call: ProviderCall, body: object): Promise<TransferAnswer> => {
    const headers = callerHeaders(call, call.providerId);
    const exchange = await transport.send({ method: "POST", path: "/transfers/look-up", headers, body }, call);
    const read = readAnswer(exchange, transfersReply);
    if (!read.ok) return { kind: "unavailable" };
    const states = read.value.transfers.map(
      ({ reference, status, reason }) => [reference, { status, ...(reason === undefined ? {} : { reason }) }] as const,
    );
    return { kind: "found", states: new Map(states) };
  };
  return {
    async send(call, order) {
      const headers = callerHeaders(call, call.providerId);
      const exchange = await transport.send({ method: "POST", path: "/transfers", headers, body: order }, call);
      const read = readAnswer(exchange, transferReply);
      if (read.ok) return { kind: "accepted" };
      const { outcome } = read;
      if (outcome.kind === "not_sent") return { kind: "not_sent" };
      if (outcome.kind === "rejected") return { kind: "refused", reason: outcome.detail };
      return { kind: "unknown" };
    },
    ask: (call, references) => ask(call, { references }),
    returnedSince: (call, returnedSince) => ask(call, { returnedSince }),
  };
}
