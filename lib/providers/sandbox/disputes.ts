import { disputeMovement } from "@/lib/providers/sandbox/events";
import { leftOf } from "@/lib/providers/sandbox/pay";
import { type Movement, movement, type Transaction } from "@/lib/providers/sandbox/store";
import {
  AMOUNT_EXCEEDED,
  type Clock,
  change,
  INVALID_STATE,
  type Target,
  type ToolResult,
} from "@/lib/providers/sandbox/tools";
import { BANK_REFUND_PREFIX } from "@/lib/providers/sandbox/view";

/** The card holder's bank takes the money back. */
export const simulateChargeback = (
  clientId: string,
  chargeId: string,
  { amount, reason }: { amount?: number; reason?: string },
  clock: Clock,
): Promise<ToolResult> =>
  change(clientId, { chargeId }, clock, ({ tx, view, movements, now }) => {
    if (view.state !== "authorized") return INVALID_STATE;
    const left = leftOf({ view });
    if ((amount ?? left) > left) return AMOUNT_EXCEEDED;
    return {
      movements: [
        disputeMovement(tx, "chargeback", amount ?? left, now, {
          number: movements.length,
          ...(reason === undefined ? {} : { reason }),
        }),
      ],
      drops: ["chargeback", "reversal"],
    };
  });

/** The dispute is won: everything that was taken comes back. */
export const reverseChargeback = (clientId: string, chargeId: string, clock: Clock): Promise<ToolResult> =>
  change(clientId, { chargeId }, clock, ({ tx, view, movements, now }) => {
    if (view.state !== "charged_back") return INVALID_STATE;
    return {
      movements: [disputeMovement(tx, "reversal", view.chargedBack, now, { number: movements.length })],
      drops: ["reversal"],
    };
  });

/** The Central Bank's special return: a Pix refund forced by the payer's bank. */
export const simulateMed = (
  clientId: string,
  target: Target,
  { amount }: { amount?: number },
  clock: Clock,
): Promise<ToolResult> =>
  change(clientId, target, clock, ({ tx, view, movements, now }) => {
    if (tx.method !== "pix" || view.state !== "authorized") return INVALID_STATE;
    const left = leftOf({ view });
    if ((amount ?? left) > left) return AMOUNT_EXCEEDED;
    return { movements: [bankRefund(tx, amount ?? left, now, now, movements)] };
  });

export const bankRefund = (
  tx: Transaction,
  amount: number,
  requestedAt: Date,
  at: Date,
  known: readonly Movement[],
): Movement =>
  movement(tx, {
    kind: "refund",
    amount,
    cost: 0,
    at,
    requestedAt,
    reference: `${BANK_REFUND_PREFIX}refund:${known.length}`,
    paymentId: null,
  });
