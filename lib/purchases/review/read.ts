import { and, eq } from "drizzle-orm";
import { providers } from "@/db/schema/merchants";
import { dueJobs } from "@/db/schema/outbox";
import type { ReviewReason, SlotStatus } from "@/db/schema/purchases";
import { type AmountDifference, differenceIn } from "@/lib/charges/engine/difference";
import type { Charge } from "@/lib/charges/queries";
import { attemptInQuestion, callInQuestion, type ProviderTruth } from "@/lib/charges/review/statement";
import { type Context, inTransaction } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import type { AttemptRow } from "@/lib/payments/attempts";
import { chargeOfSlot } from "@/lib/purchases/intents";
import type { SlotCall } from "@/lib/purchases/plan";
import { getPurchase, type OperationRow, type PaymentRow, type Purchase } from "@/lib/purchases/queries";
import { truthsOf } from "@/lib/purchases/review/evidence";
import { interruptedOf } from "@/lib/purchases/review/service";

export interface SlotEvidence {
  slotIndex: number;
  status: SlotStatus;
  amount: number;
  chargeId: string | null;
  /** Its outcome is unknown: nothing goes on without a word for it. */
  isToBeStated: boolean;
  truths: readonly ProviderTruth[];
  call: SlotCall | null;
  providerTransactionId: string | null;
  provider: { id: string; kind: string; name: string } | null;
  lastAnswer: { status: string; reason: string | null } | null;
  /** Of what was asked for and what the provider has, where they are not the same. */
  difference: AmountDifference | null;
  queries: number;
  nextQueryAt: Date | null;
}

export interface Review {
  purchase: Purchase;
  reason: ReviewReason;
  since: Date;
  interrupted: Pick<OperationRow, "id" | "type" | "error">;
  amountAtStake: number;
  slots: SlotEvidence[];
}

/** A review with everything that is known of each card. */
export const readReview = (ctx: Context, purchaseId: string): Promise<Review> =>
  inTransaction(ctx, async (inside) => {
    const purchase = await getPurchase(inside, purchaseId);
    const { reviewReason, reviewSince, amount } = purchase.row;
    if (!reviewReason || !reviewSince) {
      throw new DomainError("purchase_invalid_state", "the purchase is not under review");
    }
    const { id, type, error } = await interruptedOf(inside, purchase);
    const slots: SlotEvidence[] = [];
    for (const slot of purchase.payments) slots.push(await evidenceOf(inside, slot));
    return {
      purchase,
      reason: reviewReason,
      since: reviewSince,
      interrupted: { id, type, error },
      amountAtStake: amount,
      slots,
    };
  });

async function evidenceOf(ctx: Context, slot: PaymentRow): Promise<SlotEvidence> {
  const { slotIndex, status, amount, chargeId } = slot;
  const isToBeStated = status === "undetermined";
  const charge = chargeId ? await chargeOfSlot(ctx, slot) : undefined;
  const attempt = charge && attemptInQuestion(charge);
  const [job] = chargeId
    ? await ctx.db
        .select({ dueAt: dueJobs.dueAt })
        .from(dueJobs)
        .where(and(eq(dueJobs.kind, "attempt.query"), eq(dueJobs.refId, chargeId)))
    : [];
  // One that was removed since is still called by its name.
  const [named] = attempt?.providerId
    ? await ctx.db.select({ name: providers.name }).from(providers).where(eq(providers.id, attempt.providerId))
    : [];
  return {
    slotIndex,
    status,
    amount,
    chargeId,
    isToBeStated,
    truths: truthsOf(slot, charge),
    call: charge && attempt ? cardCallOf(charge, attempt) : null,
    providerTransactionId: attempt?.transactionId ?? charge?.row.providerTxId ?? null,
    provider: attempt?.providerId
      ? { id: attempt.providerId, kind: attempt.providerType, name: named?.name ?? attempt.providerType }
      : null,
    lastAnswer: attempt ? { status: attempt.requestStatus, reason: attempt.requestStatusReason } : null,
    difference: (attempt && differenceIn(attempt)) ?? null,
    queries: attempt?.queries ?? 0,
    nextQueryAt: job?.dueAt ?? null,
  };
}

/** A card of a purchase has no offer that stays open. */
function cardCallOf(charge: Charge, attempt: AttemptRow): SlotCall | null {
  const call = callInQuestion(charge, attempt);
  return call === "offer" || call === "close" ? null : (call ?? null);
}
