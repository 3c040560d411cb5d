import { z } from "zod";
import { SESSION_ACTIONS, SESSION_STATUSES } from "@/db/schema/sessions";
import { INTERVALS } from "@/db/schema/subscriptions";
import { endOfSaoPauloDay } from "@/lib/brazil/bank-calendar";
import { amount, commaList, day, instantIn, instantOut, isCalendarDay, optional, text, uuid } from "@/lib/http/fields";
import { listOf, pageQuery } from "@/lib/http/pagination";
import { MAX_CENTS } from "@/lib/money";
import { MAX_INSTALLMENTS, MAX_PIX_SECONDS, onLatePayment, RECURRENCES, threeDS } from "@/lib/payments/methods";
import { vendor } from "@/lib/payments/vendor";
import { CURRENCIES } from "@/lib/reference/currencies";
import { MULTIPLE_PAYMENTS_STATUSES, UNLIMITED } from "@/lib/sessions/state";
import { newSplitRule, splitRuleBody } from "@/lib/splits/schema";

const MOST_PAYMENTS = 99_999;
const MOST_CYCLES = 10_000;
const SHORTEST_ORDER_ID = 2;

/** An optional member with a value of its own: null equals absent. */
const orElse = <T extends z.ZodType, V extends z.output<T>>(schema: T, value: V) =>
  schema
    .nullish()
    .transform((given): z.output<T> => given ?? value)
    .meta({ default: value });

const installments = z.int().min(1).max(MAX_INSTALLMENTS);
const credit = z.object({
  paymentType: z.literal("credit"),
  installments: installments.meta({ description: "the most that a buyer may choose" }),
  recurrence: optional(z.enum(RECURRENCES)),
  threeDS: optional(threeDS),
});
const pix = z.object({
  paymentType: z.literal("pix"),
  expiresIn: z
    .int()
    .min(1)
    .max(MAX_PIX_SECONDS)
    .meta({ description: "Seconds that a code lives; with `subscription` (Pix Automático) at most a day" }),
});
const boleto = z.object({
  paymentType: z.literal("boleto"),
  expiresDate: day,
  instructions: optional(text(255)),
  interest: optional(onLatePayment),
  fine: optional(onLatePayment),
});
const drip = z.object({
  paymentType: z.literal("drip"),
  cancelRedirectUrl: optional(z.url()),
  successRedirectUrl: optional(z.url()),
});
const nupay = z.object({
  paymentType: z.literal("nupay"),
  orderUrl: optional(z.url()),
  delayToAutoCancel: optional(z.int().min(1)),
  returnUrl: optional(z.url()),
  cancelUrl: optional(z.url()),
  recipients: optional(
    z.array(z.object({ referenceId: z.string(), name: z.string(), document: z.string(), amount: amount(0) })),
  ),
});
const clickToPay = z.object({ paymentType: z.literal("click_to_pay"), installments });

export const sessionMethod = z
  .discriminatedUnion("paymentType", [credit, pix, boleto, drip, nupay, clickToPay])
  .meta({ id: "NewSessionMethod", description: "A way to pay that the session offers." });
export type SessionMethod = z.output<typeof sessionMethod>;

const newItem = z.object({
  name: text(255),
  description: optional(text(255)),
  unitPrice: amount(0),
  quantity: z.int().min(1).max(MAX_CENTS),
  tangible: optional(z.boolean()),
  categoryId: optional(text(255)),
});

/** A date alone means the end of that day in São Paulo. */
const dueDate = z
  .string()
  .transform((given, issues) => {
    const at = isCalendarDay(given) ? endOfSaoPauloDay(given) : instantIn.safeParse(given).data;
    if (!at) issues.addIssue({ code: "custom", message: "must be an ISO 8601 date, or a date with its time" });
    return at ?? z.NEVER;
  })
  .meta({ type: "string", description: "An ISO 8601 date, alone or with its time" });

