import { BRANDS, type Brand } from "@/lib/brazil/card-brand";
import type { Capabilities } from "@/lib/providers/capabilities";

export const MIRROR_MAX_INSTALLMENTS = 12;

const TAKEN_BRANDS: readonly Brand[] = BRANDS.filter((brand) => brand !== "aura");

/** Everything the simulator is not. */
export const MIRROR_CAPABILITIES: Capabilities = {
  card: {
    authOnly: true,
    saleOnly: ["debit"],
    maxInstallments: MIRROR_MAX_INSTALLMENTS,
    partialCapture: "once",
    partialRefund: true,
    voidAfterCapture: "never",
    captureWindowDays: { default: 5 },
    threeDS2: "full",
    brands: { credit: TAKEN_BRANDS, debit: TAKEN_BRANDS, voucher: [] },
    zeroAmount: [],
    recurrence: true,
    authenticated: [],
  },
  pix: false,
  mandates: false,
  boleto: false,
  wallets: false,
  split: { modes: ["amount"], onCapture: false, onRefund: false, maxRecipients: 10 },
  idempotency: { kind: "header", ttlHours: 24, maxLen: 64 },
  lookup: "none",
  lateWindowSec: 0,
  modifications: "async",
  cancelSpacingSec: 0,
  instalmentRemainder: "last",
  webhook: { auth: "hmac", containsState: true },
  verified: { offlineContract: null, liveSandbox: null },
};
