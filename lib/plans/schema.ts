import { z } from "zod";

const sellerId = z.uuid().nullable().meta({ description: "null: the merchant's own" });

export const planBody = z
  .object({
    providers: z
      .array(z.object({ id: z.uuid(), type: z.string() }))
      .meta({ description: "In the order they would be tried; the rest of the plan is the first one's approval" }),
    flow: z.object({ id: z.uuid(), version: z.string(), isDrawn: z.boolean() }).nullable().meta({
      description:
        "The flow that decides. Drawn: chance decides among `providers`, which are those of every side; `planHash` then stands for the flow's version instead",
    }),
    analyst: z.uuid().nullable().meta({ description: "The anti-fraud provider that would be asked" }),
    status: z.string().nullable().meta({ description: "Of the charge afterwards" }),
    slots: z
      .array(
        z.object({
          slotIndex: z.int(),
          amount: z.int(),
          providers: z.array(z.uuid()),
          refusal: z.string().nullable().meta({ description: "Why the card can be tried nowhere" }),
        }),
      )
      .meta({ description: "The cards of a purchase" }),
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
        rateId: z.uuid().nullable().meta({ description: "The row of prices, or the plan, that says so" }),
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

export const NOTHING: PlanBody = {
  providers: [],
  flow: null,
  analyst: null,
  status: null,
  slots: [],
  shares: [],
  fees: [],
  journals: [],
  events: [],
  errors: [],
};
