import { purchaseOperations, purchasePayments, type ReviewReason } from "@/db/schema/purchases";
import { changedRow } from "@/db/stored";
import { change, type Write } from "@/db/writes";
import type { Decision } from "@/lib/charges/engine/decision";
import type { Charge } from "@/lib/charges/queries";
import { type Context, now } from "@/lib/context";
import { type AttemptRow, isOpen, updateAttempt } from "@/lib/payments/attempts";
import type { ClaimedOperation } from "@/lib/purchases/claim";
import { CONTRADICTION, slotFact } from "@/lib/purchases/facts";
import { slotMachine } from "@/lib/purchases/machine";
import { recordedMove } from "@/lib/purchases/moves";
import {
  announcePurchase,
  type Moving,
  moveOperation,
  movePurchase,
  withOperation,
  writeMoves,
} from "@/lib/purchases/operations";
import type { OperationRow, PaymentRow, Purchase } from "@/lib/purchases/queries";

const NOTHING: readonly Write[] = [];

type SlotChanges = Partial<typeof purchasePayments.$inferInsert>;

/** One row of the slot's table, by compare-and-set; the purchase is locked. */
export async function moveSlot(
  ctx: Context,
  purchase: Purchase,
  slot: PaymentRow,
  fact: string,
  changes: SlotChanges = {},
): Promise<Purchase> {
  const { after, writes } = movingSlot(ctx, purchase, slot, fact, changes);
  await writeMoves(ctx, writes);
  return after;
}

export function movingSlot(
  ctx: Context,
  purchase: Purchase,
  slot: PaymentRow,
  fact: string,
  changes: SlotChanges = {},
): Moving<Purchase> {
  const all = { ...changes, status: slotMachine.next(slot.status, fact), updatedAt: now(ctx) };
  const moved = changedRow(purchasePayments, slot, all);
  const { id, slotIndex, operationId } = moved;
  const writes = [
    change(purchasePayments, all, { id, status: slot.status }, { isMust: true }),
    recordedMove(ctx, purchase.row.id, "slot", slotMachine.row(slot.status, fact), { slotIndex, operationId }),
  ];
  return {
    after: { ...purchase, payments: purchase.payments.map((one) => (one.id === id ? moved : one)) },
    writes,
  };
}

export function slotOf(purchase: Purchase, chargeId: string): PaymentRow {
  const slot = purchase.payments.find((one) => one.chargeId === chargeId);
  if (!slot) throw new Error("a charge that is no card of its purchase");
  return slot;
}

/** Records on slot, operation and purchase what the evidence just written on the charge means for them. */
export async function settleSlot(
  ctx: Context,
  held: ClaimedOperation,
  before: Charge,
  after: Charge,
  attemptId: string,
  decision: Decision,
): Promise<Moving<ClaimedOperation>> {
  const slot = slotOf(held.purchase, after.row.id);
  if (decision.next.do !== "nothing") return passOn(ctx, held, slot, decision);
  if (decision.isUnsent) return { after: held, writes: NOTHING };
  const attempt = after.attempts.find(({ id }) => id === attemptId);
  if (!attempt) throw new Error("the attempt just answered is missing");
  const fact = slotFact(attempt, after.row, before.row.operation === "refund");
  const { after: purchase, writes: moved } = recordFact(ctx, held.purchase, slot, after, attempt, fact);
  const kept = REFUSALS.has(fact) ? keepError(held.operation, attempt) : undefined;
  const operation = kept?.operation ?? held.operation;
  const settled = { purchase: withOperation(purchase, operation), operation };
  const writes = [...moved, ...(kept?.writes ?? [])];
  const reason = decision.charge.reviewReason ?? (fact === CONTRADICTION ? "reconciliation_failed" : undefined);
  if (!reason) return { after: settled, writes };
  await writeMoves(ctx, writes);
  return { after: await openReview(ctx, settled, reason), writes: NOTHING };
}

/** Row S5: another provider is tried under the same slot. A call sent again changes nothing yet. */
function passOn(ctx: Context, held: ClaimedOperation, slot: PaymentRow, { next }: Decision): Moving<ClaimedOperation> {
  if (next.do !== "attempt" || next.kind !== "authorize") return { after: held, writes: NOTHING };
  if (slot.status === "undetermined") {
    const { after: purchase, writes } = movingSlot(ctx, held.purchase, slot, "authorize.passed_on");
    return { after: { ...held, purchase }, writes };
  }
  const move = recordedMove(ctx, held.purchase.row.id, "slot", slotMachine.row(slot.status, "authorize.passed_on"), {
    slotIndex: slot.slotIndex,
    operationId: held.operation.id,
  });
  return { after: held, writes: [move] };
}

/** Row S20: why a provider refused stays on the operation. */
function keepError(operation: OperationRow, { providerError }: AttemptRow) {
  const error = providerError?.declinedCode ?? "generic";
  const writes = [change(purchaseOperations, { error }, { id: operation.id })];
  return { operation: { ...operation, error }, writes };
}

function recordFact(
  ctx: Context,
  purchase: Purchase,
  slot: PaymentRow,
  { row }: Charge,
  attempt: AttemptRow,
  fact: string,
): Moving<Purchase> {
  const isUnknown = fact === "call.undetermined" || fact === CONTRADICTION;
  if (isUnknown && slot.status !== "processing") return { after: purchase, writes: NOTHING };
  if (isUnknown) return movingSlot(ctx, purchase, slot, "call.undetermined");
  const isRefused = REFUSALS.has(fact);
  return movingSlot(ctx, purchase, slot, fact, {
    refused: isRefused,
    refundedAmount: row.refundedAmount,
    wasCaptured: slot.wasCaptured || row.capturedAmount > 0,
    ...(DECLINES.has(fact) ? { declineReason: attempt.providerError?.declinedCode ?? "generic" } : {}),
  });
}

const REFUSALS: ReadonlySet<string> = new Set([
  "authorize.declined",
  "capture.refused",
  "capture.hold_gone",
  "void.refused",
  "refund.refused",
]);
const DECLINES: ReadonlySet<string> = new Set(["authorize.declined", "capture.refused"]);

/** Rows O11, P9 and S24: automation stops and people must look. The first anomaly's reason and instant stay. */
export async function openReview(
  ctx: Context,
  held: ClaimedOperation,
  reason: ReviewReason,
): Promise<ClaimedOperation> {
  const operation = await moveOperation(ctx, held.operation, "review.opened", {
    error: reason,
    leaseUntil: null,
    runAt: null,
  });
  let { purchase } = held;
  for (const slot of purchase.payments) {
    if (slot.status === "processing") purchase = await moveSlot(ctx, purchase, slot, "call.undetermined");
  }
  for (const slot of purchase.payments) {
    if (slot.status === "undetermined") purchase = await moveSlot(ctx, purchase, slot, "review.opened");
  }
  const isFirst = purchase.row.reviewReason === null;
  const row = await movePurchase(ctx, purchase.row, "review.opened", {
    ...(isFirst ? { reviewReason: reason, reviewSince: now(ctx) } : {}),
  });
  purchase = withOperation({ ...purchase, row }, operation);
  await announcePurchase(ctx, purchase, "pending_review");
  return { purchase, operation };
}

/** What may have been sent is unknown from now on, whoever sent it. */
export async function closeOpenAttempts(ctx: Context, charges: readonly Charge[]): Promise<void> {
  for (const { attempts } of charges) {
    for (const attempt of attempts.filter((one) => one.kind !== "notice" && isOpen(one))) {
      await updateAttempt(ctx, attempt.id, { state: "undetermined", requestStatus: "processing" });
    }
  }
}
