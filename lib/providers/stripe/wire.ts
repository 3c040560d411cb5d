import { z } from "zod";

/** What is read of Stripe's answers; everything else is dropped, so that no outcome can carry more. */

const optional = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null);
const text = optional(z.string());

const card = z.object({
  brand: text,
  country: text,
  network_transaction_id: text,
  authorization_code: text,
  capture_before: optional(z.int()),
  checks: optional(z.object({ cvc_check: text })),
});

const refund = z.object({
  id: z.string(),
  object: z.literal("refund"),
  amount: z.int().min(0),
  currency: z.string(),
  created: z.int(),
  status: text,
  failure_reason: text,
  payment_intent: text,
  metadata: optional(z.record(z.string(), z.string())),
});
export type WireRefund = z.output<typeof refund>;
export const refundAnswer = refund;

const charge = z.object({
  id: z.string(),
  amount: z.int().min(0),
  amount_captured: z.int().min(0),
  amount_refunded: z.int().min(0),
  captured: z.boolean(),
  created: z.int(),
  payment_method_details: optional(z.object({ card: optional(card) })),
  refunds: optional(z.object({ has_more: z.boolean(), data: z.array(refund) })),
  disputed: z.boolean(),
});
export type WireCharge = z.output<typeof charge>;

const wireError = z.object({
  type: z.string(),
  code: text,
  decline_code: text,
  advice_code: text,
  network_decline_code: text,
  network_advice_code: text,
});
export type WireError = z.output<typeof wireError>;

const boletoDetails = z.object({
  number: z.string(),
  expires_at: z.int(),
  hosted_voucher_url: text,
  pdf: text,
});

const INTENT = {
  id: z.string(),
  object: z.literal("payment_intent"),
  amount: z.int().min(0),
  amount_capturable: z.int().min(0).default(0),
  amount_received: z.int().min(0).default(0),
  currency: z.string(),
  created: z.int(),
  status: z.enum([
    "canceled",
    "processing",
    "requires_action",
    "requires_capture",
    "requires_confirmation",
    "requires_payment_method",
    "succeeded",
  ]),
  cancellation_reason: text,
  metadata: z.record(z.string(), z.string()).default({}),
  payment_method_types: z.array(z.string()).default([]),
  last_payment_error: optional(
    wireError.extend({ payment_method: optional(z.object({ card: optional(card.pick({ brand: true })) })) }),
  ),
  next_action: optional(
    z.object({
      type: z.string(),
      boleto_display_details: optional(boletoDetails),
      redirect_to_url: optional(z.object({ url: text })),
    }),
  ),
};
/** As it is answered where nothing was expanded. */
export const plainIntent = z.object(INTENT);
export const intent = z.object({ ...INTENT, latest_charge: charge.nullish() });
export type Intent = z.output<typeof intent>;
export type PlainIntent = z.output<typeof plainIntent>;

export const errorAnswer = z.object({ error: wireError.extend({ payment_intent: optional(plainIntent) }) });
const dispute = z.object({ id: z.string(), amount: z.int().min(0), status: z.string(), reason: text });
export type WireDispute = z.output<typeof dispute>;
export const disputeList = z.object({ data: z.array(dispute) });
export const refundList = z.object({ has_more: z.boolean(), data: z.array(refund) });
export const intentList = z.object({ data: z.array(z.object({ id: z.string(), livemode: z.boolean() })) });

export const event = z.object({
  id: z.string().min(1).max(100),
  object: z.literal("event"),
  type: z.string().min(1).max(100),
  created: z.int(),
  data: z.object({
    object: z.object({
      id: text,
      object: z.string(),
      payment_intent: text,
      metadata: optional(z.record(z.string(), z.string())),
      status: text,
      amount: optional(z.int()),
      currency: text,
    }),
  }),
});
