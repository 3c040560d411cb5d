import { type DeclinedCode, isAuthentication, isDeclinedCode } from "@/lib/declines/decline-codes";

/** What a buyer can do after a refusal, best first. */
export type Action =
  | "retry"
  | "card"
  | "byCard"
  | "split"
  | "pix"
  | "pixAutomatic"
  | "boleto"
  | "nupay"
  | "drip"
  | "parts"
  | "amounts"
  | "single";
const WITHOUT_CARD: ReadonlySet<Action> = new Set<Action>(["pix", "pixAutomatic", "boleto", "nupay", "drip"]);
/** After a decline a card asks for a proof that only a script can give. */
export const isByCard = (action: Action): boolean => !WITHOUT_CARD.has(action);

export type CardField = "cardNumber" | "cardExpiration" | "cardCvv" | "installments";
/** Whether the same card may be used again for this payment. */
export type SameCard = "no" | "yes" | "once" | "corrected" | "smaller" | "parts";

export interface Advice {
  readonly actions: readonly Action[];
  readonly sameCard: SameCard;
  /** The field that is to be corrected: it gets the focus instead of a button. */
  readonly focus?: CardField;
  /** The field that is emptied for it. */
  readonly empties?: CardField;
  readonly retryAfterSeconds?: number;
}

const BANK_APP_SECONDS = 30;
const UNLOCK_SECONDS = 60;
const NEUTRAL: Advice = { actions: ["pix", "card", "boleto"], sameCard: "no" };

/** design/checkout.md section 9, line by line. */
const ADVICE: Record<DeclinedCode, Advice> = {
  card_not_supported: { actions: ["card", "pix", "boleto"], sameCard: "no" },
  expired_card: { actions: ["card", "pix"], sameCard: "corrected", focus: "cardExpiration" },
  fraud_confirmed: NEUTRAL,
  fraud_suspect: { actions: ["retry", "pix", "card"], sameCard: "once", retryAfterSeconds: BANK_APP_SECONDS },
  generic: { actions: ["pix", "card", "retry"], sameCard: "once" },
  insufficient_funds: { actions: ["split", "pix", "card", "boleto"], sameCard: "smaller" },
  invalid_amount: { actions: ["split", "pix", "card"], sameCard: "smaller" },
  invalid_cvv: { actions: ["card", "pix"], sameCard: "corrected", focus: "cardCvv", empties: "cardCvv" },
  invalid_data: { actions: ["card", "pix"], sameCard: "corrected", focus: "cardNumber" },
  invalid_installment: { actions: ["parts", "card", "pix"], sameCard: "parts", empties: "installments" },
  invalid_merchant: { actions: ["pix", "boleto", "card"], sameCard: "no" },
  invalid_number: { actions: ["card", "pix"], sameCard: "corrected", focus: "cardNumber" },
  invalid_pin: { actions: ["card", "pix"], sameCard: "no" },
  issuer_not_available: { actions: ["retry", "pix", "card"], sameCard: "yes", retryAfterSeconds: BANK_APP_SECONDS },
  lost_card: NEUTRAL,
  not_permitted: { actions: ["card", "pix", "boleto"], sameCard: "no" },
  pickup_card: NEUTRAL,
  pin_try_exceeded: { actions: ["pix", "card", "retry"], sameCard: "once", retryAfterSeconds: UNLOCK_SECONDS },
  restricted_card: { actions: ["card", "pix", "retry"], sameCard: "once", retryAfterSeconds: UNLOCK_SECONDS },
  security_violation: { actions: ["card", "pix"], sameCard: "once", focus: "cardCvv", empties: "cardCvv" },
  service_not_allowed: { actions: ["card", "pix"], sameCard: "no" },
  stolen_card: NEUTRAL,
  transaction_not_allowed: { actions: ["pix", "card", "boleto"], sameCard: "no" },
  try_again: { actions: ["retry", "pix", "card"], sameCard: "once" },
};

