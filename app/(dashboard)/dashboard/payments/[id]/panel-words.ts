import { getTranslations } from "next-intl/server";
import { paymentWords } from "@/app/(dashboard)/dashboard/payments/words";
import type { AttemptTone } from "@/components/charges/attempts";
import type { Tone } from "@/components/charges/timeline";
import type { AccountKind } from "@/db/schema/ledger";
import { arrangementNamed } from "@/lib/brazil/card-arrangement";
import { isByPeople } from "@/lib/charges/by-people";
import { surplusOf } from "@/lib/charges/engine/surplus";
import { holdEnd, ranOut, refusalByAnalysis } from "@/lib/charges/history";
import type { Charge } from "@/lib/charges/queries";
import type { EvidenceType } from "@/lib/ledger/post";
import type { AttemptRow } from "@/lib/payments/attempts";
import { PAYMENT_TYPES } from "@/lib/payments/methods";

const TRY_TEXTS = {
  authorize: "try_authorize",
  capture: "try_capture",
  void: "try_void",
  refund: "try_refund",
  pix: "try_pix",
  boleto: "try_boleto",
  wallet: "try_wallet",
  cancel_open: "try_cancel_open",
  zero_dollar: "try_zero_dollar",
  notice: "try_notice",
} as const satisfies Record<AttemptRow["kind"], string>;

/** Rows of the history that say more by their type than by their kind. */
const TYPE_TEXTS: Readonly<Record<string, "try_anti_fraud" | "try_anti_fraud_feeding" | "try_3DS_auth" | undefined>> = {
  anti_fraud: "try_anti_fraud",
  anti_fraud_feeding: "try_anti_fraud_feeding",
  "3DS_auth": "try_3DS_auth",
};

const RUNNING = { wording: "result_running", tone: "info" } as const;
const RESULTS = {
  running: RUNNING,
  processing: { wording: "result_processing", tone: "warning" },
  success: { wording: "result_success", tone: "success" },
  failed: { wording: "result_failed", tone: "danger" },
  timeout: { wording: "result_timeout", tone: "warning" },
  internal_error: { wording: "result_internal_error", tone: "danger" },
} as const satisfies Record<string, { wording: string; tone: AttemptTone }>;

const resultOf = (status: string): (typeof RESULTS)[keyof typeof RESULTS] =>
  // Guarantee: looked up only where the key exists.
  Object.hasOwn(RESULTS, status) ? RESULTS[status as keyof typeof RESULTS] : RUNNING;

const OTHER = { wording: "eOther", tone: "neutral" } as const;
const EVENTS = {
  pending: { wording: "ePending", tone: "info" },
  pre_authorized: { wording: "ePreAuthorized", tone: "warning" },
  authorized: { wording: "eAuthorized", tone: "success" },
  failed: { wording: "eFailed", tone: "danger" },
  canceled: { wording: "eCanceled", tone: "neutral" },
  expired: { wording: "eExpired", tone: "neutral" },
  voided: { wording: "eVoided", tone: "neutral" },
  refunded: { wording: "eRefunded", tone: "neutral" },
  refused_voided: { wording: "eRefusedHeld", tone: "danger" },
  refused_failed: { wording: "eRefused", tone: "danger" },
  void_pending: { wording: "eVoidPending", tone: "info" },
  hold_ended: { wording: "eHoldEnded", tone: "neutral" },
  partially_voided: { wording: "ePartiallyVoided", tone: "neutral" },
  refund_pending: { wording: "eRefundPending", tone: "info" },
  capture_pending: { wording: "eCapturePending", tone: "info" },
  dispute: { wording: "eDispute", tone: "danger" },
  dispute_closed: { wording: "eDisputeClosed", tone: "success" },
  charged_back: { wording: "eChargedBack", tone: "danger" },
  revert_void: { wording: "eRevertVoid", tone: "warning" },
  extra_payment: { wording: "eExtraPayment", tone: "warning" },
  extra_payment_returned: { wording: "eExtraPaymentReturned", tone: "neutral" },
} as const satisfies Record<string, { wording: string; tone: Tone }>;

