import type { Instant, ProviderState } from "@/lib/providers/provider";
import { networkAnswer } from "@/lib/providers/sandbox/declines";
import { losesNotifications } from "@/lib/providers/sandbox/effects";
import { newestDispute } from "@/lib/providers/sandbox/events";
import { outcomeRow } from "@/lib/providers/sandbox/outcomes";
import type { Movement, Transaction } from "@/lib/providers/sandbox/store";
import { shownToBuyer, type TransactionReply, type WireDecline } from "@/lib/providers/sandbox/wire";

/** What a transaction is at an instant. Nothing runs inside the simulator: time alone makes later facts true. */
export interface View {
  state: ProviderState;
  authorized: number;
  captured: number;
  capturedAt: Date | null;
  refunded: number;
  refundsPending: number;
  chargedBack: number;
  /** Of the dispute that is open. */
  disputeReason: string | undefined;
  refunds: TransactionReply["refunds"];
  payments: TransactionReply["payments"];
  /** In time, and its bank tells of it on its next day: until then it is neither paid here nor can it be closed. */
  isPaidAtBank: boolean;
  /** Given back or on its way, of payments that came on top of the sale. */
  surplusRefunds: ReadonlyMap<string, number>;
  nextEventAt: Date | null;
}

export function viewOf(tx: Transaction, movements: readonly Movement[], now: Date): View {
  const happened = movements.filter((movement) => movement.at <= now);
  const isPaidAtBank = movements.some(
    (each) => each.kind === "payment" && each.requestedAt <= now && each.at > now && inTime(tx, each),
  );
  const main = tx.method === "card" ? cardFacts(tx, now) : openFacts(tx, happened, now, isPaidAtBank);
  const refunds = movements
    .filter(({ kind, requestedAt }) => REFUNDS.includes(kind) && requestedAt <= now)
    .map((movement) => ({ movement, status: refundStatus(movement, now) }));
  const takes = (movement: Movement) => movement.paymentId === null || movement.paymentId === main.paymentId;
  const sum = (status: string) =>
    refunds.reduce((total, one) => total + (one.status === status && takes(one.movement) ? one.movement.amount : 0), 0);
  const refunded = sum("done");
  const refundsPending = sum("pending");
  const chargedBack = total(happened, "chargeback") - total(happened, "reversal");
  return {
    state: main.captured > 0 ? saleState(main.captured, refunded, refundsPending, chargedBack) : main.state,
    authorized: main.authorized,
    captured: main.captured,
    capturedAt: main.capturedAt,
    refunded,
    refundsPending,
    chargedBack,
    disputeReason: chargedBack > 0 ? (newestDispute(happened)?.reason ?? undefined) : undefined,
    refunds: refunds.map(({ movement, status }) => ({
      refundId: movement.id,
      ...(movement.reference.startsWith(BANK_REFUND_PREFIX) ? {} : { reference: movement.reference }),
      amount: movement.amount,
      status,
      at: movement.at.toISOString(),
    })),
    payments: main.payments,
    isPaidAtBank,
    surplusRefunds: surplusRefunds(refunds, takes),
    nextEventAt: nextEvent(tx, movements, now),
  };
}

type Refund = { movement: Movement; status: "pending" | "done" | "failed" };

function surplusRefunds(refunds: readonly Refund[], isMain: (movement: Movement) => boolean): Map<string, number> {
  const given = new Map<string, number>();
  for (const { movement, status } of refunds) {
    const { paymentId, amount } = movement;
    if (paymentId === null || isMain(movement) || status === "failed") continue;
    given.set(paymentId, (given.get(paymentId) ?? 0) + amount);
  }
  return given;
}

/** Movements that no call of ours asked for. */
export const BANK_REFUND_PREFIX = "bank:";

interface Facts {
  state: ProviderState;
  authorized: number;
  captured: number;
  capturedAt: Date | null;
  paymentId: string | null;
  payments: TransactionReply["payments"];
}

const CARD_STATE = {
  pending: "pending",
  held: "pre_authorized",
  captured: "authorized",
  declined: "declined",
  voided: "voided",
  canceled: "canceled",
  expired: "expired",
} as const satisfies Record<Transaction["state"], ProviderState>;

/** The row's state once the pending one has turned into what it was going to be. */
export function settledState(tx: Transaction, now: Date): { state: Transaction["state"]; since: Date | null } {
  if (tx.resolvesAt && tx.resolvesTo && tx.resolvesAt <= now && (tx.state === "pending" || tx.state === "held")) {
    return { state: tx.resolvesTo, since: tx.resolvesAt };
  }
  return { state: tx.state, since: tx.capturedAt };
}

function cardFacts(tx: Transaction, now: Date): Facts {
  const { state, since } = settledState(tx, now);
  const none = { capturedAt: null, paymentId: null, payments: [] };
  if (state === "captured") {
    const captured = tx.state === "captured" ? tx.captured : tx.authorized;
    return { ...none, state: "authorized", authorized: tx.authorized, captured, capturedAt: since };
  }
  const lapsed = state === "held" && tx.expiresAt !== null && tx.expiresAt <= now;
  const hasHold = state !== "declined" && state !== "pending";
  return {
    ...none,
    state: lapsed ? "expired" : CARD_STATE[state],
    authorized: hasHold ? tx.authorized : 0,
    captured: 0,
  };
}

