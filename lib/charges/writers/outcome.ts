import { charges, transactionRequests } from "@/db/schema/charges";
import { findRows } from "@/db/statements";
import { changedRow } from "@/db/stored";
import { change, type Write, writeTogether } from "@/db/writes";
import { firstApproval, markFirstAnswer } from "@/lib/cards/service";
import { answerKeys } from "@/lib/charges/answer";
import { credentialKept } from "@/lib/charges/engine/card-credential";
import type { Decision } from "@/lib/charges/engine/decision";
import { countDecline } from "@/lib/charges/engine/failover";
import { CHARGE_LEASE_SECONDS, holdCharge, LeaseLost, leaseEnd } from "@/lib/charges/engine/lease";
import { chargeMachine } from "@/lib/charges/machine";
import type { Charge, ChargeRow } from "@/lib/charges/queries";
import { writeHistory } from "@/lib/charges/writers/history";
import { ALL_ANSWERED, answers, jobs, news } from "@/lib/charges/writers/told";
import { type Context, inOneStatement, now } from "@/lib/context";
import { type AttemptRow, nextAttemptRow, plannedAttempt } from "@/lib/payments/attempts";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import { pipelined } from "@/lib/pipeline";
import { bookings, type Draft, draftsOf, isBookedByOthers, readDrafts, unlockedDrafts } from "@/lib/receivables/book";
import { addSeconds, realNow } from "@/lib/time";

/** The attempt that was answered. */
export interface AnsweredAttempt {
  attempt: AttemptRow;
  provider: RoutedProvider;
  responseMs: number | undefined;
}

export interface WrittenOutcome {
  charge: Charge;
  /** The attempt to send next, already written. */
  attempt: AttemptRow | undefined;
}

type AttemptChanges = Partial<typeof transactionRequests.$inferInsert>;

/**
 * Writes one decision whole: charge, evidence, ledger, events, jobs, the next intent and, at the end, the kept answer.
 * The charge under its epoch is the gate: whoever lost the lease writes nothing. Without `answered` it is what a
 * provider did by itself.
 */
export async function writeOutcome(
  ctx: Context,
  charge: Charge,
  decision: Decision,
  answered: AnsweredAttempt | undefined,
): Promise<WrittenOutcome> {
  const first = await readFirst(ctx, charge, decision, answered);
  const { writes, tells, ...made } = planned(ctx, charge, decision, answered, first);
  const { cardId } = charge.row;
  const [written] = await pipelined([
    writeTogether(ctx.db, writes),
    decision.card && tells && cardId ? markFirstAnswer(ctx, cardId, decision.card) : undefined,
    decision.counted && answered ? countDecline(ctx, charge.row, decision.counted) : undefined,
  ]);
  if (!isWritten(writes, written)) throw new LeaseLost();
  // Requests about the charge that nobody has answered yet.
  if (writes[0]?.as === ALL_ANSWERED && written[0] !== 1) await answerKeys(ctx, made.charge);
  return made;
}

/** The same in one statement that is a transaction, where that is enough; undefined where it is not, or was refused. */
export async function writeOutcomeAlone(
  ctx: Context,
  charge: Charge,
  decision: Decision,
  answered: AnsweredAttempt,
): Promise<WrittenOutcome | undefined> {
  const isOfLink = charge.row.sessionId !== null && charge.row.purchaseId === null;
  if (isOfLink || decision.counted || decision.history.length > 0 || mayBeNoted(decision, answered)) return undefined;
  const drafts = await unlockedDrafts(ctx, decision.journals);
  if (!drafts) return undefined;
  const first = { attempt: answered.attempt, drafts, history: [] };
  const { writes, tells, ...made } = planned(ctx, charge, decision, answered, first);
  if (tells) return undefined;
  const written = await inOneStatement(
    ctx,
    writes.map((write) => (write.as === ALL_ANSWERED ? { ...write, isGate: true } : write)),
  );
  return written && isWritten(writes, written) ? made : undefined;
}

/**
 * What is decided without an answer of a provider, as writes of the caller's statement: for a charge that is locked, and
 * known as it stands. The statement fails where it is not.
 */
