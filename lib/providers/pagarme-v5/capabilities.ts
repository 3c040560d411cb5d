import { BRANDS } from "@/lib/brazil/card-brand";
import verified from "@/lib/providers/pagarme-v5/verified.json" with { type: "json" };
import type { Capabilities } from "@/lib/providers/provider";

export const LATE_WINDOW_SECONDS = 60;
/** Amounts are 32-bit numbers. */
export const MOST_CENTS = 2_147_483_647;
export const MOST_SECONDS = 2_147_483_647;
export const MOST_BOLETO_DAYS = 365;
export const HOLD_DAYS = 5;
export const PIX_REFUND_DAYS = 90;
const MOST_INSTALLMENTS = 12;
const MOST_RECIPIENTS = 100;

export const PAGARME_V5_CAPABILITIES: Capabilities = {
  card: {
    authOnly: true,
    saleOnly: ["debit", "voucher"],
    maxInstallments: MOST_INSTALLMENTS,
    partialCapture: "once",
    partialRefund: true,
    // One call undoes a sale on any day: the provider chooses between a void and a refund by itself.
    voidAfterCapture: "never",
    captureWindowDays: { default: HOLD_DAYS },
    threeDS2: "none",
    brands: { credit: BRANDS, debit: BRANDS, voucher: BRANDS },
    zeroAmount: [],
    recurrence: true,
    authenticated: [],
  },
  pix: { minExpirySec: 1, maxExpirySec: MOST_SECONDS, refundWindowDays: PIX_REFUND_DAYS, installments: false },
  // Giving a slip's money back needs the buyer's bank account.
  mandates: false,
  boleto: { minDays: 0, maxDays: MOST_BOLETO_DAYS, overUnderPayment: true, refund: false },
  wallets: false,
  split: { modes: ["amount", "percentage"], onCapture: true, onRefund: true, maxRecipients: MOST_RECIPIENTS },
  idempotency: { kind: "header", ttlHours: 24, maxLen: 128 },
  lookup: "strong_by_reference",
  lateWindowSec: LATE_WINDOW_SECONDS,
  modifications: "sync",
  cancelSpacingSec: 0,
  instalmentRemainder: "first",
  webhook: { auth: "shared_secret", containsState: false },
  verified,
};
