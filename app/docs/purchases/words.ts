import { getTranslations } from "next-intl/server";

/** The message of each fact of the tables; a test fails when a row has none, or a message no row. */
export const FACT_WORDS = {
  "authorize.intended": "authorizeIntended",
  "lower_slot.failed": "lowerSlotFailed",
  "payment.impossible": "paymentImpossible",
  "authorize.approved": "authorizeApproved",
  "authorize.passed_on": "authorizePassedOn",
  "authorize.declined": "authorizeDeclined",
  "call.undetermined": "callUndetermined",
  "capture.intended": "captureIntended",
  "capture.captured": "captureCaptured",
  "capture.refused": "captureRefused",
  "capture.hold_gone": "captureHoldGone",
  "void.intended": "voidIntended",
  "void.voided": "voidVoided",
  "void.refused": "voidRefused",
  "void.found_captured": "voidFoundCaptured",
  "refund.intended": "refundIntended",
  "refund.done": "refundDone",
  "refund.part_done": "refundPartDone",
  "refund.refused": "refundRefused",
  "refund.reversed": "refundReversed",
  "chargeback.confirmed": "chargebackConfirmed",
  "chargeback.reversed": "chargebackReversed",
  "hold.ended": "holdEnded",
  "review.opened": "reviewOpened",
  claimed: "claimed",
  "authorize.completed": "authorizeCompleted",
  "authorize.failed": "authorizeFailed",
  "capture.completed": "captureCompleted",
  "capture.failed": "captureFailed",
  "void.completed": "voidCompleted",
  "rollback.completed": "rollbackCompleted",
  "refund.completed": "refundCompleted",
  "refund.failed": "refundFailed",
  "rollback.completed_after_capture": "rollbackCompletedAfterCapture",
  "expiry.completed": "expiryCompleted",
  "review.resolved": "reviewResolved",
} as const;

export const isKnownFact = (fact: string): fact is keyof typeof FACT_WORDS => Object.hasOwn(FACT_WORDS, fact);

const GROUP = "purchases";

/** What each fact means, in the reader's language. */
export async function meanings(): Promise<(fact: string) => string> {
  const t = await getTranslations("docs");
  return (fact) => (isKnownFact(fact) ? t(`${GROUP}.facts.${FACT_WORDS[fact]}`) : "");
}