const maxPayments = z
  .int()
  .refine(
    (given) => given === UNLIMITED || (given >= 1 && given <= MOST_PAYMENTS),
    `must be ${UNLIMITED}, or from 1 to ${MOST_PAYMENTS}`,
  )
  .meta({ description: "-1: any number of times; absent: once" });

const MOST_TRIAL_DAYS = 365;
const newSubscription = z
  .object({
    interval: z.enum(INTERVALS),
    cycles: optional(z.int().min(1).max(MOST_CYCLES)).meta({ description: "absent: until it is canceled" }),
    trial: optional(z.object({ days: z.int().min(1).max(MOST_TRIAL_DAYS) })).meta({
      description: "Days without a charge, from the day on which the buyer subscribes",
    }),
  })
  .meta({ id: "NewSessionSubscription", description: "The payment starts a subscription of the same amount." });

export const newSession = z
  .object({
    merchantId: uuid,
    paymentMethods: z
      .array(sessionMethod)
      .min(1)
      .refine(
        (methods) => new Set(methods.map(({ paymentType }) => paymentType)).size === methods.length,
        "each paymentType once",
      ),
    items: z.array(newItem).min(1),
    amount: optional(amount(0)).meta({
      description: "absent: the sum of the items; with `createLink` 0 is refused with `session_amount_zero`",
    }),
    currency: orElse(z.enum(CURRENCIES), "BRL").meta({
      description: "Payments are made in BRL: another currency is refused with `currency_not_supported`",
    }),
    createLink: orElse(z.boolean(), false),
    isActive: orElse(z.boolean(), true),
    capture: orElse(z.boolean(), true),
    captchaEnabled: orElse(z.boolean(), false),
    dueDate: optional(dueDate).meta({ description: "Tomorrow or later in America/Sao_Paulo; absent: never" }),
    maxPayments: optional(maxPayments),
    subscription: optional(newSubscription).meta({
      description: "By credit card or, as Pix Automático, by pix; with an amount that is the sum of the items",
    }),
    splitRules: optional(z.array(newSplitRule).max(100)),
    customerId: optional(uuid).meta({ description: "A saved buyer, whose cards the session's key may use" }),
    name: optional(text(255)),
    description: optional(text(255)),
    statementDescriptor: optional(text(25, 3)),
    orderId: optional(text(64)),
    providerReferenceKey: optional(text(64)),
    vendor: optional(vendor),
  })
  .meta({ id: "NewSession" });
export type NewSession = z.output<typeof newSession>;

export const sessionChange = z
  .object({
    isActive: z.boolean(),
    dueDate: dueDate.nullish().meta({ description: "Today or later in America/Sao_Paulo; null removes it" }),
    maxPayments: optional(maxPayments).meta({ description: "Only for a session that has it" }),
  })
  .meta({ id: "SessionChange" });
export type SessionChange = z.output<typeof sessionChange>;

export const sessionParams = z.object({ id: uuid });

const words = z.string().nullable();
const cents = z.int().min(0).max(MAX_CENTS);

const methodBody = z
  .object({
    paymentType: z.string(),
    installments: z.int().optional(),
    recurrence: z.enum(RECURRENCES).optional(),
    threeDS: threeDS.optional(),
    expiresIn: z.int().optional(),
    expiresDate: z.string().optional(),
    instructions: z.string().optional(),
    interest: z.looseObject({}).optional(),
    fine: z.looseObject({}).optional(),
    cancelRedirectUrl: z.string().optional(),
    successRedirectUrl: z.string().optional(),
    orderUrl: z.string().optional(),
    delayToAutoCancel: z.int().optional(),
    returnUrl: z.string().optional(),
    cancelUrl: z.string().optional(),
    recipients: z.array(z.looseObject({})).optional(),
  })
  .meta({ id: "SessionMethod" });

const itemBody = z
  .object({
    id: z.uuid(),
    name: z.string(),
    description: words,
    unitPrice: cents,
    quantity: z.int(),
    tangible: z.boolean().nullable(),
    categoryId: words,
  })
  .meta({ id: "SessionItem" });

