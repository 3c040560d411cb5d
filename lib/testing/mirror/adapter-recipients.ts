import type { z } from "zod";
import type { Exchange, OutboundRequest, Transport } from "@/lib/providers/exchange";
import type { ConnectionCall, ConnectionResult, Outcome, ProviderCall, ProviderHost } from "@/lib/providers/provider";
import type { RecipientCall, RecipientProvider, RecipientState } from "@/lib/providers/recipients";
import { answerOf, type Read } from "@/lib/testing/mirror/answers";
import { connected, HEADER, recipient, storedDocument, type WireRecipient } from "@/lib/testing/mirror/wire";

export type Hosts = Readonly<Record<ProviderHost, Transport>>;

export const send = (
  hosts: Hosts,
  call: ProviderCall,
  request: Pick<OutboundRequest, "method" | "path"> & { key?: string; body?: Record<string, unknown> },
): Promise<Exchange> => {
  const { method, path, key, body } = request;
  const headers = {
    authorization: `Bearer ${call.credentials.reveal().apiKey}`,
    [HEADER.time]: call.clock.now().toISOString(),
    ...(key === undefined ? {} : { [HEADER.key]: key }),
  };
  return hosts[call.host].send({ method, path, headers, ...(body ? { body } : {}) }, call);
};

/** Each connection gets a key of its own: MIRROR would repeat an old answer. */
export const connectionTest =
  (hosts: Hosts) =>
  async (call: ConnectionCall): Promise<ConnectionResult> => {
    const { notificationsUrl } = call;
    const key = `${call.clock.now().getTime()}-${call.providerId}:connect`;
    const exchange = await send(hosts, call, { method: "POST", path: "/connections", key, body: { notificationsUrl } });
    const read = answerOf(exchange, connected);
    if (read.ok) return { ok: true, words: read.value.status };
    return { ok: false, words: read.outcome.kind === "rejected" ? read.outcome.detail : read.outcome.kind };
  };

export function recipientCalls(hosts: Hosts): RecipientProvider {
  const change = async <T>(
    call: RecipientCall,
    path: string,
    schema: z.ZodType<T>,
    body: Record<string, unknown>,
  ): Promise<Read<T>> => {
    const key = `${call.ref.idempotencyKey}:${call.ref.operation}`;
    return answerOf(
      await send(hosts, call, { method: "POST", path, key, body: { reference: call.ref.reference, ...body } }),
      schema,
    );
  };
  return {
    paysThem: false,
    async register(call, { owner, business, bankAccount }) {
      const document = (business ?? owner).document.number;
      const body = { document, accountNumber: bankAccount.accountNumber };
      const read = await change(call, "/recipients", recipient, body);
      if (!read.ok) return read.outcome;
      return given(read.value, { ...stateOf(read.value), externalId: read.value.id });
    },
    async update(call, { externalId, bankAccount }) {
      const body = { accountNumber: bankAccount.accountNumber };
      const read = await change(call, pathOf(externalId), recipient, body);
      if (read.ok) return given(read.value, stateOf(read.value));
      const { outcome } = read;
      if (outcome.kind !== "rejected" || outcome.detail !== "bank_refused") return outcome;
      const raw = { headers: {}, body: { code: outcome.detail } };
      return { kind: "declined", declinedCode: "generic", retry: "never", reason: outcome.detail, raw };
    },
    async sendDocument(call, { externalId, type, file }) {
      const body = { type, content: Buffer.from(file).toString("base64") };
      const read = await change(call, `${pathOf(externalId)}/documents`, storedDocument, body);
      return read.ok ? given({ id: externalId, at: read.value.at }, { id: read.value.id }) : read.outcome;
    },
    async queryRecipient(call, { externalId }) {
      if (externalId === undefined) return { kind: "unavailable" };
      const read = answerOf(await send(hosts, call, { method: "GET", path: pathOf(externalId) }), recipient);
      if (read.ok) return { kind: "found", externalId, ...stateOf(read.value), reviews: [] };
      const isUnknown = read.outcome.kind === "rejected" && read.outcome.problem === "not_found";
      return { kind: isUnknown ? "not_found_definitive" : "unavailable" };
    },
  };
}

const pathOf = (externalId: string): string => `/recipients/${encodeURIComponent(externalId)}`;

const STATES = { WAITING: "pending", ACCEPTED: "active", DENIED: "refused" } as const;

const stateOf = ({ state, expectedAt }: WireRecipient): RecipientState => ({
  status: STATES[state],
  externalStatus: state,
  ...(state === "DENIED" ? { reason: "document denied" } : {}),
  ...(state === "WAITING" ? { nextEventAt: expectedAt } : {}),
});

const given = <T>({ id, at }: { id: string; at: string }, data: T): Outcome<T> => ({
  kind: "approved",
  at,
  amount: 0,
  providerTxId: id,
  data,
  raw: { status: 201, headers: {}, body: { id } },
});