export function outcomeWrites(ctx: Context, charge: Charge, decision: Decision): { after: Charge; writes: Write[] } {
  if (needsFirst(decision, undefined)) throw new Error("an outcome for which something is to be read first");
  const first = { attempt: undefined, drafts: draftsOf(ctx, decision.journals), history: [] };
  const { charge: after, writes } = planned(ctx, charge, decision, undefined, first);
  return { after, writes: writes.map((write) => (write.as === MOVED ? { ...write, isMust: true } : write)) };
}

/** Whether the charge was still this worker's; what it answered is then there to be changed. */
function isWritten(writes: readonly Write[], written: readonly number[]): boolean {
  const isMoved = written[writes.findIndex(({ as }) => as === MOVED)] === 1;
  const lost = writes.some(({ as }, index) => as?.startsWith(ANSWERED) && written[index] !== 1);
  if (isMoved && lost) throw new Error("an attempt vanished");
  return isMoved;
}

const MOVED = "moved_charge";
const ANSWERED = "answered_";

interface Planned extends WrittenOutcome {
  writes: Write[];
  /** What the answer says of the card is to be told by itself: the card is not known here. */
  tells: boolean;
}

/** The rows of it all; touches nothing. */
function planned(
  ctx: Context,
  charge: Charge,
  decision: Decision,
  answered: AnsweredAttempt | undefined,
  { attempt, drafts, history }: First,
): Planned {
  const isDriven = decision.next.do !== "nothing";
  const isLeased = isDriven && charge.row.purchaseId === null;
  const at = now(ctx);
  const changes = chargeChanges(at, charge.row, decision, answered?.attempt);
  const row: ChargeRow = {
    ...changedRow(charges, charge.row, changes),
    // Only the database's clock is compared: this one is for whoever looks at the row in memory.
    leaseUntil: isLeased ? addSeconds(realNow(), CHARGE_LEASE_SECONDS) : null,
  };
  const changed = [
    ...(attempt && answered ? [{ id: attempt.id, changes: evidenceOf(decision, answered) }] : []),
    ...decision.closes,
  ].map((one) => ({ id: one.id, changes: { ...one.changes, updatedAt: at } }));
  const known = charge.attempts.map((one) =>
    changed.reduce(
      (seen, { id, changes: to }) => (id === one.id ? changedRow(transactionRequests, seen, to) : seen),
      attempt?.id === one.id ? attempt : one,
    ),
  );
  const attempts = [...history, ...known];
  const next = answered && nextOf(ctx, row, attempts, decision, answered.provider);
  const moved: Charge = { ...charge, row, attempts: next ? [next, ...attempts] : attempts };
  const { paidWith } = charge;
  const approval =
    paidWith && answered && decision.card?.kind === "approved"
      ? firstApproval(ctx, paidWith, decision.card.cvvChecked)
      : undefined;
  const told = news(ctx, charge.row, moved, decision.events);
  const asked = answered && !isDriven ? answers(ctx, moved, told.last) : undefined;
  const writes = [
    ...(asked ? [asked.look] : []),
    change(
      charges,
      { ...changes, leaseUntil: isLeased ? leaseEnd : null },
      { id: charge.row.id, epoch: charge.row.epoch },
      { isGate: true, as: MOVED },
    ),
    ...changed.map((one, index) =>
      change(transactionRequests, one.changes, { id: one.id }, { as: `${ANSWERED}${index}` }),
    ),
    ...(next ? [plannedAttempt(next)] : []),
    ...(approval ?? []),
    ...(answered && decision.networkTransactionId
      ? credentialKept(ctx, charge, answered.attempt, decision.networkTransactionId)
      : []),
    ...bookings(ctx, drafts),
    ...jobs(ctx, charge, moved, decision, answered?.attempt),
    ...told.writes,
    ...(asked ? asked.kept : []),
  ];
  return {
    charge: moved,
    attempt: isDriven ? (next ?? known.find(({ id }) => id === attempt?.id)) : undefined,
    writes,
    tells: answered !== undefined && decision.card !== undefined && charge.row.cardId !== null && !approval,
  };
}

interface First {
  attempt: AttemptRow | undefined;
  drafts: readonly Draft[];
  history: AttemptRow[];
}

/** The adapter may have noted the provider's id during the call. */
const mayBeNoted = ({ attempt: decided }: Decision, { attempt }: AnsweredAttempt): boolean =>
  attempt.transactionId === null && decided.transactionId === undefined;