const multiplePaymentsBody = z
  .object({
    allow: z.boolean(),
    maxPayments: z.int().nullable(),
    paymentCount: z.int().min(0),
    pendingCount: z.int().min(0),
    status: z.enum(MULTIPLE_PAYMENTS_STATUSES),
  })
  .meta({ id: "MultiplePayments", description: "How often the session was paid, and what is left." });

export const sessionBody = z
  .object({
    id: z.uuid(),
    name: words,
    status: z.enum(SESSION_STATUSES),
    isActive: z.boolean(),
    captchaEnabled: z.boolean(),
    clientId: z.uuid(),
    merchantId: z.uuid(),
    customerId: z.uuid().nullable(),
    orderId: words,
    amount: cents,
    currency: z.string(),
    capture: z.boolean(),
    dueDate: instantOut.nullable(),
    description: words,
    statementDescriptor: words,
    paymentMethods: z.array(methodBody),
    items: z.array(itemBody),
    publicKey: z.uuid(),
    paymentLink: z.string().meta({ description: "Empty without a link" }),
    providerReferenceKey: words,
    splitRules: z.array(splitRuleBody),
    vendor: z.object({ id: z.string(), paymentFacilitatorId: words }).nullable(),
    subscription: z
      .object({
        interval: z.enum(INTERVALS),
        cycles: z.int().nullable(),
        trial: z.object({ days: z.int() }).nullable(),
      })
      .nullable()
      .meta({ description: "What its payment starts; null for what is paid once" }),
    multiplePayments: multiplePaymentsBody,
    createdAt: instantOut,
    updatedAt: instantOut,
  })
  .meta({ id: "Session", description: "An order that a buyer pays, on the hosted page or with the session's key." });
export type SessionBody = z.input<typeof sessionBody>;

export const changedSessionBody = z.object({ id: z.uuid(), isActive: z.boolean() }).meta({ id: "ChangedSession" });
export const canceledSessionBody = z
  .object({ id: z.uuid(), status: z.literal("canceled") })
  .meta({ id: "CanceledSession" });

export const sessionFilters = pageQuery.extend({
  id: uuid.optional(),
  status: commaList(SESSION_STATUSES).optional(),
  isActive: commaList(["true", "false"]).optional(),
  merchantId: uuid.optional(),
  orderId: z
    .string()
    .trim()
    .refine((given) => [...given].length >= SHORTEST_ORDER_ID, `must have at least ${SHORTEST_ORDER_ID} characters`)
    .optional()
    .meta({ type: "string", description: "Sessions whose orderId contains this, in any letter case" }),
  "multiplePayments.status": commaList(MULTIPLE_PAYMENTS_STATUSES).optional(),
  "created.gt": instantIn.optional(),
  "created.lt": instantIn.optional(),
});
export type SessionFilters = z.output<typeof sessionFilters>;
export const sessionList = listOf(sessionBody);
export const historyPage = pageQuery;

const scalar = z.union([z.string(), z.number(), z.boolean()]).nullable();

export const sessionRecordBody = z
  .object({
    id: z.uuid(),
    status: z.enum([...SESSION_STATUSES, "disabled"]),
    action: z.enum(SESSION_ACTIONS).optional(),
    actions: z.array(z.enum(SESSION_ACTIONS)),
    diff: z
      .object({
        changes: z.record(z.string(), z.object({ from: scalar, to: scalar, reason: words })).optional(),
        reason: z.string().optional(),
        expiredAt: z.string().optional(),
        maxPaymentsContext: z
          .object({ maxPayments: z.int().nullable(), paymentCount: z.int(), pendingCount: z.int() })
          .optional(),
      })
      .nullable(),
    clientId: z.uuid(),
    merchantId: z.uuid(),
    createdAt: instantOut,
    updatedAt: instantOut,
  })
  .meta({ id: "SessionRecord", description: "What happened to a session, and what it was after that." });
export const sessionRecordList = listOf(sessionRecordBody);
