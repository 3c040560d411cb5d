import type { ChargeRow } from "@/lib/charges/queries";
import type { SessionPlace } from "@/lib/sessions/places";

export function placeOfCharge({ status, capturedAmount }: Pick<ChargeRow, "status" | "capturedAmount">): SessionPlace {
  if (capturedAmount > 0) return status === "voided" ? "returned" : "paid";
  return HOLDING.includes(status) ? "reserved" : "free";
}

const HOLDING: readonly ChargeRow["status"][] = ["pending", "pre_authorized", "capture_pending", "refund_pending"];
