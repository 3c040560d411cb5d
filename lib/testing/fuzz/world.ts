import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { runReport } from "@/lib/reports/run";
import { aKey, newMerchant, newProvider, openMerchant, type TestClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";
import { work } from "@/lib/testing/purchases";
import { newSeller, openSellers, uploadedDocument } from "@/lib/testing/sellers";
import { fanOutEvents } from "@/lib/webhooks/fan-out";

/** Makes, through the API, one object of every kind that a request can name. A new kind of id gets its line here. */

export const CARD = {
  cardHolderName: "Ana Souza",
  cardNumber: "4111220000000002",
  cardCvv: "120",
  cardExpirationDate: "12/2039",
};
const BUYER = {
  name: "Ana Souza",
  email: "ana.souza@cliente.example",
  phoneNumber: "+55 11 91234-5678",
  document: { type: "CPF", number: "52998224725" },
  address: {
    street: "Rua das Flores",
    streetNumber: "100",
    zipCode: "01310-100",
    country: "BR",
    state: "SP",
    city: "São Paulo",
    district: "Bela Vista",
  },
};

type Maker = (client: TestClient) => Promise<string>;

/** Merchants are not used up by payments, so each client has one for all of them. */
const merchants = new WeakMap<TestClient, Promise<string>>();
export function payingMerchant(client: TestClient): Promise<string> {
  const known = merchants.get(client) ?? openMerchant(client).then(({ id }) => id);
  merchants.set(client, known);
  return known;
}

export const made = async (client: TestClient, path: string, body: unknown, member = "id"): Promise<string> =>
  // Guarantee: a test that reads another member than the answer has fails at once on what it is given.
  String((await client.make<Record<string, unknown>>("POST", path, { body }))[member]);

const token: Maker = (client) => made(client, "/v1/tokens", CARD, "tokenId");
export const customer: Maker = (client) => made(client, "/v1/customers?force=true", BUYER);
export const card: Maker = async (client) => made(client, "/v1/cards", { tokenId: await token(client) });

export const charge = (changes: Record<string, unknown>): Maker =>
  async function makeCharge(client) {
    const source =
      "paymentMethod" in changes ? { sourceType: "customer", customerId: await customer(client) } : undefined;
    return made(client, "/v1/charges", {
      merchantId: await payingMerchant(client),
      amount: 10_500,
      paymentMethod: { paymentType: "credit", installments: 1 },
      paymentSource: source ?? { sourceType: "token", tokenId: await token(client) },
      ...changes,
    });
  };

const captured = charge({ capture: true });
const pix = charge({ paymentMethod: { paymentType: "pix", expiresIn: 3600 } });

const after =
  (maker: Maker, step: (client: TestClient, id: string) => Promise<unknown>): Maker =>
  async (client) => {
    const id = await maker(client);
    await step(client, id);
    return id;
  };

async function analysedCharge(client: TestClient): Promise<string> {
  const analyst = {
    name: "Analyst",
    priority: 2,
    credentials: { type: "SANDBOX_ANTIFRAUD", apiKey: "any text" },
    options: { type: "ANTIFRAUD", productType: "ASYNC" },
  };
  const merchantId = await made(client, "/v1/merchants", newMerchant({ providers: [newProvider(), analyst] }));
  return charge({ merchantId, fraudAnalysis: { customer: { identity: "52998224720" } } })(client);
}

/** Held on every card: what a worker does with an accepted purchase has been done. */
async function heldPurchase(client: TestClient): Promise<string> {
  const payment = async (amount: number) => ({
    amount,
    paymentMethod: { paymentType: "credit" },
    paymentSource: { sourceType: "token", tokenId: await token(client) },
  });
  const payments = [await payment(6_000), await payment(4_000)];
  const body = { merchantId: await payingMerchant(client), amount: 10_000, capture: false, payments };
  const { id } = await client.make("POST", "/v1/purchases", { body, idempotencyKey: aKey() });
  await work(client);
  return id;
}

const webhook: Maker = (client) =>
  made(client, "/v1/webhooks", { event: "*", endpoint: `https://hooks.loja.example/${newId()}` });

const session = (changes: Record<string, unknown> = {}): Maker =>
  async function makeSession(client) {
    return made(client, "/v1/sessions", {
      merchantId: await payingMerchant(client),
      createLink: true,
      paymentMethods: [
        { paymentType: "credit", installments: 6 },
        { paymentType: "pix", expiresIn: 3600 },
      ],
      items: [{ name: "Tênis", unitPrice: 10_500, quantity: 1 }],
      ...changes,
    });
  };

/** With the key of a session that is bound to a buyer, who has a card. */
export async function sessionPlace(client: TestClient): Promise<Place> {
  const [customerId, cardId] = [await customer(client), await card(client)];
  await client.make("POST", `/v1/customers/${customerId}/cards`, { body: { cardId } });
  const id = await session({ customerId })(client);
  const { publicKey } = await client.make<{ publicKey: string }>("GET", `/v1/sessions/${id}`);
  return { params: {}, key: publicKey, ids: { customerId, cardId } };
}

export const boundCustomerPlace: PlaceMaker = async (client) => {
  const place = await sessionPlace(client);
  return { ...place, params: { id: place.ids?.customerId ?? "" } };
};

const vendor: Maker = (client) =>
  made(client, "/v1/vendors", {
    referenceId: newId().slice(-12),
    identityType: "CPF",
    identity: "52998224725",
    mcc: "5712",
    name: "Móveis da Serra",
    address: {
      country: "BR",
      state: "RS",
      city: "Gramado",
      district: "Centro",
      zipCode: "95670-000",
      street: "Rua das Hortênsias",
      streetNumber: "120",
    },
  });

/** A seller of the merchant that pays for everything; each has a document of its own. */
const seller: Maker = async (client) => made(client, "/v1/sellers", newSeller(await payingMerchant(client)));

export async function sellerPlace(client: TestClient): Promise<Place> {
  const merchantId = await payingMerchant(client);
  const id = await made(client, "/v1/sellers", newSeller(merchantId));
  return { params: { id }, ids: { merchantId } };
}

export const sellerQueryPlace: PlaceMaker = async (client) => {
  const { params, ids } = await sellerPlace(client);
  return { params: {}, ids: { ...ids, sellerId: params.id ?? "" } };
};

export async function reviewPlace(client: TestClient): Promise<Place> {
  const id = await seller(client);
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "PT10S" } });
  const review = await client.make("POST", `/v1/sellers/${id}/registration-reviews`, {
    body: { requestedFields: ["owner.email"] },
  });
  return { params: { id, reviewId: review.id } };
}

