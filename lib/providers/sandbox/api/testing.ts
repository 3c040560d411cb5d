import { newProvider, openClient, openMerchant, type TestClient } from "@/lib/testing/api";
import type { Body, CallOptions, Reply } from "@/lib/testing/api-client";

export interface Attempt {
  id: string;
  requestType: string;
  requestStatus: string;
  requestStatusReason: string | null;
  amount: number;
  providerError: { declinedCode: string; retryable: boolean } | null;
  fraudAnalysis?: { status: string; score?: number };
  threeds?: { authenticated: boolean };
  pix?: { txid: string };
}

export interface ChargeReply extends Body {
  status: string;
  amount: number;
  capturedAmount: number;
  refundedAmount: number;
  isDispute: boolean;
  expiresAt: string | null;
  transactionRequests: Attempt[];
  paymentMethod: Record<string, unknown>;
  threeDSecure2: Record<string, unknown> | null;
}

export interface Shop extends TestClient {
  merchantId: string;
  providerId: string;
  /** A card payment with a one-shot card. */
  pay(pan: string, changes?: Record<string, unknown>, options?: CallOptions): Promise<Reply<ChargeReply>>;
  pix(amount?: number, changes?: Record<string, unknown>): Promise<ChargeReply>;
  boleto(amount?: number, changes?: Record<string, unknown>): Promise<ChargeReply>;
  charge(id: string): Promise<ChargeReply>;
  /** Moves the account's test clock on. */
  advance(duration: string): Promise<{ now: string; jobsRun: number }>;
}

/** CVV that validates; American Express has four digits. */
const cvvOf = (pan: string): string => (pan.startsWith("37") ? "1230" : "120");

export const BUYER = {
  name: "Ana Souza",
  email: "ana@example.com",
  phoneNumber: "+5511999990000",
  document: { type: "cpf", number: "12345678909", country: "BR" },
};

/** A merchant whose card payments are analysed for fraud. */
export const withAnalyst = (options: Record<string, unknown> = {}) => ({
  merchant: {
    providers: [
      newProvider(),
      {
        name: "Analyst",
        priority: 2,
        credentials: { type: "SANDBOX_ANTIFRAUD", apiKey: "any text" },
        options: { type: "ANTIFRAUD", ...options },
      },
    ],
  },
});

/** The browser of a buyer who may be challenged. */
export const THREE_DS = {
  redirectURL: "https://loja.example/volta?pedido=7",
  requestorURL: "https://loja.example",
  browser: {
    acceptHeader: "text/html",
    colorDepth: 24,
    javaEnabled: false,
    javaScriptEnabled: true,
    language: "pt-BR",
    screenHeight: 900,
    screenWidth: 1440,
    timeZoneOffset: "180",
    userAgent: "Mozilla/5.0",
    ip: "203.0.113.7",
  },
};

/** An account with a merchant that can be paid, for trials of what payments become. */
export async function openShop(merchant: Parameters<typeof openMerchant>[1] = {}): Promise<Shop> {
  const client = await openClient();
  const { id: merchantId, providerId } = await openMerchant(client, merchant);
  const offer = (paymentMethod: Record<string, unknown>, amount: number, changes: Record<string, unknown>) =>
    client.make<ChargeReply>("POST", "/v1/charges", {
      body: {
        merchantId,
        amount,
        paymentMethod,
        paymentSource: { sourceType: "customer", customer: BUYER },
        ...changes,
      },
    });
  return {
    ...client,
    merchantId,
    providerId,
    pay: (pan, changes = {}, options = {}) =>
      client.call<ChargeReply>("POST", "/v1/charges", {
        ...options,
        body: {
          merchantId,
          amount: 10_000,
          capture: true,
          paymentMethod: { paymentType: "credit" },
          paymentSource: {
            sourceType: "card",
            card: {
              cardHolderName: "Ana Souza",
              cardNumber: pan,
              cardCvv: cvvOf(pan),
              cardExpirationDate: "12/2031",
            },
          },
          ...changes,
        },
      }),
    pix: (amount = 4_990, changes = {}) => offer({ paymentType: "pix", expiresIn: 3_600 }, amount, changes),
    boleto: (amount = 25_000, changes = {}) => offer({ paymentType: "boleto" }, amount, changes),
    charge: (id) => client.make<ChargeReply>("GET", `/v1/charges/${id}`),
    advance: (duration) => client.make("POST", "/v1/sandbox/clock", { body: { advance: duration } }),
  };
}
