import type { WalletMethod } from "@/lib/providers/provider";

/** What a payment asks of a provider. */
export interface PaymentNeeds {
  method: "credit" | "debit" | "voucher" | "pix" | "boleto" | WalletMethod;
  currency: string;
  installments: number;
  split: false | "amount" | "percentage";
  /** Sellers among whom it is split. */
  recipients?: number;
  threeDS: boolean;
  authOnly: boolean;
  recurrence?: string;
  /** Of a Pix. */
  expiresInSec?: number;
  /** Of a boleto, from today in São Paulo. */
  dueInDays?: number;
  /** Its calls can be asked about by our reference, or sent again under one key. */
  queryable?: boolean;
  /** It is analysed for fraud when the merchant has somebody for that. */
  fraudAnalysis?: boolean;
}

/** `link` is a payment on the hosted page, `checkout` one of a session from elsewhere. */
export type PaymentSourceKind = "api" | "link" | "checkout" | "purchase" | "subscription";

/** Everything a route is decided from (spec/routing.md section 1). Of a card nothing beyond its BIN. */
export interface RoutingFacts extends PaymentNeeds {
  source: PaymentSourceKind;
  amount: number;
  brand?: string;
  cardBin?: string;
  cardFunction?: "credit" | "debit" | "prepaid" | "unknown";
  /** Of the buyer, where one is known. */
  country?: string;
  customerId?: string;
  /** `paymentFlow.metadata` as sent. */
  metadata?: Record<string, unknown>;
}

const FUNCTIONS: Partial<Record<PaymentNeeds["method"], RoutingFacts["cardFunction"]>> = {
  credit: "credit",
  debit: "debit",
  voucher: "prepaid",
};

/** The facts of a card payment that come with its card. */
export const cardFacts = (
  method: PaymentNeeds["method"],
  card: { brand: string; first6digits: string } | null | undefined,
): Pick<RoutingFacts, "brand" | "cardBin" | "cardFunction"> =>
  card ? { brand: card.brand, cardBin: card.first6digits, cardFunction: FUNCTIONS[method] ?? "unknown" } : {};
