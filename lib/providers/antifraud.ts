import type { Cents } from "@/lib/money";
import type { WebhookParse } from "@/lib/providers/notification";
import type { Instant, NotSentCause, ProviderCall, Secret, UndeterminedCause } from "@/lib/providers/provider";

export type AntifraudKind = "SANDBOX_ANTIFRAUD" | "KONDUTO";

/** One call about one analysis; `reference` was committed before and makes a second analysis impossible. */
export interface AnalysisCall extends ProviderCall {
  chargeId: string;
  reference: string;
}

/** What a fraud provider is shown of a payment: never the card's number. */
export interface Suspect {
  amount: Cents;
  installments: number;
  /** As the client sent it (spec/contract.md 8.6). */
  fraudAnalysis: Readonly<Record<string, unknown>>;
  buyerDocument?: string;
  /** As the payment names them, where the client's words for the analysis do not. */
  buyer?: { name?: string; email?: string; phone?: string };
  card: { brand: string; bin: string; last4: string; holderName: string };
  /** Of the buyer, while the request that pays is under way. */
  ip?: string;
}

export type AnalysisStatus = "pending" | "approved" | "reproved" | "failed";
export type FraudVerdict =
  | {
      kind: AnalysisStatus;
      score?: number;
      /** Why an analysis failed. */
      failure?: "timeout" | "processing_error";
      /** The one it was called with. */
      reference: string;
      at: Instant;
      /** When the provider expects a pending one to end. */
      nextEventAt?: Instant;
    }
  | { kind: "undetermined"; cause: UndeterminedCause }
  | { kind: "not_sent"; cause: NotSentCause; retryAfterMs?: number };

/** What became of the payment in the end. */
export type FinalStatus = "authorized" | "failed" | "voided" | "canceled" | "charged_back";

/** One fraud provider. Expected results are returned; only bugs are thrown. */
export interface AntifraudProvider {
  readonly kind: AntifraudKind;
  analyse(call: AnalysisCall, suspect: Suspect): Promise<FraudVerdict>;
  /** `not_found`: the analysis never arrived. It moves no money, so it may be asked for again. */
  query(call: AnalysisCall): Promise<FraudVerdict | { kind: "not_found" }>;
  /** Tells it the end, so that it learns; throws when it could not be told. */
  feed?(call: AnalysisCall, status: FinalStatus): Promise<void>;
  parseWebhook(headers: Headers, rawBody: Uint8Array, credentials: Secret[], now: Date): WebhookParse;
}
