import { RESOLVED } from "@/lib/charges/by-people";
import { apply } from "@/lib/charges/engine/apply";
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
import { addSeconds } from "@/lib/time";

/** What is true of a payment at its provider, in the words of a person who looked. */
export const TRUTHS = ["held", "captured", "absent", "refunded"] as const;
export type ProviderTruth = (typeof TRUTHS)[number];

export interface Statement {
  truth: ProviderTruth;
  /** The provider's own id of the transaction, hold or refund that was looked at. */
  providerTransactionId?: string | undefined;
}

/** `offer`: a Pix code, a boleto or a wallet's page to pay by; `close`: taking it off again. */
export type CallInQuestion = "authorize" | "capture" | "void" | "refund" | "offer" | "close";

/** What was said leaves the outcome as unknown as it was, or asks for another call. */
export class SettlesNothing extends Error {}

/** The attempt whose outcome a person is asked for. */
export const attemptInQuestion = (charge: Charge): AttemptRow | undefined =>
  openAttempt(charge) ?? charge.attempts.find(({ kind }) => kind !== "notice");

/** What the attempt was for: a void of captured money gives money back. */
export function callInQuestion({ row }: Charge, attempt: AttemptRow): CallInQuestion | undefined {
  const { kind } = attempt;
  if (kind === "void" || kind === "refund") return row.operation === "refund" ? "refund" : "void";
  if (isOffer(kind)) return "offer";
  if (kind === "cancel_open") return "close";
  return kind === "authorize" || kind === "capture" ? kind : undefined;
}

const isOffer = (kind: AttemptRow["kind"]): boolean => kind === "pix" || kind === "boleto" || kind === "wallet";

/** Rows S8 to S20 by the word of a person: the same decisions, books and events as of an answer to a query. */
export async function settleByWord(
  ctx: Context,
  charge: Charge,
  attempt: AttemptRow,
  told: Statement,
): Promise<Charge> {
  const provider = await providerById(ctx, attempt.providerId ?? "");
  const longAgo = addSeconds(now(ctx), -2 * AGREEING_ANSWERS_SECONDS);
  // A person's word stands for the two answers of a query that must agree, and nothing is sent once more after it.
  const asked = { ...attempt, absentSince: longAgo, resent: true };
  const decided = onQuery(situationOf(ctx, charge, asked, undefined), answerOf(ctx, charge, attempt, told));
  if (decided.next.do !== "nothing" || decided.charge.reviewReason)
    throw new SettlesNothing("a statement that settles nothing");
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

const historyEntryOf = ({ row }: Charge, { truth, providerTransactionId }: Statement): HistoryEntry => ({
  requestType: "probe",
  amount: row.amount,
  evidence: providerTransactionId ?? row.providerTxId ?? row.id,
  reason: RESOLVED,
  details: { truth },
});

function answerOf(ctx: Context, charge: Charge, attempt: AttemptRow, told: Statement): QueryResult {
  const found = foundOf(charge, told);
  const { amount, kind, reference } = attempt;
  switch (told.truth) {
    case "held":
      return { ...found, state: "pre_authorized", authorized: amount, reference };
    case "captured":
      return { ...found, state: "authorized", authorized: amount, captured: capturedBy(charge, attempt), reference };
    case "absent":
      return kind === "authorize" || isOffer(kind) ? { kind: "not_found_definitive" } : { ...found, state: "voided" };
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

export const gone = (charge: Charge, told: Statement): FoundTransaction => ({
  ...foundOf(charge, told),
  state: "voided",
});

export function foundOf({ row, attempts, brand }: Charge, { providerTransactionId }: Statement): FoundTransaction {
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
    ...(row.cardId ? { expiresAt: holdEndOf(providerFor(kind).capabilities, brand, began).toISOString() } : {}),
    raw: { headers: {}, body: null },
  };
}

/** What the engine makes of news, told as a person's. */
export function newsByWord(charge: Charge, found: FoundTransaction, at: Date) {
  const told = reconcile(charge, found, at);
  return {
    ...told,
    charge: { ...told.charge, reviewReason: null, reviewSince: null },
    jobs: told.jobs.filter(({ kind }) => kind !== "charge.watch"),
    history: told.history.map((entry) => ({ ...entry, reason: RESOLVED })),
  };
}

/** The money left the provider by somebody else's hand. */
export function wentBack(charge: Charge, told: Statement, at: Date) {
  const amount = charge.row.capturedAmount - charge.row.refundedAmount;
  const refundId = `${charge.row.id}:${told.providerTransactionId ?? RESOLVED}`;
  const refunds = [{ refundId, amount, status: "done" as const, at: at.toISOString() }];
  return newsByWord(charge, { ...foundOf(charge, told), refunds }, at);
}
