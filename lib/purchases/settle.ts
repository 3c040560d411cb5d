import { applyReconciliation } from "@/lib/charges/engine/apply";
import { isDangling } from "@/lib/charges/engine/dangling-authorization";
import type { Decision } from "@/lib/charges/engine/decision";
import { ChargeBusy } from "@/lib/charges/engine/lease";
import { queryAttempt } from "@/lib/charges/engine/query-attempt";
import { reconcile } from "@/lib/charges/engine/reconcile";
import type { Reconciliation } from "@/lib/charges/engine/reconciliation";
import { find, queryCharge, RECONCILE_AGAIN_SECONDS, watchAfterQuery } from "@/lib/charges/engine/settle";
import { openAttempt } from "@/lib/charges/engine/with-lease";
import type { Charge } from "@/lib/charges/queries";
import { type Context, inTransaction, now } from "@/lib/context";
import type { JobKind } from "@/lib/due-jobs/kinds";
import { schedule, unschedule } from "@/lib/due-jobs/schedule";
import { type AttemptRow, updateAttempt } from "@/lib/payments/attempts";
import { nextQueryAt } from "@/lib/payments/query-schedule";
import { providerById, type RoutedProvider } from "@/lib/payments/routing/provider";
import type { FoundTransaction } from "@/lib/providers/provider";
import { take } from "@/lib/purchases/claim";
import { chargeOfSlot } from "@/lib/purchases/intents";
import { insertOperation, withOperation } from "@/lib/purchases/operations";
import { afterNews } from "@/lib/purchases/plan";
import { lockPurchase, type OperationRow, type PaymentRow, type Purchase, slotOfCharge } from "@/lib/purchases/queries";
import { moveSlot, openReview, slotOf } from "@/lib/purchases/slots";
import { askOperation, driveOperation } from "@/lib/purchases/work";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** A purchase that is being worked on when something else falls due is come back to this much later. */
const AGAIN_SECONDS = 300;

/** One step of the query schedule for a card whose outcome is unknown; what the answer allows follows at once. */
export async function querySlot(ctx: Context, slot: PaymentRow): Promise<void> {
  const chargeId = slot.chargeId ?? "";
  const { active, open } = await inTransaction(ctx, async (inside) => {
    const purchase = await lockPurchase(inside, slot.purchaseId);
    return { active: purchase?.active, open: await openCall(inside, slot) };
  });
  // What is released after its card was given up is no operation's: the charge settles it by itself.
  if (open && isDangling(open.attempt)) return queryCharge(ctx, chargeId);
  if (!active) return open && pollOnly(ctx, open);
  const taken = await askOperation(ctx, active.id, chargeId);
  if (taken === "busy") throw new ChargeBusy();
}

interface OpenCall {
  charge: Charge;
  attempt: AttemptRow;
  provider: RoutedProvider;
}

/** The call of a card that waits for its outcome. */
async function openCall(ctx: Context, slot: PaymentRow): Promise<OpenCall | undefined> {
  const charge = await chargeOfSlot(ctx, slot);
  const attempt = openAttempt(charge);
  return attempt && { charge, attempt, provider: await providerById(ctx, attempt.providerId ?? "") };
}

/** Under review automation has stopped: what the provider says is written down for the operator and moves nothing. */
async function pollOnly(ctx: Context, { charge, attempt, provider }: OpenCall): Promise<void> {
  const seen: Decision = await queryAttempt(ctx, charge, attempt, provider, { isUnderReview: true });
  const at = nextQueryAt(attempt.id, attempt.queries, now(ctx));
  await inTransaction(ctx, async (inside) => {
    await updateAttempt(inside, attempt.id, {
      queries: attempt.queries + 1,
      requestStatusReason: seen.attempt.state ? `seen_${seen.attempt.state}` : attempt.requestStatusReason,
    });
    if (at) await schedule(inside, "attempt.query", charge.row.id, at);
    else await unschedule(inside, "attempt.query", charge.row.id);
  });
}

