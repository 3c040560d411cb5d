import type { z } from "zod";
import type { ConnectionCall, ConnectionResult, Outcome } from "@/lib/providers/provider";
import type {
  ProviderReview,
  RecipientCall,
  RecipientProvider,
  RecipientState,
  RegistrationStatus,
  SellerInput,
} from "@/lib/providers/recipients";
import { callerHeaders } from "@/lib/providers/sandbox/adapter-call";
import { type Read, readAnswer } from "@/lib/providers/sandbox/answers";
import { SANDBOX_CAPABILITIES } from "@/lib/providers/sandbox/capabilities";
import { hintsOf } from "@/lib/providers/sandbox/hints";
import { documentReply, type RecipientReply, recipientReply } from "@/lib/providers/sandbox/recipients-wire";
import type { SandboxTransport } from "@/lib/providers/sandbox/transport";
import { accountReply, HEADER } from "@/lib/providers/sandbox/wire";
import { addSeconds } from "@/lib/time";

/** Sellers at the simulated acquirer, and the test of a connection to it. */

export const connectionTest =
  (transport: SandboxTransport) =>
  async (call: ConnectionCall): Promise<ConnectionResult> => {
    const read = readAnswer(
      await transport.send({ method: "GET", path: "/account", headers: callerHeaders(call, call.providerId) }, call),
      accountReply,
    );
    if (read.ok) return { ok: true, words: read.value.status };
    const { outcome } = read;
    return { ok: false, words: outcome.kind === "rejected" ? outcome.problem : outcome.kind };
  };

export function recipientCalls(transport: SandboxTransport): RecipientProvider {
  const send = async <T>(
    call: RecipientCall,
    method: "GET" | "POST" | "PUT",
    path: string,
    schema: z.ZodType<T>,
    body?: object,
  ): Promise<Read<T>> =>
    readAnswer(
      await transport.send(
        {
          method,
          path,
          headers: headersOf(call),
          ...(body ? { body: { reference: call.ref.reference, ...body } } : {}),
        },
        call,
      ),
      schema,
    );
  return {
    // Its money is paid out on the merchant's rail, so that each rail can be tried.
    paysThem: false,
    async register(call, input) {
      const read = await send(call, "POST", "/recipients", recipientReply, bodyOf(input));
      if (!read.ok) return read.outcome;
      return given(read.value, { ...stateOf(read.value), externalId: read.value.id });
    },
    async update(call, { externalId, ...input }) {
      const read = await send(call, "PUT", pathOf(externalId), recipientReply, bodyOf(input));
      return read.ok ? given(read.value, stateOf(read.value)) : read.outcome;
    },
    async sendDocument(call, { externalId, type, file, mime }) {
      const content = Buffer.from(file).toString("base64");
      const path = `${pathOf(externalId)}/documents`;
      const read = await send(call, "POST", path, documentReply, { type, mime, content });
      return read.ok ? given({ id: externalId, at: read.value.at }, { id: read.value.id }) : read.outcome;
    },
    async queryRecipient(call, { externalId, reference, sentUntil }) {
      const query = new URLSearchParams(externalId === undefined ? { reference } : { id: externalId });
      const read = await send(call, "GET", `/recipients?${query}`, recipientReply);
      if (read.ok) {
        const { id, reviews } = read.value;
        return { kind: "found", externalId: id, ...stateOf(read.value), reviews: reviews.map(reviewOf) };
      }
      const { outcome } = read;
      if (outcome.kind === "rejected" && outcome.problem === "not_found") {
        const isCertain = call.clock.now() >= addSeconds(sentUntil, SANDBOX_CAPABILITIES.lateWindowSec);
        return { kind: isCertain ? "not_found_definitive" : "not_found_yet" };
      }
      const retryAfterMs = outcome.kind === "not_sent" ? outcome.retryAfterMs : undefined;
      return { kind: "unavailable", ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    },
  };
}

const pathOf = (externalId: string): string => `/recipients/${encodeURIComponent(externalId)}`;

function headersOf(call: RecipientCall): Record<string, string> {
  const { merchantId } = hintsOf(call);
  return {
    ...callerHeaders(call, call.ref.reference),
    [HEADER.idempotencyKey]: call.ref.idempotencyKey,
    ...(merchantId === undefined ? {} : { [HEADER.merchant]: merchantId }),
  };
}

const bodyOf = ({ mcc, owner, business, bankAccount }: SellerInput) => ({
  mcc,
  owner: { name: owner.name, email: owner.email, document: owner.document.number },
  ...(business ? { business: { name: business.name, document: business.document.number } } : {}),
  bankAccount: {
    ...(bankAccount.ispb === undefined ? {} : { ispb: bankAccount.ispb }),
    ...(bankAccount.bank === undefined ? {} : { bank: bankAccount.bank }),
    accountNumber: bankAccount.accountNumber,
  },
});

const STATUSES: Readonly<Record<RecipientReply["status"], RegistrationStatus>> = {
  registration: "pending",
  enabled: "active",
  refused: "refused",
  suspended: "blocked",
  disabled: "inactive",
};

const stateOf = ({ status, reason, nextEventAt }: RecipientReply): RecipientState => ({
  status: STATUSES[status],
  externalStatus: status,
  ...(reason === undefined ? {} : { reason }),
  ...(nextEventAt === undefined ? {} : { nextEventAt }),
});

const reviewOf = ({
  id,
  reason,
  submittedAt,
  closedAt,
  ...review
}: RecipientReply["reviews"][number]): ProviderReview => ({
  ...review,
  externalId: id,
  ...(reason === undefined ? {} : { reason }),
  ...(submittedAt === undefined ? {} : { submittedAt }),
  ...(closedAt === undefined ? {} : { closedAt }),
});

const given = <T>({ id, at }: { id: string; at: string }, data: T): Outcome<T> => ({
  kind: "approved",
  at,
  amount: 0,
  providerTxId: id,
  data,
  raw: { status: 200, headers: {}, body: { id } },
});
