import { z } from "zod";

/** What is read of Adyen's answers and notifications; everything else is dropped, so that no outcome can carry more. */

const optional = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null);
const text = optional(z.string());
const amount = z.object({ currency: z.string(), value: z.int().min(0) });

const more = z.object({
  authCode: text,
  chargebackReasonCode: text,
  cvcResult: text,
  eci: text,
  liabilityShift: text,
  merchantAdviceCode: text,
  networkTxReference: text,
  refusalReasonRaw: text,
});
export type More = z.output<typeof more>;

const action = z.object({
  type: z.string(),
  subtype: text,
  url: text,
  method: text,
  /** Of a page that is posted to. */
  data: optional(z.record(z.string(), z.string())),
  token: text,
  paymentData: text,
  authorisationToken: text,
  qrCodeData: text,
  reference: text,
  expiresAt: text,
  downloadUrl: text,
});
export type Action = z.output<typeof action>;

/** Of `/payments` and of `/payments/details`. */
export const paymentAnswer = z.object({
  resultCode: z.string(),
  pspReference: text,
  merchantReference: text,
  // Of how much it is may be left out, and not be unreadable.
  amount: amount.nullish(),
  refusalReason: text,
  refusalReasonCode: text,
  additionalData: optional(more),
  paymentMethod: optional(z.object({ brand: text, type: text })),
  action: optional(action),
});
export type PaymentAnswer = z.output<typeof paymentAnswer>;

/** Of each change: it was received, and a notification tells how it ended. */
export const changeAnswer = z.object({
  status: z.literal("received"),
  pspReference: z.string().min(1),
  paymentPspReference: z.string().min(1),
  reference: text,
  amount: amount.nullish(),
});

export const methodsAnswer = z.object({ paymentMethods: optional(z.array(z.object({ type: text }))) });
export const errorAnswer = z.object({ errorCode: text, errorType: text, status: optional(z.int()) });

const item = z.object({
  NotificationRequestItem: z.object({
    pspReference: z.string().min(1).max(80),
    originalReference: text,
    merchantAccountCode: z.string(),
    // Of a report there is none.
    merchantReference: z.string().max(80).nullish(),
    amount: z.object({ currency: z.string(), value: z.int() }),
    eventCode: z.string().min(1).max(60),
    success: z.enum(["true", "false"]),
    eventDate: text,
    paymentMethod: text,
    reason: text,
    additionalData: optional(more.extend({ hmacSignature: text })),
  }),
});
export type WireItem = z.output<typeof item>["NotificationRequestItem"];
export const notification = z.object({ notificationItems: z.array(z.unknown()).min(1).max(100) });
export const notificationItem = item.transform(({ NotificationRequestItem }) => NotificationRequestItem);

/** A notification as it is kept: nothing in it says whose card it was. */
export const keptNews = z.object({
  pspReference: z.string(),
  originalReference: z.string().optional(),
  merchantAccountCode: z.string(),
  merchantReference: z.string(),
  currency: z.string(),
  amount: z.int(),
  eventCode: z.string(),
  success: z.boolean(),
  brand: z.string().optional(),
  reason: z.string().optional(),
  refusalReasonRaw: z.string().optional(),
  merchantAdviceCode: z.string().optional(),
  chargebackReasonCode: z.string().optional(),
  authCode: z.string().optional(),
  liabilityShift: z.boolean().optional(),
});
export type KeptNews = z.output<typeof keptNews>;