/** Refusals that are not the issuer's; those of the list of declines are shown by their own code. */
export const OTHER_REFUSALS = [
  "antifraud",
  "authentication",
  "authentication_alone",
  "unavailable",
  "token_expired",
  "captcha",
  "too_many",
  "link_taken",
  "already_declined",
  "wallet",
] as const;
export type OtherRefusal = (typeof OTHER_REFUSALS)[number];
export type DeclineRefusal = DeclinedCode | OtherRefusal | "neutral";

const OTHER: Record<OtherRefusal | "neutral", Advice> = {
  neutral: NEUTRAL,
  antifraud: { actions: ["pix", "boleto"], sameCard: "no" },
  authentication: { actions: ["retry", "pix", "card"], sameCard: "yes" },
  authentication_alone: { actions: ["card", "single", "pix", "boleto"], sameCard: "no" },
  unavailable: { actions: ["pix", "boleto", "card"], sameCard: "no" },
  token_expired: { actions: ["retry", "card", "pix"], sameCard: "corrected", focus: "cardCvv", empties: "cardCvv" },
  captcha: { actions: ["retry", "pix"], sameCard: "yes" },
  too_many: { actions: ["pix", "boleto"], sameCard: "no" },
  link_taken: { actions: [], sameCard: "no" },
  already_declined: { actions: ["card", "pix", "boleto"], sameCard: "no" },
  wallet: { actions: ["pix", "card", "nupay", "drip", "boleto"], sameCard: "no" },
};

const isOther = (code: string): code is OtherRefusal | "neutral" => Object.hasOwn(OTHER, code);

export const adviceOf = (refusal: DeclineRefusal): Advice =>
  isDeclinedCode(refusal) ? ADVICE[refusal] : OTHER[refusal];

/** What is shown for a code of a charge; a code nobody explained is a plain "the bank said no". */
export function declineRefusal(code: string | undefined, by: "issuer" | "antifraud" = "issuer"): DeclineRefusal {
  if (by === "antifraud") return "antifraud";
  if (code === undefined) return "generic";
  if (isDeclinedCode(code) || isOther(code)) return code;
  if (isAuthentication(code)) return "authentication";
  return code === "invalid_cvv_update" ? "invalid_cvv" : "generic";
}

/** From this decline of a visit on, nothing is told that a card tester could use. */
const NEUTRAL_FROM_DECLINE = 3;

export const shownRefusal = (refusal: DeclineRefusal, declinesOfVisit: number, isGuarded: boolean): DeclineRefusal =>
  isDeclinedCode(refusal) && (isGuarded || declinesOfVisit >= NEUTRAL_FROM_DECLINE) ? "neutral" : refusal;

/** Of several cards the declined one is repaired first, whatever its bank said (design/checkout.md section 9). */
const AFTER_SEVERAL: readonly Action[] = ["card", "amounts", "single", "pix", "boleto"];
/** Cards that pay together are never confirmed at their banks: with other amounts such a card is asked for it again. */
export const severalActions = (refusal: DeclineRefusal, offered: ReadonlySet<Action>): Action[] =>
  (refusal === "authentication_alone" ? adviceOf(refusal).actions : AFTER_SEVERAL).filter((action) =>
    offered.has(action),
  );
export const severalRefusal = (code: string | undefined): DeclineRefusal => {
  const refusal = declineRefusal(code);
  return refusal === "authentication" ? "authentication_alone" : refusal;
};

/** Who used no card has no other one to use; and by Pix a subscription is paid by the buyer's bank. */
const INSTEAD: Readonly<Partial<Record<Action, Action>>> = { card: "byCard", pix: "pixAutomatic" };

/** The actions the link really has, in their order; the next one moves up for one that is left out. */
export const waysOut = (refusal: DeclineRefusal, offered: ReadonlySet<Action>): Action[] =>
  adviceOf(refusal)
    .actions.map((action) => {
      const other = INSTEAD[action];
      return other && offered.has(other) ? other : action;
    })
    .filter((action) => offered.has(action));
