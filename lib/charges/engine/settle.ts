import { and, eq } from "drizzle-orm";
import { charges } from "@/db/schema/charges";
import { answerKeys } from "@/lib/charges/answer";
import { beginModification } from "@/lib/charges/change";
import { analyseFraud } from "@/lib/charges/engine/analyse";
import { apply, applyReconciliation } from "@/lib/charges/engine/apply";
import { CHARGE_OWNER, driveCharge, interrupted, sendAgain, unsentAttempt } from "@/lib/charges/engine/driver";
import { LeaseLost, MOST_IDLE_CLAIMS } from "@/lib/charges/engine/lease";
import { reconcile } from "@/lib/charges/engine/reconcile";
import { evidenceAt, isNoted } from "@/lib/charges/engine/reconciliation";
import { instructionOf } from "@/lib/charges/engine/request";
import { KEPT_APART, SURPLUS } from "@/lib/charges/engine/surplus";
import { acquirerOf, openAttempt, withChargeLease } from "@/lib/charges/engine/with-lease";
import { isAnalysis, knownRefunds } from "@/lib/charges/history";
import type { Charge } from "@/lib/charges/queries";
import { type Context, inTransaction, now } from "@/lib/context";
import { dueAtOf, schedule } from "@/lib/due-jobs/schedule";
import { type AttemptRow, updateAttempt } from "@/lib/payments/attempts";
import { callTimeoutMs, query } from "@/lib/payments/call";
import { unansweredQueryAt } from "@/lib/payments/query-schedule";
import { providerById, type RoutedProvider } from "@/lib/payments/routing/provider";
import type { FoundTransaction, ProviderPayment } from "@/lib/providers/provider";
import { unownedMovement } from "@/lib/receivables/movements";
import { addSeconds } from "@/lib/time";

/** One step of the query schedule for an attempt without an outcome. */
export async function queryCharge(ctx: Context, chargeId: string): Promise<void> {
  await withChargeLease<unknown>(ctx, chargeId, async (charge) => {
    const attempt = openAttempt(charge);
    if (attempt) return settleAttempt(ctx, charge, attempt);
    const unsent = charge.row.operation === null ? undefined : unsentAttempt(charge);
    return unsent && send(ctx, charge, unsent);
  });
}

/** What provably never left, by whoever comes to it first. */
async function send(ctx: Context, charge: Charge, unsent: AttemptRow): Promise<void> {
  const provider = await inTransaction(ctx, (inside) => providerById(inside, unsent.providerId ?? ""));
  const attempt = await sendAgain(ctx, CHARGE_OWNER, charge, unsent);
  if (attempt) await driveCharge(ctx, { do: "send", charge, attempt, provider });
}

/** Answers the charge as it is then known. */
export async function settleAttempt(ctx: Context, charge: Charge, attempt: AttemptRow): Promise<Charge> {
  const provider = await inTransaction(ctx, (inside) => providerById(inside, attempt.providerId ?? ""));
  return driveCharge(ctx, { do: "ask", charge, attempt, provider });
}

/** The analysis of a payment, and what its verdict asks for. */
async function judged(ctx: Context, charge: Charge, acquirer: RoutedProvider): Promise<Charge> {
  const { charge: seen, attempt } = await analyseFraud(ctx, charge, acquirer, {});
  return attempt ? driveCharge(ctx, { do: "send", charge: seen, attempt, provider: acquirer }) : seen;
}

/** Its process died before the analyst was asked, or before the verdict was written. */
function awaitsAnalyst({ row, attempts, analyst }: Charge): boolean {
  if (row.operation !== "authorize" || !analyst) return false;
  const analysis = attempts.find(isAnalysis);
  if (analysis) return analysis.state === "sent" && analysis.requestStatus === "running";
  return attempts.some(({ kind, state }) => kind === "authorize" && state === "approved");
}

/**
 * Finishes what a dead process left. What it may have sent is asked about and never sent again; what provably never
 * left is sent, and goes to the next provider of its route when it must.
 */
export async function resume(ctx: Context, chargeId: string): Promise<void> {
  await withChargeLease(ctx, chargeId, async (charge) => {
    const { row } = charge;
    const open = openAttempt(charge);
    const attempt = open ?? unsentAttempt(charge);
    if (row.idleClaims > MOST_IDLE_CLAIMS) return flag(ctx, charge, attempt);
    if (!open && awaitsAnalyst(charge)) {
      await judged(ctx, charge, await inTransaction(ctx, (inside) => acquirerOf(inside, charge)));
      return;
    }
    if (row.operation === null || !attempt) return inTransaction(ctx, (inside) => answerKeys(inside, charge));
    if (!open) return send(ctx, charge, attempt);
    const provider = await inTransaction(ctx, (inside) => providerById(inside, open.providerId ?? ""));
    await apply(ctx, charge, open, provider, interrupted(ctx, charge, open), undefined);
  });
}

/** Claimed again and again without progress: automation stops and people must look. */
async function flag(ctx: Context, { row }: Charge, attempt: AttemptRow | undefined): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const [held] = await inside.db
      .update(charges)
      .set({ reviewReason: "claims_exhausted", reviewSince: now(inside), leaseUntil: null })
      .where(and(eq(charges.id, row.id), eq(charges.epoch, row.epoch)))
      .returning();
    if (!held) throw new LeaseLost();
    if (attempt) await updateAttempt(inside, attempt.id, { state: "undetermined", requestStatus: "processing" });
  });
}

