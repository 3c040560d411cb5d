import { z } from "zod";

/** What the simulated acquirer is told of a seller; everything that it has no use for stays out. */
const document = z.string().min(1).max(30);
export const recipientRequest = z.object({
  reference: z.string().min(1).max(64),
  mcc: z.string().regex(/^\d{4}$/),
  owner: z.object({ name: z.string().min(1), email: z.string().min(1), document }),
  business: z.object({ name: z.string().min(1), document }).optional(),
  bankAccount: z.object({ ispb: z.string().optional(), bank: z.string().optional(), accountNumber: z.string().min(1) }),
});
export type RecipientRequest = z.output<typeof recipientRequest>;

export const documentRequest = z.object({
  reference: z.string().min(1).max(64),
  type: z.string().min(1).max(40),
  mime: z.string().min(1).max(100),
  content: z.base64(),
});
export type DocumentRequest = z.output<typeof documentRequest>;

const review = z.object({
  id: z.string(),
  status: z.enum(["opened", "submitted", "approved", "rejected", "expired"]),
  requestedFields: z.array(z.string()),
  reason: z.string().optional(),
  deadline: z.string(),
  submittedAt: z.string().optional(),
  closedAt: z.string().optional(),
});
export type ReviewReply = z.output<typeof review>;

export const recipientReply = z.object({
  id: z.string(),
  reference: z.string().optional(),
  status: z.enum(["registration", "enabled", "refused", "suspended", "disabled"]),
  reason: z.string().optional(),
  nextEventAt: z.string().optional(),
  reviews: z.array(review),
  at: z.string(),
});
export type RecipientReply = z.output<typeof recipientReply>;

export const documentReply = z.object({ id: z.string(), at: z.string() });
