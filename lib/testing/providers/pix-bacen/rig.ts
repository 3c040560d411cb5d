import { connectionsOf } from "@/lib/providers/connections";
import { pixBacenProvider } from "@/lib/providers/pix-bacen";
import { type Bank, profileOf } from "@/lib/providers/pix-bacen/banks";
import { parseWebhook } from "@/lib/providers/pix-bacen/webhook";
import type { PaymentProvider, Secret } from "@/lib/providers/provider";
import { secretOf } from "@/lib/providers/secret";
import type { Rig } from "@/lib/testing/provider-conformance/rig";
import { brokenConnections, pointElsewhere, type RigClock } from "@/lib/testing/providers/kit/rig";
import type { BankMock } from "@/lib/testing/providers/pix-bacen/mock";

const PIX_KEY = "6f9c2c1e-3b1a-4a6e-9a5d-0c1d2e3f4a5b";

/** What the product itself connects with; the stand-in is named in the environment. */
export const bankProvider = (bank: Bank): PaymentProvider =>
  pixBacenProvider(
    bank,
    connectionsOf(bank, (credentials) => profileOf(bank).certificate(credentials.reveal())),
  );

/** Of Banco do Brasil, as a merchant gives them. */
export const bankSecret = (mock: BankMock, name: string, changes: Record<string, string> = {}): Secret => {
  const { cert, key } = mock.client;
  return secretOf({
    authBasic: `basic-of-${name}`,
    devAppKey: `app-key-of-${name}`,
    pixKey: PIX_KEY,
    version: "2",
    mtlsPemBase64: Buffer.from(cert + key).toString("base64"),
    ...changes,
  });
};

/** Read once, at the first use of a file. */
export function useBank(bank: Bank, mock: BankMock): void {
  process.env.PROVIDER_TEST_HOSTS = JSON.stringify({ [bank]: { api: mock.url, token: mock.url } });
  process.env.PROVIDER_TEST_CA = mock.authority.cert;
}

/** A bank under the kit. */
export function bankRig(mock: BankMock, clock: RigClock): Rig {
  const noCards = (): never => {
    throw new Error("takes no cards");
  };
  return {
    provider: bankProvider("BB"),
    credentials: bankSecret(mock, "the-first"),
    otherSecret: bankSecret(mock, "another"),
    refusedSecret: bankSecret(mock, "revoked"),
    card: noCards,
    inject: (fault) => {
      mock.plan(fault, "PUT cob");
      return {};
    },
    broken: (how) => pixBacenProvider("BB", brokenConnections(mock.url, how)),
    read: noCards,
    clock,
    received: async (chargeId) => mock.requests.filter(({ charge }) => charge === chargeId).reverse(),
    evidence(attemptId) {
      const txid = attemptId.replaceAll("-", "");
      const about = mock.notices.filter(({ entry }) => entry.reference === txid);
      return Promise.resolve(
        about.flatMap(({ body }) => {
          const parsed = parseWebhook(new Headers(), Buffer.from(JSON.stringify(body)));
          return parsed.kind === "authentic" ? parsed.events : [];
        }),
      );
    },
    authorizations: async (reference) => mock.books.authorizations(reference),
    async payPix(txid, { amount, times = 1, after }) {
      const entry = mock.books.entries.find(({ id }) => id === txid);
      if (!entry) throw new Error("no such charge");
      mock.books.passTime();
      if (after === "expiry" && entry.state !== "expired") throw new Error("it has not expired");
      for (let time = 0; time < times; time++) mock.books.pay(entry, amount);
    },
    payBoleto: () => Promise.reject(new Error("issues no boletos")),
    dispute: () => Promise.reject(new Error("takes no cards")),
    winDispute: () => Promise.reject(new Error("takes no cards")),
    notify: () => new Headers(),
    notification: (type, { eventId, reference }) =>
      JSON.stringify({ pix: type === "unknown" ? [] : [anItem(eventId, reference, clock)] }),
    batch: (items) => `{"pix":[${items.map(innerOf).join(",")}]}`,
    pointElsewhere,
  };
}

const anItem = (endToEndId: string, txid: string, clock: RigClock) => ({
  endToEndId,
  txid,
  valor: "1.00",
  horario: clock.now().toISOString(),
});

/** The items of a notification, or what is no notification as it is. */
const innerOf = (text: string): string => /^\{"pix":\[(.*)\]\}$/.exec(text)?.[1] ?? text;