/** A person asks, and may have mended what stood in the way: what could not be given back is tried again at once. */
interface Asking {
  isAsked?: boolean;
}

/** What the provider knows of a charge that waits for no answer: payments, disputes, expiry, refunds by others. */
export async function reconcileCharge(ctx: Context, chargeId: string, asking?: Asking): Promise<void> {
  await withChargeLease(ctx, chargeId, async (charge) => {
    const attempt = openAttempt(charge);
    const seen = attempt ? await settleAttempt(ctx, charge, attempt) : charge;
    // What else happened is read from the same record, once our own question has its answer.
    if (openAttempt(seen) || seen.row.operation !== null)
      await inTransaction(ctx, (inside) => watchLater(inside, seen));
    else await reconcileWithProvider(ctx, seen, asking);
  });
}

/** The same when it falls due: while one of our own questions is open, that one is asked on its own schedule. */
export async function reconcileWhenDue(ctx: Context, chargeId: string, asking?: Asking): Promise<void> {
  if (!(await watchAfterQuery(ctx, chargeId))) await reconcileCharge(ctx, chargeId, asking);
}

const SOON_AFTER_SECONDS = 5;

/**
 * While one of our own questions is open, what else happened waits for it: it is looked at after the next query of the
 * schedule. False when no query will come any more.
 */
export const watchAfterQuery = (ctx: Context, chargeId: string): Promise<boolean> =>
  inTransaction(ctx, async (inside) => {
    const queryAt = await dueAtOf(inside, "attempt.query", chargeId);
    if (!queryAt) return false;
    const from = queryAt > now(inside) ? queryAt : now(inside);
    await schedule(inside, "charge.watch", chargeId, addSeconds(from, SOON_AFTER_SECONDS));
    return true;
  });

/** Under review people look; until then whoever drives the charge comes to an end. */
async function watchLater(ctx: Context, charge: Charge): Promise<void> {
  if (charge.row.reviewReason !== null || (await watchAfterQuery(ctx, charge.row.id))) return;
  await schedule(ctx, "charge.watch", charge.row.id, addSeconds(now(ctx), RECONCILE_AGAIN_SECONDS));
}

export async function reconcileWithProvider(
  ctx: Context,
  charge: Charge,
  { isAsked = false }: Asking = {},
): Promise<Charge> {
  const origin = charge.attempts.findLast((attempt) => attempt.state === "approved" && attempt.kind !== "notice");
  if (!origin?.providerId) return charge;
  const provider = await inTransaction(ctx, (inside) => providerById(inside, origin.providerId ?? ""));
  const found = await find(ctx, charge, origin, provider);
  if (!found) {
    await inTransaction(ctx, (inside) =>
      schedule(inside, "charge.watch", charge.row.id, reconcileAgainAt(charge, now(ctx))),
    );
    return charge;
  }
  const news = reconcile(charge, found, now(ctx), isAsked);
  let seen = await applyReconciliation(ctx, charge, news);
  for (const payment of news.sendBack) {
    // One at a time: while a return is not settled, the next one is found by the look that follows it.
    if (seen.row.operation !== null) break;
    seen = await sendBack(ctx, seen, payment);
  }
  return seen;
}

export const RECONCILE_AGAIN_SECONDS = 60;

/** A provider that is silent is not asked by every open payment each minute for as long as that lasts. */
function reconcileAgainAt({ row }: Charge, at: Date): Date {
  const isOpen = row.status === "pending" && row.cardId === null;
  return isOpen ? unansweredQueryAt(row, at) : addSeconds(at, RECONCILE_AGAIN_SECONDS);
}

export async function find(
  ctx: Context,
  charge: Charge,
  attempt: AttemptRow,
  provider: RoutedProvider,
): Promise<FoundTransaction | undefined> {
  const sentUntil = addSeconds(attempt.sentAt ?? attempt.createdAt, callTimeoutMs(attempt) / 1000);
  const answer = await query(
    ctx,
    provider,
    attempt,
    {
      chargeId: charge.row.id,
      scenario: charge.row.scenario,
      refunds: knownRefunds(charge),
      ...instructionOf(charge.row),
    },
    sentUntil,
  );
  return answer.kind === "found" ? answer : undefined;
}

/**
 * Pix money that came twice or too late is noted and kept apart once, and returned in full under an attempt of its own
 * each time it is tried.
 */
async function sendBack(ctx: Context, charge: Charge, payment: ProviderPayment): Promise<Charge> {
  const begun = await inTransaction(ctx, async (inside) => {
    const noted = isNoted(charge, payment.paymentId)
      ? charge
      : await applyReconciliation(inside, charge, {
          charge: {},
          events: [KEPT_APART],
          jobs: [],
          sendBack: [],
          journals: [unownedMovement(charge, evidenceAt(charge, payment.paymentId), payment.amount)],
          history: [
            { requestType: "authorization", amount: payment.amount, evidence: payment.paymentId, reason: SURPLUS },
          ],
        });
    const intent = { operation: "refund", kind: "refund", amount: payment.amount } as const;
    const { attempt: planned, ...rest } = await beginModification(inside, noted, intent, "system");
    const attempt = await updateAttempt(inside, planned.id, {
      requestStatusReason: SURPLUS,
      details: { surplus: payment.paymentId },
    });
    const attempts = rest.charge.attempts.map((known) => (known.id === attempt.id ? attempt : known));
    return { ...rest, attempt, charge: { ...rest.charge, attempts } };
  });
  return driveCharge(ctx, { do: "send", ...begun });
}
