import type { Decision, Situation } from "@/lib/charges/engine/decision";
import { alternativeTo } from "@/lib/charges/engine/failover";
import { onQuery } from "@/lib/charges/engine/on-query";
import { type Performed, perform, performContinuation, subjectOf } from "@/lib/charges/engine/perform";
import { canReplay } from "@/lib/charges/engine/replay";
import { situationOf } from "@/lib/charges/engine/situation";
import { challengeOf } from "@/lib/charges/history";
import type { Charge } from "@/lib/charges/queries";
import type { Context } from "@/lib/context";
import type { AttemptRow } from "@/lib/payments/attempts";
import { callTimeoutMs, query } from "@/lib/payments/call";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import type { Decline } from "@/lib/providers/provider";
import { addSeconds } from "@/lib/time";

/** Creating one again under its own reference is the query: the provider answers with the one it has. */
const CREATED_AGAIN: readonly AttemptRow["kind"][] = ["pix", "boleto", "wallet"];

/**
 * Asks the provider what became of an attempt and decides; writes nothing. Stored notifications and the provider's own
 * record come first; where neither exists, the same request under the same key is the question.
 */
export async function queryAttempt(
  ctx: Context,
  charge: Charge,
  attempt: AttemptRow,
  provider: RoutedProvider,
  { isUnderReview = charge.row.reviewReason !== null }: { isUnderReview?: boolean } = {},
): Promise<Decision> {
  const situation = situationOf(ctx, charge, attempt, undefined);
  // Once people look into it, only evidence is read: a replay, or another provider, could be what authorizes.
  const isAutomatic = !isUnderReview && !situation.isReviewDue;
  const sendAgain = () => perform(ctx, charge, attempt, provider, {}, callTimeoutMs(attempt));
  const situationAfter = async (decline: Decline | undefined): Promise<Situation> => {
    if (!isAutomatic) return situation;
    const answer = { isUnsent: false, ...(decline ? { decline } : {}) };
    return situationOf(ctx, charge, attempt, await alternativeTo(ctx, charge, attempt, answer));
  };
  if (CREATED_AGAIN.includes(attempt.kind)) {
    const created = await sendAgain();
    // That the question did not arrive says nothing of the first send.
    return created.isUnsent ? onQuery(situation, { kind: "unavailable" }) : created.decide(situation);
  }
  const sentUntil = addSeconds(attempt.sentAt ?? attempt.createdAt, callTimeoutMs(attempt) / 1000);
  const result = await query(ctx, provider, attempt, subjectOf(charge), sentUntil);
  const isPending = result.kind !== "found" || result.state === "pending";
  const continued = isPending ? await performContinuation(ctx, charge, attempt, provider) : undefined;
  if (continued && isAnswer(charge, attempt, continued)) return continued.decide(situation);
  if (result.kind === "found" || !isAutomatic || !(await canReplay(ctx, charge, attempt))) {
    const decline = result.kind === "found" && result.state === "declined" ? result.decline : undefined;
    return onQuery(await situationAfter(decline), result);
  }
  const replayed = await sendAgain();
  if (!isAnswer(charge, attempt, replayed)) return onQuery(situation, { kind: "unavailable" });
  return replayed.decide(await situationAfter(replayed.decline));
}

/** That a replay did not arrive, or was refused as a request, says nothing of the first send. */
function isAnswer(charge: Charge, attempt: AttemptRow, { kind }: Performed): boolean {
  if (kind === "approved" || kind === "declined" || kind === "mismatch") return true;
  // News once: what is known to be pending stays on the schedule.
  return kind === "pending" && attempt.kind === "authorize" && !isKnownPending(charge, attempt);
}

const isKnownPending = (charge: Charge, { raw }: AttemptRow): boolean =>
  raw !== null || challengeOf(charge) !== undefined;