/** What the provider did by itself to a card that waits for no answer: expiry, reversal, dispute. */
export async function reconcileSlot(ctx: Context, slot: PaymentRow): Promise<void> {
  if (slot.status === "undetermined") return querySlot(ctx, slot);
  const { charge, active } = await inTransaction(ctx, async (inside) => {
    const purchase = await lockPurchase(inside, slot.purchaseId);
    return { charge: await chargeOfSlot(inside, slot), active: purchase?.active };
  });
  if (active) return comeBack(ctx, "charge.watch", charge.row.id);
  const origin = originOf(charge);
  // Nothing was ever approved here: whatever the provider tells of it, there is nothing to look at.
  if (!origin) return;
  const found = await foundNow(ctx, charge, origin);
  const started = await inTransaction(ctx, (inside) => record(inside, slot, charge, found));
  if (started) await driveOperation(ctx, started.id);
}

/** The same when it falls due: an open question is asked on its own schedule. */
export async function reconcileSlotWhenDue(ctx: Context, slot: PaymentRow): Promise<void> {
  if (slot.status === "undetermined" && (await watchAfterQuery(ctx, slot.chargeId ?? ""))) return;
  await reconcileSlot(ctx, slot);
}

const originOf = ({ attempts }: Charge): AttemptRow | undefined =>
  attempts.findLast(({ state, kind, providerId }) => state === "approved" && kind !== "notice" && providerId !== null);

async function foundNow(ctx: Context, charge: Charge, origin: AttemptRow): Promise<FoundTransaction | undefined> {
  const provider = await inTransaction(ctx, (inside) => providerById(inside, origin.providerId ?? ""));
  return find(ctx, charge, origin, provider);
}

/** Rows S21, S22, S23 and S25; anything else a provider tells of a card is for an operation to find out. */
const UNDONE = "refund.reversed";
const NEWS: ReadonlySet<string> = new Set(["chargeback.confirmed", "chargeback.reversed", "hold.ended", UNDONE]);
/** Given back at the provider by somebody else: rows S17 and S18 or S19 in one. */
const RETURNED: ReadonlySet<string> = new Set(["refund.done", "refund.part_done"]);

async function record(
  ctx: Context,
  slot: PaymentRow,
  seen: Charge,
  found: FoundTransaction | undefined,
): Promise<OperationRow | undefined> {
  const chargeId = seen.row.id;
  const purchase = await lockPurchase(ctx, slot.purchaseId);
  if (!purchase) return undefined;
  if (purchase.active) return comeBack(ctx, "charge.watch", chargeId, RECONCILE_AGAIN_SECONDS);
  if (!found) return comeBack(ctx, "charge.watch", chargeId, RECONCILE_AGAIN_SECONDS);
  const charge = await chargeOfSlot(ctx, slotOf(purchase, chargeId));
  // Meanwhile somebody else has booked something: the answer may be older than that.
  if (charge.row.eventVersion !== seen.row.eventVersion)
    return comeBack(ctx, "charge.watch", chargeId, RECONCILE_AGAIN_SECONDS);
  const first = await taken(ctx, purchase, charge, found);
  // A refund that failed may have failed because its capture did.
  const more = first?.fact === UNDONE ? await taken(ctx, first.purchase, first.charge, found) : undefined;
  const last = more ?? first;
  if (!last) return undefined;
  return first?.fact === UNDONE && isLeft(last.charge)
    ? refundAnew(ctx, last)
    : startAfter(ctx, last.purchase, last.fact);
}

interface Taken {
  purchase: Purchase;
  charge: Charge;
  fact: string;
}

/** Not all of it went back, one way or another. */
const isLeft = ({ row }: Charge): boolean => row.capturedAmount > row.refundedAmount + row.chargedBackAmount;

/** One piece of news, written on the charge and its card; undefined when there is none. */
async function taken(
  ctx: Context,
  purchase: Purchase,
  charge: Charge,
  found: FoundTransaction,
): Promise<Taken | undefined> {
  const news = reconcile(charge, found, now(ctx));
  const fact = factOf(charge, news);
  if (!fact) {
    // A row of the history may end otherwise than it said, and nothing else change by it.
    await applyReconciliation(ctx, charge, { ...onlyJobs(news), closes: news.fact ? [] : (news.closes ?? []) });
    return undefined;
  }
  const present = slotOf(purchase, charge.row.id);
  const seen = await applyReconciliation(ctx, charge, news);
  const changes = {
    refundedAmount: seen.row.refundedAmount,
    disputedInPart: seen.row.status === "charged_back" && isLeft(seen),
  };
  const moved = RETURNED.has(fact)
    ? await moveSlot(ctx, await moveSlot(ctx, purchase, present, "refund.intended"), processing(present), fact, changes)
    : await moveSlot(ctx, purchase, present, fact, changes);
  return { purchase: moved, charge: seen, fact };
}

