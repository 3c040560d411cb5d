import { randomUUID } from "node:crypto";
import type { Brand } from "@/lib/brazil/card-brand";
import type { Connections } from "@/lib/providers/connections";
import type { Transport } from "@/lib/providers/exchange";
import { createHttpTransport, type HttpTransportOptions } from "@/lib/providers/http-client";
import type { CardSecret } from "@/lib/providers/provider";
import { SANDBOX_BRANDS, type SandboxBrand, sandboxPan } from "@/lib/reference/sandbox-pans";
import { addSeconds } from "@/lib/time";

const START = new Date("2026-11-24T15:00:00.000Z");
const HOST = "127.0.0.1";

/** The way to a stand-in; `more` is what a kind with certificates of its own needs. */
export const standIn = (baseUrl: string, more: Partial<HttpTransportOptions> = {}): Transport =>
  createHttpTransport({ baseUrl, allowedHosts: [HOST], allowPlainHttp: true, ...more });

/** Nobody listens there: a call that goes there is not sent. */
export const nobody = (): Transport => standIn(`http://${HOST}:1`);

/** Test credentials reach the stand-in; live ones reach nobody. */
export const connectionsTo = (test: Transport, live: Transport = nobody()): Connections => ({
  to: ({ host }) => (host === "live" ? live : test),
});

/** Connections that fail before anything is sent. */
export function brokenConnections(url: string, how: "refused" | "tls"): Connections {
  const secure = url.startsWith("https:");
  const broken = how === "refused" ? nobody() : standIn(secure ? url : url.replace("http:", "https:"));
  return connectionsTo(broken, broken);
}

/** A host that is no stand-in and no host of the kind. */
export const pointElsewhere = (): void => {
  standIn(`http://metadata-${randomUUID()}.example`);
};

/** A card whose name is how the stand-in behaves. */
export function behavingCard(outcome: string, brand: Brand = "visa"): CardSecret {
  const known: SandboxBrand = SANDBOX_BRANDS.find((name) => name === brand) ?? "visa";
  return { pan: sandboxPan("approve", known), cvv: "123", expMonth: "12", expYear: "2031", holderName: outcome, brand };
}

export interface RigClock {
  now(): Date;
  advance(seconds: number): void;
}

export function rigClock(): RigClock {
  let now = START;
  return {
    now: () => now,
    advance(seconds) {
      now = addSeconds(now, seconds);
    },
  };
}
