import type { Decision, Situation } from "@/lib/charges/engine/decision";
import { alternativeTo } from "@/lib/charges/engine/failover";
import { onQuery } from "@/lib/charges/engine/on-query";
import { type Performed, perform, performContinuation, subjectOf } from "@/lib/charges/engine/perform";
import { canReplay, isKeyAlive } from "@/lib/charges/engine/replay";
import { situationOf } from "@/lib/charges/engine/situation";
import { ACCEPTED, challengeOf } from "@/lib/charges/history";
import type { Charge } from "@/lib/charges/queries";
import type { Context } from "@/lib/context";
import { type AttemptRow, noteResend } from "@/lib/payments/attempts";
import { callTimeoutMs, query } from "@/lib/payments/call";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import type { Decline, QueryResult } from "@/lib/providers/provider";
import { providerFor } from "@/lib/providers/registry";
import { addSeconds } from "@/lib/time";

/** Created, then open until the buyer pays. */
const CREATIONS: readonly AttemptRow["kind"][] = ["pix", "boleto", "wallet"];

/**
 * Asks the provider what became of an attempt and decides. Stored notifications and the provider's own record come first;
 * where neither exists, the same request under the same key is the question. That it is sent once more is the one thing
 * written here, before it is.
 */
export async function queryAttempt(
  ctx: Context,
  charge: Charge,
  attempt: AttemptRow,
  provider: RoutedProvider,
  { isUnderReview = charge.row.reviewReason !== null }: { isUnderReview?: boolean } = {},
): Promise<Decision> {
  const sentUntil = addSeconds(attempt.sentAt ?? attempt.createdAt, callTimeoutMs(attempt) / 1000);
  const known = situationOf(ctx, charge, attempt, undefined);
  const situation = { ...known, isEarly: !hasKeys(provider) && mayStillAppear(provider, sentUntil, known.now) };
  // Once people look into it, only evidence is read: a replay, or another provider, could be what authorizes.
  const isAutomatic = !isUnderReview && !situation.isReviewDue;
  const sendAgain = async (): Promise<Performed | undefined> => {
    const noted = await noteResend(ctx, attempt.id);
    return noted && perform(ctx, charge, noted, provider, {}, callTimeoutMs(attempt));
  };
  const situationAfter = async (decline: Decline | undefined): Promise<Situation> => {
    if (!isAutomatic) return situation;
    const answer = { isUnsent: false, ...(decline ? { decline } : {}) };
    const alternative = await alternativeTo(ctx, charge, attempt, answer);
    return { ...situationOf(ctx, charge, attempt, alternative), isEarly: situation.isEarly };
  };
  const answered = await query(ctx, provider, attempt, subjectOf(charge), sentUntil);
  const result = tooEarly(answered, provider, sentUntil, situation.now) ? NOT_FOUND_YET : answered;
  if (CREATIONS.includes(attempt.kind)) {
    // Without a key a second send would be a second payment: only what the provider shows counts.
    return hasKeys(provider) ? onCreation(situation, result, sendAgain) : onQuery(situation, result);
  }
  const isPending = result.kind !== "found" || result.state === "pending";
  const continued = isPending ? await performContinuation(ctx, charge, attempt, provider) : undefined;
  if (continued && (continued.asksBuyer || isAnswer(charge, attempt, continued))) return continued.decide(situation);
  if (result.kind === "found" || !isAutomatic || !(await canReplay(ctx, charge, attempt))) {
    const decline = result.kind === "found" && result.state === "declined" ? result.decline : undefined;
    return onQuery(await situationAfter(decline), result);
  }
  const replayed = await sendAgain();
  if (!replayed || !isAnswer(charge, attempt, replayed)) return onQuery(situation, { kind: "unavailable" });
  return replayed.decide({ ...(await situationAfter(replayed.decline)), isReplayed: true });
}

const hasKeys = ({ kind }: RoutedProvider): boolean => providerFor(kind).capabilities.idempotency.kind !== "none";

/**
 * What the provider shows decides. Where it has nothing, or not what the buyer pays with, creating it again under its own
 * reference and key makes or shows it. That this is refused says nothing by itself: what was paid or closed since is
 * refused too. It counts only beside a definitive word that nothing is there.
 */
async function onCreation(
  situation: Situation,
  result: QueryResult,
  sendAgain: () => Promise<Performed | undefined>,
): Promise<Decision> {
  const isShown = result.kind === "found" && (result.state !== "pending" || result.offer !== undefined);
  if (isShown || result.kind === "unavailable") return onQuery(situation, result);
  if (!isKeyAlive(situation)) return onQuery(situation, { kind: "unavailable" });
  const created = await sendAgain();
  if (!created) return onQuery(situation, { kind: "unavailable" });
  const isRefused = created.kind === "declined" || created.kind === "rejected";
  const isTold = MADE.includes(created.kind) || (isRefused && result.kind === "not_found_definitive");
  return isTold ? created.decide(situation) : onQuery(situation, { kind: "unavailable" });
}

const MADE: readonly Performed["kind"][] = ["approved", "pending", "mismatch"];

const NOT_FOUND_YET: QueryResult = { kind: "not_found_yet" };
const SHORTEST_LATE_WINDOW_SECONDS = 60;

/** Whatever the provider says: as long as a transaction may still appear, not to have it says nothing. */
const tooEarly = ({ kind }: QueryResult, provider: RoutedProvider, sentUntil: Date, now: Date): boolean =>
  kind === "not_found_definitive" && mayStillAppear(provider, sentUntil, now);

function mayStillAppear({ kind }: RoutedProvider, sentUntil: Date, now: Date): boolean {
  const { lateWindowSec } = providerFor(kind).capabilities;
  return now < addSeconds(sentUntil, Math.max(lateWindowSec, SHORTEST_LATE_WINDOW_SECONDS));
}

/** That a replay did not arrive, or was refused as a request, says nothing of the first send. */
function isAnswer(charge: Charge, attempt: AttemptRow, { kind }: Performed): boolean {
  if (kind === "approved" || kind === "declined" || kind === "mismatch") return true;
  if (kind !== "pending") return false;
  // News once: what is known to be pending stays on the schedule.
  if (attempt.kind === "refund") return attempt.requestStatusReason !== ACCEPTED;
  return attempt.kind === "authorize" && !isKnownPending(charge, attempt);
}

const isKnownPending = (charge: Charge, { raw }: AttemptRow): boolean =>
  raw !== null || challengeOf(charge) !== undefined;
