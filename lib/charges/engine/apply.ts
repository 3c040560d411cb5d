import { charges, transactionRequests } from "@/db/schema/charges";
import { updateReturning } from "@/db/statements";
import { finalStatusOf } from "@/lib/antifraud/feeding";
import { markFirstAnswer } from "@/lib/cards/service";
import { answerKeys, openKeysOf } from "@/lib/charges/answer";
import { keepCredential } from "@/lib/charges/engine/card-credential";
import type { Decision, HistoryEntry } from "@/lib/charges/engine/decision";
import { countDecline } from "@/lib/charges/engine/failover";
import { holdCharge, LeaseLost, leaseEnd } from "@/lib/charges/engine/lease";
import type { Reconciliation } from "@/lib/charges/engine/reconcile";
import { isAnalysis } from "@/lib/charges/history";
import { chargeMachine } from "@/lib/charges/machine";
import { placeOfCharge } from "@/lib/charges/place";
import type { Charge, ChargeRow } from "@/lib/charges/queries";
import { transactionEvent } from "@/lib/charges/serializer";
import { type Context, inTransaction, now } from "@/lib/context";
import { schedule, unschedule } from "@/lib/due-jobs/schedule";
import { emit } from "@/lib/events";
import { derivedId } from "@/lib/ids";
import { type AttemptRow, planAttempt, updateAttempt } from "@/lib/payments/attempts";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import { pipelined } from "@/lib/pipeline";
import { book } from "@/lib/receivables/book";
import { settlePlace } from "@/lib/sessions/places";

export interface Applied {
  charge: Charge;
  /** The attempt to send next, already committed. */
  attempt: AttemptRow | undefined;
}

/** Writes one decision whole: evidence, charge, ledger, events, jobs, the next intent and, at the end, the kept answer. */
export async function apply(
  ctx: Context,
  charge: Charge,
  attempt: AttemptRow,
  provider: RoutedProvider,
  decision: Decision,
  responseMs: number | undefined,
): Promise<Applied> {
  const { id: chargeId, cardId, eventVersion } = charge.row;
  const queryJob = { kind: "attempt.query", at: decision.queryAt ?? null } as const;
  return inTransaction(ctx, async (inside) => {
    const [applied] = await pipelined([
      record(inside, charge, attempt, provider, decision, responseMs),
      book(inside, decision.journals),
      setJobs(inside, chargeId, [queryJob], attempt.queries > 0),
      setJobs(inside, chargeId, decision.jobs, eventVersion > 0),
      decision.card && cardId ? markFirstAnswer(inside, cardId, decision.card) : undefined,
      decision.networkTransactionId
        ? keepCredential(inside, charge, attempt, decision.networkTransactionId)
        : undefined,
      decision.counted ? countDecline(inside, charge.row, decision.counted) : undefined,
    ]);
    return applied;
  });
}

/** The rows of the payment itself, and what is said of them. */
async function record(
  ctx: Context,
  charge: Charge,
  attempt: AttemptRow,
  provider: RoutedProvider,
  decision: Decision,
  responseMs: number | undefined,
): Promise<Applied> {
  const isDriven = decision.next.do !== "nothing";
  const evidence = {
    ...decision.attempt,
    ...(responseMs === undefined ? {} : { responseMs }),
    ...(decision.queryAt ? { queries: attempt.queries + 1 } : {}),
  };
  const [, answered, row, closed, openKeys] = await pipelined([
    // First: beside whoever took over, what is written next could break a rule of the attempts instead.
    holdCharge(ctx, charge.row),
    updateAttempt(ctx, attempt.id, evidence),
    moveCharge(ctx, charge.row, decision, isDriven),
    pipelined(decision.closes.map(({ id, changes }) => updateAttempt(ctx, id, changes))),
    isDriven ? [] : openKeysOf(ctx, charge.row.id),
  ]);
  const changed = [answered, ...closed];
  const kept = charge.attempts.map((known) => changed.find(({ id }) => id === known.id) ?? known);
  const attempts = [...(await writeHistory(ctx, { ...charge, row, attempts: kept }, decision.history)), ...kept];
  let next: AttemptRow | undefined = isDriven ? answered : undefined;
  if (decision.next.do === "attempt") {
    const to = decision.next.provider ?? provider;
    next = await planAttempt(ctx, {
      chargeId: row.id,
      kind: decision.next.kind,
      amount: decision.next.amount,
      provider: to,
      transactionId: decision.next.kind === "authorize" ? null : (decision.next.transactionId ?? row.providerTxId),
    });
    attempts.unshift(next);
  }
  const moved = { ...charge, row, attempts };
  await pipelined([announce(ctx, charge.row, moved, decision.events), answerKeys(ctx, moved, openKeys)]);
  await settleOnSession(ctx, charge.row, row);
  return { charge: moved, attempt: next };
}

