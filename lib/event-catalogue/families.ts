import { z } from "zod";

/**
 * What the events of resources show that this version does not make yet (spec/contract.md 15, 16). When one of
 * them gets its own serialiser, its schema takes this one's place in the catalogue. Wire form: instants are texts.
 */

const at = z.iso.datetime();
const cents = z.int();
const words = z.string().nullable();
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