const eventOf = (event: string): (typeof EVENTS)[keyof typeof EVENTS] | typeof OTHER =>
  // Guarantee: looked up only where the key exists.
  Object.hasOwn(EVENTS, event) ? EVENTS[event as keyof typeof EVENTS] : OTHER;

function toldApart(event: string, payment: Pick<Charge, "row" | "attempts">): string {
  if ((event === "voided" || event === "failed") && refusalByAnalysis(payment)) return `refused_${event}`;
  if (event === "refund_pending") return payment.row.capturedAmount > 0 ? event : "void_pending";
  if (event === "canceled") return ranOut(payment) ? "expired" : event;
  if (event !== "voided") return event;
  if (holdEnd(payment)) return "hold_ended";
  return payment.row.capturedAmount > 0 ? "refunded" : event;
}

/** A test holds these against everything that the log keeps of a charge. */
export const ACTS = {
  "charge.capture": "actCapture",
  "charge.new_link": "actNewLink",
  "charge.void": "actVoid",
  "charge.recheck": "actRecheck",
  "charge.hand_back": "actHandBack",
  "charge.release_duplicate": "actReleaseDuplicate",
  "charge.release_orphan": "actReleaseLate",
  "dispute.handled": "actDisputeHandled",
  "dispute.note": "actDisputeNote",
  "dispute.reopened": "actDisputeReopened",
  "charge.hand_back.approve": "actApproveHandBack",
  "charge.hand_back.propose": "actProposeHandBack",
  "charge.hand_back.refuse": "actRefuseHandBack",
  "charge.hand_back.withdraw": "actWithdrawHandBack",
  "charge.refund.approve": "actApproveRefund",
  "charge.refund.lapse": "actLapseRefund",
  "charge.refund.propose": "actProposeRefund",
  "charge.refund.refuse": "actRefuseRefund",
  "charge.refund.withdraw": "actWithdrawRefund",
  "charge.resolve": "actResolveCharge",
  "charge.resolve.propose": "actResolveChargePropose",
  "charge.resolve.withdraw": "actResolveWithdraw",
  "refund_document.issue": "actDocument",
  "review.take": "actTake",
  "review.release": "actRelease",
  "sandbox.pay": "actSimulate",
  "sandbox.force": "actForce",
  "sandbox.antifraud": "actAntifraud",
  "sandbox.chargeback": "actDispute",
  "sandbox.chargeback_reverse": "actDisputeWon",
  "sandbox.med": "actMed",
} as const;

const actOf = (action: string): (typeof ACTS)[keyof typeof ACTS] | "actOther" =>
  // Guarantee: looked up only where the key exists.
  Object.hasOwn(ACTS, action) ? ACTS[action as keyof typeof ACTS] : "actOther";

/** Payouts and adjustments name no charge. */
type JournalOfCharge = Exclude<EvidenceType, `payout${string}` | "adjustment">;
const JOURNALS = {
  hold: "journal_hold",
  hold_release: "journal_hold_release",
  capture: "journal_capture",
  fee: "journal_fee",
  fares: "journal_fares",
  provider_cost: "journal_provider_cost",
  settlement: "journal_settlement",
  prepayment: "journal_prepayment",
  release: "journal_release",
  refund: "journal_refund",
  reversal: "journal_reversal",
  chargeback: "journal_chargeback",
  chargeback_refund: "journal_chargeback_refund",
  suspense: "journal_suspense",
} as const satisfies Record<JournalOfCharge, string>;

const journalOf = (type: string): (typeof JOURNALS)[keyof typeof JOURNALS] | undefined =>
  // Guarantee: looked up only where the key exists.
  Object.hasOwn(JOURNALS, type) ? JOURNALS[type as keyof typeof JOURNALS] : undefined;

