import { randomUUID } from "node:crypto";
import type { Brand } from "@/lib/brazil/card-brand";
import { createHttpTransport } from "@/lib/providers/http-client";
import type { CallContext, CardSecret } from "@/lib/providers/provider";
import { secretOf } from "@/lib/providers/secret";
import { SANDBOX_BRANDS, type SandboxBrand, sandboxPan } from "@/lib/reference/sandbox-pans";
import { mirrorProvider } from "@/lib/testing/mirror/adapter";
import type { Hosts } from "@/lib/testing/mirror/adapter-recipients";
import { settlementCalls } from "@/lib/testing/mirror/adapter-settlement";
import { declineOf } from "@/lib/testing/mirror/answers";
import { type MirrorFault, type MirrorServer, REVOKED } from "@/lib/testing/mirror/server";
import { providerEvent, signatureOf } from "@/lib/testing/mirror/webhook";
import { HEADER } from "@/lib/testing/mirror/wire";
import type { Fault, Rig } from "@/lib/testing/provider-conformance/rig";
import { addSeconds } from "@/lib/time";

const START = new Date("2026-11-24T15:00:00.000Z");
const HOST = "127.0.0.1";
const HOSTS = [HOST];

/** The transport to MIRROR at an address of this machine. */
export const mirrorTransport = (baseUrl: string) =>
  createHttpTransport({ baseUrl, allowedHosts: HOSTS, allowPlainHttp: true });

/** A card whose name is how MIRROR behaves. */
export const mirrorCard = (outcome: string, brand: Brand = "visa"): CardSecret => {
  const known: SandboxBrand = SANDBOX_BRANDS.find((name) => name === brand) ?? "visa";
  return { pan: sandboxPan("approve", known), cvv: "123", expMonth: "12", expYear: "2031", holderName: outcome, brand };
};

const FAULTS: Record<Fault, MirrorFault> = {
  lost_after: "lost_after",
  lost_before: "lost_before",
  http_500: "http_500",
  truncated: "truncated",
  rate_limited: "rate_limited",
  silence: "silence",
};

/** MIRROR under the kit. Every notification has arrived and was verified when the provider is asked. */
export function mirrorRig(mirror: MirrorServer): Rig {
  let now = START;
  const transport = mirrorTransport(mirror.url);
  // Nobody listens at the live host: a call that goes there is not sent.
  const nobody = mirrorTransport(`http://${HOST}:1`);
  const credentials = secretOf({ apiKey: "mirror-key-of-the-first" });
  const otherSecret = secretOf({ apiKey: "mirror-key-of-another" });
  const whole = (hosts: Hosts) => ({ ...mirrorProvider(hosts), ...settlementCalls(hosts) });
  const provider = whole({ live: nobody, test: transport });
  return {
    provider,
    credentials,
    otherSecret,
    card: mirrorCard,
    inject: (fault): Partial<CallContext> => {
      mirror.plan(FAULTS[fault], "confirm");
      return {};
    },
    broken: (how) => {
      const broken = how === "refused" ? nobody : mirrorTransport(mirror.url.replace("http:", "https:"));
      return whole({ live: broken, test: broken });
    },
    read: (brand, networkCode) => declineOf({ networkCode }, brand, false, now),
    clock: {
      now: () => now,
      advance(seconds) {
        now = addSeconds(now, seconds);
      },
    },
    received: (chargeId) => Promise.resolve(mirror.requests.filter(({ charge }) => charge === chargeId).reverse()),
    evidence(attemptId) {
      mirror.passTime(now);
      const reference = provider.attemptReference(attemptId);
      const ids = mirror.transactions.filter((one) => one.reference === reference).map(({ id }) => id);
      const about = mirror.events.filter(
        (event) => event.reference === reference || ids.includes(event.transactionId ?? ""),
      );
      return Promise.resolve(about.map(providerEvent));
    },
    authorizations: (reference) => Promise.resolve(mirror.authorizations(reference)),
    payPix: () => Promise.reject(new Error("cards only")),
    payBoleto: () => Promise.reject(new Error("cards only")),
    dispute: (chargeId, amount) => Promise.resolve(mirror.dispute(chargeId, amount, now)),
    winDispute: (chargeId) => Promise.resolve(mirror.winDispute(chargeId, now)),
    notify: (body, secret, at) =>
      new Headers({ [HEADER.signature]: signatureOf(secret.reveal().apiKey ?? "", at, body) }),
    notification: (type, { eventId, reference }) =>
      JSON.stringify({ id: eventId, type: TYPES[type], createdAt: now.toISOString(), reference }),
    batch: (items) => `{"items":[${items.join(",")}]}`,
    refusedSecret: secretOf({ apiKey: `mirror-key-${REVOKED}` }),
    recipients: {
      inject: (fault) => {
        mirror.plan(FAULTS[fault], "register");
        return {};
      },
      documents: { accepted: "12345610000", refused: "12345610859" },
      refusedAccount: "0",
      registrations: (reference) => Promise.resolve(mirror.registrations(reference)),
    },
    pointElsewhere: () => {
      mirrorTransport(`http://metadata-${randomUUID()}.example`);
    },
  };
}

const TYPES = { capture: "CAPTURE", refund: "REFUND", unknown: "MOON_FULL" } as const;
