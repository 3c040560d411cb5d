import { BRANDS, type Brand } from "@/lib/brazil/card-brand";
import verified from "@/lib/providers/adyen/verified.json" with { type: "json" };
import type { Capabilities, Instant } from "@/lib/providers/provider";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

export const MAX_INSTALLMENTS = 12;

export const PIX_SECONDS = { least: 60, most: 86_400 } as const;
export const BOLETO_DAYS = { least: 1, most: 30 } as const;
export const KEY_HOURS = 7 * 24;
const HOLD_DAYS = 28;

export const ADYEN_CAPABILITIES: Capabilities = {
  card: {
    authOnly: true,
    saleOnly: [],
    maxInstallments: MAX_INSTALLMENTS,
    partialCapture: "once",
    partialRefund: true,
    // Captured money goes back by a refund; a reversal is for who does not know whether it was captured.
    voidAfterCapture: "never",
    captureWindowDays: { default: HOLD_DAYS },
    threeDS2: "full",
    brands: { credit: BRANDS, debit: BRANDS, voucher: [] },
    zeroAmount: BRANDS,
    recurrence: true,
    authenticated: [],
  },
  pix: {
    minExpirySec: PIX_SECONDS.least,
    maxExpirySec: PIX_SECONDS.most,
    refundWindowDays: 90,
    installments: false,
  },
  mandates: false,
  boleto: { minDays: BOLETO_DAYS.least, maxDays: BOLETO_DAYS.most, overUnderPayment: false, refund: false },
  wallets: false,
  split: false,
  idempotency: { kind: "header", ttlHours: KEY_HOURS, maxLen: 64 },
  lookup: "none",
  lateWindowSec: 0,
  modifications: "async",
  cancelSpacingSec: 0,
  instalmentRemainder: "first",
  webhook: { auth: "hmac", containsState: true },
  verified,
};

/** When a hold that was made now ends: no answer of Adyen says so. */
export function holdEndsAt(brand: Brand, now: Date): Instant {
  const { card } = ADYEN_CAPABILITIES;
  const days = (card && (card.captureWindowDays[brand] ?? card.captureWindowDays.default)) || HOLD_DAYS;
  return addSeconds(now, days * DAY_SECONDS).toISOString();
}
