import type { SlotStatus } from "@/db/schema/purchases";
import { RESOLVED } from "@/lib/charges/by-people";
import { apply, applyReconciliation } from "@/lib/charges/engine/apply";
import type { Decision, HistoryEntry } from "@/lib/charges/engine/decision";
import { onQuery } from "@/lib/charges/engine/on-query";
import { reconcile } from "@/lib/charges/engine/reconcile";
import { situationOf } from "@/lib/charges/engine/situation";
import { openAttempt } from "@/lib/charges/engine/with-lease";
import type { Charge } from "@/lib/charges/queries";
import { type Context, now } from "@/lib/context";
import type { AttemptRow } from "@/lib/payments/attempts";
import { AGREEING_ANSWERS_SECONDS } from "@/lib/payments/query-schedule";
import { holdEndOf } from "@/lib/payments/refusals";
import { providerById } from "@/lib/payments/routing/provider";
import type { FoundTransaction, QueryResult } from "@/lib/providers/provider";
import { providerFor } from "@/lib/providers/registry";
import { chargeOfSlot } from "@/lib/purchases/intents";
import type { SlotCall } from "@/lib/purchases/plan";
import type { PaymentRow, Purchase } from "@/lib/purchases/queries";
import type { ProviderTruth } from "@/lib/purchases/review/choices";
import { moveSlot } from "@/lib/purchases/slots";
import { addSeconds } from "@/lib/time";

export interface StatementEvidence {
  slotIndex: number;
  truth: ProviderTruth;
  /** The provider's own id of the transaction, hold or refund that was looked at. */
  providerTransactionId?: string | undefined;
}

/** The attempt whose outcome a person is asked for. */
export const attemptInQuestion = (charge: Charge): AttemptRow | undefined =>
  openAttempt(charge) ?? charge.attempts.find(({ kind }) => kind !== "notice");

/** What the attempt was for: a void of captured money gives money back. */
export function callInQuestion({ row }: Charge, attempt: AttemptRow): SlotCall | undefined {
  const { kind } = attempt;
  if (kind === "void" || kind === "refund") return row.operation === "refund" ? "refund" : "void";
  return kind === "authorize" || kind === "capture" ? kind : undefined;
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
    const { row } = await applyReconciliation(ctx, charge, news(charge, gone(charge, statement), now(ctx)));
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
  const after = isSettled ? charge : await decide(ctx, charge, attempt, told);
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

async function decide(ctx: Context, charge: Charge, attempt: AttemptRow, told: StatementEvidence): Promise<Charge> {
  const provider = await providerById(ctx, attempt.providerId ?? "");
  const longAgo = addSeconds(now(ctx), -2 * AGREEING_ANSWERS_SECONDS);
  // A person's word stands for the two answers of a query that must agree, and nothing is sent once more after it.
  const asked = { ...attempt, absentSince: longAgo, resent: true };
  const decided = onQuery(situationOf(ctx, charge, asked, undefined), answerOf(ctx, charge, attempt, told));
  if (decided.next.do !== "nothing" || decided.charge.reviewReason) throw new Error("a statement that settles nothing");
  // What the provider itself last said is kept.
  const { raw: _none, ...changes } = decided.attempt;
  const decision: Decision = {
    ...decided,
    attempt: changes,
    charge: { ...decided.charge, reviewReason: null, reviewSince: null },
    history: [...decided.history, historyEntryOf(charge, told)],
  };
  return (await apply(ctx, charge, attempt, provider, decision, undefined)).charge;
}

const historyEntryOf = ({ row }: Charge, { truth, providerTransactionId }: StatementEvidence): HistoryEntry => ({
  requestType: "probe",
  amount: row.amount,
  evidence: providerTransactionId ?? row.providerTxId ?? row.id,
  reason: RESOLVED,
  details: { truth },
});

function answerOf(ctx: Context, charge: Charge, attempt: AttemptRow, told: StatementEvidence): QueryResult {
  const found = foundOf(charge, told);
  const { amount, kind, reference } = attempt;
  switch (told.truth) {
    case "held":
      return { ...found, state: "pre_authorized", authorized: amount, reference };
    case "captured":
      return { ...found, state: "authorized", authorized: amount, captured: capturedBy(charge, attempt), reference };
    case "absent":
      return kind === "authorize" ? { kind: "not_found_definitive" } : { ...found, state: "voided" };
    case "refunded":
      return {
        ...found,
        state: kind === "void" ? "voided" : "authorized",
        refunds: [{ refundId: found.providerTxId, reference, amount, status: "done", at: now(ctx).toISOString() }],
      };
  }
}

/** What a question about a capture or a void compares with; a refund leaves what was captured as it was. */
const capturedBy = ({ row }: Charge, { kind, amount }: AttemptRow): number =>
  kind === "capture" ? amount : row.amount;

const gone = (charge: Charge, told: StatementEvidence): FoundTransaction => ({
  ...foundOf(charge, told),
  state: "voided",
});

function foundOf({ row, attempts, brand }: Charge, { providerTransactionId }: StatementEvidence): FoundTransaction {
  const began = attempts.at(-1)?.createdAt ?? row.createdAt;
  const kind = row.providerType ?? attempts.find((attempt) => attempt.kind === "authorize")?.providerType ?? "";
  return {
    kind: "found",
    providerTxId: providerTransactionId ?? row.providerTxId ?? "",
    state: "authorized",
    authorized: row.originalAmount,
    captured: 0,
    refunded: 0,
    chargedBack: row.chargedBackAmount,
    currency: row.currency,
    reference: "",
    duplicates: [],
    refunds: [],
    payments: [],
    // From the first attempt on: a person does not read it off, and too soon is safe.
    expiresAt: holdEndOf(providerFor(kind).capabilities, brand, began).toISOString(),
    raw: { headers: {}, body: null },
  };
}

/** Rows S17 and S18 in one: the money left the provider by somebody else's hand. */
async function giveBack(
  ctx: Context,
  purchase: Purchase,
  slot: PaymentRow,
  charge: Charge,
  statement: StatementEvidence,
): Promise<Purchase> {
  const amount = charge.row.capturedAmount - charge.row.refundedAmount;
  const refundId = `${charge.row.id}:${statement.providerTransactionId ?? RESOLVED}`;
  const found: FoundTransaction = {
    ...foundOf(charge, statement),
    refunds: [{ refundId, amount, status: "done", at: now(ctx).toISOString() }],
  };
  const { row } = await applyReconciliation(ctx, charge, news(charge, found, now(ctx)));
  const intended = await moveSlot(ctx, purchase, slot, "refund.intended");
  return moveSlot(ctx, intended, again(intended, slot), "refund.done", {
    refundedAmount: row.refundedAmount,
    wasCaptured: true,
  });
}

/** What the engine makes of news, told as a person's. */
function news(charge: Charge, found: FoundTransaction, at: Date) {
  const told = reconcile(charge, found, at);
  return {
    ...told,
    charge: { ...told.charge, reviewReason: null, reviewSince: null },
    jobs: told.jobs.filter(({ kind }) => kind !== "charge.watch"),
    history: told.history.map((entry) => ({ ...entry, reason: RESOLVED })),
  };
}

function again({ payments }: Purchase, { id }: PaymentRow): PaymentRow {
  const slot = payments.find((one) => one.id === id);
  if (!slot) throw new Error("a card that left its purchase");
  return slot;
}
