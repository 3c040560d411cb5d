import { z } from "zod";
import { amount, instantOut, optional, uuid } from "@/lib/http/fields";
import { MAX_CENTS, percentToBps } from "@/lib/money";

/** Split rules of charges and sessions: spec/contract.md 8.8. Purchases keep their stricter ones. */

/** A percentage from this one up. */
export const hundredths = (least: number) =>
  z
    .number()
    .min(least)
    .max(100)
    .refine((given) => percentToBps(given) !== undefined, "must have at most 2 decimals");

/** spec/settlement.md section 3. */
const LEAST_PERCENTAGE = 0.01;
const percentage = hundredths(LEAST_PERCENTAGE);
const mdr = hundredths(0);

type Refinement<T> = readonly [holds: (rule: T) => boolean, otherwise: string];

/** What holds for the rules of every payment. */
export const ONE_SHARE: Refinement<{ percentage?: number | undefined; amount?: number | undefined }> = [
  ({ percentage, amount }) => (percentage === undefined) !== (amount === undefined),
  "needs percentage or amount, one of them",
];
export const ONE_FEE: Refinement<{ chargeEntireFee?: boolean | undefined; chargeRemainderFee?: boolean | undefined }> =
  [
    ({ chargeEntireFee, chargeRemainderFee }) => !(chargeEntireFee && chargeRemainderFee),
    "chargeEntireFee and chargeRemainderFee exclude each other",
  ];

export const newSplitRule = z
  .object({
    sellerId: uuid,
    percentage: optional(percentage),
    amount: optional(amount(1)),
    processingFee: optional(z.boolean()),
    liable: optional(z.boolean()),
    chargeEntireFee: optional(z.boolean()),
    chargeRemainderFee: optional(z.boolean()),
    transactionOwner: optional(z.boolean()),
    fares: optional(z.object({ mdr: optional(mdr), fee: optional(amount(0)) })),
  })
  .refine(...ONE_SHARE)
  .refine(...ONE_FEE)
  .meta({ id: "NewSplitRule", description: "What is absent is as the seller's own terms say." });
export type NewSplitRule = z.output<typeof newSplitRule>;

const cents = z.int().min(0).max(MAX_CENTS);

export const splitRuleBody = z
  .object({
    id: z.string(),
    sellerId: z.string(),
    percentage: z.number().optional(),
    amount: cents.optional(),
    processingFee: z.boolean(),
    liable: z.boolean(),
    chargeEntireFee: z.boolean(),
    chargeRemainderFee: z.boolean(),
    transactionOwner: z.boolean(),
    fareMdr: z.number().nullable(),
    fareFee: cents.nullable(),
    createdAt: instantOut,
    updatedAt: instantOut,
  })
  .meta({ id: "SplitRule" });
