import type { Charge } from "@/lib/charges/queries";
import type { Context } from "@/lib/context";
import { now } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import type { Cents } from "@/lib/money";
import type { AttemptRow } from "@/lib/payments/attempts";
import { isTooLate, lockPositions, standingsOf } from "@/lib/receivables/split-state";
import { checkRefundSplit } from "@/lib/splits/check";

/** Whose part of a refund goes back, by the request's own rules. */
export interface ChosenPart {
  sellerId: string;
  amount: Cents;
}

/** Kept with the attempt: what is confirmed later is what was asked. */
export const chosenParts = ({ details }: Pick<AttemptRow, "details">): readonly ChosenPart[] | undefined =>
  // Guarantee: written by `detailsOf` alone.
  details && "splitRules" in details ? (details.splitRules as unknown as ChosenPart[]) : undefined;

export const partDetailsOf = (rules: readonly ChosenPart[] | undefined): { details?: Record<string, never> } =>
  // Guarantee: plain members are JSON.
  rules ? { details: { splitRules: rules } as unknown as Record<string, never> } : {};

/** Each at most what the seller still has of the charge, and in its time. The caller holds the charge. */
export async function checkParts(
  ctx: Context,
  charge: Charge,
  rules: readonly ChosenPart[],
  refund: Cents,
): Promise<void> {
  const standings = await standingsOf(ctx, charge.row.id);
  const ids = charge.splits.map(({ sellerId }) => sellerId);
  checkRefundSplit(
    rules,
    refund,
    ids.map((sellerId) => ({ sellerId, amount: standings.get(sellerId)?.open ?? 0 })),
  );
  const positions = await lockPositions(ctx, charge, ids);
  const late = rules.filter(({ sellerId }) =>
    isTooLate(positions.get(sellerId)?.maxRefundDays ?? null, charge.row.capturedAt ?? charge.row.createdAt, now(ctx)),
  );
  if (late.length === 0) return;
  throw new DomainError("refund_window_expired", "a seller gives nothing back any more", {
    details: late.map(({ sellerId }) => sellerId),
  });
}
