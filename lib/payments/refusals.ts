import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type BusinessCode, DomainError } from "@/lib/errors";
import type { Cents } from "@/lib/money";
import type { Capabilities } from "@/lib/providers/provider";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** What is asked of the provider that has a payment. */
export type AskedIntent =
  | { do: "capture"; amount: Cents }
  | { do: "void"; amount: Cents }
  /** `chosenParts`: the caller says whose part goes back. */
  | { do: "refund"; amount: Cents; chosenParts: boolean };

/** What is known of that payment when it is asked. */
export interface Facts {
  paymentType: string;
  isCard: boolean;
  isSplit: boolean;
  /** What is held, or was asked for. */
  amount: Cents;
  captured: Cents;
  refunded: Cents;
  holdEndsAt: Date | null;
  capturedAt: Date;
  /** When the provider was last asked to void it. */
  voidAskedAt?: Date | undefined;
  now: Date;
}

interface Refusal {
  code: BusinessCode;
  message: string;
  retryAfterSeconds?: number;
}

/** Why the provider cannot do what is asked, in the API's words; found before any call, undefined when it can. */
export function capabilityRefusal(
  intent: AskedIntent,
  capabilities: Capabilities,
  facts: Facts,
): DomainError | undefined {
  const refusal = REFUSALS[intent.do](intent, capabilities, facts);
  if (!refusal) return undefined;
  const { code, message, retryAfterSeconds } = refusal;
  return new DomainError(code, message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
}

type Rule = (intent: AskedIntent, capabilities: Capabilities, facts: Facts) => Refusal | undefined;

const REFUSALS: Record<AskedIntent["do"], Rule> = {
  capture({ amount }, { card, split }, { amount: held, isSplit, holdEndsAt, now }) {
    if (amount > held) return { code: "amount_exceeds_remaining", message: "the amount exceeds what is held" };
    if (holdEndsAt !== null && now >= holdEndsAt) {
      return { code: "charge_invalid_state", message: "the authorization has expired" };
    }
    if (amount === held) return undefined;
    if (card !== false && card.partialCapture === "none") {
      return { code: "charge_invalid_state", message: "the provider captures a hold in full" };
    }
    if (isSplit && (split === false || !split.onCapture)) {
      return { code: "split_not_supported", message: "the provider captures a split payment in full" };
    }
    return undefined;
  },
  void({ amount }, { cancelSpacingSec }, { amount: held, voidAskedAt, now }) {
    if (amount > held) return { code: "amount_exceeds_remaining", message: "a hold is voided in full" };
    if (amount < held) return { code: "charge_invalid_state", message: "a hold is voided in full" };
    const mayAskAt = voidAskedAt && addSeconds(voidAskedAt, cancelSpacingSec);
    if (!mayAskAt || now >= mayAskAt) return undefined;
    return {
      code: "charge_operation_in_progress",
      message: "the provider was asked to void this a moment ago",
      retryAfterSeconds: Math.ceil((mayAskAt.getTime() - now.getTime()) / 1_000),
    };
  },
  refund(intent, capabilities, facts) {
    const remaining = facts.captured - facts.refunded;
    if (intent.amount > remaining) {
      return { code: "amount_exceeds_remaining", message: "the amount exceeds what is left to refund" };
    }
    return refundRefusal(intent, capabilities, facts, intent.amount < remaining);
  },
};

function refundRefusal(
  intent: AskedIntent,
  { card, pix, boleto, split }: Capabilities,
  { paymentType, isCard, capturedAt, now }: Facts,
  isPartial: boolean,
): Refusal | undefined {
  if (paymentType === "boleto" && (boleto === false || !boleto.refund)) {
    return { code: "refund_not_supported", message: "a boleto is not refunded to its payer" };
  }
  if (paymentType === "pix") {
    const days = pix === false ? 0 : pix.refundWindowDays;
    if (now > addSeconds(capturedAt, days * DAY_SECONDS)) {
      return { code: "refund_window_expired", message: `a Pix is refunded within ${days} days` };
    }
  }
  if (isCard && isPartial && (card === false || !card.partialRefund)) {
    return { code: "refund_not_supported", message: "the provider refunds a card in full" };
  }
  if (intent.do === "refund" && intent.chosenParts && (split === false || !split.onRefund)) {
    return { code: "split_not_supported", message: "the provider refunds a split payment as it was divided" };
  }
  return undefined;
}

/** Captured money goes back by a void on the day it was captured, where the provider has that, else by a refund. */
export function returnedBy({ card }: Capabilities, amount: Cents, facts: Facts): "void" | "refund" {
  const { isCard, captured, capturedAt, now } = facts;
  if (!isCard || card === false || card.voidAfterCapture !== "same_day" || amount !== captured) return "refund";
  return saoPauloDay(capturedAt) === saoPauloDay(now) ? "void" : "refund";
}

/** When a hold ends of which the provider did not say so itself. */
export function holdEndOf({ card }: Capabilities, brand: string | undefined, approvedAt: Date): Date {
  if (card === false) throw new Error("a hold at a provider without cards");
  const { default: ordinary, ...ofBrands } = card.captureWindowDays;
  const [, days = ordinary] = Object.entries(ofBrands).find(([name]) => name === brand) ?? [];
  return addSeconds(approvedAt, days * DAY_SECONDS);
}
