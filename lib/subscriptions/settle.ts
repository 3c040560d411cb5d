import { eq } from "drizzle-orm";
import { type Replaced, subscriptionTries } from "@/db/schema/subscriptions";
import { change, type Write, writeTogether } from "@/db/writes";
import { addDays } from "@/lib/brazil/bank-calendar";
import { type Charge, getCharge } from "@/lib/charges/queries";
import { type Context, inTransaction, now } from "@/lib/context";
import type { RetryClass } from "@/lib/declines/decline-codes";
import { schedule, unscheduling } from "@/lib/due-jobs/schedule";
import { pipelined } from "@/lib/pipeline";
import { allowanceOf, retryClassOf, type SpentReason, spentBy } from "@/lib/subscriptions/allowance";
import { answerOpen } from "@/lib/subscriptions/answer";
import { chargedAt, cycleDueOn, nextRetryDay, retryDays, utcDayOf } from "@/lib/subscriptions/calendar";
import { decideOutcome, type SeenCharge } from "@/lib/subscriptions/decide";
import { writeFailed, writeReceipt, writeStarted } from "@/lib/subscriptions/letters";
import { isCharged, isOver } from "@/lib/subscriptions/machine";
import { askedAgainAt, MOST_UNSENT, mandateRetryDays } from "@/lib/subscriptions/mandate-days";
import { findMandate, type MandateRow } from "@/lib/subscriptions/mandate-queries";
import {
  announceSubscription,
  cancelSubscription,
  changeSubscription,
  endJobs,
  moveCycle,
  moveSubscription,
  movingCycle,
  replan,
  skipWaiting,
} from "@/lib/subscriptions/moves";
import {
  anchorsOf,
  type CycleRow,
  countsOf,
  findCycle,
  findSettings,
  findTryOf,
  lockSubscription,
  oldestOf,
  type SubscriptionRow,
  type TryRow,
} from "@/lib/subscriptions/queries";
import { remindOfCard, remindOfLastTry } from "@/lib/subscriptions/reminders";
import { DEFAULT_POLICY } from "@/lib/subscriptions/settings";
import { TAKEN_BACK } from "@/lib/subscriptions/take-back";
import { addSeconds } from "@/lib/time";

/** An issuer that asks for one immediate retry gets it then (spec/reliability.md 2.8). */
const IMMEDIATELY_SECONDS = 5;

/** Longer than anybody waits for an answer with the page open. */
const SEEN_SECONDS = 30;

/**
 * Writes what became of a try's charge into its cycle, once; whoever comes first, and as often as it is told. Whoever
 * knows whose try it is says so.
 */
export async function settleCycle(ctx: Context, chargeId: string, subscriptionId?: string): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const id = subscriptionId ?? (await findTryOf(inside, chargeId))?.subscriptionId;
    if (id === undefined) return;
    const row = await lockSubscription(inside, id);
    const [attempt, charge] = await pipelined([findTryOf(inside, chargeId), getCharge(inside, chargeId)]);
    const cycle = attempt && (await findCycle(inside, attempt.cycleId));
    if (!attempt || !cycle) throw new Error("a try without its cycle");
    const outcome = cycleOutcomeOf(charge);
    if (attempt.status === "authorized") await tellOfLater(inside, row, charge);
    if (attempt.status !== "pending" || outcome === "pending") return;
    await (outcome === "approved"
      ? onApproval(inside, { row, cycle, attempt }, charge)
      : onDecline(inside, { row, cycle, attempt }, charge));
    const isAsked = attempt.kind === "manual" || (cycle.cycle === 1 && attempt.number === 1);
    if (isAsked) await answerOpen(inside, { subscriptionId: row.id, cycleId: cycle.id });
  });
}

/** Definite, or still open: a capture that hangs is not paid, and not lost either. */
export function cycleOutcomeOf({ row }: Charge): "approved" | "declined" | "pending" {
  if (row.capturedAmount > 0) return "approved";
  return row.status === "failed" || row.status === "voided" || row.status === "canceled" ? "declined" : "pending";
}

interface Tried {
  row: SubscriptionRow;
  cycle: CycleRow;
  attempt: TryRow;
}

/** Refunded in full, or taken by a chargeback: the cycle stays paid, and the snapshot tells of it. */
async function tellOfLater(ctx: Context, row: SubscriptionRow, { row: charge }: Charge): Promise<void> {
  if (charge.status === "voided" || charge.status === "charged_back") await announceSubscription(ctx, row, "updated");
}

