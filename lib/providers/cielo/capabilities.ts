import { BRANDS, type Brand } from "@/lib/brazil/card-brand";
import verified from "@/lib/providers/cielo/verified.json" with { type: "json" };
import type { Capabilities } from "@/lib/providers/provider";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** Nothing makes a second send harmless: a payment is given more time to appear than where a key does. */
export const LATE_WINDOW_SECONDS = 300;
/** Amounts have 15 digits. */
export const MOST_CENTS = 999_999_999_999_999;
export const LEAST_PIX_SECONDS = 60;
export const MOST_PIX_SECONDS = 86_400;
export const MOST_BOLETO_DAYS = 60;
export const PIX_REFUND_DAYS = 90;
export const MOST_INSTALLMENTS = 12;
const CREDIT_BRANDS: readonly Brand[] = BRANDS.filter((brand) => brand !== "unknown");
export const DEBIT_BRANDS: readonly Brand[] = ["visa", "mastercard", "elo"];
export const CHECKED_BRANDS: readonly Brand[] = ["visa", "mastercard", "elo"];
const HOLD_DAYS = 15;
const MASTERCARD_HOLD_DAYS = 7;

export const CIELO_CAPABILITIES: Capabilities = {
  card: {
    authOnly: true,
    saleOnly: ["debit"],
    maxInstallments: MOST_INSTALLMENTS,
    partialCapture: "once",
    partialRefund: true,
    // One call undoes a sale on any day: the provider chooses between a void and a refund by itself.
    voidAfterCapture: "never",
    captureWindowDays: { default: HOLD_DAYS, mastercard: MASTERCARD_HOLD_DAYS },
    threeDS2: "external",
    brands: { credit: CREDIT_BRANDS, debit: DEBIT_BRANDS, voucher: [] },
    zeroAmount: CHECKED_BRANDS,
    recurrence: true,
    authenticated: ["debit"],
  },
  pix: {
    minExpirySec: LEAST_PIX_SECONDS,
    maxExpirySec: MOST_PIX_SECONDS,
    refundWindowDays: PIX_REFUND_DAYS,
    installments: false,
  },
  boleto: { minDays: 0, maxDays: MOST_BOLETO_DAYS, overUnderPayment: false, refund: false },
  wallets: false,
  split: false,
  mandates: false,
  idempotency: { kind: "none" },
  lookup: "strong_by_reference",
  lateWindowSec: LATE_WINDOW_SECONDS,
  modifications: "sync",
  cancelSpacingSec: 5,
  instalmentRemainder: "first",
  webhook: { auth: "shared_secret", containsState: false },
  verified,
};

/** When a hold ends: no answer says so. */
export const holdEnd = (brand: Brand, begunAt: Date): Date =>
  addSeconds(begunAt, (brand === "mastercard" ? MASTERCARD_HOLD_DAYS : HOLD_DAYS) * DAY_SECONDS);
