import type { Cents } from "@/lib/money";
import type { CallContext, Instant } from "@/lib/providers/provider";

export type AntifraudKind = "SANDBOX_ANTIFRAUD";
export type AnalysisStatus = "pending" | "approved" | "reproved" | "failed";
export interface AnalysisInput {
  chargeId: string;
  amount: Cents;
  /** `fraudAnalysis.customer.identity`. */
  identity?: string;
  buyerDocument?: string;
  /** What a receipt may show of the card, never its number. */
  card: { brand: string; bin: string; last4: string };
}
export interface Analysis {
  status: AnalysisStatus;
  score?: number;
  /** Why an analysis failed. */
  failure?: "timeout" | "processing_error";
  /** A pending analysis that ends by itself, and how; absent = only an operator ends it. */
  resolves?: { at: Instant; status: "approved" | "reproved" };
}
export interface AntifraudProvider {
  readonly kind: AntifraudKind;
  analyse(
    call: Pick<CallContext, "clientId" | "providerId" | "chargeId" | "options" | "clock" | "simulation">,
    input: AnalysisInput,
  ): Promise<Analysis>;
}