/** News of a part leave the charge where it is: the amounts tell. */
function factOf({ row }: Charge, { fact, charge }: Reconciliation): string | undefined {
  if (fact && (NEWS.has(fact) || RETURNED.has(fact))) return fact;
  const refundedAmount = charge.refundedAmount ?? row.refundedAmount;
  if (fact || refundedAmount === row.refundedAmount) return undefined;
  return refundedAmount > row.refundedAmount ? "refund.part_done" : UNDONE;
}

const processing = (slot: PaymentRow): PaymentRow => ({ ...slot, status: "processing" });

const onlyJobs = ({ jobs }: Reconciliation): Reconciliation => ({
  charge: {},
  events: [],
  journals: [],
  jobs,
  history: [],
  sendBack: [],
});

async function startAfter(ctx: Context, purchase: Purchase, fact: string): Promise<OperationRow | undefined> {
  const { row, active, payments } = purchase;
  if (row.reviewReason || active) return undefined;
  const type = afterNews(row.status, payments, fact);
  if (!type) return undefined;
  const operation = await insertOperation(ctx, row.id, { type, requestedBy: "system" });
  return withOperation(purchase, operation).active;
}

/** The system gives it back once more. What fails a second time, or is in dispute as well, is for people to arrange. */
async function refundAnew(ctx: Context, { purchase, charge }: Taken): Promise<OperationRow | undefined> {
  const begun = await startAfter(ctx, purchase, UNDONE);
  if (!begun || (charge.row.status === "authorized" && failedRefunds(charge) <= MOST_FAILED_REFUNDS)) return begun;
  await openReview(ctx, await take(ctx, withOperation(purchase, begun), begun), "reconciliation_failed");
  return undefined;
}

const MOST_FAILED_REFUNDS = 1;
const failedRefunds = ({ attempts }: Charge): number =>
  attempts.filter(({ state, requestType }) => state === "reversed" && requestType === "revert_void").length;

/** What is still held is voided before the holds end by themselves; all cards of the purchase together. */
export async function endSlotHold(ctx: Context, slot: PaymentRow): Promise<void> {
  const started = await inTransaction(ctx, async (inside) => {
    const purchase = await lockPurchase(inside, slot.purchaseId);
    const present = purchase?.payments.find(({ id }) => id === slot.id);
    if (!purchase || present?.status !== "pre_authorized") return undefined;
    if (purchase.active || purchase.row.reviewReason) {
      return comeBack(inside, "charge.hold_ends", slot.chargeId ?? "", await waitPast(inside, slot));
    }
    return startAfter(inside, purchase, "hold.ended");
  });
  if (started) await driveOperation(ctx, started.id);
}

/** The longer a review keeps a hold past its end, the rarer it is come back to: nobody may ever resolve it. */
async function waitPast(ctx: Context, slot: PaymentRow): Promise<number> {
  const { expiresAt } = (await chargeOfSlot(ctx, slot)).row;
  const pastSeconds = expiresAt ? (now(ctx).getTime() - expiresAt.getTime()) / 1_000 : 0;
  return Math.min(Math.max(AGAIN_SECONDS, pastSeconds / 4), DAY_SECONDS);
}

/** A stray of one card is come back to while an operation of its purchase runs. */
export const isAtRest = (ctx: Context, slot: PaymentRow): Promise<boolean> =>
  inTransaction(ctx, async (inside) => {
    const purchase = await lockPurchase(inside, slot.purchaseId);
    if (purchase?.active) await comeBack(inside, "orphan.watch", slot.chargeId ?? "");
    return purchase?.active === undefined;
  });

async function comeBack(
  ctx: Context,
  kind: JobKind,
  chargeId: string,
  seconds: number = AGAIN_SECONDS,
): Promise<undefined> {
  await inTransaction(ctx, (inside) => schedule(inside, kind, chargeId, addSeconds(now(ctx), seconds)));
}

/** The slot a due moment of a charge belongs to, or undefined for a charge outside purchases. */
export const slotDue = (ctx: Context, chargeId: string): Promise<PaymentRow | undefined> =>
  inTransaction(ctx, (inside) => slotOfCharge(inside, chargeId));
