import type { SpentReason } from "@/lib/subscriptions/allowance";

/** Why we ended one, as its history keeps it: pages say it in words. A person's reason stands as it was written. */
export type OwnReason =
  | SpentReason
  | "payer"
  | "payer_refused"
  | "mandate_refused"
  | "mandate_expired"
  | "not_started"
  /** The link that it began at was canceled, or was paid in another way. */
  | "link_canceled"
  | "replaced"
  | typeof BY_BUYER
  | typeof CUSTOMER_DELETED;

/** Pressed on the page of the subscription: in the audit log too, since nobody with a key or an account asked. */
export const BY_BUYER = "buyer_page";

/** Its only one of our own that a person or a key brings about, and is written as theirs. */
export const CUSTOMER_DELETED = "customer_deleted";
