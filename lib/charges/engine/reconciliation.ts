import type { Decision } from "@/lib/charges/engine/decision";
import type { Charge } from "@/lib/charges/queries";
import type { AttemptRow } from "@/lib/payments/attempts";
import type { ProviderPayment } from "@/lib/providers/provider";

/** What changed at a provider by itself, as it is written down here. */
export interface Reconciliation extends Omit<Decision, "attempt" | "next" | "deletesCvv" | "closes"> {
  /** Rows of the history that did not end as they said. */
  closes?: Decision["closes"];
  /** Pix money that came too late or twice goes back at once, in full. */
  sendBack: ProviderPayment[];
}

/** What a provider names is unique at it, and evidence in the books over all of them. */
export const evidenceAt = ({ row }: Charge, providersId: string): string => `${row.id}:${providersId}`;

export const isNoted = (charge: Charge, evidence: string): boolean =>
  charge.attempts.some((attempt) => attempt.kind === "notice" && attempt.transactionId === evidence);

/** Attempts that give money back. */
export const RETURNS: readonly AttemptRow["kind"][] = ["refund", "void"];
