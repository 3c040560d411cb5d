import type postgres from "postgres";
import { systemSql } from "@/db/client";
import { addDays, saoPauloDay, saoPauloInstant } from "@/lib/brazil/bank-calendar";
import { SANDBOX_CAPABILITIES } from "@/lib/providers/sandbox/capabilities";
import { effectsOnLater } from "@/lib/providers/sandbox/effects";
import { captureMovements, notificationsOf, REFUND_AFTER_SECONDS } from "@/lib/providers/sandbox/events";
import { findOutcome, type OutcomeRow } from "@/lib/providers/sandbox/outcomes";
import { quickCapture, quickRefund, quickVoid } from "@/lib/providers/sandbox/quick";
import { repeated } from "@/lib/providers/sandbox/repeat";
import {
  type Answer,
  answer,
  before,
  type CallDetails,
  callOf,
  closed,
  deliver,
  fingerprintOf,
  refuse,
} from "@/lib/providers/sandbox/reply";
import {
  addMovements,
  addNotifications,
  countUse,
  dropFutureMovements,
  keptCall,
  type Movement,
  movement,
  movementsOf,
  recordCall,
  type Transaction,
  type TransactionChanges,
  transactionById,
  updateTransaction,
} from "@/lib/providers/sandbox/store";
import { outcomeOf, settledState, type View, viewOf } from "@/lib/providers/sandbox/view";
import type {
  Caller,
  CaptureRequest,
  Modification,
  ModificationReply,
  RefundRequest,
  SimulatorReply,
  VoidRequest,
} from "@/lib/providers/sandbox/wire";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** The amount a client may not capture or void, on charges outside purchases. */
const REFUSED_AMOUNT = 991;
/** Given back at once, and not after all: told a day later. */
const UNDONE_AMOUNT = 993;
const PIX_REFUND_DAYS = 90;

/** What the simulator decides about one call, before it writes it down. */
interface Verdict {
  answer: Answer;
  changes?: TransactionChanges;
  movements?: Movement[];
  /** Whether the same key answers this again. A call that never took effect is forgotten. */
  kept: boolean;
  /** Disputes and pending refunds that will not happen any more. */
  drops?: Movement["kind"][];
}

interface Situation {
  caller: Caller;
  tx: Transaction;
  row: OutcomeRow;
  view: View;
  input: Modification;
  /** How often this attempt was sent, this time included. */
  sends: number;
}

export const capture = (caller: Caller, id: string, input: CaptureRequest): Promise<SimulatorReply> =>
  modify(caller, id, { operation: "capture", ...input }, quickCapture);
export const voidPayment = (caller: Caller, id: string, input: VoidRequest): Promise<SimulatorReply> =>
  modify(caller, id, { operation: "void", ...input }, quickVoid);
export const refund = (caller: Caller, id: string, input: RefundRequest): Promise<SimulatorReply> =>
  modify(caller, id, { operation: "refund", ...input }, quickRefund);
export const cancelOpen = (caller: Caller, id: string, reference: string): Promise<SimulatorReply> =>
  modify(caller, id, { operation: "cancel_open", reference, amount: 0 });

type Quick = (caller: Caller, id: string, input: Modification, details: CallDetails) => Promise<Answer | undefined>;

async function modify(caller: Caller, id: string, input: Modification, quick?: Quick): Promise<SimulatorReply> {
  const details: CallDetails = {
    operation: input.operation,
    reference: input.reference,
    kept: true,
    request: { transactionId: id, ...input },
  };
  const special =
    caller.scenario !== undefined ||
    (caller.clientCall && (input.amount === REFUSED_AMOUNT || input.amount === UNDONE_AMOUNT));
  if (quick && !special) {
    const given = await quick(caller, id, input, details);
    if (given) return deliver(given, {});
  }
  const sql = systemSql();
  const known = await transactionById(sql, caller, id);
  if (!known) return deliver(refuse("not_found"), {});
  const step = input.operation === "cancel_open" ? "void" : input.operation;
  const effects = await effectsOnLater(sql, caller, known, step);
  const instead = before(effects);
  if (instead === "closed") return closed;
  if (instead) {
    await recordCall(sql, callOf(caller, { ...details, kept: false }, instead, effects));
    return deliver(instead, effects);
  }
  const given = await sql.begin((tx) => settle(tx, caller, id, input, details, effects.outcome));
  return deliver(given, effects);
}

