import type { charges } from "@/db/schema/charges";
import type { CardRow } from "@/lib/cards/queries";
import type { PaymentType } from "@/lib/payments/methods";
import type { RouteDecision } from "@/lib/payments/routing/decide";
import type { PaymentSourceKind, RoutingFacts } from "@/lib/payments/routing/facts";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import type { AskedRule } from "@/lib/splits/check";
import type { SellerTerms } from "@/lib/splits/rows";

type NewRow = typeof charges.$inferInsert;

/** Who asks for a charge, and by which request: a key for exactly once belongs to whoever asks. */
export interface Initiator {
  source: PaymentSourceKind;
  sessionId: string | null;
  purchaseId: string | null;
  subscriptionId: string | null;
  requestId: string | null;
  idempotencyKey: string | null;
  createdByKey: string | null;
  scenario: string | null;
}

/** What a charge is paid with, as its row names it. */
export type SourceColumns = Pick<
  NewRow,
  "sourceType" | "cardId" | "tokenId" | "cvvTokenId" | "sourceCustomerId" | "holder"
>;

/**
 * One charge to be made, looked up and decided: what a request of the API, a payment of a link and a card of a purchase
 * are turned into. Nothing in it belongs to the wire.
 */
export interface ChargeCommand {
  id: string;
  initiator: Initiator;
  merchantId: string;
  customerId: string | null;
  amount: number;
  currency: string;
  capture: boolean;
  method: {
    paymentType: PaymentType;
    /** Null for what is no card. */
    installments: number | null;
    /** Members kept with the charge, such as its recurrence. */
    stored: Record<string, unknown>;
  };
  source: SourceColumns;
  card: CardRow | undefined;
  /** Of its card, as the API spells it. */
  brand: string | undefined;
  split: readonly AskedRule[];
  /** Of the sellers that it names. */
  terms: ReadonlyMap<string, SellerTerms>;
  route: { facts: RoutingFacts; decision: RouteDecision };
  /** The analyst is asked before any acquirer: no attempt yet. */
  isAnalysedFirst: boolean;
  /** What the shop says of it besides. */
  said: Partial<
    Pick<
      NewRow,
      | "description"
      | "statementDescriptor"
      | "orderId"
      | "providerReferenceKey"
      | "fraudAnalysis"
      | "paymentFlow"
      | "threeDSecure2"
      | "appInfo"
      | "vendor"
      | "platformFee"
    >
  >;
  provider: RoutedProvider;
}
