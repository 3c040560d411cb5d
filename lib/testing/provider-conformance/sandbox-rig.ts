import { systemSql } from "@/db/client";
import type { Brand } from "@/lib/brazil/card-brand";
import { type Exchange, failedBeforeSending } from "@/lib/providers/exchange";
import { createHttpTransport } from "@/lib/providers/http-client";
import type { CallContext, CardSecret } from "@/lib/providers/provider";
import { sandboxProvider } from "@/lib/providers/sandbox/adapter";
import { declineFrom } from "@/lib/providers/sandbox/answers";
import { listCalls } from "@/lib/providers/sandbox/calls";
import { reverseChargeback, simulateChargeback } from "@/lib/providers/sandbox/disputes";
import { simulateBoletoPayment, simulatePixPayment } from "@/lib/providers/sandbox/pay";
import type { ToolResult } from "@/lib/providers/sandbox/tools";
import { httpTransport, inProcessTransport, type SandboxTransport } from "@/lib/providers/sandbox/transport";
import { SIGNATURE_HEADER, signature } from "@/lib/providers/sandbox/webhook";
import { secretOf } from "@/lib/providers/secret";
import { SANDBOX_BRANDS, SANDBOX_OUTCOMES, sandboxPan } from "@/lib/reference/sandbox-pans";
import {
  CLIENT_ID,
  type Fault,
  PROVIDER_ID,
  RETRY_AFTER_SECONDS,
  type Rig,
} from "@/lib/testing/provider-conformance/rig";
import { addSeconds } from "@/lib/time";

/** A working day in São Paulo, around noon. */
const START = new Date("2026-11-24T15:00:00.000Z");
const PAGE = { limit: 100, offset: 0 };

const SCENARIOS: Record<Fault, string> = {
  lost_after: "fault=drop_response",
  lost_before: "fault=drop_request",
  http_500: "fault=http_status;status=500",
  truncated: "fault=truncate",
  rate_limited: `fault=http_status;status=429;retryAfter=${RETRY_AFTER_SECONDS}`,
  silence: "fault=delay",
};

export function sandboxCard(outcome: string, brand: Brand = "visa"): CardSecret {
  const known = SANDBOX_OUTCOMES.find((name) => name === outcome);
  const ours = SANDBOX_BRANDS.find((name) => name === brand);
  if (!known || !ours) throw new Error(`the simulator has no ${brand} card for ${outcome}`);
  return { pan: sandboxPan(known, ours), cvv: "123", expMonth: "12", expYear: "2031", holderName: "ANA SOUZA", brand };
}

/** The simulator under the kit; `secureUrl` is where the TLS case knocks. */
export function sandboxRig(transport: SandboxTransport, broken: (how: "refused" | "tls") => SandboxTransport): Rig {
  let now = START;
  const done = (result: ToolResult): void => {
    if (!result.ok) throw new Error(`the simulator refused: ${result.reason}`);
  };
  const credentials = secretOf({ apiKey: "key-of-the-first-account" });
  return {
    provider: sandboxProvider(transport),
    credentials,
    otherSecret: secretOf({ apiKey: "key-of-the-other-account" }),
    card: sandboxCard,
    inject: (fault): Partial<CallContext> => ({ simulation: { scenario: SCENARIOS[fault] } }),
    broken: (how) => sandboxProvider(broken(how)),
    read: (brand, networkCode) => declineFrom({ declinedCode: "generic", networkCode }, brand, false, now),
    clock: {
      now: () => now,
      advance(seconds) {
        now = addSeconds(now, seconds);
      },
    },
    received: async (chargeId) => (await listCalls(CLIENT_ID, chargeId, PAGE)).items,
    evidence: () => Promise.resolve([]),
    async authorizations(reference) {
      const [row] = await systemSql()<{ n: number }[]>`
        select count(*)::int as n from sandbox_transactions
         where client_id = ${CLIENT_ID} and provider_id = ${PROVIDER_ID} and reference = ${reference}`;
      return row?.n ?? 0;
    },
    payPix: async (txid, how) => done(await simulatePixPayment(CLIENT_ID, { txid }, how, () => now)),
    payBoleto: async (chargeId, how) => done(await simulateBoletoPayment(CLIENT_ID, chargeId, how, () => now)),
    dispute: async (chargeId, amount) =>
      done(await simulateChargeback(CLIENT_ID, chargeId, amount === undefined ? {} : { amount }, () => now)),
    winDispute: async (chargeId) => done(await reverseChargeback(CLIENT_ID, chargeId, () => now)),
    notify: (body, secret, at) =>
      new Headers({ [SIGNATURE_HEADER]: signature(secret.reveal().apiKey, at, Buffer.from(body)) }),
    notification: (type, { eventId, reference }) =>
      JSON.stringify({ id: eventId, type: TYPES[type], createdAt: now.toISOString(), reference }),
    batch: (items) => `{"events":[${items.join(",")}]}`,
    recipients: {
      inject: (fault) => ({ simulation: { scenario: `step=recipient;${SCENARIOS[fault]}` } }),
      documents: { accepted: "12345610000", refused: "12345610859" },
      async registrations(reference) {
        const [row] = await systemSql()<{ n: number }[]>`
          select count(*)::int as n from sandbox_recipients
           where client_id = ${CLIENT_ID} and provider_id = ${PROVIDER_ID} and reference = ${reference}`;
        return row?.n ?? 0;
      },
    },
    pointElsewhere: () => {
      createHttpTransport({ baseUrl: "http://metadata.example", allowedHosts: ["127.0.0.1"], allowPlainHttp: true });
    },
  };
}

const TYPES = { capture: "payment.captured", refund: "refund.done", unknown: "moon.full" } as const;

/** Without a socket the same classification is given what a socket would have said. */
export const brokenInProcess = (how: "refused" | "tls"): SandboxTransport => {
  const failed: Exchange = {
    kind: "not_sent",
    cause: failedBeforeSending(how === "refused" ? "ECONNREFUSED" : "ERR_SSL_WRONG_VERSION_NUMBER"),
  };
  return { ...inProcessTransport(), send: () => Promise.resolve(failed) };
};

/** Nobody listens on the first; the second listens, but not for TLS. */
export const brokenOverHttp =
  (plainPort: number) =>
  (how: "refused" | "tls"): SandboxTransport =>
    httpTransport(how === "refused" ? "http://127.0.0.1:1" : `https://127.0.0.1:${plainPort}`);
