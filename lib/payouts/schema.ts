import { z } from "zod";
import {
  BATCH_FEATURES,
  BATCH_METHODS,
  BATCH_STATUSES,
  LINE_SOURCES,
  LINE_TYPES,
  TRANSFER_REASONS,
} from "@/db/schema/payouts";
import { commaList, day, instantIn, instantOut, uuid } from "@/lib/http/fields";
import { listOf, pageQuery } from "@/lib/http/pagination";

const cents = z.int();

export const batchBody = z
  .object({
    id: z.uuid(),
    merchantId: z.uuid(),
    sellerId: z.uuid().nullable().meta({ description: "null: the merchant's own" }),
    status: z.enum(BATCH_STATUSES),
    amount: cents.meta({ description: "Gross of the sales that fall due in it" }),
    feeAmount: cents,
    withdrawalFeeAmount: cents.meta({ description: "Price of the transfer; 0 when nothing is sent" }),
    totalFeeAmount: cents,
    balanceAmount: cents.meta({ description: "Carried in: 0, or the negative finalBalance of an offset batch" }),
    creditAmount: cents,
    refundAmount: cents.meta({ description: "Refunds and chargebacks deducted" }),
    debitAdjustmentAmount: cents,
    creditAdjustmentAmount: cents,
    finalBalance: cents.meta({
      description:
        "What is sent to the seller, or what the merchant has of its own; nothing is sent when it is not above 0",
    }),
    reportUrl: z.url().meta({
      description: "Its lines as CSV, without a key, for 30 days; `merchantOrderId` is the order of the payment",
    }),
    paymentDate: z.iso.date(),
    payoutDate: z.iso.date().nullable(),
    feature: z.enum(BATCH_FEATURES),
    paymentMethod: z.enum(BATCH_METHODS).nullable(),
    paymentArrangement: z.string().nullable(),
    error: z.object({ reason: z.enum(TRANSFER_REASONS) }).nullable(),
    createdAt: instantOut,
    updatedAt: instantOut,
  })
  .meta({
    id: "PaymentBatch",
    description: "What is paid to a seller, or to the merchant itself, on one day; the acquirer's cost is not deducted",
  });
export type BatchBody = z.input<typeof batchBody>;

export const returnedBody = z
  .object({ batch: batchBody, error: z.object({ reason: z.enum(TRANSFER_REASONS) }) })
  .meta({ id: "PayoutReturnedEvent" });

export const orderBody = z
  .object({
    id: z.uuid(),
    chargeId: z.uuid(),
    sellerId: z.uuid().nullable(),
    type: z.enum(["authorization", "void", "charge_back"]),
    amount: cents.meta({ description: "Net; negative for what is taken" }),
    grossAmount: cents,
    totalFeeAmount: cents,
    currency: z.string(),
    installment: z.int().nullable(),
    totalInstallments: z.int(),
    paymentMethod: z.string(),
    paymentArrangement: z.string().nullable(),
    paymentScheduledAt: z.iso.date(),
    paymentBatchId: z.uuid().nullable(),
    previousBatchId: z.uuid().nullable().meta({ description: "The failed batch that it stood in before" }),
    createdAt: instantOut,
    updatedAt: instantOut,
  })
  .meta({ id: "PaymentOrder", description: "One instalment of a sale, or what was taken from it, as it is paid" });
export type OrderBody = z.input<typeof orderBody>;

export const lineBody = z
  .object({
    id: z.uuid(),
    type: z.enum(LINE_TYPES),
    amount: cents.meta({ description: "All lines of a batch add up to its finalBalance" }),
    chargeId: z.uuid().nullable(),
    orderId: z.uuid().nullable(),
    previousBatchId: z.uuid().nullable(),
    source: z.object({ type: z.enum(LINE_SOURCES), id: z.uuid() }),
  })
  .meta({ id: "PaymentBatchLine" });
export type LineBody = z.input<typeof lineBody>;

export const balanceBody = z
  .object({
    available: cents.meta({ description: "Released and in no batch; negative: what is owed" }),
    receivable: cents.meta({ description: "Settles in future" }),
    inTransit: cents.meta({ description: "In batches that are not paid yet" }),
    debt: cents.min(0),
    asOf: instantOut,
  })
  .meta({ id: "Balance" });
export type BalanceBody = z.input<typeof balanceBody>;

const ofSeller = uuid.optional().meta({ description: "One seller; without it the account's own" });
/** `*` is everybody. */
const whose = z
  .union([z.literal("*"), uuid])
  .optional()
  .meta({
    type: "string",
    description: "A seller's id, or * for all; without it the account's own",
  });

export const balanceQuery = z.object({ sellerId: ofSeller });
const span = { startDate: instantIn.optional(), endDate: instantIn.optional() };
export const batchFilters = pageQuery.extend({
  sellerId: whose,
  merchantId: uuid.optional(),
  status: commaList(BATCH_STATUSES).optional(),
  ...span,
  paymentDate: day.optional(),
});
export type BatchFilters = z.output<typeof batchFilters>;
export const orderFilters = pageQuery.extend({
  sellerId: whose,
  merchantId: uuid.optional(),
  chargeId: uuid.optional(),
  ...span,
});
export type OrderFilters = z.output<typeof orderFilters>;

export const payoutParams = z.object({ id: uuid });
export const oneQuery = z.object({ sellerId: ofSeller });
export const batchList = listOf(batchBody);
export const orderList = listOf(orderBody);
export const lineList = listOf(lineBody);
