import { randomUUID } from "node:crypto";
import { type SandboxOutcome, sandboxPan } from "@/lib/reference/sandbox-pans";
import { monotonicMs } from "@/lib/time";
import { pause } from "@/lib/wait";
import { type Api, Refused } from "@/scripts/trilho/api";
import type { Credentials } from "@/scripts/trilho/credentials";
import { CommandError, say } from "@/scripts/trilho/print";

const PRICE = 10_500;
const PART = 3_000;
const PIX_SECONDS = 3_600;
const PATIENCE_MS = 20_000;
const LOOK_AGAIN_MS = 200;

const BUYER = {
  name: "Ana Souza",
  email: "ana.souza@cliente.example",
  phoneNumber: "+5511912345678",
  document: { type: "CPF", number: "52998224725" },
};

interface Made {
  id: string;
  status: string;
}

/** What a trigger has at hand: the public API, and a merchant to pay. */
interface Hands {
  api: Api;
  merchantId: string;
}
interface Trigger {
  what: string;
  run(hands: Hands): Promise<Made>;
}

const post = ({ api }: Hands, path: string, body?: unknown): Promise<Made> => api.call<Made>("POST", path, { body });

const tokenOf = async ({ api }: Hands, outcome: SandboxOutcome): Promise<string> => {
  const card = { cardHolderName: "Ana Souza", cardCvv: "120", cardExpirationDate: "12/2039" };
  const made = await api.call<{ tokenId: string }>("POST", "/v1/tokens", {
    body: { ...card, cardNumber: sandboxPan(outcome) },
  });
  return made.tokenId;
};

const payCard = async (hands: Hands, outcome: SandboxOutcome, capture = true): Promise<Made> =>
  post(hands, "/v1/charges", {
    merchantId: hands.merchantId,
    amount: PRICE,
    capture,
    paymentMethod: { paymentType: "credit", installments: 1 },
    paymentSource: { sourceType: "token", tokenId: await tokenOf(hands, outcome) },
  });

const offerPix = (hands: Hands): Promise<Made> =>
  post(hands, "/v1/charges", {
    merchantId: hands.merchantId,
    amount: PRICE,
    paymentMethod: { paymentType: "pix", expiresIn: PIX_SECONDS },
    paymentSource: { sourceType: "customer", customer: BUYER },
  });

const then = (
  first: (hands: Hands) => Promise<Made>,
  ...paths: readonly ((id: string) => readonly [string, unknown])[]
) =>
  async function inTurn(hands: Hands): Promise<Made> {
    let made = await first(hands);
    const { id } = made;
    for (const next of paths) made = await post(hands, ...next(id));
    return { ...made, id };
  };

const giveBack = (amount?: number) => (id: string) =>
  [`/v1/charges/${id}/void`, amount === undefined ? {} : { amount }] as const;
const paid = (hands: Hands) => payCard(hands, "approve");
const dispute = (id: string) => [`/v1/sandbox/charges/${id}/chargeback`, {}] as const;

const buyWith = (outcomes: readonly [SandboxOutcome, SandboxOutcome], capture = true) =>
  async function buy(hands: Hands): Promise<Made> {
    const payments = [];
    for (const outcome of outcomes) {
      payments.push({
        amount: PRICE,
        paymentMethod: { paymentType: "credit" },
        paymentSource: { sourceType: "token", tokenId: await tokenOf(hands, outcome) },
      });
    }
    return post(hands, "/v1/purchases", {
      merchantId: hands.merchantId,
      amount: PRICE * payments.length,
      capture,
      payments,
    });
  };

/** An operation of a purchase runs when the one before it is over. */
async function settled({ api }: Hands, id: string): Promise<void> {
  for (const untilMs = monotonicMs() + PATIENCE_MS; monotonicMs() < untilMs; await pause(LOOK_AGAIN_MS)) {
    const { operation } = await api.call<{ operation?: { status: string } }>("GET", `/v1/purchases/${id}`);
    if (!operation || !["pending", "processing"].includes(operation.status)) return;
  }
}

const link = (hands: Hands): Promise<Made> =>
  post(hands, "/v1/sessions", {
    merchantId: hands.merchantId,
    createLink: true,
    items: [{ name: "Camiseta", unitPrice: PRICE, quantity: 1 }],
    paymentMethods: [
      { paymentType: "credit", installments: 3 },
      { paymentType: "pix", expiresIn: PIX_SECONDS },
    ],
  });

const saveCard =
  (outcome: SandboxOutcome) =>
  async (hands: Hands): Promise<Made> =>
    post(hands, "/v1/cards", { tokenId: await tokenOf(hands, outcome), merchantId: hands.merchantId });