async function onApproval(ctx: Context, { row, cycle, attempt }: Tried, charge: Charge): Promise<void> {
  const [seen, isTheLast] = await pipelined([seenOf(ctx, { row, cycle, attempt }, "end"), isLast(ctx, row, cycle)]);
  const facts = decideOutcome({ ...seen, outcome: "approved", isLast: isTheLast });
  const settled = { nextRetryOn: null, waitsForCard: false, returnsTo: null };
  await writeTogether(ctx.db, [
    ...ending(attempt, { status: "authorized", endedAt: now(ctx), error: null }),
    movingCycle(ctx, cycle, facts.cycle, settled).write,
  ]);
  // Paid, it authorizes: the bank says so.
  if (attempt.mandateId !== null && attempt.settleOn === null) await heardLater(ctx, attempt.mandateId);
  const paid = await follow(ctx, row, facts.subscription, { isAgreed: true });
  // What starts on a later day was told of when it was made; what was canceled meanwhile does not start any more.
  const isFirstWord = row.method === "pix_automatic" || row.startAt === utcDayOf(row.createdAt);
  const isStarted = !row.isAgreed && isFirstWord && paid.status !== "canceled";
  if (isStarted) await writeStarted(ctx, paid);
  await writeReceipt(ctx, paid, charge);
}

/** The try, and the job that was to look for its outcome. */
const ending = ({ id, chargeId }: TryRow, changes: Partial<TryRow>): Write[] => [
  change(subscriptionTries, changes, { id }, { isMust: true }),
  ...(chargeId === null ? [] : [unscheduling("subscription.outcome", chargeId)]),
];

/** Whether as many count now as were asked for, this one among them. */
async function isLast(ctx: Context, row: SubscriptionRow, cycle: CycleRow): Promise<boolean> {
  if (row.cycles === null) return false;
  const { ended } = await countsOf(ctx, row.id);
  return ended + (cycle.status === "pending" ? 1 : 0) >= row.cycles;
}

async function onDecline(ctx: Context, tried: Tried, charge: Charge): Promise<void> {
  const { cycle, attempt } = tried;
  const at = now(ctx);
  const isTakenBack = attempt.error === TAKEN_BACK && charge.row.status === "canceled";
  const retryClass = isTakenBack ? "later" : await retryClassOf(ctx, charge);
  const error = isTakenBack ? TAKEN_BACK : (charge.row.declineCode ?? "generic");
  await writeTogether(ctx.db, ending(attempt, { status: "failed", endedAt: at, error, retryClass }));
  const { row, former } = await formerCard(ctx, tried);
  const mandate = attempt.mandateId === null ? undefined : await heardLater(ctx, attempt.mandateId);
  const refused = await refusalOf(ctx, { row, cycle, attempt }, mandate);
  const plan = isOver(row.status)
    ? NOTHING
    : isTakenBack
      ? { ...WAITS_FOR_RESUMPTION, ...(row.status === "paused" ? {} : { on: utcDayOf(at), at }) }
      : mandate
        ? bankPlan(ctx, { row, cycle, attempt }, mandate, { ...refused, retryClass, isUnsent: isUnsent(charge) })
        : former
          ? planBefore(former, refused, at)
          : await planOf(ctx, { row, cycle, attempt }, retryClass, refused);
  const facts = decideOutcome({ ...(await seenOf(ctx, { row, cycle, attempt }, plan.verdict)), outcome: "declined" });
  const isRetrying = facts.cycle === "charge.declined";
  const settled = await moveCycle(ctx, cycle, facts.cycle, {
    ...(plan.isUnsent ? {} : refused),
    returnsTo: null,
    waitsForCard: isRetrying && plan.verdict === "wait",
    nextRetryOn: isRetrying ? plan.on : null,
  });
  // A paused subscription tries nothing; its resumption does.
  if (isRetrying && plan.at && row.status !== "paused") await schedule(ctx, "subscription.retry", settled.id, plan.at);
  if (facts.cycle === "charge.ended") await skipWaiting(ctx, row);
  const followed = await follow(ctx, row, facts.subscription, {}, plan.why);
  if (isUnbegun(followed, attempt)) {
    await cancelSubscription(ctx, followed, "not_started");
    return;
  }
  if (attempt.kind !== "manual" || isLate(charge, attempt, at))
    await tellOfDecline(ctx, { row: followed, cycle: settled, attempt }, plan);
}

/** The code of a link that was to authorize it is closed: whoever wants it still begins a new one there. */
const isUnbegun = ({ sessionId, status }: SubscriptionRow, { mandateId, settleOn }: TryRow): boolean =>
  sessionId !== null && status === "created" && mandateId !== null && settleOn === null;

