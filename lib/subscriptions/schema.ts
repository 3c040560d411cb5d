import { z } from "zod";
import {
  CYCLE_STATUSES,
  INTERVALS,
  MANDATE_JOURNEYS,
  MANDATE_RETRIES,
  MANDATE_STATUSES,
  SUBSCRIPTION_STATUSES,
  TRY_STATUSES,
} from "@/db/schema/subscriptions";
import { amount, commaList, day, freeObject, instantOut, optional, text, uuid } from "@/lib/http/fields";
import { listOf, pageQuery } from "@/lib/http/pagination";
import { MAX_INSTALLMENTS } from "@/lib/payments/methods";
import { newSplitRule } from "@/lib/splits/schema";

const LONGEST_NAME = 100;
const LONGEST_KEY = 255;
const LONGEST_REASON = 500;
const MOST_ITEMS = 100;
const MOST_CYCLES = 10_000;
/** A later day cannot be counted on from: its last due dates would have five digits of year. */
const LAST_START = "2999-12-31";

const startDay = day.refine((given) => given <= LAST_START, "must be before the year 3000");
const cvv = z.string().regex(/^\d{3,4}$/, "must be 3 or 4 digits");
const installments = z.int().min(1).max(MAX_INSTALLMENTS);

export const subscriptionItem = z
  .object({
    name: text(LONGEST_KEY),
    amount: amount(1),
    quantity: z.int().min(1).max(1_000_000),
    description: optional(text(LONGEST_REASON)),
    sku: optional(text(LONGEST_KEY)),
    risk: optional(z.enum(["Low", "High"])),
    categoryId: optional(text(LONGEST_KEY)),
    locality: optional(text(LONGEST_KEY)),
    date: optional(text(LONGEST_KEY)),
    type: optional(z.int()),
    genre: optional(text(LONGEST_KEY)),
    tickets: optional(freeObject),
    location: optional(freeObject),
  })
  .meta({ id: "SubscriptionItem" });
export type SubscriptionItem = z.output<typeof subscriptionItem>;

const items = z.array(subscriptionItem).min(1).max(MOST_ITEMS);
const interval = z.enum(INTERVALS);
const cycles = z.int().min(1).max(MOST_CYCLES).meta({ description: "Absent: until it is canceled" });

export const newSubscription = z
  .object({
    name: text(LONGEST_NAME),
    merchantId: uuid,
    customerId: uuid,
    items,
    recurrence: z.object({
      interval,
      cycles: optional(cycles),
      startAt: optional(startDay).meta({ description: "A UTC day, today or later; today by default" }),
    }),
    paymentMethod: z.discriminatedUnion("type", [
      z.object({
        type: z.literal("credit"),
        card: z.object({
          cardId: uuid,
          cvv: optional(cvv).meta({ description: "Of the first charge, within this call" }),
        }),
        installments: optional(installments).transform((given) => given ?? 1),
      }),
      z.object({
        type: z.literal("pix_automatic"),
        journey: z.enum(MANDATE_JOURNEYS).meta({
          description:
            "How the buyer authorizes in the bank: by a code alone, or by the code that pays the first cycle",
        }),
        retry: optional(z.enum(MANDATE_RETRIES))
          .transform((given) => given ?? "none")
          .meta({ description: "Whether the bank may be asked again when a cycle was not paid; none by default" }),
      }),
    ]),
    referenceKey: optional(text(LONGEST_KEY)),
    splitRules: optional(z.array(newSplitRule).max(100)),
    trial: optional(z.object({ endAt: startDay })),
    currency: optional(z.literal("BRL")).transform((given) => given ?? "BRL"),
  })
  .meta({ id: "NewSubscription" });
export type NewSubscription = z.output<typeof newSubscription>;

export const subscriptionChanges = z
  .object({
    name: optional(text(LONGEST_NAME)),
    merchantId: optional(uuid),
    referenceKey: optional(text(LONGEST_KEY)),
    items: optional(items),
    recurrence: optional(
      z.object({
        interval: optional(interval),
        cycles: optional(cycles),
        startAt: optional(startDay).meta({ description: "Before the first charge only" }),
      }),
    ),
    splitRules: optional(z.array(newSplitRule).max(100)),
    paymentMethod: optional(
      z.object({
        type: optional(z.literal("credit")),
        card: optional(z.object({ cardId: uuid })),
        installments: optional(installments),
      }),
    ),
    trial: optional(z.object({ endAt: optional(day) })).meta({ description: "Cannot change" }),
    cancelAtPeriodEnd: optional(z.boolean()),
    scheduledCancellationAt: day.nullable().optional().meta({ description: "00:00 UTC of this day; null removes it" }),
    scheduledCancellationReason: text(LONGEST_REASON).nullable().optional(),
  })
  .meta({ id: "SubscriptionChanges" });
export type SubscriptionChanges = z.output<typeof subscriptionChanges>;

export const lifecycleInput = z.object({ reason: optional(text(LONGEST_REASON)) }).meta({ id: "SubscriptionReason" });

export const subscriptionFilters = pageQuery.extend({
  status: commaList(SUBSCRIPTION_STATUSES).optional(),
  merchantId: uuid.optional(),
  customerId: uuid.optional(),
  referenceKey: z.string().optional(),
});
export const cycleFilters = pageQuery;

export const subscriptionParams = z.object({ id: uuid });
export const cycleParams = z.object({ id: uuid, cycleId: uuid });