/** Each makes what it says through the public API; the event is whatever then happens. */
export const TRIGGERS: Readonly<Record<string, Trigger>> = {
  "transaction.authorized": {
    what: "A Pix is offered and paid",
    run: then(offerPix, (id) => [`/v1/sandbox/pix/${id}/pay`, {}]),
  },
  "transaction.failed": { what: "A card is declined", run: (hands) => payCard(hands, "decline:insufficient_funds") },
  "purchase.paid": { what: "An order is paid with two cards", run: buyWith(["approve", "approve"]) },
  "transaction.pending": { what: "A Pix waits for its payer", run: offerPix },
  "transaction.pre_authorized": {
    what: "An amount is held on a card",
    run: (hands) => payCard(hands, "approve", false),
  },
  "transaction.canceled": { what: "A Pix is canceled before anybody paid it", run: then(offerPix, giveBack()) },
  "transaction.voided": { what: "A card payment is given back", run: then(paid, giveBack()) },
  "transaction.partially_voided": { what: "A part of it is given back", run: then(paid, giveBack(PART)) },
  "transaction.refund_pending": {
    what: "A refund is accepted and takes a day",
    run: then((hands) => payCard(hands, "refund_pending_done"), giveBack()),
  },
  "transaction.capture_pending": {
    what: "A capture is not answered, then found",
    run: then(
      (hands) => payCard(hands, "capture_timeout_captured", false),
      (id) => [`/v1/charges/${id}/capture`, {}],
    ),
  },
  "transaction.dispute": { what: "A buyer disputes a payment", run: then(paid, dispute) },
  "transaction.charged_back": { what: "A chargeback takes the money away", run: then(paid, dispute) },
  "transaction.dispute_closed": {
    what: "A chargeback is won",
    run: then(paid, dispute, (id) => [`/v1/sandbox/charges/${id}/chargeback/reverse`, {}]),
  },
  "transaction.extra_payment": {
    what: "A Pix is paid twice, and the second payment goes back",
    run: then(offerPix, (id) => [`/v1/sandbox/pix/${id}/pay`, { times: 2 }]),
  },
  "card.active": { what: "A card is checked and saved", run: saveCard("approve") },
  "card.failed": { what: "A card does not pass its check", run: saveCard("decline:expired_card") },
  "purchase.pending": { what: "An order is held on two cards", run: buyWith(["approve", "approve"], false) },
  "purchase.failed": {
    what: "The second card is declined, the first is released",
    run: buyWith(["approve", "decline:insufficient_funds"]),
  },
  "purchase.cancelled": {
    what: "An order on two cards is held, then voided",
    async run(hands) {
      const made = await buyWith(["approve", "approve"], false)(hands);
      await settled(hands, made.id);
      return post(hands, `/v1/purchases/${made.id}/void`, {});
    },
  },
  "session.created": { what: "A payment link is made", run: link },
  "session.canceled": {
    what: "A payment link is canceled",
    run: then(link, (id) => [`/v1/sessions/${id}/cancel`, undefined]),
  },
};

const NOT_FOUND = 404;

/** Says what was made; what comes of it arrives as events. */
export async function trigger(api: Api, who: Credentials, name: string): Promise<void> {
  const found = TRIGGERS[name];
  if (!found) {
    throw new CommandError(
      `Nothing here makes "${name}" happen. trilho trigger --list shows what can be triggered; ` +
        "for what takes days, POST /v1/sandbox/clock moves the account's clock.",
    );
  }
  const merchantId = who.merchantId ?? (await anyMerchant(api));
  const made = await found.run({ api, merchantId }).catch((error: unknown) => {
    if (error instanceof Refused && error.status === NOT_FOUND) {
      throw new CommandError(`${error.message}\nTriggers pay on sandbox accounts only.`);
    }
    throw error;
  });
  say(`${found.what}: ${made.id} (${made.status})`);
}

async function anyMerchant(api: Api): Promise<string> {
  const { items } = await api.call<{ items: { id: string }[] }>("GET", "/v1/merchants", { query: { limit: 1 } });
  const [known] = items;
  if (known) return known.id;
  const made = await api.call<{ id: string }>("POST", "/v1/merchants", {
    body: {
      mcc: "5411",
      name: `Trigger ${randomUUID().slice(0, 8)}`,
      merchantName: "Trigger",
      merchantUrl: "https://loja.example",
      providers: [{ name: "Simulator", priority: 1, credentials: { type: "SANDBOX", apiKey: "any text" } }],
    },
  });
  return made.id;
}