/** From the first refusal on, the days of the cycle are fixed. */
async function refusalOf(
  ctx: Context,
  { row, cycle, attempt }: Tried,
  mandate: MandateRow | undefined,
): Promise<{ policy: number[]; refusedOn: string }> {
  const refusedOn = cycle.refusedOn ?? attempt.settleOn ?? utcDayOf(now(ctx));
  if (mandate) {
    const nextDue = cycleDueOn(await anchorsOf(ctx, row.id), cycle.cycle + 1);
    return { policy: cycle.policy ?? mandateRetryDays(mandate.retry, refusedOn, nextDue), refusedOn };
  }
  const settings = await findSettings(ctx);
  return { policy: cycle.policy ?? settings?.retryPolicy ?? [...DEFAULT_POLICY], refusedOn };
}

/** The refusal may be the first that is heard of a mandate which the buyer has ended: the bank is asked at once. */
async function heardLater(ctx: Context, mandateId: string): Promise<MandateRow | undefined> {
  await schedule(ctx, "mandate.query", mandateId, now(ctx));
  return findMandate(ctx, mandateId);
}

/** The bank's own rules stand in place of the retry policy (spec/subscriptions.md). */
function bankPlan(
  ctx: Context,
  { cycle, attempt }: Tried,
  mandate: MandateRow,
  { policy, refusedOn, retryClass, isUnsent }: Refused & { retryClass: RetryClass; isUnsent: boolean },
): Plan {
  const today = utcDayOf(now(ctx));
  const tomorrow = { verdict: "retry", on: null, at: chargedAt(addDays(today, 1)), isSilent: true } as const;
  // The code that pays and authorizes ran out: what becomes of the subscription its mandate says.
  if (attempt.settleOn === null) return tomorrow;
  if (mandate.status !== "approved" || retryClass === "never") return NOTHING;
  if (isUnsent && cycle.refusedOn === null && attempt.number < MOST_UNSENT) return { ...tomorrow, isUnsent };
  const on = nextRetryDay(refusedOn, policy, today, undefined);
  return on ? { verdict: "retry", on, at: askedAgainAt(on) } : NOTHING;
}

/** The instruction was never taken in: no bank has refused anything. */
const isUnsent = ({ attempts }: Charge): boolean =>
  attempts.every(({ kind, state }) => kind !== "pix" || state === "not_sent");

/** Another card that is declined is not kept: the subscription goes on with the one it had (rulings 23). */
async function formerCard(
  ctx: Context,
  { row, attempt: { replaced, cardId } }: Tried,
): Promise<{ row: SubscriptionRow; former: Replaced | undefined }> {
  // One that was replaced once more meanwhile is not this try's any longer.
  if (!replaced || row.cardId !== cardId) return { row, former: undefined };
  const back = await changeSubscription(ctx, row, { cardId: replaced.cardId });
  await remindOfCard(ctx, back);
  return { row: back, former: replaced };
}

/** As it was before the other card was tried: what that one's issuer said is not about this one. */
function planBefore({ waitsForCard, nextRetryOn }: Replaced, { policy, refusedOn }: Refused, at: Date): Plan {
  if (waitsForCard) {
    const last = retryDays(refusedOn, policy).at(-1);
    return last && chargedAt(last) > at ? { verdict: "wait", on: null, at: chargedAt(last) } : NOTHING;
  }
  if (nextRetryOn === null) return NOTHING;
  const due = chargedAt(nextRetryOn);
  return due > at
    ? { verdict: "retry", on: nextRetryOn, at: due }
    : { verdict: "retry", on: utcDayOf(at), at: addSeconds(at, IMMEDIATELY_SECONDS) };
}

/** A person who tries sees what is known at once; what had to be asked for, or was told later, is written. */
const isLate = ({ attempts }: Charge, { createdAt }: TryRow, at: Date): boolean =>
  attempts.some(({ queries }) => queries > 0) || at >= addSeconds(createdAt, SEEN_SECONDS);

/** What is tried again at once is told when that is known. */
async function tellOfDecline(ctx: Context, { row, cycle, attempt }: Tried, { at, isSilent }: Plan): Promise<void> {
  if (isSilent) return;
  const isAtOnce = at !== undefined && at <= addSeconds(now(ctx), IMMEDIATELY_SECONDS);
  const isTold = cycle.status === "failed" ? row.status === "unpaid" : isCharged(row.status) && !isAtOnce;
  if (isTold) await writeFailed(ctx, row, cycle, attempt.kind === "manual" ? attempt.number : undefined);
  if (cycle.status === "retrying") await remindOfLastTry(ctx, cycle);
}

interface Refused {
  policy: number[];
  refusedOn: string;
}