const sellerDocument: Maker = (client) => uploadedDocument(client);

const newestOf = async (client: TestClient, path: string): Promise<string> => {
  const { items } = await client.make<List>("GET", path, { query: { limit: 1 } });
  return items[0]?.id ?? "";
};

/** An event on its way to a webhook that was there before it. */
export async function deliveryPlace(client: TestClient): Promise<Place> {
  const id = await webhook(client);
  await captured(client);
  await fanOutEvents(systemSql());
  return { params: { id, deliveryId: await newestOf(client, `/v1/webhooks/${id}/deliveries`) } };
}

export async function feeRulePlace(client: TestClient): Promise<Place> {
  const { id: merchantId } = await openMerchant(client);
  const body = [{ paymentMethod: "pix", fixedAmount: 50 }];
  const [rule] = await client.make<{ id: string }[]>("POST", `/v1/merchants/${merchantId}/platform-fee`, { body });
  return { params: { merchantId, platformFeeId: rule?.id ?? "" } };
}

/** With a provider of its own merchant: another merchant's would be none of the flow's business. */
export async function flowPlace(client: TestClient): Promise<Place> {
  const { id: merchantId, providerId } = await openMerchant(client);
  const flow = { root: [{ rule: "provider", id: providerId }] };
  const id = await made(client, "/v1/flows", { name: "Cards", paymentMethod: "credit", merchantId, flow });
  return { params: { id }, ids: { merchantId, providerId } };
}

