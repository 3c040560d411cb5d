import { adyenProvider } from "@/lib/providers/adyen";
import { declineOf } from "@/lib/providers/adyen/answers";
import { parseWebhook } from "@/lib/providers/adyen/webhook";
import type { ProviderEvent } from "@/lib/providers/notification";
import type { NextAction, Secret } from "@/lib/providers/provider";
import { secretOf } from "@/lib/providers/secret";
import type { Rig } from "@/lib/testing/provider-conformance/rig";
import type { AdyenMock, AdyenNews } from "@/lib/testing/providers/adyen/mock";
import {
  cresOf,
  DISPUTE_REASON,
  itemOf,
  newPsp,
  notificationOf,
  signedText,
} from "@/lib/testing/providers/adyen/objects";
import {
  behavingCard,
  brokenConnections,
  connectionsTo,
  pointElsewhere,
  type RigClock,
  standIn,
} from "@/lib/testing/providers/kit/rig";
import { realNow } from "@/lib/time";

/** Keys are 32 bytes in hex; each account has its own. */
const keyOf = (name: string): string => Buffer.from(name.padEnd(32, ".")).toString("hex").slice(0, 64).toUpperCase();

export const adyenFields = (name: string): Record<string, string> => ({
  apiKey: `key_of_${name}`,
  merchantAccount: name,
  webhookHmacKey: keyOf(name),
});
export const adyenSecret = (name: string): Secret => secretOf(adyenFields(name));

const signed = (body: string, secret: Secret): string => signedText(body, secret.reveal().webhookHmacKey ?? "");

/** A notification of the stand-in as it reaches our receiver. */
export const delivered = ({ body }: AdyenNews, secret: Secret): string => signed(JSON.stringify(body), secret);

export function received(news: AdyenNews, secret: Secret): ProviderEvent[] {
  const parsed = parseWebhook(new Headers(), Buffer.from(delivered(news, secret)), [secret], realNow());
  return parsed.kind === "authentic" ? parsed.events : [];
}

const SHOP = "TheFirstShop";

/** Adyen under the kit. Every notification has arrived and was verified when the provider is asked. */
export function adyenRig(mock: AdyenMock, clock: RigClock): Rig {
  const credentials = adyenSecret(SHOP);
  const provider = adyenProvider(connectionsTo(standIn(mock.url)));
  const entryOf = (chargeId: string, method: string) =>
    mock.books.entries.find((one) => one.charge === chargeId && one.method === method);
  return {
    provider,
    credentials,
    otherSecret: adyenSecret("AnotherShop"),
    refusedSecret: secretOf({ ...adyenFields(SHOP), apiKey: `revoked_key_of_${SHOP}` }),
    card: behavingCard,
    inject: (fault) => {
      mock.plan(fault, "pay");
      return {};
    },
    broken: (how) => adyenProvider(brokenConnections(mock.url, how)),
    read: (brand, networkCode) =>
      declineOf(
        { code: "2", refusalReasonRaw: `${networkCode} : Refused`, merchantAdviceCode: null },
        brand,
        false,
        clock.now(),
      ),
    clock,
    received: (chargeId) => Promise.resolve(mock.requests.filter(({ charge }) => charge === chargeId).reverse()),
    evidence(attemptId) {
      mock.books.passTime();
      const about = mock.news.filter(({ entry }) => entry.reference === attemptId);
      return Promise.resolve(about.flatMap((one) => received(one, credentials)));
    },
    authorizations: (reference) => Promise.resolve(mock.books.authorizations(reference)),
    async payPix(txid, { amount }) {
      const entry = mock.books.entries.find(({ id }) => id === txid);
      if (entry) mock.books.pay(entry, amount);
    },
    async payBoleto(chargeId, { amount }) {
      const entry = entryOf(chargeId, "boleto");
      if (entry) mock.books.pay(entry, amount);
    },
    disputeReason: DISPUTE_REASON,
    dispute: async (chargeId, amount) => mock.books.dispute(chargeId, amount),
    winDispute: async (chargeId) => mock.books.winDispute(chargeId),
    notify: () => new Headers(),
    // Each key is of one account, and what it signs is told of that account.
    sign: (body, secret) => signed(body.replaceAll(`"${SHOP}"`, `"${secret.reveal().merchantAccount}"`), secret),
    notification: (type, { eventId, reference }) => {
      const about = { account: SHOP, paymentPsp: newPsp(), reference, amount: 100_00, at: clock.now() };
      return JSON.stringify(notificationOf(itemOf({ eventCode: TYPES[type], psp: eventId }, about)));
    },
    batch: (items) => {
      const all = items.map((text) => JSON.parse(text) as { notificationItems?: unknown[] }); // Made above, or bad.
      return JSON.stringify({
        live: "false",
        notificationItems: all.flatMap(({ notificationItems, ...bad }) => notificationItems ?? [bad]),
      });
    },
    broughtBack: (action: NextAction, how) => {
      if (action.type === "device") return how === "authenticated" ? "Y" : "N";
      if (action.fields?.creq) return cresOf(action.fields.creq, how === "authenticated" ? "Y" : "N");
      return `${new URL(action.url).searchParams.get("payment")}!${how}`;
    },
    pointElsewhere,
  };
}

const TYPES = { capture: "CAPTURE", refund: "REFUND", unknown: "MOON_FULL" } as const;
