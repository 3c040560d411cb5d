import { z } from "zod";

/**
 * What the events of resources show that this version does not make yet (spec/contract.md 13, 15, 16, 17). When one of
 * them gets its own serialiser, its schema takes this one's place in the catalogue. Wire form: instants are texts.
 */

const at = z.iso.datetime();
const cents = z.int();
const words = z.string().nullable();
const cycle = z.object({
  id: z.uuid(),
  cycle: z.int().min(1),
  status: z.enum(["scheduled", "pending", "authorized", "retrying", "failed", "canceled"]),
  attempts: z.int().min(0),
  scheduledAt: z.iso.date(),
  nextRetryAt: z.iso.date().nullable().optional(),
  createdAt: at,
  paymentHistory: z
    .array(
      z.looseObject({
        createdAt: at,
        chargeId: z.uuid().nullable().optional(),
        attemptNumber: z.int(),
        status: z.enum(["pending", "authorized", "failed"]),
        error: words.optional(),
      }),
    )
    .optional(),
});

const subscription = z
  .looseObject({
    id: z.uuid(),
    name: z.string(),
    clientId: z.uuid(),
    merchantId: z.uuid(),
    customerId: z.uuid(),
    referenceKey: words,
    currency: z.string(),
    items: z.array(z.looseObject({ name: z.string(), amount: cents, quantity: z.int() })),
    recurrence: z.object({
      interval: z.enum(["weekly", "monthly", "quarterly", "yearly", "biennial", "triennial"]),
      cycles: z.int().nullable(),
      startAt: z.iso.date(),
      endAt: z.iso.date().nullable().optional(),
      nextDueDate: z.iso.date().nullable().optional(),
    }),
    paymentMethod: z.object({
      type: z.literal("credit"),
      card: z.object({ cardId: z.uuid() }),
      installments: z.int(),
    }),
    trial: z.object({ endAt: z.iso.date() }).nullable(),
    splitRules: z.array(z.looseObject({})),
    status: z.enum(["created", "trialing", "active", "paused", "unpaid", "expired", "canceled"]),
    amount: cents,
    liveMode: z.boolean(),
    lastCycle: cycle.nullable(),
    cancelAtPeriodEnd: z.boolean(),
    scheduledCancellationAt: z.iso.date().nullable().optional(),
    scheduledCancellationReason: words.optional(),
    createdAt: at,
    updatedAt: at,
  })
  .meta({ id: "SubscriptionSnapshot" });

export const subscriptionData = z
  .object({ subscription, errorCode: words.optional().meta({ description: "Why a cycle could not be charged" }) })
  .meta({ id: "SubscriptionEvent" });

export const payoutData = z
  .object({
    id: z.uuid(),
    sellerId: z.uuid().nullable().optional(),
    status: z.enum(["pending", "paid", "failed", "offset"]),
    amount: cents,
    feeAmount: cents,
    withdrawalFeeAmount: cents,
    totalFeeAmount: cents,
    balanceAmount: cents,
    creditAmount: cents,
    refundAmount: cents,
    debitAdjustmentAmount: cents,
    creditAdjustmentAmount: cents,
    finalBalance: cents.meta({ description: "What is sent; nothing when it is not above 0" }),
    paymentDate: z.iso.date(),
    payoutDate: z.iso.date().nullable().optional(),
    feature: z.enum(["subacquirer", "nupay", "general"]),
    paymentMethod: z.enum(["credit", "pix", "nupay"]).nullable().optional(),
    paymentArrangement: words.optional(),
    error: z.object({ reason: z.string() }).nullable().optional(),
    createdAt: at,
    updatedAt: at,
  })
  .meta({ id: "PayoutEvent" });

const prepaid = { grossAmount: cents, netAmount: cents, markupAmount: cents, feeAmount: cents };

export const prepaymentData = z
  .object({
    id: z.uuid(),
    status: z.enum(["pending", "committed", "paid", "expired"]),
    ...prepaid,
    effectiveRate: z.number(),
    monthlyRate: z.number(),
    markup: z.number(),
    expiresAt: at,
    endDate: z.iso.date().nullable(),
    receiptDates: z.array(z.iso.date()),
    paymentDate: z.iso.date(),
    groups: z.array(z.object({ receiptDate: z.iso.date(), receivableCount: z.int(), ...prepaid })),
    items: z.array(
      z.object({
        receivableUnitExternalId: z.string(),
        ...prepaid,
        daysToAnticipate: z.int(),
        settlementDate: z.iso.date(),
        paymentArrangement: words,
      }),
    ),
    createdAt: at,
  })
  .meta({ id: "PrepaymentEvent" });
