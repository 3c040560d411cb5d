import { mercadoPagoProvider } from "@/lib/providers/mercado-pago";
import { declineOf } from "@/lib/providers/mercado-pago/answers";
import { parseWebhook, REQUEST_ID_HEADER, SIGNATURE_HEADER, signatureOf } from "@/lib/providers/mercado-pago/webhook";
import type { ProviderEvent } from "@/lib/providers/notification";
import type { Secret } from "@/lib/providers/provider";
import { secretOf } from "@/lib/providers/secret";
import type { Rig } from "@/lib/testing/provider-conformance/rig";
import {
  behavingCard,
  brokenConnections,
  connectionsTo,
  pointElsewhere,
  type RigClock,
  standIn,
} from "@/lib/testing/providers/kit/rig";
import type { MercadoPagoEvent, MercadoPagoMock } from "@/lib/testing/providers/mercado-pago/mock";
import { eventWith } from "@/lib/testing/providers/mercado-pago/objects";
import { realNow } from "@/lib/time";

export const mercadoPagoSecret = (name: string): Secret =>
  secretOf({ accessToken: `TEST-${name}`, webhookSecret: `secret_of_${name}` });

const REQUEST_ID = "8f3c2a1e-request";

export function signed(body: string, secret: Secret, at: Date): Headers {
  const ts = String(Math.floor(at.getTime() / 1000));
  const id = /"data":\{"id":"([^"]*)"/.exec(body)?.[1] ?? "";
  const hex = signatureOf(secret.reveal().webhookSecret ?? "", { id, requestId: REQUEST_ID, ts }).toString("hex");
  return new Headers({ [SIGNATURE_HEADER]: `ts=${ts},v1=${hex}`, [REQUEST_ID_HEADER]: REQUEST_ID });
}

/** What our receiver makes of a notification of the stand-in. */
export function received({ body }: MercadoPagoEvent, secret: Secret): ProviderEvent[] {
  const text = JSON.stringify(body);
  const parsed = parseWebhook(signed(text, secret, realNow()), Buffer.from(text), [secret], realNow());
  return parsed.kind === "authentic" ? parsed.events : [];
}

/** Mercado Pago under the kit. Every notification has arrived and was verified when the provider is asked. */
export function mercadoPagoRig(mock: MercadoPagoMock, clock: RigClock): Rig {
  const credentials = mercadoPagoSecret("the_first");
  const provider = mercadoPagoProvider(connectionsTo(standIn(mock.url)));
  return {
    provider,
    credentials,
    otherSecret: mercadoPagoSecret("another"),
    refusedSecret: mercadoPagoSecret("revoked_one"),
    card: behavingCard,
    inject: (fault) => {
      mock.plan(fault, "create");
      return {};
    },
    broken: (how) => mercadoPagoProvider(brokenConnections(mock.url, how)),
    read: (_, code) => declineOf(code),
    clock,
    received: async (charge) => mock.requests.filter((one) => one.charge === charge).reverse(),
    evidence(attemptId) {
      mock.books.passTime();
      const about = mock.events.filter(({ entry }) => entry.reference === attemptId);
      return Promise.resolve(about.flatMap((event) => received(event, credentials)));
    },
    authorizations: async (reference) => mock.books.authorizations(reference),
    async payPix(txid, { amount }) {
      const entry = mock.books.entries.find(({ id }) => id === txid);
      if (!entry) throw new Error("no such Pix");
      mock.books.pay(entry, amount);
    },
    async payBoleto(charge, { amount }) {
      const entry = mock.books.entries.findLast((one) => one.charge === charge && one.method === "boleto");
      if (entry) mock.books.pay(entry, amount);
    },
    dispute: async (charge, amount) => mock.books.dispute(charge, amount),
    winDispute: async (charge) => mock.books.winDispute(charge),
    notify: signed,
    notification: (type, { eventId, reference }) =>
      JSON.stringify(eventWith(eventId, TYPES[type], reference, clock.now())),
    batch: (items) => items.join(""),
    pointElsewhere,
  };
}

const TYPES = { capture: "payment.updated", refund: "payment.updated", unknown: "moon.full" } as const;