async function settle(
  sql: postgres.TransactionSql,
  caller: Caller,
  id: string,
  input: Modification,
  details: CallDetails,
  outcome: string | undefined,
): Promise<Answer> {
  const tx = await transactionById(sql, caller, id, true);
  if (!tx) return refuse("not_found");
  const fingerprint = fingerprintOf({ operation: details.operation, ...details.request });
  const { idempotencyKey } = caller;
  if (idempotencyKey !== undefined && (await keptCall(sql, { ...caller, idempotencyKey }))) {
    return repeated(sql, caller, fingerprint);
  }
  const row = (outcome === undefined ? undefined : findOutcome(outcome)) ?? outcomeOf(tx);
  const sends =
    row.capture === "lost_not_captured" ? ((await countUse(sql, tx.clientId, `${input.operation}:${id}`)) ?? 1) : 1;
  const view = viewOf(tx, await movementsOf(sql, [id]), caller.now);
  const verdict = DECIDE[input.operation]({ caller, tx, row, view, input, sends });
  if (verdict.changes) await updateTransaction(sql, tx, verdict.changes);
  if (verdict.drops) await dropFutureMovements(sql, tx, verdict.drops, caller.now);
  if (verdict.movements) {
    await addMovements(sql, verdict.movements);
    const later = verdict.movements.filter(({ at }) => at > caller.now);
    await addNotifications(sql, await notificationsOf(sql, tx, later));
  }
  await recordCall(sql, callOf(caller, { ...details, kept: verdict.kept }, verdict.answer));
  return verdict.answer;
}

const refused = (...given: Parameters<typeof refuse>): Verdict => ({ answer: refuse(...given), kept: true });

const done = ({ tx, caller }: Situation, fields: Omit<ModificationReply, "id" | "at">): Answer =>
  answer({ id: tx.id, at: caller.now.toISOString(), ...fields } satisfies ModificationReply);

const DECIDE: Record<Modification["operation"], (situation: Situation) => Verdict> = {
  capture: decideCapture,
  void: decideVoid,
  refund: decideRefund,
  cancel_open: decideCancel,
};

const isRefusedAmount = ({ caller, input }: Situation): boolean => caller.clientCall && input.amount === REFUSED_AMOUNT;

function decideCapture(situation: Situation): Verdict {
  const { tx, row, view, input, caller, sends } = situation;
  if (view.state === "expired" || view.state === "voided") return refused("authorization_expired");
  if (view.captured > 0) return refused("already_captured");
  if (view.state !== "pre_authorized") return refused("invalid_state");
  if (row.capture === "refused") return refused("capture_refused");
  if (row.capture === "hold_lapses") {
    return { ...refused("authorization_expired"), changes: { state: "expired", endedAt: caller.now } };
  }
  if (input.amount > view.authorized) return refused("amount_exceeded");
  if (row.capture === "full_only" && input.amount < view.authorized) return refused("partial_capture_unsupported");
  const movements = captureMovements(tx, row, input.amount, caller.now, input.reference);
  const later = movements.find(({ at }) => at > caller.now);
  const given = done(situation, {
    status: "captured",
    amount: input.amount,
    ...(later ? { nextEventAt: later.at.toISOString() } : {}),
  });
  if (row.capture === "lost_not_captured" && sends === 1)
    return { answer: { ...given, delivery: "held" }, kept: false };
  if (row.capture === undefined && isRefusedAmount(situation)) return refused("amount_refused");
  return {
    answer: row.capture === "lost_captured" ? { ...given, delivery: "held" } : given,
    kept: true,
    changes: { state: "captured", captured: input.amount, capturedAt: caller.now, resolvesAt: null, resolvesTo: null },
    movements,
    drops: ["capture", "chargeback", "reversal"],
  };
}

const GONE: readonly View["state"][] = ["voided", "expired", "canceled", "refunded"];

function decideVoid(situation: Situation): Verdict {
  const { tx, row, view, input, caller } = situation;
  const amount = view.captured > 0 ? view.captured - view.refunded - view.refundsPending : view.authorized;
  const given = done(situation, { status: "voided", amount });
  const delivered: Answer = row.void === "lost_voided" ? { ...given, delivery: "held" } : given;
  // A repeated void finds its work done: that is success, not an error.
  if (GONE.includes(view.state)) return { answer: given, kept: true };
  if (row.void === undefined && isRefusedAmount(situation)) return refused("amount_refused");
  if (view.state === "pre_authorized" || view.state === "pending") {
    return {
      answer: delivered,
      kept: true,
      changes: { state: "voided", endedAt: caller.now, resolvesAt: null, resolvesTo: null },
      drops: ["capture", "chargeback", "reversal"],
    };
  }
  if (view.captured === 0 || view.chargedBack > 0) return refused("invalid_state");
  const sameDay = view.capturedAt !== null && saoPauloDay(view.capturedAt) === saoPauloDay(caller.now);
  if (row.void === "settled" || !sameDay || tx.method !== "card" || amount <= 0) return refused("already_settled");
  return {
    answer: delivered,
    kept: true,
    changes: { refunded: view.captured },
    movements: [refundMovement(tx, input, amount, caller.now, caller.now)],
    drops: ["chargeback", "reversal"],
  };
}

