/** The events of `transaction` that each row of the charge's machine is announced with: one of these lists, in order. */
export const CHARGE_EVENTS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  C1: [["pre_authorized"]],
  C2: [["authorized"]],
  C3: [["authorized"]],
  C4: [["failed"]],
  C5: [["canceled"]],
  C6: [["capture_pending"]],
  C7: [["voided"]],
  C8: [["voided"]],
  C9: [["refund_pending"]],
  C10: [["capture_pending"]],
  C11: [["authorized"]],
  C12: [["voided"]],
  C13: [["voided"]],
  C14: [["refund_pending"]],
  C15: [["voided"]],
  C16: [["authorized"]],
  C17: [["pre_authorized"]],
  C18: [["voided"]],
  C19: [["voided"]],
  C20: [["refund_pending"]],
  C21: [["refund_pending"]],
  C22: [["voided"]],
  C23: [["voided"]],
  C24: [["partially_voided"]],
  // A refund that was accepted and then refused is undone; one that was never accepted leaves the charge captured.
  C25: [["revert_void"], ["authorized"]],
  C26: [["voided"]],
  C27: [["pre_authorized"]],
  C28: [["authorized"]],
  C29: [["dispute", "charged_back"]],
  C30: [["dispute_closed", "authorized"]],
  C31: [["revert_void"]],
};

/** The event of `purchase` that each fact of its machine is announced with; null where nothing shows from outside. */
export const PURCHASE_EVENTS: Readonly<Record<string, string | null>> = {
  "authorize.failed": "failed",
  "authorize.completed": null,
  "capture.completed": "paid",
  "void.completed": "cancelled",
  "rollback.completed_after_capture": "cancelled",
  "rollback.completed": "failed",
  "refund.completed": "cancelled",
  "expiry.completed": "cancelled",
  "review.opened": "pending_review",
  "review.resolved": "pending",
};

/** Whoever stopped asking while people looked may go on; of a purchase that is over there is nothing more to ask. */
export const purchaseEventOf = (from: string, fact: string): string | null =>
  fact === "review.resolved" && from !== "pending" ? null : (PURCHASE_EVENTS[fact] ?? null);

/** The event of `session` for each row of its machine; raised capacity shows in `transaction` events alone. */
export const SESSION_EVENTS: Readonly<Record<string, string | null>> = {
  L1: "paid",
  L2: "voided",
  L3: null,
  L4: "canceled",
};

/**
 * Where each machine says how its rows are announced. What is inside another object has no events of its own: a slot
 * shows in its purchase and its charge, an operation in its purchase.
 */
export const EVENTS_OF_MACHINES: Readonly<Record<string, "row" | "fact" | "inside">> = {
  charge: "row",
  purchase: "fact",
  session: "row",
  flow: "fact",
  "purchase payment": "inside",
  receivable: "inside",
  "purchase operation": "inside",
  account: "inside",
  "registration review": "fact",
  subscription: "fact",
  "subscription cycle": "inside",
  "subscription mandate": "inside",
  "payment batch": "fact",
  transfer: "inside",
  prepayment: "fact",
  report: "inside",
};
