import { z } from "zod";
import { FLOW_METHODS } from "@/db/schema/flows";
import { freeObject, optional, uuid } from "@/lib/http/fields";

const percent = z.int().min(0).max(99);

const simulatedFacts = z
  .object({
    merchantId: optional(uuid),
    paymentMethod: optional(z.enum(FLOW_METHODS)),
    amount: optional(z.int().min(0).max(Number.MAX_SAFE_INTEGER)),
    installments: optional(z.int().min(1).max(99)),
    currency: optional(z.string().max(3)),
    brand: optional(z.string().max(30)),
    cardBin: optional(z.string().regex(/^(\d{6}|\d{8})$/, "must be 6 or 8 digits")),
    cardFunction: optional(z.enum(["credit", "debit", "prepaid", "unknown"])),
    country: optional(z.string().max(2)),
    recurrence: optional(z.enum(["initial", "subsequent", "unscheduled"])),
    source: optional(z.enum(["api", "link", "checkout", "subscription", "purchase"])),
    weekday: optional(z.int().min(1).max(7)),
    hour: optional(z.int().min(0).max(23)),
    random: optional(percent).meta({ description: "Instead of a draw: which side of a share by random" }),
    bucket: optional(percent).meta({ description: "Instead of a draw: which side of a share by bucket" }),
    metadata: optional(freeObject).meta({ description: "What `paymentFlow.metadata.<key>` sees" }),
  })
  .meta({ id: "SimulatedFacts", description: "The field names of conditions" });
export type SimulatedFacts = Partial<z.output<typeof simulatedFacts>>;

export const simulation = z
  .object({
    flowId: optional(uuid),
    flow: optional(z.object({ root: z.array(z.unknown()).meta({ items: { type: "object" } }) })),
    facts: optional(simulatedFacts),
    chargeId: optional(uuid).meta({ description: "A payment that was made, with what was known of it then" }),
  })
  .refine(({ flowId, flow }) => (flowId === undefined) !== (flow === undefined), "flowId or flow, and not both")
  .refine(({ facts, chargeId }) => facts === undefined || chargeId === undefined, "facts or chargeId, and not both")
  .meta({ id: "FlowSimulation" });
export type FlowSimulation = z.output<typeof simulation>;

export const simulationBody = z
  .object({
    path: z.array(z.string()).meta({ description: "The nodes that were passed, with the side taken" }),
    analyst: z.string().nullable(),
    challenge: z.enum(["required", "data_only"]).nullable(),
    providers: z.array(z.string()).meta({ description: "First choice first" }),
    skipped: z.array(z.object({ id: z.string(), why: z.string() })),
    reason: z.enum(["flow", "priorities", "nobody"]),
    bucket: z.int().nullable(),
    conditions: z.array(
      z.object({
        id: z.string(),
        field: z.string(),
        operator: z.string(),
        value: z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number(), z.boolean()]))]),
        seen: z.union([z.string(), z.number(), z.boolean()]).nullable(),
        holds: z.boolean(),
      }),
    ),
  })
  .meta({ id: "FlowPlan", description: "What a flow makes of a payment" });
