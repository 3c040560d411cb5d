import { BRANDS } from "@/lib/brazil/card-brand";
import type { Capabilities } from "@/lib/providers/provider";
import verified from "@/lib/providers/stripe/verified.json" with { type: "json" };

export const LATE_WINDOW_SECONDS = 60;
/** Eight digits. */
export const MOST_CENTS = 99_999_999;
export const MOST_BOLETO_DAYS = 60;
const HOLD_DAYS = 7;

export const STRIPE_CAPABILITIES: Capabilities = {
  card: {
    authOnly: true,
    saleOnly: [],
    // It has no installments of Brazilian cards.
    maxInstallments: 1,
    partialCapture: "once",
    partialRefund: true,
    voidAfterCapture: "never",
    captureWindowDays: { default: HOLD_DAYS },
    threeDS2: "none",
    brands: { credit: BRANDS, debit: BRANDS, voucher: [] },
    zeroAmount: [],
    recurrence: true,
    authenticated: [],
  },
  // Its Pix cannot be held and is not offered.
  pix: false,
  mandates: false,
  boleto: { minDays: 0, maxDays: MOST_BOLETO_DAYS, overUnderPayment: false, refund: false },
  wallets: false,
  split: false,
  idempotency: { kind: "header", ttlHours: 24, maxLen: 255 },
  lookup: "by_provider_id_only",
  lateWindowSec: LATE_WINDOW_SECONDS,
  modifications: "sync",
  cancelSpacingSec: 0,
  instalmentRemainder: "first",
  webhook: { auth: "hmac", containsState: true },
  verified,
};
