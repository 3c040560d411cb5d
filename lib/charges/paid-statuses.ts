/** Of charges whose money was captured once. */
export const PAID_STATUSES = ["authorized", "voided", "charged_back", "refund_pending"] as const;
