import { BRANDS } from "@/lib/brazil/card-brand";
import type { Capabilities } from "@/lib/providers/provider";
import { MAX_EXPIRY_SECONDS } from "@/lib/providers/sandbox/wire";

export const SANDBOX_MAX_INSTALLMENTS = 24;
const LATE_WINDOW_SECONDS = 60;
const MAX_BOLETO_DAYS = 3_650;

export const SANDBOX_CAPABILITIES = {
  card: {
    authOnly: true,
    saleOnly: [],
    maxInstallments: SANDBOX_MAX_INSTALLMENTS,
    partialCapture: "once",
    partialRefund: true,
    voidAfterCapture: "same_day",
    captureWindowDays: { default: 7 },
    threeDS2: "full",
    brands: { credit: BRANDS, debit: BRANDS, voucher: BRANDS },
    zeroAmount: BRANDS,
    recurrence: true,
    authenticated: [],
  },
  pix: { minExpirySec: 1, maxExpirySec: MAX_EXPIRY_SECONDS, refundWindowDays: 90, installments: true },
  mandates: {
    journeys: ["qr", "qr_with_first_payment"],
    intervals: ["weekly", "monthly", "quarterly", "yearly"],
    retries: ["none", "three_in_seven_days"],
    noticeDays: { min: 2, max: 10 },
    takenBackUntil: "22:00:00",
  },
  boleto: { minDays: 0, maxDays: MAX_BOLETO_DAYS, overUnderPayment: true, refund: false },
  wallets: ["drip", "nupay", "picpay", "apple_pay", "click_to_pay"],
  split: { modes: ["amount", "percentage"], onCapture: true, onRefund: true, maxRecipients: 100 },
  idempotency: { kind: "header", ttlHours: 24, maxLen: 128 },
  lookup: "strong_by_reference",
  lateWindowSec: LATE_WINDOW_SECONDS,
  modifications: "sync",
  cancelSpacingSec: 0,
  instalmentRemainder: "first",
  webhook: { auth: "hmac", containsState: false },
  // The simulator is its own contract: the kit is the whole proof, and there is no live side.
  verified: { offlineContract: null, liveSandbox: null },
} as const satisfies Capabilities;
