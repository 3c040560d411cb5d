import type { SlotStatus } from "@/db/schema/purchases";
import { applyReconciliation } from "@/lib/charges/engine/apply";
import type { Charge } from "@/lib/charges/queries";
import {
  attemptInQuestion,
  callInQuestion,
  gone,
  newsByWord,
  type ProviderTruth,
  type Statement,
  settleByWord,
  wentBack,
} from "@/lib/charges/review/statement";
import { type Context, now } from "@/lib/context";
import { chargeOfSlot } from "@/lib/purchases/intents";
import type { PaymentRow, Purchase } from "@/lib/purchases/queries";
import { moveSlot } from "@/lib/purchases/slots";

export interface StatementEvidence extends Statement {
  slotIndex: number;
}

const ANY: readonly ProviderTruth[] = ["held", "captured", "absent", "refunded"];
const MONEY: readonly ProviderTruth[] = ["captured", "refunded"];

/** What can be said of a card: of one whose outcome is known only what a person may have changed at the provider. */
export function truthsOf(slot: PaymentRow, charge: Charge | undefined): readonly ProviderTruth[] {
  switch (slot.status) {
    case "undetermined":
      return charge?.row.status === "authorized" || charge?.row.operation === "refund" ? MONEY : ANY;
    case "pre_authorized":
      return ["held", "absent"];
    case "authorized":
      return MONEY;
    default:
      return [];
  }
}

/** Writes a person's word for a card as the answer of a query would be written: the same decisions, books and events. */
export async function recordStatement(
  ctx: Context,
  purchase: Purchase,
  slot: PaymentRow,
  statement: StatementEvidence,
): Promise<Purchase> {
  if (slot.status === "undetermined") return settle(ctx, purchase, slot, statement);
  const charge = await chargeOfSlot(ctx, slot);
  if (slot.status === "pre_authorized" && statement.truth === "absent") {
    const { row } = await applyReconciliation(ctx, charge, newsByWord(charge, gone(charge, statement), now(ctx)));
    return moveSlot(ctx, purchase, slot, "hold.ended", { refundedAmount: row.refundedAmount });
  }
  return slot.status === "authorized" && statement.truth === "refunded"
    ? giveBack(ctx, purchase, slot, charge, statement)
    : purchase;
}

/** Rows S8 to S20 by evidence of a person. */
async function settle(
  ctx: Context,
  purchase: Purchase,
  slot: PaymentRow,
  statement: StatementEvidence,
): Promise<Purchase> {
  const charge = await chargeOfSlot(ctx, slot);
  const attempt = attemptInQuestion(charge);
  if (!attempt) throw new Error("a card of unknown outcome without an attempt");
  const call = callInQuestion(charge, attempt);
  // Money given back was taken before: two rows, two journals.
  const isTakenFirst = statement.truth === "refunded" && call !== "refund";
  const told: StatementEvidence = isTakenFirst ? { ...statement, truth: "captured" } : statement;
  const isSettled = charge.row.operation === null && charge.row.status !== "pending";
  const after = isSettled ? charge : await settleByWord(ctx, charge, attempt, told);
  const { row } = after;
  const fact = SETTLED_AS[row.status];
  if (!fact) throw new Error(`a statement that leaves the charge ${row.status}`);
  const declined = after.attempts.find(({ id }) => id === attempt.id)?.providerError?.declinedCode;
  const moved = await moveSlot(ctx, purchase, slot, fact, {
    refused: false,
    refundedAmount: row.refundedAmount,
    wasCaptured: slot.wasCaptured || row.capturedAmount > 0,
    ...(fact === "authorize.declined" ? { declineReason: declined ?? "generic" } : {}),
  });
  return isTakenFirst ? giveBack(ctx, moved, again(moved, slot), after, statement) : moved;
}

/** From undetermined the tables lead to each of these by one row or another. */
const SETTLED_AS: Partial<Record<Charge["row"]["status"], string>> = {
  pre_authorized: "authorize.approved",
  authorized: "capture.captured",
  voided: "void.voided",
  failed: "authorize.declined",
} satisfies Partial<Record<SlotStatus, string>>;

/** Rows S17 and S18 in one: the money left the provider by somebody else's hand. */
async function giveBack(
  ctx: Context,
  purchase: Purchase,
  slot: PaymentRow,
  charge: Charge,
  statement: StatementEvidence,
): Promise<Purchase> {
  const { row } = await applyReconciliation(ctx, charge, wentBack(charge, statement, now(ctx)));
  const intended = await moveSlot(ctx, purchase, slot, "refund.intended");
  return moveSlot(ctx, intended, again(intended, slot), "refund.done", {
    refundedAmount: row.refundedAmount,
    wasCaptured: true,
  });
}

function again({ payments }: Purchase, { id }: PaymentRow): PaymentRow {
  const slot = payments.find((one) => one.id === id);
  if (!slot) throw new Error("a card that left its purchase");
  return slot;
}
