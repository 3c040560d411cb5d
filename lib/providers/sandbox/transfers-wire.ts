import { z } from "zod";

/** What the simulated bank is told of a transfer, and what it says of it. */
export const transferRequest = z.object({
  reference: z.string().min(1).max(64),
  amount: z.int().min(1),
  method: z.enum(["pix", "ted"]),
  account: z.string().min(1).max(40),
  holderDocument: z.string().min(1).max(30),
});
export type TransferRequest = z.output<typeof transferRequest>;

export const transferReply = z.object({
  reference: z.string(),
  status: z.enum(["accepted", "settled", "failed", "returned"]),
  reason: z.string().optional(),
});
export const transfersReply = z.object({ transfers: z.array(transferReply) });

export const transferLookUp = z.object({
  references: z.array(z.string().max(64)).max(1_000).optional(),
  returnedSince: z.iso.datetime().optional(),
});
export type TransferLookUp = z.output<typeof transferLookUp>;
