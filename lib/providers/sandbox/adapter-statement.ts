import { callerHeaders } from "@/lib/providers/sandbox/adapter-call";
import { readAnswer } from "@/lib/providers/sandbox/answers";
import { earlyReply, statementReply } from "@/lib/providers/sandbox/statement";
import type { SandboxTransport } from "@/lib/providers/sandbox/transport";
import type { PayEarly, ReadStatement } from "@/lib/providers/statements";

export const statementCall =
  (transport: SandboxTransport): ReadStatement =>
  async (call, { from, to, after }) => {
    const query = new URLSearchParams({ from, to, ...(after === undefined ? {} : { after }) });
    const headers = callerHeaders(call, call.providerId);
    const exchange = await transport.send({ method: "GET", path: `/statement?${query}`, headers }, call);
    const read = readAnswer(exchange, statementReply);
    if (!read.ok) {
      const { outcome } = read;
      const retryAfterMs = outcome.kind === "not_sent" ? outcome.retryAfterMs : undefined;
      return { kind: "unavailable", ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    }
    const { lines, next } = read.value;
    return { kind: "page", lines, ...(next === undefined ? {} : { next }) };
  };

export const earlyPaymentCall =
  (transport: SandboxTransport): PayEarly =>
  async (call, payments) => {
    const headers = callerHeaders(call, call.providerId);
    const exchange = await transport.send(
      { method: "POST", path: "/anticipations", headers, body: { payments } },
      call,
    );
    return { kind: readAnswer(exchange, earlyReply).ok ? "done" : "unavailable" };
  };
