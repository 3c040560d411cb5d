import type { PaymentAction } from "@/lib/charges/operator-actions";

const NEVER_MAIN: readonly PaymentAction[] = ["cancel", "recheck", "hand_back"];

interface Asked {
  action: string;
  amount: number;
}

/** The one that stands out, if any: not a refund that already waits for its approval as a whole. */
export function mainActionOf(
  [first]: readonly PaymentAction[],
  remaining: number,
  waiting: readonly Asked[],
): PaymentAction | undefined {
  if (first === undefined || NEVER_MAIN.includes(first)) return undefined;
  const isAsked = waiting.some(({ action, amount }) => action === "refund" && amount >= remaining);
  return first === "refund" && isAsked ? undefined : first;
}
