import { type CivilDate, nextBankDay, saoPauloInstant, startOfSaoPauloDay } from "@/lib/brazil/bank-calendar";
import { costOf } from "@/lib/providers/sandbox/events";
import { paymentId } from "@/lib/providers/sandbox/open-payments";
import { type Movement, movement, type Transaction } from "@/lib/providers/sandbox/store";
import {
  type Change,
  type Clock,
  change,
  INVALID_STATE,
  type Subject,
  type Target,
  type ToolResult,
  UNCHANGED,
} from "@/lib/providers/sandbox/tools";
import { addSeconds } from "@/lib/time";

export interface PixPayment {
  amount?: number;
  times?: 1 | 2;
  after?: "expiry";
  /** On the account's clock; in the past or absent = now. */
  at?: Date;
}

/**
 * The buyer pays a Pix or a wallet: now, later, twice, or too late. What is paid already stays as it is, unless it is
 * to have been paid twice.
 */
export const simulatePixPayment = (
  clientId: string,
  target: Target,
  payment: PixPayment,
  clock: Clock,
): Promise<ToolResult> =>
  change(clientId, target, clock, ({ tx, view, now }) => {
    if (tx.method === "card" || tx.method === "boleto") return INVALID_STATE;
    const late = payment.after === "expiry";
    const payable = view.state === "pending" || (late && (view.state === "expired" || view.state === "canceled"));
    const before = view.captured > 0 ? view.payments.length : 0;
    if (!payable && before === 0) return INVALID_STATE;
    const times = (payment.times ?? 1) - before;
    if (times <= 0) return UNCHANGED;
    const asked = payment.at !== undefined && payment.at > now ? payment.at : now;
    const ended = tx.expiresAt ? addSeconds(tx.expiresAt, 1) : asked;
    return paid(tx, payment.amount ?? tx.amount, late && ended > asked ? ended : asked, { times, before });
  });

/** What some buyers pay, by their CEP. */
const UNDERPAYS_ZIP = "01046010";
const OVERPAYS_ZIP = "57400000";
const TENTH = 10;

/** The buyer pays a boleto; a canceled or expired one too, since its paper can still be paid. */
export const simulateBoletoPayment = (
  clientId: string,
  chargeId: string,
  payment: { amount?: number; paidOn?: CivilDate },
  clock: Clock,
): Promise<ToolResult> =>
  change(clientId, { chargeId }, clock, ({ tx, view, now }) => {
    if (tx.method !== "boleto") return INVALID_STATE;
    if (view.state !== "pending" && view.state !== "expired" && view.state !== "canceled") return INVALID_STATE;
    const amount = payment.amount ?? amountByZip(tx);
    if (payment.paidOn === undefined) return paid(tx, amount, now);
    const paidAt = saoPauloInstant(payment.paidOn, "12:00:00");
    const confirmedAt = startOfSaoPauloDay(nextBankDay(payment.paidOn));
    return paid(tx, amount, paidAt, { confirmedAt: confirmedAt > now ? confirmedAt : now });
  });

function amountByZip(tx: Transaction): number {
  const tenth = Math.floor(tx.amount / TENTH);
  if (tx.details?.zipCode === UNDERPAYS_ZIP) return tx.amount - tenth;
  if (tx.details?.zipCode === OVERPAYS_ZIP) return tx.amount + tenth;
  return tx.amount;
}

/** The last instruction wins: payments that were still to come are forgotten. */
export function paid(
  tx: Transaction,
  amount: number,
  paidAt: Date,
  { times = 1, before = 0, confirmedAt = paidAt }: { times?: number; before?: number; confirmedAt?: Date } = {},
): Change {
  const payments = Array.from(
    { length: times },
    (_, number): Movement =>
      movement(tx, {
        kind: "payment",
        amount,
        cost: costOf(tx.method, amount),
        at: confirmedAt,
        requestedAt: paidAt,
        reference: paymentId(tx, before + number, paidAt),
        paymentId: null,
      }),
  );
  return { movements: payments, drops: ["payment"] };
}

/** What is left of a sale. */
export const leftOf = ({ view }: Pick<Subject, "view">): number =>
  view.captured - view.refunded - view.refundsPending - view.chargedBack;