export async function replayPlace(client: TestClient): Promise<Place> {
  const { params } = await flowPlace(client);
  const body = { since: "2026-10-01T00:00:00Z", until: "2026-11-01T00:00:00Z" };
  return { params: { ...params, replayId: await made(client, `/v1/flows/${params.id}/replays`, body) } };
}

/** Of a charge of which a part was given back. */
export async function refundDocumentPlace(client: TestClient): Promise<Place> {
  const id = await captured(client);
  await client.make("POST", `/v1/charges/${id}/void`, { body: { amount: 500 } });
  return { params: { id, documentId: await made(client, `/v1/charges/${id}/refund-documents`, { type: "receipt" }) } };
}

/** Of a card that is declined until its next retry: whatever can be done to a cycle can be done to this one. */
export async function cyclePlace(client: TestClient): Promise<Place> {
  const cardId = await card(client);
  await client.make("POST", "/v1/sandbox/scenarios", { body: { target: { cardId }, scenario: "outcome=106" } });
  const { id, lastCycle } = await client.make<{ id: string; lastCycle: { id: string } }>("POST", "/v1/subscriptions", {
    body: { ...(await planOf(client)), paymentMethod: { type: "credit", card: { cardId } } },
  });
  return { params: { id, cycleId: lastCycle.id } };
}

export async function pausedPlace(client: TestClient): Promise<Place> {
  const id = await subscription(client);
  await client.make("PATCH", `/v1/subscriptions/${id}/pause`, { body: {} });
  return { params: { id } };
}

const planOf = async (client: TestClient) => ({
  name: "Plano Ouro",
  merchantId: await payingMerchant(client),
  customerId: await customer(client),
  items: [{ name: "Ouro", amount: 4_990, quantity: 1 }],
  recurrence: { interval: "monthly" },
});

const subscription: Maker = async (client) =>
  made(client, "/v1/subscriptions", {
    ...(await planOf(client)),
    paymentMethod: { type: "credit", card: { cardId: await card(client) } },
  });
/** A Pix of the account itself, long enough ago for it to stand in a batch. */
async function paidOut(client: TestClient, list: string): Promise<string> {
  const days = paidOutOf.get(client) ?? bankDaysWithMoney(client);
  paidOutOf.set(client, days);
  await days;
  return newestOf(client, list);
}

/** Once for each account: its clock has much else to live. */
const paidOutOf = new WeakMap<TestClient, Promise<unknown>>();

async function bankDaysWithMoney(client: TestClient): Promise<void> {
  const id = await pix(client);
  await client.make("POST", `/v1/sandbox/pix/${id}/pay`, { body: {} });
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P5D" } });
}

async function prepayment(client: TestClient): Promise<string> {
  await captured(client);
  return made(client, "/v1/subacquirer/prepayment", { endDate: "2099-12-31" });
}

/** Sales whose instalments wait, of the account itself and of a seller. */
export async function receivablePlace(client: TestClient): Promise<Place> {
  await captured(client);
  const { id: merchantId } = await openMerchant(client);
  const [sellerId = ""] = await openSellers(client, merchantId, 1);
  await charge({ merchantId, capture: true, splitRules: [{ sellerId, percentage: 50 }] })(client);
  return { params: {}, ids: { sellerId } };
}

/** Asked for; the worker's work is not done. */
const report: Maker = (client) =>
  made(client, "/v1/reports", {
    sendTo: "fin@example.com",
    type: "customers",
    fields: ["customer__id"],
    filters: {},
  });

const reportSchedule: Maker = (client) =>
  made(client, "/v1/reports/schedules", {
    name: "Customers",
    cron: "daily",
    report: { sendTo: "fin@example.com", type: "customers", fields: ["customer__id"], filters: {} },
  });

