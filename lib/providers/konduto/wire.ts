import { z } from "zod";

/** What is read of Konduto's answers and notifications (docs.konduto.com/en); everything else is dropped. */

const word = z.string().transform((text) => text.toLowerCase());

/** Of an order that is analyzed, and of one that is asked about; the status is there once somebody may change it. */
export const orderAnswer = z.object({
  status: z.literal("ok"),
  order: z.object({
    id: z.string(),
    // −1 where nothing was analyzed.
    score: z.number().optional().catch(undefined),
    recommendation: word,
    status: word.optional().catch(undefined),
  }),
});
export type Order = z.output<typeof orderAnswer>["order"];

export const updateAnswer = z.object({
  status: z.literal("ok"),
  order: z.object({ new_status: word }),
});

export const notification = z.object({
  order_id: z.string().min(1).max(100),
  timestamp: z.int().min(0),
  status: z.string().min(1).max(40),
  signature: z.string().regex(/^[0-9a-f]{64}$/i),
});