function openFacts(tx: Transaction, happened: readonly Movement[], now: Date, isPaidAtBank: boolean): Facts {
  let paid: Movement | undefined;
  const payments = happened
    .filter(({ kind }) => kind === "payment")
    .sort((a, b) => a.at.getTime() - b.at.getTime() || (a.reference < b.reference ? -1 : 1))
    .map((movement) => {
      const surplus = paid !== undefined || !inTime(tx, movement);
      if (!surplus) paid = movement;
      return {
        paymentId: movement.reference,
        amount: movement.amount,
        paidAt: movement.requestedAt.toISOString(),
        surplus,
      };
    });
  if (paid) {
    const { amount, at, reference } = paid;
    return {
      state: "authorized",
      authorized: amount,
      captured: amount,
      capturedAt: at,
      paymentId: reference,
      payments,
    };
  }
  const known = settledState(tx, now).state;
  const lapsed = known === "pending" && !isPaidAtBank && tx.expiresAt !== null && tx.expiresAt <= now;
  const state = lapsed ? "expired" : CARD_STATE[known];
  return { state, authorized: 0, captured: 0, capturedAt: null, paymentId: null, payments };
}

export const inTime = (
  tx: Pick<Transaction, "expiresAt" | "endedAt">,
  { requestedAt, at }: Pick<Movement, "requestedAt" | "at">,
): boolean => (tx.expiresAt === null || requestedAt <= tx.expiresAt) && (tx.endedAt === null || at < tx.endedAt);

const REFUNDS: readonly Movement["kind"][] = ["refund", "refund_failed", "refund_undone"];

/** One that is undone was done until then. */
function refundStatus({ at, kind }: Movement, now: Date): "pending" | "done" | "failed" {
  if (at > now) return kind === "refund_undone" ? "done" : "pending";
  return kind === "refund" ? "done" : "failed";
}

const total = (movements: readonly Movement[], kind: Movement["kind"]): number =>
  movements.reduce((sum, movement) => sum + (movement.kind === kind ? movement.amount : 0), 0);

function saleState(captured: number, refunded: number, pending: number, chargedBack: number): ProviderState {
  if (chargedBack > 0) return "charged_back";
  if (pending > 0) return "refund_pending";
  return refunded >= captured ? "refunded" : "authorized";
}

function nextEvent(tx: Transaction, movements: readonly Movement[], now: Date): Date | null {
  const open = tx.state === "pending" || tx.state === "held";
  const instants = [
    ...(open && tx.resolvesTo ? [tx.resolvesAt] : []),
    ...(tx.state === "held" || (open && tx.method !== "card") ? [tx.expiresAt] : []),
    ...(losesNotifications(tx) ? movements.filter(({ kind }) => kind !== "payment") : movements).map(({ at }) => at),
  ].filter((at): at is Date => at !== null && at > now);
  return instants.length > 0 ? new Date(Math.min(...instants.map((at) => at.getTime()))) : null;
}

export function declineOfTransaction(tx: Transaction): WireDecline {
  const declinedCode = tx.declinedCode ?? "generic";
  const { code, advice, retry } = networkAnswer(tx.brand, declinedCode);
  return {
    declinedCode,
    ...(code ? { networkCode: code } : {}),
    ...(advice ? { adviceCode: advice } : {}),
    ...(retry ? { retry } : {}),
  };
}

export const instantOf = (at: Date): Instant => at.toISOString();

export function replyOf(tx: Transaction, view: View): TransactionReply {
  const numbers = approvalNumbers(tx.id);
  const approved = view.state !== "pending" && view.state !== "declined" && tx.method === "card";
  return {
    id: tx.id,
    reference: tx.reference,
    state: view.state,
    amount: tx.amount,
    authorized: view.authorized,
    captured: view.captured,
    refunded: view.refunded,
    chargedBack: view.chargedBack,
    ...(view.disputeReason === undefined ? {} : { disputeReason: view.disputeReason }),
    currency: tx.currency,
    ...shownOf(tx),
    ...(tx.brand ? { brand: tx.brand } : {}),
    ...(view.state === "declined" ? { decline: declineOfTransaction(tx) } : {}),
    refunds: view.refunds,
    payments: view.payments,
    ...(approved ? numbers : {}),
    ...(tx.expiresAt ? { expiresAt: tx.expiresAt.toISOString() } : {}),
    ...(view.nextEventAt ? { nextEventAt: view.nextEventAt.toISOString() } : {}),
  };
}

const shownOf = ({ details }: Transaction) => shownToBuyer.safeParse(details?.shown).data ?? {};

/** What an issuer would number by counting, taken from the transaction's id: a repeat gives the same. */
export function approvalNumbers(id: string): { nsu: string; authCode: string } {
  const hex = id.replaceAll("-", "");
  const digits = (from: number) => String(Number.parseInt(hex.slice(from, from + 8), 16) % 1_000_000).padStart(6, "0");
  return { nsu: digits(16), authCode: digits(24) };
}

/** Whether the outcome lets this transaction be decided by the one-statement paths. */
export const outcomeOf = (tx: Transaction) => outcomeRow(tx.outcome);
