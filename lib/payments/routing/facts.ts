import { createHash } from "node:crypto";
import { saoPauloWallTime } from "@/lib/brazil/bank-calendar";
import type { FlowFacts } from "@/lib/flows/rules/facts";
import type { MandateJourney, MandateRetry } from "@/lib/providers/mandates";
import type { WalletMethod } from "@/lib/providers/provider";

/** No provider takes another currency, by any method: what asks for one can be paid nowhere. */
export const isPayableCurrency = (currency: string): boolean => currency === "BRL";

/** What a payment asks of a provider. */
export interface PaymentNeeds {
  method: "credit" | "debit" | "voucher" | "pix" | "boleto" | WalletMethod;
  currency: string;
  installments: number;
  /** 0 checks a card. */
  amount?: number;
  /** Of a card, once it is known. */
  brand?: string;
  split: false | "amount" | "percentage";
  /** Sellers among whom it is split. */
  recipients?: number;
  sellers?: readonly string[];
  /** Providers at which all of them are registered. */
  splitAt?: readonly string[];
  threeDS: boolean;
  authOnly: boolean;
  recurrence?: string;
  /** Of a Pix. */
  expiresInSec?: number;
  /** Of a boleto, from today in São Paulo. */
  dueInDays?: number;
  /** With a fine or interest, a boleto that is late is paid with more than its amount. */
  hasLateCharges?: boolean;
  /** Of a payer's authorization that cycles are paid under (Pix Automático). */
  mandate?: { journey: MandateJourney; interval: string; retry: MandateRetry };
  /** Its calls can be asked about by our reference, or sent again under one key. */
  queryable?: boolean;
  /** It is analysed for fraud when the merchant has somebody for that. */
  fraudAnalysis?: boolean;
}

/** `link` is a payment on the hosted page, `checkout` one of a session from elsewhere. */
export type PaymentSourceKind = "api" | "link" | "checkout" | "purchase" | "subscription";

/** Everything a route is decided from (spec/routing.md section 1). Of a card nothing beyond its BIN. */
export interface RoutingFacts extends PaymentNeeds, FlowFacts {
  amount: number;
  brand?: string;
  currency: string;
  installments: number;
  recurrence?: string;
  source: PaymentSourceKind;
  cardFunction?: "credit" | "debit" | "prepaid" | "unknown";
  customerId?: string;
}

const SUNDAY = 7;

/** What shares of flows are drawn for, and the moment in São Paulo; the buyer is known again by nothing but this. */
export function drawnFacts(
  at: Date,
  unit: string,
  buyer: string | undefined,
): Pick<FlowFacts, "unit" | "buyer" | "weekday" | "hour"> {
  const wall = saoPauloWallTime(at);
  return {
    unit,
    buyer: buyer === undefined ? unit : createHash("sha256").update(`buyer ${buyer}`).digest("base64url").slice(0, 16),
    weekday: new Date(`${wall.slice(0, 10)}T00:00:00Z`).getUTCDay() || SUNDAY,
    hour: Number(wall.slice(11, 13)),
  };
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