/** With a file. */
export async function reportPlace(client: TestClient): Promise<Place> {
  await customer(client);
  const id = await report(client);
  await runReport(await client.context(), id);
  return { params: { id } };
}

const from =
  (place: PlaceMaker, parameter: string): Maker =>
  async (client) =>
    (await place(client)).params[parameter] ?? "";

export const MAKERS = {
  publicKey: (client) => made(client, "/v1/auth", { scope: "cards" }, "publicKey"),
  token,
  cvvToken: (client) => made(client, "/v1/tokens", { cvvUpdate: "120" }, "tokenId"),
  card,
  customer,
  merchant: async (client) => (await openMerchant(client)).id,
  provider: async (client) => (await openMerchant(client)).providerId,
  charge: captured,
  heldCharge: charge({}),
  analysedCharge,
  pixCharge: pix,
  paidPixCharge: after(pix, (client, id) => client.make("POST", `/v1/sandbox/pix/${id}/pay`, { body: {} })),
  boletoCharge: charge({ paymentMethod: { paymentType: "boleto" } }),
  disputedCharge: after(captured, (client, id) =>
    client.make("POST", `/v1/sandbox/charges/${id}/chargeback`, { body: {} }),
  ),
  delivery: from(deliveryPlace, "deliveryId"),
  event: async (client) => {
    await captured(client);
    return newestOf(client, "/v1/events");
  },
  flow: from(flowPlace, "id"),
  refundDocument: from(refundDocumentPlace, "documentId"),
  replay: from(replayPlace, "replayId"),
  feeRule: from(feeRulePlace, "platformFeeId"),
  prepayment,
  paymentBatch: (client) => paidOut(client, "/v1/payouts/payment-batches"),
  paymentOrder: (client) => paidOut(client, "/v1/payouts/orders"),
  plan: (client) => newestOf(client, "/v1/subacquirer/plans"),
  purchase: heldPurchase,
  seller,
  sellerDocument,
  report,
  reportSchedule,
  registrationReview: from(reviewPlace, "reviewId"),
  session: session(),
  subscription,
  subscriptionCycle: from(cyclePlace, "cycleId"),
  vendor,
  webhook,
  scenario: async (client) =>
    made(client, "/v1/sandbox/scenarios", { target: { customerId: await customer(client) }, scenario: "outcome=106" }),
} as const satisfies Record<string, Maker>;
export type Kind = keyof typeof MAKERS;

/** Where a request is sent: the parameters of its path, and what its query must say besides. */
export interface Place {
  params: Record<string, string>;
  query?: Record<string, string>;
  /** A session's key, for routes that take no other. */
  key?: string;
  /** What the placeholders of an example must stand for here. */
  ids?: Record<string, string>;
  /** The body, where it is no JSON. */
  form?: FormData;
}
export type PlaceMaker = (client: TestClient) => Promise<Place>;

/** How an object of a kind is deleted, where it can be. */
export const DELETIONS: Partial<Record<Kind, (client: TestClient, id: string) => Promise<unknown>>> = {
  publicKey: (client, id) => client.make("DELETE", `/v1/auth/${id}`),
  card: (client, id) => client.make("DELETE", `/v1/cards/${id}`),
  customer: (client, id) => client.make("DELETE", `/v1/customers/${id}`),
  merchant: (client, id) => client.make("DELETE", `/v1/merchants/${id}`),
  provider: (client, id) => client.make("DELETE", `/v1/providers/${id}`),
  scenario: (client, id) => client.make("DELETE", `/v1/sandbox/scenarios/${id}`),
  token: (client, id) => client.make("POST", "/v1/cards", { body: { tokenId: id } }),
  vendor: (client, id) => client.make("DELETE", `/v1/vendors/${id}`),
  webhook: (client, id) => client.make("DELETE", `/v1/webhooks/${id}`),
};
