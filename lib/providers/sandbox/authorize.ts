import { systemSql } from "@/db/client";
import { derivedBeside } from "@/lib/ids";
import { cvvValidates, type Decision, decide } from "@/lib/providers/sandbox/decide";
import { type Effects, effectsOnNew } from "@/lib/providers/sandbox/effects";
import { captureMovements, notificationsOf } from "@/lib/providers/sandbox/events";
import { isPlain, type OutcomeRow, outcomeRow } from "@/lib/providers/sandbox/outcomes";
import { repeated, settleRepeat } from "@/lib/providers/sandbox/repeat";
import {
  type Answer,
  answer,
  before,
  type CallDetails,
  callOf,
  cardFingerprint,
  closed,
  deliver,
  OK,
  tooMany,
} from "@/lib/providers/sandbox/reply";
import { countUse, insertPayment, recordCall, type Transaction } from "@/lib/providers/sandbox/store";
import { approvalNumbers, declineOfTransaction } from "@/lib/providers/sandbox/view";
import type { AuthorizationReply, AuthorizationRequest, Caller, SimulatorReply } from "@/lib/providers/sandbox/wire";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

const HOLD_SECONDS = 7 * DAY_SECONDS;
/** A challenge that nobody answers ends by itself. */
export const CHALLENGE_SECONDS = 10;
const RETRY_AFTER_SECONDS = 2;

export async function authorize(caller: Caller, input: AuthorizationRequest): Promise<SimulatorReply> {
  const sql = systemSql();
  const effects: Effects = caller.scenario === undefined ? {} : await effectsOnNew(sql, caller);
  const details = detailsOf(input);
  const instead = before(effects);
  if (instead === "closed") return closed;
  if (instead) return refusedSend(caller, details, instead, effects);

  const decision = decide({
    pan: input.card.number,
    cvv: input.card.cvv,
    buyerDocument: input.payer.document,
    buyerEmail: input.payer.email,
    attemptId: input.attemptId,
    threeDS: input.threeDS,
    analysisFollows: input.analysisFollows,
    outcome: effects.outcome,
  });
  const row = outcomeRow(decision.code);
  if (row.delivery === "too_many" && (await countUse(sql, caller.clientId, `send:${input.reference}`)) === 1) {
    return refusedSend(caller, details, tooMany(RETRY_AFTER_SECONDS), effects);
  }
  if (row.authorize === "unrecorded") {
    await recordCall(sql, callOf(caller, { ...details, kept: false }, null, effects));
    return deliver({ ...answer({}), delivery: "held" }, effects);
  }

  const tx = transactionOf(caller, input, decision, row);
  const given = { ...answer(replyTo(caller, input, tx)), latencyMs: decision.latencyMs };
  const call = callOf(caller, details, given, effects);
  const capturedAt = tx.capturedAt ?? (tx.resolvesTo === "captured" ? tx.resolvesAt : null);
  const movements = capturedAt ? captureMovements(tx, row, tx.authorized, capturedAt, tx.reference) : [];
  const resolution = tx.resolvesAt ? [{ type: "payment.resolved" as const, at: tx.resolvesAt }] : [];
  const notifications = await notificationsOf(
    sql,
    tx,
    movements.filter(({ kind }) => kind !== "capture"),
    resolution,
  );
  const isNew = await insertPayment(tx, call, movements, notifications).catch(settleRepeat);
  if (isNew === true) return deliver({ ...given, ...disturbance(row) }, effects);
  return deliver(await repeatOf(caller, call.fingerprint, isNew, row.duplicates ? tx : null, input), effects);
}

async function repeatOf(
  caller: Caller,
  fingerprint: Buffer | null,
  clash: false | Answer,
  original: Transaction | null,
  input: AuthorizationRequest,
): Promise<Answer> {
  if (clash) return clash;
  const kept = await repeated(systemSql(), caller, fingerprint);
  if (!original || kept.status !== OK) return kept;
  return secondTransaction(caller, original, input);
}

/** Outcome 217: the repeated reference is not recognised and authorised again. */
async function secondTransaction(caller: Caller, original: Transaction, input: AuthorizationRequest): Promise<Answer> {
  const copy: Transaction = {
    ...original,
    id: derivedBeside(original.reference, "sandbox", caller.clientId, caller.providerId, original.reference, 1),
    copy: 1,
  };
  const given = answer(replyTo(caller, input, copy));
  const keyless = { ...caller, idempotencyKey: undefined };
  const movements =
    copy.state === "captured"
      ? captureMovements(copy, outcomeRow(copy.outcome), copy.captured, caller.now, copy.reference)
      : [];
  await insertPayment(copy, callOf(keyless, { ...detailsOf(input), kept: false }, given), movements).catch(
    settleRepeat,
  );
  return given;
}

