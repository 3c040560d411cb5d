import { z } from "zod";
import { day, freeObject, instantOut, optional, uuid } from "@/lib/http/fields";
import { planBody } from "@/lib/plans/schema";

export const DRY_RUN_OPERATIONS = ["charge", "split", "capture", "void", "purchase", "prepayment", "payout"] as const;
export type DryRunOperation = (typeof DRY_RUN_OPERATIONS)[number];

const OF_A_CHARGE: readonly DryRunOperation[] = ["capture", "void"];
const OF_A_LINK: readonly DryRunOperation[] = ["charge", "split"];

export const newDryRun = z
  .object({
    operation: z.enum(DRY_RUN_OPERATIONS).meta({
      description:
        "`split` is a charge with split rules, or one of a payment link that has them; `prepayment` takes the body of a simulation, and its plan is that of the confirmation",
    }),
    body: freeObject.default({}).meta({
      description:
        "As of the real call, with the `id` of a payment link that of its charge; of a payout `{merchantId, sellerId?, date?}`, the next bank day unless said",
    }),
    id: optional(uuid).meta({
      description: "Of the charge that is captured or voided, or of the payment link that is paid",
    }),
  })
  .refine(
    ({ operation, id }) => OF_A_LINK.includes(operation) || (id !== undefined) === OF_A_CHARGE.includes(operation),
    {
      path: ["id"],
      error: "names the charge that is captured or voided, or the payment link that is paid, and nothing else",
    },
  )
  .meta({ id: "NewDryRun" });
export type NewDryRun = z.output<typeof newDryRun>;

export const payoutPlanInput = z.object({
  merchantId: uuid,
  sellerId: optional(uuid),
  date: optional(day),
});

export const dryRunBody = z
  .object({
    plan: planBody,
    planHash: z.string().meta({
      description: "SHA-256 of the plan in canonical form (RFC 8785). The real call takes it as `X-Plan-Hash`",
    }),
    asOf: instantOut,
  })
  .meta({ id: "DryRun", description: "What a call would do now. Nothing is written." });