/** The same for what a provider did by itself: no attempt of ours, the news become rows of the history. */
export async function applyReconciliation(ctx: Context, charge: Charge, found: Reconciliation): Promise<Charge> {
  return inTransaction(ctx, async (inside) => {
    const row = await moveCharge(inside, charge.row, found, false);
    const history = await writeHistory(inside, { ...charge, row }, found.history);
    const moved = { ...charge, row, attempts: [...history, ...charge.attempts] };
    await book(inside, found.journals);
    await announce(inside, charge.row, moved, found.events);
    await settleOnSession(inside, charge.row, row);
    await setJobs(inside, row.id, found.jobs, true);
    return moved;
  });
}

type Move = Pick<Decision, "fact" | "charge" | "events"> & Partial<Pick<Decision, "attempt">>;

const isNews = ({ fact, attempt, events, charge }: Move): boolean =>
  fact !== undefined || attempt !== undefined || events.length > 0 || Object.keys(charge).length > 0;

async function moveCharge(ctx: Context, from: ChargeRow, decision: Move, isDriven: boolean): Promise<ChargeRow> {
  const at = now(ctx);
  const status = decision.fact ? chargeMachine.next(from.status, decision.fact) : undefined;
  const change = {
    ...decision.charge,
    ...(status ? { status } : {}),
    ...(decision.charge.capturedAmount && !from.capturedAt ? { capturedAt: at } : {}),
    ...(status === "failed" ? { declineCode: decision.attempt?.providerError?.declinedCode ?? "generic" } : {}),
    eventVersion: from.eventVersion + decision.events.length,
    ...(decision.events.length > 0 ? { lastEventAt: lastOf(from.lastEventAt, at, decision.events.length) } : {}),
    // A card of a purchase is held by the lease of its operation.
    leaseUntil: isDriven && from.purchaseId === null ? leaseEnd : null,
    idleClaims: 0,
    // Having looked, and found it as it was, is no change of the charge.
    updatedAt: isNews(decision) ? at : from.updatedAt,
  };
  const [row] = await updateReturning(ctx.db, charges, change, { id: from.id, epoch: from.epoch });
  if (!row) throw new LeaseLost();
  return row;
}

/** Its place on a link becomes a payment, or is free again. A card of a purchase holds none by itself. */
async function settleOnSession(ctx: Context, from: ChargeRow, to: ChargeRow): Promise<void> {
  if (!to.sessionId || to.purchaseId !== null) return;
  const loss = to.status === "canceled" ? "paymentExpired" : "paymentFailed";
  await settlePlace(ctx, to.sessionId, placeOfCharge(from), placeOfCharge(to), loss);
}

/** createdAt of events grows strictly for one charge: a tie is moved by a millisecond each. */
function lastOf(previous: Date | null, at: Date, events: number): Date {
  const first = previous && previous >= at ? previous.getTime() + 1 : at.getTime();
  return new Date(first + events - 1);
}

async function announce(ctx: Context, before: ChargeRow, charge: Charge, events: string[]): Promise<void> {
  if (events.length > 0 && charge.attempts.some(isAnalysis) && finalStatusOf(charge.row.status)) {
    await schedule(ctx, "analysis.feed", charge.row.id, now(ctx));
  }
  let previous = { version: before.eventVersion, at: before.lastEventAt };
  for (const event of events) {
    previous = await emit(ctx, {
      object: "transaction",
      event,
      entityId: charge.row.id,
      data: transactionEvent(charge),
      previous,
    });
  }
}

async function setJobs(ctx: Context, chargeId: string, jobs: Decision["jobs"], mayExist: boolean): Promise<void> {
  for (const { kind, at } of jobs) {
    if (at) await schedule(ctx, kind, chargeId, at);
    else if (mayExist) await unschedule(ctx, kind, chargeId);
  }
}

export const historyEntryId = (
  chargeId: string,
  { requestType, evidence }: Pick<HistoryEntry, "requestType" | "evidence">,
): string => derivedId("notice", chargeId, requestType, evidence);

/** Newest first is the order of the history: a clock that stands still tells its rows apart by a millisecond. */
export const afterNewest = (attempts: readonly AttemptRow[], at: Date): Date =>
  attempts.reduce((latest, { createdAt }) => (createdAt >= latest ? new Date(createdAt.getTime() + 1) : latest), at);

async function writeHistory(ctx: Context, { row, attempts }: Charge, history: HistoryEntry[]): Promise<AttemptRow[]> {
  if (history.length === 0) return [];
  const at = afterNewest(attempts, now(ctx));
  return ctx.db
    .insert(transactionRequests)
    .values(
      history.map((entry, index) => ({
        id: historyEntryId(row.id, entry),
        clientId: ctx.account.id,
        chargeId: row.id,
        kind: "notice" as const,
        state: "approved" as const,
        sequence: index + 1,
        providerId: row.providerId,
        providerType: row.providerType ?? "",
        reference: historyEntryId(row.id, entry),
        requestType: entry.requestType,
        requestStatus: entry.requestStatus ?? "success",
        requestStatusReason: entry.reason ?? null,
        amount: entry.amount,
        transactionId: entry.evidence,
        details: entry.details ?? null,
        createdAt: at,
        updatedAt: at,
      })),
    )
    .onConflictDoNothing()
    .returning();
}
