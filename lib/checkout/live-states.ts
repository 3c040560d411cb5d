import type { PaymentState } from "@/lib/checkout/view";

/** States that end by themselves, or that a code which was paid late or gave its place leaves: the page listens. */
export const LIVE_STATES: ReadonlySet<PaymentState> = new Set<PaymentState>([
  "processing",
  "authenticate",
  "confirming",
  "pix",
  "pixExpired",
  "boleto",
  "boletoOverdue",
  "wallet",
  "authorised",
  "canceled",
  "running",
  "refunding",
  "mandate",
]);