const needsFirst = (decision: Decision, answered: AnsweredAttempt | undefined): boolean =>
  decision.history.length > 0 ||
  decision.journals.some(isBookedByOthers) ||
  (answered !== undefined && mayBeNoted(decision, answered));

/** What most outcomes need not read, nor write beforehand; under the lock of the charge. */
async function readFirst(
  ctx: Context,
  charge: Charge,
  decision: Decision,
  answered: AnsweredAttempt | undefined,
): Promise<First> {
  if (!needsFirst(decision, answered))
    return { attempt: answered?.attempt, drafts: draftsOf(ctx, decision.journals), history: [] };
  const row = changedRow(charges, charge.row, decision.charge);
  const isNoted = answered !== undefined && mayBeNoted(decision, answered);
  const [, drafts, noted, history] = await pipelined([
    holdCharge(ctx, charge.row),
    decision.journals.some(isBookedByOthers) ? readDrafts(ctx, decision.journals) : draftsOf(ctx, decision.journals),
    isNoted ? findRows(ctx.db, transactionRequests, { id: answered.attempt.id }) : [],
    decision.history.length > 0 ? writeHistory(ctx, { row, attempts: charge.attempts }, decision.history) : [],
  ]);
  return { attempt: noted[0] ?? answered?.attempt, drafts, history };
}

const evidenceOf = (decision: Decision, { attempt, responseMs }: AnsweredAttempt): AttemptChanges => ({
  ...decision.attempt,
  ...(responseMs === undefined ? {} : { responseMs }),
  ...(decision.queryAt ? { queries: attempt.queries + 1 } : {}),
});

function nextOf(
  ctx: Context,
  { id, providerTxId }: ChargeRow,
  known: readonly AttemptRow[],
  { next }: Decision,
  provider: RoutedProvider,
): AttemptRow | undefined {
  if (next.do !== "attempt") return undefined;
  return nextAttemptRow(ctx, known, {
    chargeId: id,
    kind: next.kind,
    amount: next.amount,
    provider: next.provider ?? provider,
    transactionId: next.kind === "authorize" ? null : (next.transactionId ?? providerTxId),
  });
}

function chargeChanges(at: Date, from: ChargeRow, decision: Decision, answered: AttemptRow | undefined) {
  const { fact, charge, events, attempt } = decision;
  const status = fact ? chargeMachine.next(from.status, fact) : undefined;
  // Having looked, and found it as it was, is no change of the charge.
  const isNews = answered !== undefined || fact !== undefined || events.length > 0 || Object.keys(charge).length > 0;
  return {
    ...(answered && isKnownNow(from, decision, answered) ? { reviewReason: null, reviewSince: null } : {}),
    ...charge,
    ...(status ? { status } : {}),
    ...(charge.capturedAmount && !from.capturedAt ? { capturedAt: at } : {}),
    ...(status === "failed"
      ? { declineCode: charge.declineCode ?? attempt.providerError?.declinedCode ?? "generic" }
      : {}),
    eventVersion: from.eventVersion + decision.events.length,
    ...(events.length > 0 ? { lastEventAt: lastOf(from.lastEventAt, at, events.length) } : {}),
    idleClaims: 0,
    updatedAt: isNews ? at : from.updatedAt,
  };
}

const KNOWN: readonly AttemptChanges["state"][] = ["approved", "declined", "rejected", "absent", "reversed"];
const OF_UNKNOWN: readonly ChargeRow["reviewReason"][] = ["reconciliation_failed", "claims_exhausted"];

/**
 * People were called because nobody knew what became of this call, and now its outcome is known. Over the cards of a
 * purchase they decide themselves.
 */
const isKnownNow = (
  { purchaseId, reviewReason, reviewSince }: ChargeRow,
  { attempt: { state } }: Decision,
  { createdAt }: AttemptRow,
): boolean =>
  purchaseId === null &&
  OF_UNKNOWN.includes(reviewReason) &&
  KNOWN.includes(state) &&
  reviewSince !== null &&
  createdAt <= reviewSince;

/** createdAt of events grows strictly for one charge: a tie is moved by a millisecond each. */
function lastOf(previous: Date | null, at: Date, events: number): Date {
  const first = previous && previous >= at ? previous.getTime() + 1 : at.getTime();
  return new Date(first + events - 1);
}
