import { z } from "zod";
import { PREPAYMENT_STATUSES } from "@/db/schema/prepayments";
import { commaList, day, instantOut, optional, uuid } from "@/lib/http/fields";
import { listMeta, listOf, pageQuery } from "@/lib/http/pagination";

const cents = z.int();
export const MOST_DATES = 60;
const amounts = { grossAmount: cents, netAmount: cents, markupAmount: cents, feeAmount: cents };

export const prepaymentBody = z
  .object({
    id: z.uuid(),
    sellerId: z.uuid().nullable().meta({ description: "null: the account's own receivables" }),
    status: z.enum(PREPAYMENT_STATUSES),
    automatic: z.boolean(),
    ...amounts,
    effectiveRate: z.number().meta({ description: "(feeAmount + markupAmount) / grossAmount" }),
    monthlyRate: z.number().meta({ description: "In 30 days, as a decimal" }),
    markup: z.number(),
    expiresAt: instantOut,
    endDate: z.iso.date().nullable(),
    receiptDates: z.array(z.iso.date()).nullable(),
    paymentDate: z.iso.date().meta({ description: "When all of its money comes" }),
    groups: z.array(z.object({ receiptDate: z.iso.date(), receivableCount: z.int(), ...amounts })),
    items: z.array(
      z.object({
        receivableUnitExternalId: z.uuid(),
        ...amounts,
        daysToAnticipate: z.int(),
        settlementDate: z.iso.date(),
        paymentArrangement: z.string().nullable(),
      }),
    ),
    createdAt: instantOut,
  })
  .meta({ id: "Prepayment", description: "Receivables paid before their day" });
export type PrepaymentBody = z.input<typeof prepaymentBody>;

export const prepaymentList = listOf(prepaymentBody);

export const availableReceivablesBody = z
  .object({
    summary: z.object({ availableAmount: cents, receivableCount: z.int() }),
    receivables: z.array(
      z.object({
        id: z.uuid(),
        settlementDate: z.iso.date(),
        paymentArrangement: z.string().nullable(),
        amount: cents.meta({ description: "Net of fees" }),
      }),
    ),
    meta: listMeta,
  })
  .meta({ id: "AvailableReceivables" });

export const newPrepayment = z
  .object({
    receiptDates: optional(z.array(day).min(1).max(MOST_DATES)).meta({
      description: "Every free receivable that settles on one of these days",
    }),
    endDate: optional(day).meta({ description: "Every free receivable that settles up to this day" }),
    sellerId: optional(uuid),
  })
  .refine(({ receiptDates, endDate }) => (receiptDates === undefined) !== (endDate === undefined), {
    message: "exactly one of receiptDates and endDate is required",
    path: ["receiptDates"],
  })
  .meta({ id: "NewPrepayment" });
export type NewPrepayment = z.output<typeof newPrepayment>;

export const prepaymentFilters = pageQuery.extend({ status: commaList(PREPAYMENT_STATUSES).optional() });
export type PrepaymentFilters = z.output<typeof prepaymentFilters>;
export const receivableFilters = pageQuery
  .omit({ order: true, sort: true })
  .extend({ sellerId: uuid.optional().meta({ description: "One seller; without it the account's own" }) });
export const prepaymentParams = z.object({ id: uuid });
