import { randomUUID } from "node:crypto";
import type { ProviderEvent } from "@/lib/providers/notification";
import type { Secret } from "@/lib/providers/provider";
import { secretOf } from "@/lib/providers/secret";
import { stripeProvider } from "@/lib/providers/stripe";
import { declineOf } from "@/lib/providers/stripe/answers";
import { parseWebhook, SIGNATURE_HEADER, signatureOf } from "@/lib/providers/stripe/webhook";
import type { Rig } from "@/lib/testing/provider-conformance/rig";
import {
  behavingCard,
  brokenConnections,
  connectionsTo,
  pointElsewhere,
  type RigClock,
  standIn,
} from "@/lib/testing/providers/kit/rig";
import type { StripeEvent, StripeMock } from "@/lib/testing/providers/stripe/mock";
import { DISPUTE_REASON, eventWith } from "@/lib/testing/providers/stripe/objects";
import { realNow } from "@/lib/time";

export const stripeSecret = (name: string): Secret =>
  secretOf({ secretKey: `sk_test_of_${name}`, webhookSecret: `whsec_of_${name}` });

export function signed(body: string, secret: Secret, at: Date): Headers {
  const seconds = Math.floor(at.getTime() / 1000);
  const hex = signatureOf(secret.reveal().webhookSecret ?? "", seconds, Buffer.from(body)).toString("hex");
  return new Headers({ [SIGNATURE_HEADER]: `t=${seconds},v1=${hex}` });
}

/** What our receiver makes of an event of the stand-in. */
export function received({ body }: StripeEvent, secret: Secret): ProviderEvent[] {
  const text = JSON.stringify(body);
  const parsed = parseWebhook(signed(text, secret, realNow()), Buffer.from(text), [secret], realNow());
  return parsed.kind === "authentic" ? parsed.events : [];
}

/** Stripe under the kit. Every notification has arrived and was verified when the provider is asked. */
export function stripeRig(mock: StripeMock, clock: RigClock): Rig {
  const credentials = stripeSecret("the_first");
  const provider = stripeProvider(connectionsTo(standIn(mock.url)));
  return {
    provider,
    credentials,
    otherSecret: stripeSecret("another"),
    refusedSecret: stripeSecret("revoked_one"),
    card: behavingCard,
    inject: (fault) => {
      mock.plan(fault, "confirm");
      return {};
    },
    broken: (how) => stripeProvider(brokenConnections(mock.url, how)),
    read: (brand, networkCode) =>
      declineOf(
        {
          type: "card_error",
          code: "card_declined",
          decline_code: "generic_decline",
          advice_code: null,
          network_decline_code: networkCode,
          network_advice_code: null,
        },
        brand,
        false,
        clock.now(),
      ),
    clock,
    received: (chargeId) => Promise.resolve(mock.requests.filter(({ charge }) => charge === chargeId).reverse()),
    evidence(attemptId) {
      mock.books.passTime();
      const about = mock.events.filter(({ entry }) => entry.reference === attemptId);
      return Promise.resolve(about.flatMap((event) => received(event, credentials)));
    },
    authorizations: (reference) => Promise.resolve(mock.books.authorizations(reference)),
    payPix: () => Promise.reject(new Error("takes no Pix")),
    async payBoleto(chargeId, { amount }) {
      const entry = mock.books.entries.find((one) => one.charge === chargeId && one.method === "boleto");
      if (entry) mock.books.pay(entry, amount);
    },
    disputeReason: DISPUTE_REASON,
    dispute: async (chargeId, amount) => mock.books.dispute(chargeId, amount),
    winDispute: async (chargeId) => mock.books.winDispute(chargeId),
    notify: signed,
    notification: (type, { eventId, reference }) =>
      JSON.stringify(
        eventWith(
          eventId,
          TYPES[type],
          { id: `ch_${randomUUID()}`, object: "charge", metadata: { reference } },
          clock.now(),
        ),
      ),
    batch: (items) => items.join(""),
    pointElsewhere,
  };
}

const TYPES = { capture: "charge.captured", refund: "charge.refunded", unknown: "moon.full" } as const;
