import { randomUUID } from "node:crypto";
import type { ProviderEvent } from "@/lib/providers/notification";
import { pagarmeV5Provider } from "@/lib/providers/pagarme-v5";
import { declineOf } from "@/lib/providers/pagarme-v5/answers";
import { parseWebhook } from "@/lib/providers/pagarme-v5/webhook";
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
import type { PagarmeEvent, PagarmeMock } from "@/lib/testing/providers/pagarme-v5/mock";
import { eventWith } from "@/lib/testing/providers/pagarme-v5/objects";
import { REFUSED_ACCOUNT, REFUSED_DOCUMENT_ENDING } from "@/lib/testing/providers/pagarme-v5/sellers";

export const pagarmeSecret = (name: string): Secret =>
  secretOf({ secretKey: `sk_test_${name}`, webhookSecret: `trilho:password_of_${name}` });

/** How Pagar.me signs in at our address. */
export const signedIn = (secret: Secret): Headers =>
  new Headers({ authorization: `Basic ${Buffer.from(secret.reveal().webhookSecret ?? "").toString("base64")}` });

/** What our receiver makes of an event of the stand-in. */
export function received({ body }: PagarmeEvent, secret: Secret): ProviderEvent[] {
  const parsed = parseWebhook(signedIn(secret), Buffer.from(JSON.stringify(body)), [secret]);
  return parsed.kind === "authentic" ? parsed.events : [];
}

/** Pagar.me under the kit. Every notification has arrived and was verified when the provider is asked. */
export function pagarmeRig(mock: PagarmeMock, clock: RigClock): Rig {
  const credentials = pagarmeSecret("the_first");
  const provider = pagarmeV5Provider(connectionsTo(standIn(mock.url)));
  const newest = (charge: string, method: string) => {
    const entry = mock.books.entries.findLast((one) => one.charge === charge && one.method === method);
    if (!entry) throw new Error(`no ${method} for this charge`);
    return entry;
  };
  return {
    provider,
    credentials,
    otherSecret: pagarmeSecret("another"),
    refusedSecret: pagarmeSecret("revoked_one"),
    card: behavingCard,
    inject: (fault) => {
      mock.plan(fault, "create");
      return {};
    },
    broken: (how) => pagarmeV5Provider(brokenConnections(mock.url, how)),
    read: (brand, networkCode) =>
      declineOf({ ...NO_TRANSACTION, acquirer_return_code: networkCode }, brand, false, clock.now()),
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
    payBoleto: async (charge, { amount }) => mock.books.pay(newest(charge, "boleto"), amount),
    dispute: async (charge, amount) => mock.books.dispute(charge, amount),
    winDispute: async (charge) => mock.books.winDispute(charge),
    notify: (_, secret) => signedIn(secret),
    notification: (type, { eventId, reference }) =>
      JSON.stringify(
        eventWith(eventId, TYPES[type], { id: `ch_${randomUUID()}`, metadata: { reference } }, clock.now()),
      ),
    batch: (items) => items.join(""),
    recipients: {
      inject: (fault) => {
        mock.plan(fault, "recipient");
        return {};
      },
      documents: { accepted: "12345610000", refused: `123456108${REFUSED_DOCUMENT_ENDING}` },
      refusedAccount: REFUSED_ACCOUNT,
      registrations: async (reference) => mock.sellers.sellers.filter(({ code }) => code === reference).length,
    },
    pointElsewhere,
  };
}

const TYPES = { capture: "charge.paid", refund: "charge.refunded", unknown: "moon.full" } as const;

const NO_TRANSACTION: Parameters<typeof declineOf>[0] = {
  id: "tran_1",
  transaction_type: "credit_card",
  operation_type: "auth_only",
  amount: 100_00,
  status: "not_authorized",
  success: false,
  created_at: null,
  installments: 1,
  acquirer_nsu: null,
  acquirer_auth_code: null,
  acquirer_return_code: null,
  brand_id: null,
  card: null,
  retry_info: null,
  gateway_response: null,
  qr_code: null,
  qr_code_url: null,
  expires_at: null,
  end_to_end_id: null,
  line: null,
  pdf: null,
  nosso_numero: null,
  due_at: null,
};
