import { z } from "zod";

/** What the simulated bank is told of a mandate, and what it answers. */
export const mandateRequest = z.object({
  reference: z.string().min(1).max(64),
  amount: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
  interval: z.enum(["weekly", "monthly", "quarterly", "yearly"]),
  retry: z.enum(["none", "three_in_seven_days"]),
  startOn: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  expiresAt: z.coerce.date(),
  payerDocument: z.string().min(1).max(30),
  /** Reference of the Pix that authorizes it by being paid. */
  firstPayment: z.string().min(1).max(64).optional(),
});
export type MandateRequest = z.output<typeof mandateRequest>;

export const mandateReply = z.object({
  id: z.string(),
  reference: z.string(),
  status: z.enum(["created", "approved", "rejected", "expired", "canceled"]),
  qrCode: z.string(),
  approvedAt: z.string().optional(),
  endedAt: z.string().optional(),
  endedBy: z.enum(["payer", "receiver"]).optional(),
  nextEventAt: z.string().optional(),
  at: z.string(),
});
export type MandateReply = z.output<typeof mandateReply>;
