import { z } from "zod";
import { REPLAY_STATUSES } from "@/db/schema/flows";
import type { Findings } from "@/lib/flows/replays/compare";
import { MOST_SAMPLED, type ReplayRow } from "@/lib/flows/replays/service";
import { instantIn, instantOut, optional, uuid } from "@/lib/http/fields";

export const newFlowReplay = z
  .object({
    since: instantIn,
    until: instantIn.meta({ description: "At most 90 days after `since`" }),
    sample: optional(z.int().min(1).max(MOST_SAMPLED)).meta({ description: "The newest so many payments" }),
  })
  .meta({ id: "NewFlowReplay" });

export const replayParams = z.object({ id: uuid, replayId: uuid });

const shared = z.object({ n: z.int(), share: z.number() });

export const flowReplayBody = z
  .object({
    id: z.uuid(),
    flowId: z.uuid(),
    since: instantOut,
    until: instantOut,
    sample: z.int(),
    status: z.enum(REPLAY_STATUSES),
    progress: z.number().min(0).max(1),
    total: z.int(),
    changed: shared,
    known: shared,
    unknown: shared,
    observed: z.object({ approved: z.int(), rate: z.number() }).meta({ description: "Of the known payments" }),
    estimate: z
      .object({ low: z.number(), high: z.number() })
      .nullable()
      .meta({ description: "The rate the flow would have had over the known payments, with 95 % confidence" }),
    costDifference: z.int().nullable().meta({
      description: "Cents, over the known payments that changed; null where a price is unknown or no payment is known",
    }),
    worst: z
      .array(z.object({ brand: z.string(), installments: z.int(), provider: z.string(), payments: z.int() }))
      .meta({
        description: "What is unknown most often: by brand, band of instalments, and who would have been tried",
      }),
    limits: z.array(z.string()).meta({ description: "What the figures do not say" }),
    createdAt: instantOut,
  })
  .meta({ id: "FlowReplay" });

type Told = Omit<Findings, "examples" | "moved" | "reproduced">;

const NOTHING: Told = {
  total: 0,
  changed: { n: 0, share: 0 },
  known: { n: 0, share: 0 },
  unknown: { n: 0, share: 0 },
  observed: { approved: 0, rate: 0 },
  estimate: null,
  costDifference: null,
  worst: [],
  limits: [],
};

export function serializeReplay(row: ReplayRow): z.input<typeof flowReplayBody> {
  const { id, flowId, since, until, sample, status, createdAt, result } = row;
  const { examples: _, moved: __, reproduced: ___, ...findings } = result ?? {};
  const told = status === "failed" ? { limits: failureOf(result) } : findings;
  return {
    ...NOTHING,
    // Guarantee: written from findings, and from nothing else.
    ...(told as Partial<Told>),
    ...{ id, flowId, since, until, sample, status, createdAt },
    progress: status === "done" ? 1 : Math.min(0.99, row.total === 0 ? 0 : row.done / row.total),
  };
}

function failureOf(result: ReplayRow["result"]): string[] {
  const different = result?.different;
  if (typeof different !== "number") return ["the replay could not be carried out"];
  return [`${different} stored decisions could not be reproduced: nothing is estimated from them`];
}
