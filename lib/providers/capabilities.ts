import type { CivilDate } from "@/lib/brazil/bank-calendar";
import type { Brand } from "@/lib/brazil/card-brand";
import type { MandateCapabilities } from "@/lib/providers/mandates";

export type WalletMethod = "drip" | "nupay" | "picpay" | "apple_pay" | "click_to_pay";

export type ThreeDSSupport = "none" | "external" | "full";
export type CardMethod = "credit" | "debit" | "voucher";

/** What a provider cannot do is declared here and refused before any call. */
export interface Capabilities {
  card:
    | false
    | {
        authOnly: boolean;
        /** Methods that know no authorization alone: the sale is one call. */
        saleOnly: readonly CardMethod[];
        maxInstallments: number;
        partialCapture: "none" | "once" | "many";
        partialRefund: boolean;
        /** `never`, and after the day: a void becomes a refund. */
        voidAfterCapture: "same_day" | "never";
        captureWindowDays: Partial<Record<Brand, number>> & { default: number };
        /** `external`: takes what another party authenticated; `full`: challenges the buyer itself too. */
        threeDS2: ThreeDSSupport;
        /** Whose cards it takes by each method; a method without any is not offered. */
        brands: Readonly<Record<CardMethod, readonly Brand[]>>;
        /** Whose cards it checks without an amount; none where it has no such check. */
        zeroAmount: readonly Brand[];
        recurrence: boolean;
        /** Methods that it takes only of a buyer who was authenticated. */
        authenticated: readonly CardMethod[];
      };
  pix: false | { minExpirySec: number; maxExpirySec: number; refundWindowDays: number; installments: boolean };
  /** Pix Automático: what a bank pays by itself, once its customer has authorized it. */
  mandates: false | MandateCapabilities;
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

/**
 * Whether the same request under the same key is the question: nothing else tells what became of an attempt, and the key
 * makes a second authorization impossible (spec/providers.md rule 4).
 */
export const isReplayTheQuery = (
  { lookup, idempotency }: Pick<Capabilities, "lookup" | "idempotency">,
  isIdKnown: boolean,
): boolean => idempotency.kind !== "none" && (lookup === "none" || (lookup === "by_provider_id_only" && !isIdKnown));

/** Whether anything can tell what became of a call that was not answered: a look-up, or the same request again. */
export const isConfirmable = ({ lookup, idempotency }: Pick<Capabilities, "lookup" | "idempotency">): boolean =>
  lookup !== "none" || idempotency.kind !== "none";

export const isCardMethod = (method: string): method is CardMethod =>
  method === "credit" || method === "debit" || method === "voucher";

/** Whether a payment of this method is captured by its authorization. */
export const isSaleOnly = ({ card }: Pick<Capabilities, "card">, method: CardMethod): boolean =>
  card !== false && (!card.authOnly || card.saleOnly.includes(method));
