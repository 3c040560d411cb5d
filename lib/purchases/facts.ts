import type { ChargeRow } from "@/lib/charges/queries";
import type { AttemptRow } from "@/lib/payments/attempts";

const REFUSED: readonly AttemptRow["state"][] = ["declined", "rejected", "not_sent", "absent", "reversed"];

/** A state that no row of the tables leads to from here: two kinds of evidence contradict each other. */
export const CONTRADICTION = "contradiction";

/**
 * What the recorded evidence means for the slot: the fact of a row S4 … S20. The charge stands as the answer left it;
 * `isRefund` tells a void of captured money from one of a hold.
 */
export function slotFact(attempt: AttemptRow, charge: ChargeRow, isRefund: boolean): string {
  const { kind, state } = attempt;
  const isRefused = REFUSED.includes(state);
  if (state === "approved") {
    switch (kind) {
      case "authorize":
        return charge.status === "pre_authorized" ? "authorize.approved" : CONTRADICTION;
      case "capture":
        return "capture.captured";
      default:
        if (!isRefund) return "void.voided";
        return charge.status === "voided" ? "refund.done" : "refund.part_done";
    }
  }
  if (!isRefused) return "call.undetermined";
  switch (kind) {
    case "authorize":
      return "authorize.declined";
    case "capture":
      return charge.status === "voided" ? "capture.hold_gone" : "capture.refused";
    default:
      if (isRefund) return "refund.refused";
      return charge.status === "authorized" ? "void.found_captured" : "void.refused";
  }
}
