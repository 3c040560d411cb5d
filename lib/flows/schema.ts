import { z } from "zod";
import { FLOW_ACTIONS, FLOW_METHODS, FLOW_STATUSES } from "@/db/schema/flows";
import { freeObject, instantOut, optional, text, uuid } from "@/lib/http/fields";
import { listOf, pageQuery } from "@/lib/http/pagination";

const MOST_MERCHANTS = 100;
const LONGEST_NAME = 100;
const LONGEST_NOTE = 500;

const merchantOfFlow = z.object({ merchantId: uuid });
const nodes = z
  .object({
    root: z.array(z.unknown()).meta({
      description:
        "A sequence of nodes, each with its rule and id: provider, antifraud, condition, share, best or challenge. A share may announce a comparison of its sides: `trial {sample, guardrail}`, the payments each side needs before a winner is told (100 to 100,000), and the points of approval below the first side at which another one is turned off (1 to 50).",
      items: { type: "object" },
    }),
  })
  .meta({ id: "NewFlowNodes" });
const merchants = z.array(merchantOfFlow).min(1).max(MOST_MERCHANTS);
const version = z.string().regex(/^\d{1,9}\.\d{1,9}\.\d{1,9}$/, "must be major.minor.patch");

export const newFlow = z
  .object({
    name: text(LONGEST_NAME),
    paymentMethod: z.enum(FLOW_METHODS),
    merchantId: optional(uuid),
    merchants: optional(merchants),
    flow: nodes,
    parentId: optional(uuid).meta({
      description: "The version it goes on from: the new one is the next of its family",
    }),
    status: optional(z.enum(["draft", "active"])).transform((given) => given ?? "draft"),
    note: optional(text(LONGEST_NOTE)).meta({ description: "Why, for whoever reads its history" }),
  })
  .refine(
    ({ merchantId, merchants: several }) => (merchantId === undefined) !== (several === undefined),
    "merchantId or merchants, and not both",
  )
  .meta({ id: "NewFlow" });
export type NewFlow = z.output<typeof newFlow>;

export const flowChanges = z
  .object({
    version: optional(version).meta({ description: "The version that was read; If-Match says the same" }),
    name: optional(text(LONGEST_NAME)),
    merchants: optional(merchants),
    flow: optional(nodes),
    status: optional(z.enum(["active", "archived"])),
    note: optional(text(LONGEST_NOTE)),
  })
  .meta({ id: "FlowChanges" });
export type FlowChanges = z.output<typeof flowChanges>;

export const flowRestore = z.object({ merchantId: uuid }).meta({ id: "FlowRestore" });

export const flowFilters = pageQuery.extend({
  merchantId: uuid.optional(),
  paymentMethod: z.enum(FLOW_METHODS).optional(),
  status: z.enum(FLOW_STATUSES).optional(),
});

export const flowParams = z.object({ id: uuid });

export const flowBody = z
  .object({
    id: z.uuid(),
    clientId: z.uuid(),
    parentId: z.uuid().nullable(),
    restoredFrom: z.uuid().nullable(),
    name: z.string(),
    paymentMethod: z.enum(FLOW_METHODS),
    merchants: z.array(z.object({ merchantId: z.uuid() })),
    status: z.enum(FLOW_STATUSES),
    flow: z.object({ version: z.string(), root: z.array(freeObject) }),
    createdAt: instantOut,
    updatedAt: instantOut,
    activatedAt: instantOut.nullable(),
  })
  .meta({ id: "Flow", description: "Rules that decide which providers a payment is tried at, and in which order" });
export type FlowBody = z.input<typeof flowBody>;
export const flowList = listOf(flowBody);

export const flowChangeBody = z
  .object({
    id: z.uuid(),
    flowId: z.uuid(),
    version: z.string(),
    action: z.enum(FLOW_ACTIONS),
    by: z.string(),
    note: z.string().nullable(),
    at: instantOut,
  })
  .meta({ id: "FlowChange" });
export const flowChangeList = listOf(flowChangeBody);
