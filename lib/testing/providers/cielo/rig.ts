import { declineOf } from "@/lib/providers/cielo/answers";
import { orderNumberOf } from "@/lib/providers/cielo/reference";
import { parseWebhook, SECRET_HEADER } from "@/lib/providers/cielo/webhook";
import type { Connections } from "@/lib/providers/connections";
import type { ProviderEvent } from "@/lib/providers/notification";
import type { PaymentProvider, Secret } from "@/lib/providers/provider";
import { secretOf } from "@/lib/providers/secret";
import type { Rig } from "@/lib/testing/provider-conformance/rig";
import type { CieloEvent, CieloMock } from "@/lib/testing/providers/cielo/mock";
import { DISPUTE_REASON, eventWith } from "@/lib/testing/providers/cielo/objects";
import {
  behavingCard,
  brokenConnections,
  connectionsTo,
  pointElsewhere,
  type RigClock,
  standIn,
} from "@/lib/testing/providers/kit/rig";
import { realNow } from "@/lib/time";

export const familySecret = (name: string): Secret =>
  secretOf({
    merchantId: `merchant_of_${name}`,
    merchantKey: `key_of_${name}`,
    clientSecret: `client_of_${name}`,
    webhookSecret: `secret_of_${name}`,
  });

export const withSecret = (secret: Secret): Headers =>
  new Headers({ [SECRET_HEADER]: secret.reveal().webhookSecret ?? "" });

/** What our receiver makes of a notification of the stand-in. */
export function received({ body }: CieloEvent, secret: Secret): ProviderEvent[] {
  const parsed = parseWebhook(withSecret(secret), Buffer.from(JSON.stringify(body)), [secret], realNow());
  return parsed.kind === "authentic" ? parsed.events : [];
}

const FIRST_CARD = 4_000_000_000_000_000;
const NO_CODE = { Provider: null, ProviderReturnCode: null, MerchantAdviceCode: null };

/** One of the family under the kit. Every notification has arrived and was verified when the provider is asked. */
export function familyRig(mock: CieloMock, clock: RigClock, make: (connections: Connections) => PaymentProvider): Rig {
  const credentials = familySecret("the_first");
  const newest = (charge: string, method: string) => {
    const entry = mock.books.entries.findLast((one) => one.charge === charge && one.method === method);
    if (!entry) throw new Error(`no ${method} for this charge`);
    return entry;
  };
  return {
    provider: make(connectionsTo(standIn(mock.url))),
    credentials,
    otherSecret: familySecret("another"),
    refusedSecret: familySecret("revoked_one"),
    card(outcome, brand) {
      const pan = String(FIRST_CARD + mock.cards.size);
      mock.cards.set(pan, outcome);
      return { ...behavingCard("Ana Souza", brand), pan };
    },
    inject: (fault) => {
      mock.plan(fault, "create");
      return {};
    },
    broken: (how) => make(brokenConnections(mock.url, how)),
    read: (brand, code) => declineOf({ ...NO_CODE, ReturnCode: code }, brand, false, clock.now()),
    clock,
    received: async (charge) => mock.requests.filter((one) => one.charge === charge).reverse(),
    evidence(attemptId) {
      mock.books.passTime();
      const about = mock.events.filter(({ entry }) => entry.reference === orderNumberOf(attemptId));
      return Promise.resolve(about.flatMap((event) => received(event, credentials)));
    },
    authorizations: async (reference) => mock.books.authorizations(reference),
    async payPix(txid, { amount }) {
      const entry = mock.books.entries.find(({ id }) => id === txid);
      if (!entry) throw new Error("no such Pix");
      mock.books.pay(entry, amount);
    },
    payBoleto: async (charge, { amount }) => mock.books.pay(newest(charge, "boleto"), amount),
    disputeReason: DISPUTE_REASON,
    dispute: async (charge, amount) => mock.books.dispute(charge, amount),
    winDispute: async (charge) => mock.books.winDispute(charge),
    notify: (_, secret) => withSecret(secret),
    notification: (type, { reference }) => JSON.stringify(eventWith(reference, type === "unknown" ? 99 : 1)),
    batch: (items) => items.join(""),
    pointElsewhere,
  };
}