const refundMovement = (tx: Transaction, input: Modification, amount: number, requestedAt: Date, at: Date): Movement =>
  movement(tx, {
    kind: "refund",
    amount,
    cost: 0,
    at,
    requestedAt,
    reference: input.reference,
    paymentId: input.paymentId ?? null,
  });

function decideRefund(situation: Situation): Verdict {
  const { tx, row, view, input, caller } = situation;
  if (tx.method === "boleto") return refused("refund_not_supported");
  const paid = refundable(view, input.paymentId);
  if (!paid) return refused("invalid_state");
  if (addSeconds(paid.at, PIX_REFUND_DAYS * DAY_SECONDS) < caller.now && tx.method === "pix") {
    return refused("refund_window_expired");
  }
  if (row.refund === "refused") return refused("insufficient_balance");
  if (input.amount > paid.left) return refused("amount_exceeded");
  if (row.refund === undefined && isRefusedAmount(situation)) return refused("amount_refused");
  const { state } = settledState(tx, caller.now);
  const takesAll = input.amount === paid.left;
  const changes: TransactionChanges =
    input.paymentId === undefined && tx.method === "card" && state === "captured"
      ? { state, captured: view.captured, capturedAt: view.capturedAt, refunded: tx.refunded + input.amount }
      : {};
  const waits = row.refund === "pending_done" || row.refund === "pending_failed";
  const isUndone = !waits && caller.clientCall && input.amount === UNDONE_AMOUNT;
  const at = waits || isUndone ? addSeconds(caller.now, REFUND_AFTER_SECONDS) : caller.now;
  const made = refundMovement(tx, input, input.amount, caller.now, at);
  const asked: Movement =
    row.refund === "pending_failed"
      ? { ...made, kind: "refund_failed" }
      : isUndone
        ? { ...made, kind: "refund_undone" }
        : made;
  return {
    answer: done(situation, {
      status: waits ? "refund_pending" : "refunded",
      amount: input.amount,
      refundId: asked.id,
      ...(waits || isUndone ? { nextEventAt: at.toISOString() } : {}),
    }),
    kept: true,
    changes,
    movements: [asked],
    ...(takesAll && !waits ? { drops: ["chargeback", "reversal"] } : {}),
  };
}

/** What is left of the sale, or of one payment that came on top of it. */
function refundable(view: View, paymentId: string | undefined): { left: number; at: Date } | undefined {
  const surplus = view.payments.find((payment) => payment.paymentId === paymentId && payment.surplus);
  if (surplus) {
    const given = view.surplusRefunds.get(surplus.paymentId) ?? 0;
    return { left: surplus.amount - given, at: new Date(surplus.paidAt) };
  }
  if (view.captured === 0 || view.capturedAt === null) return undefined;
  const left = view.captured - view.refunded - view.refundsPending - view.chargedBack;
  return { left, at: view.capturedAt };
}

/** The payer's bank pays what it was not told of in time. */
function isTooLate({ tx: { details }, caller }: Situation): boolean {
  const settleOn = details?.settleOn;
  const { takenBackUntil } = SANDBOX_CAPABILITIES.mandates;
  return typeof settleOn === "string" && caller.now >= saoPauloInstant(addDays(settleOn, -1), takenBackUntil);
}

function decideCancel(situation: Situation): Verdict {
  const { tx, view, caller } = situation;
  if (tx.method === "card") return refused("not_cancelable");
  const given = done(situation, { status: "canceled", amount: tx.amount });
  if (view.state === "canceled" || view.state === "expired") return { answer: given, kept: true };
  if (view.state !== "pending" || view.isPaidAtBank || isTooLate(situation)) return refused("not_cancelable");
  return { answer: given, kept: true, changes: { state: "canceled", endedAt: caller.now }, drops: ["payment"] };
}
