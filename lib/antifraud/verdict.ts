import type { KeptAnalysis } from "@/lib/antifraud/analysis";
import type { AntifraudOptions } from "@/lib/providers/options";

/** What a verdict does to a payment: to a hold, or to one that no acquirer has heard of yet. */
export type Consequence =
  /** The hold stays for whoever decides later. */
  | "hold"
  | "capture"
  | "void"
  /** Before the charge: go on to the acquirer, or never. */
  | "charge"
  | "refuse"
  /** Before the charge: nothing is known yet. */
  | "wait";

/** spec/contract.md 8.6 and 11.4. An error that may do both gives the money back. */
export function consequenceOf(
  status: KeptAnalysis["status"],
  options: AntifraudOptions,
  charge: { asksCapture: boolean; isHeld: boolean },
): Consequence {
  if (!charge.isHeld) return BEFORE_CHARGE[status](options);
  const capture = charge.asksCapture ? "capture" : "hold";
  switch (status) {
    case "pending":
      return "hold";
    case "approved":
      return options.captureOnApproved ? capture : "hold";
    case "reproved":
      return options.refundOnReproved ? "void" : "hold";
    case "failed":
      if (options.refundOnError) return "void";
      return options.captureOnError ? capture : "hold";
  }
}

/** Nothing is charged on a verdict that is not there, unless the merchant asked for it. */
const BEFORE_CHARGE: Record<KeptAnalysis["status"], (options: AntifraudOptions) => Consequence> = {
  pending: () => "wait",
  approved: () => "charge",
  reproved: () => "refuse",
  failed: ({ captureOnError, refundOnError }) => (captureOnError && !refundOnError ? "charge" : "refuse"),
};
