import { z } from "zod";
import { freeObject, instantOut, optional, uuid } from "@/lib/http/fields";

export const DRY_RUN_OPERATIONS = ["charge", "split", "capture", "void"] as const;
export type DryRunOperation = (typeof DRY_RUN_OPERATIONS)[number];

export const newDryRun = z
  .object({
    operation: z.enum(DRY_RUN_OPERATIONS).meta({ description: "`split` is a charge with split rules" }),
    body: freeObject.default({}).meta({ description: "As of the real call" }),
    id: optional(uuid).meta({ description: "Of the charge that is captured or voided" }),
  })
  .refine(({ operation, id }) => (id === undefined) === (operation === "charge" || operation === "split"), {
    path: ["id"],
    error: "names the charge that is captured or voided, and is left out of a new one",
  })
  .meta({ id: "NewDryRun" });
export type NewDryRun = z.output<typeof newDryRun>;

const sellerId = z.uuid().nullable().meta({ description: "null: the merchant's own" });

export const planBody = z
  .object({
    providers: z
      .array(z.object({ id: z.uuid(), type: z.string() }))
      .meta({ description: "In the order they would be tried; the rest of the plan is the first one's approval" }),
    analyst: z.uuid().nullable().meta({ description: "The anti-fraud provider that would be asked" }),
    status: z.string().nullable().meta({ description: "Of the charge afterwards" }),
    shares: z
      .array(
        z.object({
          sellerId,
          installment: z.int().nullable(),
          amount: z.int(),
          date: z.string().meta({ format: "date" }),
        }),
      )
      .meta({ description: "Gross, by who receives it, instalment and payment date; negative for what is taken back" }),
    fees: z.array(
      z.object({
        sellerId,
        amount: z.int(),
        rateId: z.uuid().nullable().meta({ description: "The row of prices that says so" }),
      }),
    ),
    journals: z.array(
      z.object({
        type: z.string(),
        currency: z.string(),
        transfers: z.array(z.object({ debit: z.string(), credit: z.string(), amount: z.int() })),
      }),
    ),
    events: z.array(z.string()),
    errors: z.array(z.looseObject({})).meta({ description: "As the real call would answer it" }),
  })
  .meta({ id: "Plan" });
export type PlanBody = z.output<typeof planBody>;

export const dryRunBody = z
  .object({
    plan: planBody,
    planHash: z.string().meta({ description: "SHA-256 of the plan in canonical form (RFC 8785)" }),
    asOf: instantOut,
  })
  .meta({ id: "DryRun", description: "What a call would do now. Nothing is written." });
