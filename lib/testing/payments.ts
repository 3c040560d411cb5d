import { type SandboxBrand, type SandboxOutcome, sandboxPan } from "@/lib/reference/sandbox-pans";
import { newProvider, type OpenMerchant, openMerchant, type TestClient } from "@/lib/testing/api";
import type { CallOptions, Reply } from "@/lib/testing/api-client";

/** What tests read of a charge. */
export interface ChargeReply {
  id: string;
  status: string;
  amount: number;
  originalAmount: number;
  capturedAmount: number;
  refundedAmount: number;
  isDispute: boolean;
  responsibleProviderType: string | null;
  expiresAt: string | null;
  paymentMethod: Record<string, unknown>;
  paymentSource: Record<string, unknown>;
  transactionRequests: {
    id: string;
    requestType: string;
    requestStatus: string;
    requestStatusReason: string | null;
    amount: number;
    providerId: string | null;
    transactionId: string | null;
    providerError: { declinedCode: string; retryable: boolean; networkDeniedReason: string | null } | null;
  }[];
  error?: { type: string; code: number; businessCode?: string; declinedCode?: string; declined_code?: string };
  [member: string]: unknown;
}

/** A CVV that ends in 0 validates. */
export const cardData = (outcome: SandboxOutcome = "approve", brand: SandboxBrand = "visa") => ({
  cardHolderName: "Ana Souza",
  cardNumber: sandboxPan(outcome, brand),
  cardCvv: brand === "amex" ? "1230" : "120",
  cardExpirationDate: "12/2031",
});

export async function openToken(client: TestClient, card: Record<string, unknown> = cardData()): Promise<string> {
  const { tokenId } = await client.make<{ tokenId: string }>("POST", "/v1/tokens", { body: card });
  return tokenId;
}

let people = 0;
/** Its own e-mail; the document is shared, so customers are made with force. */
export const newCustomer = (changes: Record<string, unknown> = {}) => {
  people += 1;
  return {
    name: "Ana Souza",
    email: `ana.${process.pid}.${people}@example.com`,
    phoneNumber: "+55 11 99999-0000",
    document: { type: "cpf", number: "52998224725", country: "BR" },
    address: {
      street: "Rua A",
      streetNumber: "10",
      zipCode: "01001000",
      country: "BR",
      state: "SP",
      city: "São Paulo",
      district: "Sé",
    },
    ...changes,
  };
};

export const openCustomer = async (client: TestClient, changes: Record<string, unknown> = {}): Promise<string> =>
  (await client.make("POST", "/v1/customers", { body: newCustomer(changes), query: { force: "true" } })).id;

/** A client with a merchant that can be paid. */
export interface Shop {
  client: TestClient;
  merchant: OpenMerchant;
}

export const withMerchant = async (client: TestClient): Promise<Shop> => ({
  client,
  merchant: await openMerchant(client),
});

/** One more provider of the merchant: the simulator, unless the changes say otherwise. Answers its id. */
export async function addProvider({ client, merchant }: Shop, changes: Record<string, unknown> = {}): Promise<string> {
  const { id } = await client.make<{ id: string }>("POST", `/v1/merchants/${merchant.id}/providers`, {
    body: newProvider(changes),
  });
  return id;
}

export interface CardPayment extends CallOptions {
  outcome?: SandboxOutcome;
  brand?: SandboxBrand;
  amount?: number;
  capture?: boolean;
  changes?: Record<string, unknown>;
}

/** Pays with a fresh token of a card of the simulator. */
export async function payByCard(
  { client, merchant }: Shop,
  { outcome, brand, amount = 10_500, capture = false, changes, ...options }: CardPayment = {},
): Promise<Reply<ChargeReply>> {
  const tokenId = await openToken(client, cardData(outcome, brand));
  return client.call<ChargeReply>("POST", "/v1/charges", {
    ...options,
    body: {
      merchantId: merchant.id,
      amount,
      capture,
      paymentMethod: { paymentType: "credit" },
      paymentSource: { sourceType: "token", tokenId },
      ...changes,
    },
  });
}

export async function payByPix(
  { client, merchant }: Shop,
  {
    amount = 4_990,
    changes = {},
    ...options
  }: CallOptions & { amount?: number; changes?: Record<string, unknown> } = {},
): Promise<Reply<ChargeReply>> {
  const customerId = await openCustomer(client);
  return client.call<ChargeReply>("POST", "/v1/charges", {
    ...options,
    body: {
      merchantId: merchant.id,
      amount,
      paymentMethod: { paymentType: "pix", expiresIn: 3_600 },
      paymentSource: { sourceType: "customer", customerId },
      ...changes,
    },
  });
}

export async function payByBoleto(
  { client, merchant }: Shop,
  { amount = 25_000, changes = {} }: { amount?: number; changes?: Record<string, unknown> } = {},
): Promise<Reply<ChargeReply>> {
  const customerId = await openCustomer(client);
  return client.call<ChargeReply>("POST", "/v1/charges", {
    body: {
      merchantId: merchant.id,
      amount,
      paymentMethod: { paymentType: "boleto", instructions: "Pagar até o vencimento" },
      paymentSource: { sourceType: "customer", customerId },
      ...changes,
    },
  });
}

export const capture = (
  client: TestClient,
  id: string,
  body: Record<string, unknown> = {},
  options: CallOptions = {},
) => client.call<ChargeReply>("POST", `/v1/charges/${id}/capture`, { ...options, body });

export const voidIt = (client: TestClient, id: string, body: Record<string, unknown> = {}, options: CallOptions = {}) =>
  client.call<ChargeReply>("POST", `/v1/charges/${id}/void`, { ...options, body });

export const readCharge = async (client: TestClient, id: string): Promise<ChargeReply> =>
  client.make<ChargeReply>("GET", `/v1/charges/${id}`);
