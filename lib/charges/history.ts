import { z } from "zod";
import type { Charge } from "@/lib/charges/queries";
import type { AttemptRow } from "@/lib/payments/attempts";
import type { NextAction } from "@/lib/providers/provider";
import type { KnownRefund } from "@/lib/providers/refund-marks";
import { wasDeniedShift } from "@/lib/three-ds/liability";

/** Why a refund is not over that its provider took, and will say later how it ended. */
export const ACCEPTED = "accepted";

/** A charge is analysed for fraud once: one row of its history (spec/contract.md 8.4). */
export const isAnalysis = ({ requestType }: AttemptRow): boolean => requestType === "anti_fraud";

/** The analysis whose verdict is still to come. */
export const openAnalysis = ({ attempts }: Pick<Charge, "attempts">): AttemptRow | undefined =>
  attempts.find((attempt) => isAnalysis(attempt) && attempt.state === "sent");

/** Taken as soon as the fraud analysis has approved it: nothing is decided before. */
export const isAnalysed = (charge: Pick<Charge, "row" | "attempts">): boolean =>
  charge.row.capture && openAnalysis(charge) !== undefined;

/** What the buyer's browser brought back from the challenge; undefined while it has brought nothing. */
export const returnOf = (charge: Pick<Charge, "attempts">): string | undefined => {
  const brought = challengeOf(charge)?.details?.returned;
  return typeof brought === "string" && brought !== "" ? brought : undefined;
};

/** The step of a challenge that the buyer is at, with what its provider must be told again. */
export function challengeStepOf(challenge: AttemptRow | undefined): Pick<NextAction, "type" | "kept"> {
  const { success, data } = step.safeParse(challenge?.details);
  return success ? { type: data.step, ...(data.kept ? { kept: data.kept } : {}) } : { type: "redirect" };
}

const step = z.object({ step: z.enum(["redirect", "device"]), kept: z.record(z.string(), z.string()).optional() });

/** Waited for its buyer until its time was over. Whoever closed it before, however late that is looked at, canceled it. */
export function ranOut({
  row: { status, expiresAt },
  attempts,
}: {
  row: Pick<Charge["row"], "status" | "expiresAt">;
  attempts: readonly AttemptRow[];
}): boolean {
  if (status !== "canceled") return false;
  // The first one: money that came later was sent back after it.
  const end = attempts.findLast(({ kind, requestType, state }) =>
    kind === "cancel_open" ? state === "approved" : kind === "notice" && requestType === "void",
  );
  if (!end) return false;
  return end.requestStatusReason === "expired" || (expiresAt !== null && end.createdAt >= expiresAt);
}

/** Kept with the call that releases a hold because nobody captured it in time. */
export const HOLD_ENDS = { holdEnds: true };

/** A hold that nobody captured in time, and nobody asked to release: the row of its history that ended it. */
export function holdEnd({
  row: { status, capturedAmount },
  attempts,
}: {
  row: Pick<Charge["row"], "status" | "capturedAmount">;
  attempts: readonly AttemptRow[];
}): AttemptRow | undefined {
  if (status !== "voided" || capturedAmount > 0) return undefined;
  // A call that the provider refused at first is made again without the mark.
  const isDue = attempts.some(({ kind, details }) => kind === "void" && details?.holdEnds === true);
  return attempts.find(
    ({ kind, requestType, state, requestStatusReason }) =>
      (kind === "void" && state === "approved" && isDue) ||
      (kind === "notice" && requestType === "void" && requestStatusReason === "expired"),
  );
}

/** Both are of one transaction. */
const AT_ONCE_MS = 1_000;

/** The verdict that a payment was refused by: it was never sent to an acquirer, or its hold was released at once. */
export function refusalByAnalysis({
  row: { status, capturedAmount },
  attempts,
}: {
  row: Pick<Charge["row"], "status" | "capturedAmount">;
  attempts: readonly AttemptRow[];
}): AttemptRow | undefined {
  const verdict = attempts.find((attempt) => isAnalysis(attempt) && attempt.state === "declined");
  if (!verdict || capturedAmount > 0) return undefined;
  if (status === "failed") return attempts.some(({ kind }) => kind === "authorize") ? undefined : verdict;
  if (status !== "voided" && status !== "refund_pending") return undefined;
  const isReleasedByIt = attempts.some(({ kind, createdAt }) => {
    const afterMs = createdAt.getTime() - verdict.updatedAt.getTime();
    return kind === "void" && afterMs >= 0 && afterMs < AT_ONCE_MS;
  });
  return isReleasedByIt ? verdict : undefined;
}

/** The challenge the buyer is at, or was. */
export const challengeOf = ({ attempts }: Pick<Charge, "attempts">): AttemptRow | undefined =>
  attempts.find(({ requestType }) => requestType === "3DS_auth");

/** What was approved without the liability shift that the payment needs: it is undone, and has failed then. */
export const deniedShift = ({ row, attempts }: Pick<Charge, "row" | "attempts">): AttemptRow | undefined =>
  attempts.find(
    ({ kind, state, details }) =>
      kind === "authorize" && state === "approved" && wasDeniedShift(row.threeDSecure2, shiftIn(details)),
  );

const threeds = z.object({ threeds: z.object({ liabilityShift: z.boolean() }) });
const shiftIn = (details: AttemptRow["details"]): boolean | undefined =>
  threeds.safeParse(details).data?.threeds.liabilityShift;

const NOTHING_WENT_BACK: readonly AttemptRow["state"][] = ["declined", "rejected", "not_sent", "reversed"];
/** Why money went back that nobody asked for here. */
export const FORCED_BY_BANK = "forced_by_payer_bank";
export const REFUNDED_THERE = "refunded_at_provider";
const FOUND_THERE: readonly (string | null)[] = [FORCED_BY_BANK, REFUNDED_THERE];

/** Refunds as the books have them: what a provider shows the sum of is held against these. */
export const knownRefunds = ({ attempts }: Pick<Charge, "attempts">): KnownRefund[] =>
  attempts
    .filter(({ state }) => !NOTHING_WENT_BACK.includes(state))
    .filter(
      ({ kind, requestStatusReason }) =>
        kind === "refund" || (kind === "notice" && FOUND_THERE.includes(requestStatusReason)),
    )
    .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
    .map((row) => ({
      ...(row.kind === "refund" ? { reference: row.reference } : { refundId: row.transactionId ?? "" }),
      amount: row.amount,
      isDone: row.kind === "notice" || row.state === "approved",
      isAccepted: row.requestStatusReason === ACCEPTED || row.details?.isAccepted === true,
      isRefused: row.kind === "refund" && row.state !== "approved" && row.providerError !== null,
      at: row.createdAt.toISOString(),
    }));
