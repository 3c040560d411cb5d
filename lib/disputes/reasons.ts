import type { AttemptRow } from "@/lib/payments/attempts";

/** Of each chargeback of a payment, the oldest first, out of its history; what the provider did not tell is undefined. */
export const disputeReasons = (attempts: readonly AttemptRow[]): (string | undefined)[] =>
  attempts
    .filter(({ requestType }) => requestType === "charge_back")
    .map(({ details }) => (typeof details?.disputeReason === "string" ? details.disputeReason : undefined))
    .reverse();
