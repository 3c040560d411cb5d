import verified from "@/lib/providers/pix-bacen/verified.json" with { type: "json" };
import type { Capabilities } from "@/lib/providers/provider";

export const LATE_WINDOW_SECONDS = 60;
export const MOST_EXPIRY_SECONDS = 2_147_483_647;
/** Ten digits before the point. */
export const MOST_CENTS = 999_999_999_999;
const REFUND_DAYS = 90;

export const PIX_BACEN_CAPABILITIES: Capabilities = {
  card: false,
  pix: { minExpirySec: 1, maxExpirySec: MOST_EXPIRY_SECONDS, refundWindowDays: REFUND_DAYS, installments: false },
  mandates: {
    journeys: ["qr", "qr_with_first_payment"],
    intervals: ["weekly", "monthly", "quarterly", "yearly"],
    retries: ["none", "three_in_seven_days"],
    noticeDays: { min: 2, max: 10 },
    takenBackUntil: "22:00:00",
  },
  boleto: false,
  wallets: false,
  split: false,
  // The txid of a charge and the id of a refund are ours: a repeated PUT meets its own.
  idempotency: { kind: "client_id" },
  lookup: "strong_by_reference",
  lateWindowSec: LATE_WINDOW_SECONDS,
  modifications: "sync",
  cancelSpacingSec: 0,
  instalmentRemainder: "first",
  webhook: { auth: "mtls", containsState: false },
  verified,
};
