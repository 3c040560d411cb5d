import type { z } from "zod";
import type { Context } from "@/lib/context";
import { cycleDueOn } from "@/lib/subscriptions/calendar";
import type { MandateRow } from "@/lib/subscriptions/mandate-queries";
import type {
  CycleRow,
  CycleView,
  SubscriptionRow,
  SubscriptionSettingsRow,
  SubscriptionView,
} from "@/lib/subscriptions/queries";
import {
  type CycleBody,
  type cycleListItem,
  type SubscriptionBody,
  subscriptionData,
  type subscriptionListItem,
  type subscriptionSettingsBody,
} from "@/lib/subscriptions/schema";

/** The only place where a subscription becomes a wire object. */
export function serializeSubscription(ctx: Context, view: SubscriptionView): SubscriptionBody {
  const { row, last } = view;
  const { interval: _of, ...summary } = serializeSummary(ctx, row);
  return {
    ...summary,
    // Guarantee: written from the request schema, which asks for these members.
    items: row.items as SubscriptionBody["items"],
    recurrence: {
      interval: row.interval,
      cycles: row.cycles,
      startAt: row.startAt,
      endAt: endOf(view),
      nextDueDate: row.nextDueOn,
    },
    paymentMethod: methodOf(view),
    mandate: view.mandate ? serializeMandate(view.mandate) : null,
    // Guarantee: as above.
    splitRules: row.splitRules as SubscriptionBody["splitRules"],
    lastCycle: last ? serializeCycle(last) : null,
  };
}

function methodOf({ row, mandate }: SubscriptionView): SubscriptionBody["paymentMethod"] {
  if (row.cardId !== null) return { type: "credit", card: { cardId: row.cardId }, installments: row.installments };
  if (!mandate) throw new Error("a subscription with neither a card nor a mandate");
  return { type: "pix_automatic", journey: mandate.journey, retry: mandate.retry };
}

/** A code that nothing waits for is not shown: nobody is to scan it. */
const serializeMandate = ({ status, qrCodeData, approvedAt }: MandateRow): SubscriptionBody["mandate"] => ({
  status,
  qrCodeData: status === "created" ? qrCodeData : null,
  approvedAt,
});

export const serializeSummary = ({ account }: Context, row: SubscriptionRow): z.input<typeof subscriptionListItem> => ({
  id: row.id,
  name: row.name,
  clientId: row.clientId,
  merchantId: row.merchantId,
  customerId: row.customerId,
  referenceKey: row.referenceKey,
  sessionId: row.sessionId,
  currency: row.currency,
  interval: row.interval,
  trial: row.trialEndAt === null ? null : { endAt: row.trialEndAt },
  status: row.status,
  amount: row.amount,
  liveMode: account.mode === "live",
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  cancelAtPeriodEnd: row.cancelAtPeriodEnd,
  scheduledCancellationAt: row.scheduledCancellationAt,
  scheduledCancellationReason: row.scheduledCancellationReason,
});

/** Moves by the cycles that were skipped. */
const endOf = ({ row, anchors, counts }: SubscriptionView): string | null =>
  row.cycles === null ? null : cycleDueOn(anchors, row.cycles + counts.canceled);

export const serializeCycleSummary = (cycle: CycleRow): z.input<typeof cycleListItem> => ({
  id: cycle.id,
  subscriptionId: cycle.subscriptionId,
  customerId: cycle.customerId,
  merchantId: cycle.merchantId,
  cycle: cycle.cycle,
  status: cycle.status,
  attempts: cycle.attempts,
  scheduledAt: cycle.dueOn,
  nextRetryAt: cycle.nextRetryOn,
  createdAt: cycle.createdAt,
});

export const serializeCycle = ({ cycle, tries }: CycleView): CycleBody => ({
  ...serializeCycleSummary(cycle),
  paymentHistory: tries.map(({ id, createdAt, chargeId, number, status, error }) => ({
    id,
    createdAt,
    chargeId,
    attemptNumber: number,
    status,
    error,
  })),
});

/** The snapshot of an event: spec/contract.md 20.3. */
export const subscriptionEvent = (ctx: Context, view: SubscriptionView, errorCode: string | undefined) =>
  subscriptionData.parse({
    subscription: serializeSubscription(ctx, view),
    ...(errorCode === undefined ? {} : { errorCode }),
  });

export const serializeSubscriptionSettings = (
  row: SubscriptionSettingsRow,
): z.input<typeof subscriptionSettingsBody> => ({
  clientId: row.clientId,
  retryPolicy: row.retryPolicy.map((daysAfterLastAttempt) => ({ daysAfterLastAttempt })),
  statementDescriptor: row.statementDescriptor,
  cancelAfterAllRetries: row.cancelAfterAllRetries,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});
