import { z } from "zod";
import {
  OPERATION_STATUSES,
  OPERATION_TYPES,
  PURCHASE_STATUSES,
  REVIEW_REASONS,
  SLOT_STATUSES,
} from "@/db/schema/purchases";
import { RequestError } from "@/lib/errors";
import { amount, freeObject, instantOut, isCalendarDay, optional, text, uuid } from "@/lib/http/fields";
import { pageQuery } from "@/lib/http/pagination";
import { MAX_CENTS } from "@/lib/money";
import { hundredths, ONE_FEE, ONE_SHARE } from "@/lib/splits/schema";

const MAX_METADATA_KEYS = 50;
const MAX_SPLIT_RULES = 100;
const MAX_INSTALLMENTS = 24;

/** Minimums are rules with codes of their own (lib/purchases/checks.ts); here an amount only has to be one. */
const anyAmount = z.int().min(-MAX_CENTS).max(MAX_CENTS);

const LEAST_PERCENTAGE = 1;
const percentage = hundredths(LEAST_PERCENTAGE);

export const newPurchaseSplitRule = z
  .strictObject({
    sellerId: uuid,
    percentage: optional(percentage),
    amount: optional(amount(1)),
    processingFee: z.boolean(),
    liable: z.boolean(),
    chargeEntireFee: optional(z.boolean()),
    transactionOwner: optional(z.boolean()),
    chargeRemainderFee: optional(z.boolean()),
    fares: optional(z.strictObject({ mdr: optional(percentage), fee: optional(amount(0)) })),
  })
  .refine(...ONE_SHARE)
  .refine(...ONE_FEE)
  .meta({ id: "NewPurchaseSplitRule" });
export type NewPurchaseSplitRule = z.output<typeof newPurchaseSplitRule>;

const newPurchasePayment = z
  .strictObject({
    slotIndex: optional(z.int()).meta({ description: "its position; another one is refused" }),
    amount: anyAmount.meta({ minimum: 100 }),
    paymentMethod: z.strictObject({
      paymentType: z.literal("credit"),
      installments: z.int().min(1).max(MAX_INSTALLMENTS).default(1),
    }),
    paymentSource: optional(
      z.strictObject({
        sourceType: optional(z.enum(["card", "token"])),
        cardId: optional(uuid),
        tokenId: optional(uuid),
      }),
    ),
  })
  .meta({ id: "NewPurchasePayment" });

export const newPurchase = z
  .strictObject({
    merchantId: uuid,
    amount: anyAmount.meta({ minimum: 200 }),
    currency: z.string().max(10).default("BRL"),
    capture: z.boolean().default(false),
    orderId: optional(text(64)),
    sessionId: optional(uuid),
    customerId: optional(uuid),
    description: optional(text(255)),
    statementDescriptor: optional(text(25, 3)),
    metadata: optional(
      freeObject.refine((given) => Object.keys(given).length <= MAX_METADATA_KEYS, `at most ${MAX_METADATA_KEYS} keys`),
    ),
    splitRules: optional(z.array(newPurchaseSplitRule).min(1).max(MAX_SPLIT_RULES)),
    payments: z.array(newPurchasePayment).meta({ minItems: 2, maxItems: 3 }),
  })
  .meta({ id: "NewPurchase" });
export type NewPurchase = z.output<typeof newPurchase>;

export const capturePurchaseInput = z.strictObject({ amount: optional(amount(0)) }).meta({ id: "PurchaseCapture" });
export const voidPurchaseInput = z.strictObject({}).meta({ id: "PurchaseVoid" });

const cents = z.int().min(0).max(MAX_CENTS);
const words = z.string().nullable();

const splitRuleBody = z
  .object({
    sellerId: z.string(),
    percentage: z.number().optional(),
    amount: cents.optional(),
    processingFee: z.boolean(),
    liable: z.boolean(),
    chargeEntireFee: z.boolean().optional(),
    transactionOwner: z.boolean().optional(),
    chargeRemainderFee: z.boolean().optional(),
    fares: z.object({ mdr: z.number().optional(), fee: cents.optional() }).optional(),
  })
  .meta({ id: "PurchaseSplitRule" });

const paymentBody = z
  .object({
    slotIndex: z.int().min(0).max(2),
    amount: cents,
    paymentMethod: z.object({ paymentType: z.literal("credit"), installments: z.int() }),
    status: z.enum(SLOT_STATUSES).meta({ description: "pre_authorized is a hold, authorized is captured money" }),
    chargeId: z.string().optional(),
    declineReason: z.string().optional(),
    refundedAmount: cents,
    paymentSource: z.object({
      sourceType: z.enum(["card", "token"]),
      cardId: z.string().optional(),
      tokenId: z.string().optional(),
    }),
    card: z
      .object({
        brand: z.string(),
        first6digits: z.string(),
        last4digits: z.string(),
        expirationMonth: z.string(),
        expirationYear: z.string(),
        cardHolderName: z.string(),
      })
      .optional(),
    splitRules: z.array(splitRuleBody).optional().meta({ description: "the share of each rule on this card" }),
  })
  .meta({ id: "PurchasePayment" });

export const operationBody = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    type: z.enum(OPERATION_TYPES),
    status: z.enum(OPERATION_STATUSES),
  })
  .meta({ id: "PurchaseOperation" });

export const purchaseBody = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    merchantId: z.string(),
    amount: cents,
    currency: z.literal("BRL"),
    capture: z.boolean(),
    status: z.enum(PURCHASE_STATUSES),
    pendingReview: z
      .object({ reason: z.enum(REVIEW_REASONS), since: instantOut })
      .optional()
      .meta({ description: "people must look: stop polling" }),
    activeOperation: operationBody.optional().meta({ description: "absent when none runs, and in 202 answers" }),
    operation: operationBody.optional().meta({ description: "the accepted operation, only in 202 answers" }),
    orderId: words,
    sessionId: words,
    metadata: freeObject.optional(),
    splitRules: z.array(splitRuleBody).optional(),
    payments: z.array(paymentBody),
    createdAt: instantOut,
    updatedAt: instantOut,
  })
  .meta({ id: "Purchase" });
export type PurchaseBody = z.input<typeof purchaseBody>;

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** Unlike every other malformed parameter, a bad instant is 422 (interface.md). */
const instant = z
  .string()
  .transform((given) => {
    const at =
      RFC_3339.test(given) && isCalendarDay(given.slice(0, 10)) ? new Date(given.replace(" ", "T")) : undefined;
    if (!at || Number.isNaN(at.getTime())) {
      throw new RequestError(422, "validation_error", "createdAtGte and createdAtLte must be RFC 3339 date-times");
    }
    return at;
  })
  .meta({ type: "string", format: "date-time" });

export const purchaseFilters = pageQuery.omit({ sort: true }).extend({
  status: z.enum(PURCHASE_STATUSES).optional(),
  merchantId: uuid.optional(),
  orderId: z.string().optional(),
  id: uuid.optional(),
  sessionId: uuid.optional(),
  createdAtGte: instant.optional(),
  createdAtLte: instant.optional(),
});
export type PurchaseFilters = z.output<typeof purchaseFilters>;
