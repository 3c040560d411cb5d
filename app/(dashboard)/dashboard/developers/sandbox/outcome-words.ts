import { getTranslations } from "next-intl/server";
import { shortDeclineWords } from "@/app/(dashboard)/dashboard/payments/[id]/decline-names";
import { declinedCodeOfOutcome, type SandboxOutcome } from "@/lib/reference/sandbox-pans";

type Decline = Extract<SandboxOutcome, `decline:${string}`>;

const OUTCOME_TEXTS = {
  approve: "outcomeApprove",
  pending_then_approved: "outcomePendingThenApproved",
  pending_then_declined: "outcomePendingThenDeclined",
  pending_forever: "outcomePendingForever",
  timeout_authorised_at_provider: "outcomeTimeoutAuthorisedAtProvider",
  timeout_not_found_at_provider: "outcomeTimeoutNotFoundAtProvider",
  timeout_declined_at_provider: "outcomeTimeoutDeclinedAtProvider",
  connection_reset_before_send: "outcomeConnectionResetBeforeSend",
  http500_then_ok_same_key: "outcomeHttp500ThenOkSameKey",
  http429_retry_after: "outcomeHttp429RetryAfter",
  malformed_body_authorised: "outcomeMalformedBodyAuthorised",
  replay_differs: "outcomeReplayDiffers",
  amount_mismatch_minus_1: "outcomeAmountMismatchMinus1",
  capture_refused: "outcomeCaptureRefused",
  capture_timeout_captured: "outcomeCaptureTimeoutCaptured",
  capture_timeout_not_captured: "outcomeCaptureTimeoutNotCaptured",
  partial_capture_unsupported: "outcomePartialCaptureUnsupported",
  authorisation_expired: "outcomeAuthorisationExpired",
  void_refused_settled: "outcomeVoidRefusedSettled",
  void_timeout_voided: "outcomeVoidTimeoutVoided",
  refund_refused_insufficient_balance: "outcomeRefundRefusedInsufficientBalance",
  refund_pending_done: "outcomeRefundPendingDone",
  refund_pending_failed: "outcomeRefundPendingFailed",
  chargeback_full: "outcomeChargebackFull",
  chargeback_then_reversed: "outcomeChargebackThenReversed",
  chargeback_partial: "outcomeChargebackPartial",
  antifraud_review_approve: "outcomeAntifraudReviewApprove",
  antifraud_review_deny: "outcomeAntifraudReviewDeny",
  "3ds_challenge_ok": "outcomeThreeDsChallengeOk",
  "3ds_challenge_failed": "outcomeThreeDsChallengeFailed",
} as const satisfies Record<Exclude<SandboxOutcome, Decline>, string>;

const isDecline = (outcome: SandboxOutcome): outcome is Decline => declinedCodeOfOutcome(outcome) !== undefined;

/** What paying with a test card comes to. */
export async function outcomeWords(): Promise<(outcome: SandboxOutcome) => string> {
  const [t, decline] = await Promise.all([getTranslations("sandbox"), shortDeclineWords()]);
  return (outcome) =>
    isDecline(outcome)
      ? t("outcomeDeclined", { reason: decline(declinedCodeOfOutcome(outcome) ?? outcome) })
      : t(OUTCOME_TEXTS[outcome]);
}
