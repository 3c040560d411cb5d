import type { CivilDate } from "@/lib/brazil/bank-calendar";
import type { Brand } from "@/lib/brazil/card-brand";

export type WalletMethod = "drip" | "nupay" | "picpay" | "apple_pay" | "click_to_pay";

export type ThreeDSSupport = "none" | "external" | "full";

/** What a provider cannot do is declared here and refused before any call. */
export interface Capabilities {
  card:
    | false
    | {
        authOnly: boolean;
        maxInstallments: number;
        partialCapture: "none" | "once" | "many";
        partialRefund: boolean;
        /** `never`, and after the day: a void becomes a refund. */
        voidAfterCapture: "same_day" | "never";
        captureWindowDays: Partial<Record<Brand, number>> & { default: number };
        /** `external`: takes what another party authenticated; `full`: challenges the buyer itself too. */
        threeDS2: ThreeDSSupport;
        voucher: boolean;
        recurrence: boolean;
      };
  pix: false | { minExpirySec: number; maxExpirySec: number; refundWindowDays: number; installments: boolean };
  boleto: false | { minDays: number; maxDays: number; overUnderPayment: boolean; refund: boolean };
  wallets: false | readonly WalletMethod[];
  split: false | { modes: ("amount" | "percentage")[]; onCapture: boolean; onRefund: boolean; maxRecipients: number };
  idempotency: { kind: "header"; ttlHours: number; maxLen: number } | { kind: "client_id" } | { kind: "none" };
  lookup: "strong_by_reference" | "eventual_by_reference" | "by_provider_id_only" | "none";
  /** How long after the deadline of a call its transaction may still appear. */
  lateWindowSec: number;
  modifications: "sync" | "async";
  /** Least time between two cancels of one transaction, where the provider would duplicate them; 0 = none. */
  cancelSpacingSec: number;
  instalmentRemainder: "first" | "last";
  webhook: { auth: "hmac" | "mtls" | "shared_secret" | "none"; containsState: boolean };
  verified: { offlineContract: CivilDate | null; liveSandbox: CivilDate | null };
}
