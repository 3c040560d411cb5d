import { derivedId } from "@/lib/ids";
import { LOST, webhookFault } from "@/lib/providers/sandbox/effects";
import type { OutcomeRow } from "@/lib/providers/sandbox/outcomes";
import {
  type Connection,
  type Movement,
  movement,
  type Notification,
  type Transaction,
} from "@/lib/providers/sandbox/store";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** What the acquirer charges: 2.49 % of a card sale, 1 % (at least a cent) of a Pix, 3.50 of a boleto. */
const CARD_COST_BPS = 249;
const PIX_COST_BPS = 100;
const BPS = 10_000;
const BOLETO_COST = 350;

const percent = (amount: number, bps: number): number =>
  Number((BigInt(amount) * BigInt(bps) + BigInt(BPS / 2)) / BigInt(BPS));

export function costOf(method: string, amount: number): number {
  if (method === "card") return percent(amount, CARD_COST_BPS);
  if (method === "boleto") return Math.min(BOLETO_COST, amount);
  return Math.max(1, percent(amount, PIX_COST_BPS));
}

const DISPUTE_AFTER_SECONDS = DAY_SECONDS;
/** What the cards of the table are disputed for. */
const FRAUD = "fraud";
const REVERSAL_AFTER_SECONDS = 10 * DAY_SECONDS;
export const REFUND_AFTER_SECONDS = DAY_SECONDS;

/** A capture, and the dispute its outcome brings a day later. */
export function captureMovements(
  tx: Transaction,
  row: OutcomeRow,
  amount: number,
  at: Date,
  reference: string,
): Movement[] {
  const taken = { kind: "capture", amount, cost: costOf(tx.method, amount), at, requestedAt: at, reference } as const;
  const disputed = row.dispute === "partial" ? Math.floor(amount / 2) : amount;
  const disputeAt = addSeconds(at, DISPUTE_AFTER_SECONDS);
  const movements = amount > 0 ? [movement(tx, { ...taken, paymentId: null })] : [];
  if (!row.dispute || disputed === 0) return movements;
  movements.push(disputeMovement(tx, "chargeback", disputed, disputeAt, { reason: FRAUD }));
  if (row.dispute === "full_then_reversed") {
    movements.push(disputeMovement(tx, "reversal", disputed, addSeconds(disputeAt, REVERSAL_AFTER_SECONDS)));
  }
  return movements;
}

/** The clock of an account can stand still: events at one instant are told apart by their number. */
export const disputeMovement = (
  tx: Transaction,
  kind: "chargeback" | "reversal",
  amount: number,
  at: Date,
  { number = 0, reason = null }: { number?: number; reason?: string | null } = {},
): Movement =>
  movement(tx, {
    kind,
    amount,
    cost: 0,
    at,
    requestedAt: at,
    reference: `bank:${kind}:${number}`,
    paymentId: null,
    reason,
  });

/** Of the disputes of a payment, later ones have greater numbers. */
const numberOf = ({ reference }: Movement): number => Number(reference.split(":").at(-1));

export const newestDispute = (movements: readonly Movement[]): Movement | undefined =>
  movements
    .filter(({ kind }) => kind === "chargeback")
    .sort((a, b) => a.at.getTime() - b.at.getTime() || numberOf(a) - numberOf(b))
    .at(-1);

const TYPES: Record<Movement["kind"], string> = {
  capture: "payment.captured",
  payment: "payment.paid",
  refund: "refund.done",
  refund_failed: "refund.failed",
  refund_undone: "refund.failed",
  chargeback: "chargeback.opened",
  reversal: "chargeback.reversed",
};

/** Names a notification of ours can have; anything else is unknown to the receiver. */
export const NOTIFICATION_TYPES: ReadonlySet<string> = new Set([
  ...Object.values(TYPES),
  "payment.resolved",
  "payment.changed",
  "analysis.finished",
]);

/** One notification for each thing that happens without a call of ours. */
export async function notificationsOf(
  sql: Connection,
  tx: Transaction,
  movements: readonly Movement[],
  others: readonly { type: "payment.resolved" | "payment.changed"; at: Date }[] = [],
): Promise<Notification[]> {
  const due = [...movements.map(({ kind, at }) => ({ type: TYPES[kind], at })), ...others];
  const list: Notification[] = [];
  for (const { type, at } of due) {
    const fault = await webhookFault(sql, tx);
    if (fault === LOST) continue;
    list.push({
      id: derivedId("sandbox-notification", tx.id, type, at.getTime()),
      clientId: tx.clientId,
      providerId: tx.providerId,
      transactionId: tx.id,
      reference: tx.reference,
      type,
      fault,
      dueAt: at,
      sentAt: null,
    });
  }
  return list;
}