const ACCOUNTS = {
  "memo:hold": "account_memo:hold",
  "memo:hold_contra": "account_memo:hold_contra",
  provider_receivable: "account_provider_receivable",
  merchant_pending: "account_merchant_pending",
  merchant_available: "account_merchant_available",
  seller_pending: "account_seller_pending",
  seller_available: "account_seller_available",
  payout_in_transit: "account_payout_in_transit",
  "revenue:platform_fee": "account_revenue:platform_fee",
  "revenue:fares": "account_revenue:fares",
  "revenue:withdrawal_fee": "account_revenue:withdrawal_fee",
  "revenue:prepayment": "account_revenue:prepayment",
  "expense:provider_cost": "account_expense:provider_cost",
  "expense:seller_loss": "account_expense:seller_loss",
  bank: "account_bank",
  suspense: "account_suspense",
} as const satisfies Record<AccountKind, string>;

const ARRANGEMENTS = { credit: "arrangementCredit", debit: "arrangementDebit" } as const;

const accountOf = (kind: string): (typeof ACCOUNTS)[keyof typeof ACCOUNTS] | undefined =>
  // Guarantee: looked up only where the key exists.
  Object.hasOwn(ACCOUNTS, kind) ? ACCOUNTS[kind as keyof typeof ACCOUNTS] : undefined;

/** Cents that an event took in all, and that it gave back by itself. */
export interface EventAmounts {
  taken: number;
  given: number;
  money: (cents: number) => string;
}

/** Says what the panels of a payment list. */
export async function panelWords() {
  const [t, payments] = await Promise.all([getTranslations("payments"), paymentWords()]);
  return {
    /** A provider that calls both a void is asked for a refund once money was taken. */
    attempt: (attempt: AttemptRow, isCaptured: boolean): string => {
      if (surplusOf(attempt) !== undefined) return t("try_extra");
      if (isByPeople(attempt)) return t("try_people");
      const kind = attempt.kind === "void" && isCaptured ? "refund" : attempt.kind;
      return t(TYPE_TEXTS[attempt.requestType] ?? TRY_TEXTS[kind]);
    },
    result: (status: string) => {
      const { wording, tone } = resultOf(status);
      return { text: t(wording), tone };
    },
    /** One word of the API for two things: what became of the payment says which. */
    event: (event: string, payment: Pick<Charge, "row" | "attempts">, amounts?: EventAmounts) => {
      const told = toldApart(event, payment);
      const { wording, tone } = eventOf(told);
      return { text: (amounts && withAmount(told, payment, amounts)) ?? t(wording, { event }), tone };
    },
    /** Money that was taken is refunded; before that the same call voids a hold, or closes what waits for its buyer. */
    act: (action: string, amount: string, { capturedAmount, cardId }: Charge["row"]): string => {
      const ofVoid = capturedAmount > 0 ? "actRefund" : cardId === null ? "actVoid" : "actVoidHold";
      return t(action === "charge.void" ? ofVoid : actOf(action), { amount, action });
    },
    journal: (type: string): string => {
      const wording = journalOf(type);
      return wording ? t(wording) : type;
    },
    account: (kind: string): string => {
      const wording = accountOf(kind);
      return wording ? t(wording) : kind;
    },
    /** What a code such as `VCC` stands for: "Visa credit"; methods without a card stand for themselves. */
    arrangement: (code: string): string => {
      const named = arrangementNamed(code);
      const method = PAYMENT_TYPES.find((type) => type.toUpperCase() === code);
      return named ? t(ARRANGEMENTS[named.cardFunction], named) : method ? payments.method(method) : code;
    },
  };

  /** What was not taken of an authorization was released. */
  function withAmount(told: string, { row }: Pick<Charge, "row">, { taken, given, money }: EventAmounts) {
    if (told === "authorized" && taken > 0) {
      const rest = row.cardId === null ? 0 : row.originalAmount - taken;
      return rest > 0
        ? t("eAuthorizedPart", { amount: money(taken), rest: money(rest) })
        : t("eAuthorizedOf", { amount: money(taken) });
    }
    if (given <= 0) return undefined;
    if (told === "partially_voided") return t("ePartiallyVoidedOf", { amount: money(given) });
    return told === "refunded" ? t("eRefundedOf", { amount: money(given) }) : undefined;
  }
}