const words = z.string().nullable();
const aDay = z.string().meta({ format: "date" });
const cents = z.int();
const sentRule = z.looseObject({ sellerId: z.string() });

const cycleSummary = z.object({
  id: z.uuid(),
  subscriptionId: z.uuid(),
  customerId: z.uuid(),
  merchantId: z.uuid(),
  cycle: z.int().min(1),
  status: z.enum(CYCLE_STATUSES),
  attempts: z.int().min(0),
  scheduledAt: aDay,
  nextRetryAt: aDay.nullable(),
  createdAt: instantOut,
});
export const cycleListItem = cycleSummary.meta({ id: "SubscriptionCycle" });
export const cycleBody = cycleSummary
  .extend({
    paymentHistory: z.array(
      z.object({
        id: z.uuid(),
        createdAt: instantOut,
        chargeId: z.uuid().nullable(),
        attemptNumber: z.int().min(1),
        status: z.enum(TRY_STATUSES),
        error: words.meta({ description: "Decline code, or why no charge could be made; taken_back by a pause" }),
      }),
    ),
  })
  .meta({ id: "SubscriptionCycleDetails" });
export type CycleBody = z.input<typeof cycleBody>;

export const subscriptionListItem = z
  .object({
    id: z.uuid(),
    name: z.string(),
    clientId: z.uuid(),
    merchantId: z.uuid(),
    customerId: z.uuid(),
    referenceKey: words,
    sessionId: z.uuid().nullable().meta({ description: "The payment link that started it" }),
    currency: z.string(),
    interval,
    trial: z.object({ endAt: aDay }).nullable(),
    status: z.enum(SUBSCRIPTION_STATUSES),
    amount: cents.meta({ description: "Of one cycle" }),
    liveMode: z.boolean(),
    createdAt: instantOut,
    updatedAt: instantOut,
    cancelAtPeriodEnd: z.boolean(),
    scheduledCancellationAt: aDay.nullable(),
    scheduledCancellationReason: words,
  })
  .meta({ id: "SubscriptionSummary" });

export const subscriptionBody = subscriptionListItem
  .omit({ interval: true })
  .extend({
    items: z.array(z.looseObject({ name: z.string(), amount: cents, quantity: z.int() })),
    recurrence: z.object({
      interval,
      cycles: z.int().nullable(),
      startAt: aDay,
      endAt: aDay.nullable().meta({ description: "When the last cycle falls due" }),
      nextDueDate: aDay.nullable(),
    }),
    paymentMethod: z.discriminatedUnion("type", [
      z.object({ type: z.literal("credit"), card: z.object({ cardId: z.uuid() }), installments: z.int() }),
      z.object({
        type: z.literal("pix_automatic"),
        journey: z.enum(MANDATE_JOURNEYS),
        retry: z.enum(MANDATE_RETRIES),
      }),
    ]),
    mandate: z
      .object({
        status: z.enum(MANDATE_STATUSES),
        qrCodeData: words.meta({ description: "What the buyer scans to authorize; null once nothing waits for it" }),
        approvedAt: instantOut.nullable(),
      })
      .nullable()
      .meta({ description: "The buyer's authorization; null for a card" }),
    splitRules: z.array(sentRule),
    lastCycle: cycleBody.nullable(),
  })
  .meta({ id: "Subscription" });
/** Of an event: the subscription right after the change. */
export const subscriptionData = z
  .object({
    subscription: subscriptionBody,
    errorCode: z.string().optional().meta({ description: "Why a cycle could not be charged" }),
  })
  .meta({ id: "SubscriptionEvent" });
export type SubscriptionBody = z.input<typeof subscriptionBody>;
export const subscriptionList = listOf(subscriptionListItem);
export const cycleList = listOf(cycleListItem);

export const lifecycleBody = z
  .object({ id: z.uuid(), status: z.enum(SUBSCRIPTION_STATUSES), message: z.string(), updatedAt: instantOut })
  .meta({ id: "SubscriptionLifecycle" });
export type LifecycleBody = z.input<typeof lifecycleBody>;

export const previewBody = z
  .object({ items: z.array(z.object({ cycle: z.int(), dueDate: aDay, amount: cents })) })
  .meta({ id: "SubscriptionPreview" });

const MOST_RETRIES = 6;
const MOST_DAYS = 30;
const retryPolicy = z
  .array(z.object({ daysAfterLastAttempt: z.int().min(1).max(MOST_DAYS) }))
  .min(1)
  .max(MOST_RETRIES)
  .refine(
    (given) => given.reduce((days, { daysAfterLastAttempt }) => days + daysAfterLastAttempt, 0) <= MOST_DAYS,
    `must be within ${MOST_DAYS} days in all`,
  );

export const settingsChanges = z
  .object({
    retryPolicy: optional(retryPolicy),
    retryRules: optional(retryPolicy).meta({ description: "Synonym of retryPolicy" }),
    statementDescriptor: optional(text(25, 3)),
    cancelAfterAllRetries: optional(z.boolean()),
  })
  .meta({ id: "SubscriptionSettingsChanges" });
export type SettingsChanges = z.output<typeof settingsChanges>;

export const subscriptionSettingsBody = z
  .object({
    clientId: z.uuid(),
    retryPolicy: z.array(z.object({ daysAfterLastAttempt: z.int() })),
    statementDescriptor: words,
    cancelAfterAllRetries: z.boolean(),
    createdAt: instantOut,
    updatedAt: instantOut,
  })
  .meta({ id: "SubscriptionSettings" });
