import type { Brand } from "@/lib/brazil/card-brand";
import verified from "@/lib/providers/mercado-pago/verified.json" with { type: "json" };
import type { Capabilities } from "@/lib/providers/provider";

export const LATE_WINDOW_SECONDS = 60;
/** Amounts are decimal numbers: this many cents are told exactly. */
export const MOST_CENTS = 99_999_999_999;
export const LEAST_PIX_SECONDS = 1_800;
export const MOST_PIX_SECONDS = 2_592_000;
export const MOST_BOLETO_DAYS = 30;
export const HOLD_DAYS = 5;
export const PIX_REFUND_DAYS = 90;
const MOST_INSTALLMENTS = 12;
const CREDIT_BRANDS: readonly Brand[] = ["visa", "mastercard", "elo", "amex", "hipercard"];
const DEBIT_BRANDS: readonly Brand[] = ["visa", "mastercard", "elo"];

export const MERCADO_PAGO_CAPABILITIES: Capabilities = {
  card: {
    authOnly: true,
    saleOnly: ["debit"],
    maxInstallments: MOST_INSTALLMENTS,
    partialCapture: "once",
    partialRefund: true,
    voidAfterCapture: "never",
    captureWindowDays: { default: HOLD_DAYS },
    threeDS2: "none",
    brands: { credit: CREDIT_BRANDS, debit: DEBIT_BRANDS, voucher: [] },
    // A check without value is open to those alone who have agreed on it with Mercado Pago (its "Zero Dollar Auth").
    zeroAmount: [],
    // Later payments of a card go through its own subscriptions alone.
    recurrence: false,
    authenticated: [],
  },
  pix: {
    minExpirySec: LEAST_PIX_SECONDS,
    maxExpirySec: MOST_PIX_SECONDS,
    refundWindowDays: PIX_REFUND_DAYS,
    installments: false,
  },
  mandates: false,
  boleto: { minDays: 0, maxDays: MOST_BOLETO_DAYS, overUnderPayment: false, refund: false },
  wallets: false,
  split: false,
  idempotency: { kind: "header", ttlHours: 24, maxLen: 64 },
  lookup: "strong_by_reference",
  lateWindowSec: LATE_WINDOW_SECONDS,
  modifications: "sync",
  cancelSpacingSec: 0,
  instalmentRemainder: "first",
  webhook: { auth: "hmac", containsState: false },
  verified,
};