async function refusedSend(
  caller: Caller,
  details: CallDetails,
  given: Answer,
  effects: Effects,
): Promise<SimulatorReply> {
  await recordCall(systemSql(), callOf(caller, { ...details, kept: false }, given, effects));
  return deliver(given, effects);
}

function disturbance(row: OutcomeRow): Partial<Answer> {
  if (row.delivery === "lost") return { delivery: "held" };
  if (row.delivery === "http_500" || row.delivery === "truncated") return { delivery: row.delivery };
  return {};
}

/** What `sandbox_calls` shows of it: never a PAN or a CVV. */
function detailsOf(input: AuthorizationRequest): CallDetails {
  const { card, ...rest } = input;
  const number = `${card.number.slice(0, 6)}******${card.number.slice(-4)}`;
  return {
    operation: "authorize",
    reference: input.reference,
    kept: true,
    request: { ...rest, card: { number, brand: card.brand, expMonth: card.expMonth, expYear: card.expYear } },
  };
}

function transactionOf(caller: Caller, input: AuthorizationRequest, decision: Decision, row: OutcomeRow): Transaction {
  const declined = decision.declinedCode !== undefined && row.resolves === undefined;
  const refusedChallenge = row.authorize === "challenge" && decision.declinedCode === "authentication_error";
  const waits = !refusedChallenge && (row.authorize === "processing" || row.authorize === "challenge");
  const authorized = input.amount - (row.short ?? 0);
  const approvedState = input.capture && authorized > 0 ? "captured" : "held";
  const state = waits ? "pending" : declined || refusedChallenge ? "declined" : approvedState;
  const waitSeconds = row.authorize === "challenge" ? CHALLENGE_SECONDS : caller.delaySeconds;
  const end = row.resolves === "approve" ? approvedState : "declined";
  return {
    id: derivedBeside(input.reference, "sandbox", caller.clientId, caller.providerId, input.reference, 0),
    clientId: caller.clientId,
    providerId: caller.providerId,
    chargeId: caller.chargeId,
    reference: input.reference,
    copy: 0,
    method: "card",
    outcome: row.code,
    declinedCode: decision.declinedCode ?? null,
    brand: input.card.brand,
    cardFingerprint: cardFingerprint(input.card.number),
    state,
    plain: caller.scenario === undefined && isPlain(row) && (state === "held" || state === "captured"),
    currency: input.currency,
    amount: input.amount,
    authorized: state === "declined" ? 0 : authorized,
    captured: state === "captured" ? authorized : 0,
    refunded: 0,
    installments: input.installments,
    capturedAt: state === "captured" ? caller.now : null,
    endedAt: null,
    resolvesAt: waits && row.resolves ? addSeconds(caller.now, waitSeconds) : null,
    resolvesTo: waits && row.resolves ? end : null,
    expiresAt: state === "declined" ? null : addSeconds(caller.now, HOLD_SECONDS),
    delaySeconds: caller.delaySeconds,
    scenario: caller.scenario ?? null,
    details: { cardMethod: input.method },
    createdAt: caller.now,
  };
}

const STATUS = {
  held: "authorized",
  captured: "captured",
  declined: "declined",
  pending: "processing",
} as const;

function replyTo(caller: Caller, input: AuthorizationRequest, tx: Transaction): AuthorizationReply {
  const challenge = tx.state === "pending" && outcomeRow(tx.outcome).authorize === "challenge";
  const approved = tx.state === "held" || tx.state === "captured";
  const state = tx.state === "held" || tx.state === "captured" || tx.state === "declined" ? tx.state : "pending";
  return {
    id: tx.id,
    reference: tx.reference,
    status: challenge ? "challenge" : STATUS[state],
    amount: approved ? tx.authorized : tx.amount,
    currency: tx.currency,
    installments: tx.installments,
    cvvChecked: cvvValidates(input.card.cvv),
    ...(approved ? { ...approvalNumbers(tx.id), networkTransactionId: tx.id.replaceAll("-", "").slice(-15) } : {}),
    ...(tx.state === "held" && tx.expiresAt ? { expiresAt: tx.expiresAt.toISOString() } : {}),
    ...(tx.resolvesAt ? { nextEventAt: tx.resolvesAt.toISOString() } : {}),
    ...(challenge ? { redirectUrl: `${caller.publicUrl}/sandbox/3ds/${tx.id}` } : {}),
    ...(tx.state === "declined" ? { decline: declineOfTransaction(tx) } : {}),
    at: caller.now.toISOString(),
  };
}