interface Plan {
  verdict: SeenCharge["verdict"];
  /** The day that is shown; a card that must change has none. */
  on: string | null;
  at: Date | undefined;
  /** The buyer is told by something else, or there is nothing to tell. */
  isSilent?: boolean;
  /** It was no refusal: no day is counted from it. */
  isUnsent?: boolean;
  /** Why nothing is tried any more. */
  why?: SpentReason;
}

/** Nobody refused it. Resumed before the bank had answered, it is asked for anew at once. */
const WAITS_FOR_RESUMPTION: Plan = { verdict: "retry", on: null, at: undefined, isSilent: true, isUnsent: true };

const NOTHING: Plan = { verdict: "end", on: null, at: undefined };
const nothing = (why: SpentReason): Plan => ({ ...NOTHING, why });

/** What a decline leaves to try: the table of classes of spec/reliability.md 2.8. */
async function planOf(
  ctx: Context,
  { row, cycle, attempt }: Tried,
  retryClass: RetryClass,
  { policy, refusedOn }: Refused,
): Promise<Plan> {
  const at = now(ctx);
  const today = utcDayOf(at);
  if (retryClass === "never") return nothing("card_refused");
  const days = retryDays(refusedOn, policy);
  const last = days.at(-1) ?? today;
  if (retryClass === "changed_data") {
    return last > today ? { verdict: "wait", on: null, at: chargedAt(last) } : nothing("retries_used");
  }
  if (retryClass === "now" && !(await wasImmediate(ctx, cycle, attempt))) {
    return { verdict: "retry", on: today, at: addSeconds(at, IMMEDIATELY_SECONDS) };
  }
  // A person's try changes no date of the policy that is still to come, and adds none: a resumption's own day is none.
  const kept =
    attempt.kind === "manual" ? days.find((day) => day === cycle.nextRetryOn && chargedAt(day) > at) : undefined;
  if (kept) return { verdict: "retry", on: kept, at: chargedAt(kept) };
  const allowed = await allowanceOf(ctx, row, cycle);
  const barred = allowed.allowed ? undefined : spentBy(allowed.reason);
  if (!allowed.allowed && !allowed.notBefore) return nothing(barred ?? "card_refused");
  const on = nextRetryDay(refusedOn, policy, today, allowed.allowed ? undefined : allowed.notBefore);
  if (on) return { verdict: "retry", on, at: chargedAt(on) };
  return nothing(barred && last > today ? barred : "retries_used");
}

async function wasImmediate(ctx: Context, { id }: CycleRow, attempt: TryRow): Promise<boolean> {
  if (attempt.kind === "immediate") return true;
  const tries = await ctx.db
    .select({ kind: subscriptionTries.kind })
    .from(subscriptionTries)
    .where(eq(subscriptionTries.cycleId, id));
  return tries.some(({ kind }) => kind === "immediate");
}

async function seenOf(
  ctx: Context,
  { row, cycle }: Tried,
  verdict: SeenCharge["verdict"],
): Promise<Omit<SeenCharge, "outcome">> {
  const settings = await findSettings(ctx);
  return {
    subscription: row.status,
    returnsTo: cycle.returnsTo,
    verdict,
    isLast: false,
    cancelsAfterRetries: settings?.cancelAfterAllRetries ?? false,
  };
}

/** The subscription's own moves, each with its event; where it stays as it was, its snapshot is told. */
async function follow(
  ctx: Context,
  row: SubscriptionRow,
  facts: readonly string[],
  changes: { isAgreed?: boolean },
  why?: SpentReason,
): Promise<SubscriptionRow> {
  const moved =
    facts.length === 0
      ? await announceSubscription(ctx, row, "updated", { changes, isReplanned: true })
      : await byFacts(ctx, row, facts, changes, why);
  const waiting = isOver(moved.status) ? undefined : await oldestOf(ctx, row.id, "scheduled");
  // One charge a tick: the next is begun by the next.
  if (isOver(moved.status)) await endJobs(ctx, row.id, moved.status === "expired" ? "completed" : "merchant");
  if (waiting) await schedule(ctx, "subscription.due", row.id, now(ctx));
  return moved;
}

async function byFacts(
  ctx: Context,
  row: SubscriptionRow,
  facts: readonly string[],
  changes: { isAgreed?: boolean },
  reason: SpentReason | undefined,
): Promise<SubscriptionRow> {
  const [first, ...more] = facts;
  let moved = first === undefined ? row : await moveSubscription(ctx, row, first, { changes, reason });
  for (const fact of more) moved = await moveSubscription(ctx, moved, fact);
  return replan(ctx, moved);
}
