import { getTranslations } from "next-intl/server";
import { reviewWords } from "@/app/(dashboard)/dashboard/reviews/words";
import type { SlotCall } from "@/lib/purchases/plan";
import type { ResolutionPlan } from "@/lib/purchases/review/service";

/** What becomes of the sale, as a person would say it. */
export type Outcome = "accept" | "cancel" | "refund" | "hold" | "leave";

export function outcomeOf({ followUp, operation, status, slots }: ResolutionPlan): Outcome {
  const isHeld = status === "pending" && slots.every(({ to }) => to === "pre_authorized");
  if (followUp === "leave") return isHeld ? "hold" : "leave";
  if (operation?.type === "refund") return "refund";
  return status === "paid" ? "accept" : isHeld ? "hold" : "cancel";
}

const NAMES = {
  accept: "outcomeAccept",
  cancel: "outcomeCancel",
  refund: "outcomeRefund",
  hold: "outcomeHold",
  leave: "outcomeLeave",
} as const satisfies Record<Outcome, string>;

const BUTTONS = {
  accept: "acceptButton",
  cancel: "cancelButton",
  refund: "refundButton",
  hold: "holdButton",
  leave: "leaveButton",
} as const satisfies Record<Outcome, string>;

const PROPOSALS = {
  accept: "acceptPropose",
  cancel: "cancelPropose",
  refund: "refundPropose",
  hold: "holdPropose",
  leave: "leavePropose",
} as const satisfies Record<Outcome, string>;

const CALLS = {
  authorize: "callAuthorize",
  capture: "callCapture",
  void: "callVoid",
  refund: "callRefund",
} as const satisfies Record<SlotCall, string>;

const ENDS = {
  pending: "endPending",
  paid: "endPaid",
  failed: "endFailed",
  cancelled: "endCancelled",
} as const satisfies Record<ResolutionPlan["status"], string>;

export interface Consequence {
  slotIndex: number;
  amount: number;
  lines: string[];
}

/** Outcomes in words, with everything that follows from them. */
export async function outcomeWords(money: (cents: number) => string) {
  const [t, words] = await Promise.all([getTranslations("reviews"), reviewWords()]);
  return {
    name: (plan: ResolutionPlan): string => t(NAMES[outcomeOf(plan)]),
    button: (plan: ResolutionPlan): string => t(BUTTONS[outcomeOf(plan)], { amount: money(plan.amountAtStake) }),
    propose: (plan: ResolutionPlan): string => t(PROPOSALS[outcomeOf(plan)], { amount: money(plan.amountAtStake) }),
    end: (plan: ResolutionPlan): string => t(ENDS[plan.status], { amount: money(plan.amountAtStake) }),
    /** Card by card: what is recorded of it, and what is then asked of its provider. */
    consequences: ({ slots, operation, status }: ResolutionPlan): Consequence[] =>
      slots.map(({ slotIndex, from, to, amount }) => {
        const calls = operation?.calls.filter((each) => each.slotIndex === slotIndex) ?? [];
        const lines = [
          ...(from === to ? [] : [t("recordedAs", { status: words.slot(to) })]),
          ...calls.map(({ call }) => t(CALLS[call], { amount: money(amount) })),
        ];
        // Once the sale is over, a card that waits for its turn never gets it.
        const isNeverTried = to === "pending" && status !== "pending";
        const unchanged = isNeverTried ? t("notTried") : t("noChange", { status: words.slot(to) });
        return { slotIndex, amount, lines: lines.length > 0 ? lines : [unchanged] };
      }),
  };
}
