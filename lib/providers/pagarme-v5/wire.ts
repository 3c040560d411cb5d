import { z } from "zod";

/** What is read of Pagar.me's answers; everything else is dropped, so that no outcome can carry more. */

const optional = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null);
const text = optional(z.string());
const cents = z.int().min(0);
/** An error's code is a text in some answers and a number in others. */
const code = optional(z.union([z.string(), z.number()]).transform(String));

const transaction = z.object({
  id: z.string(),
  transaction_type: text,
  operation_type: text,
  amount: optional(cents),
  status: text,
  success: optional(z.boolean()),
  created_at: text,
  installments: optional(z.int()),
  acquirer_nsu: text,
  acquirer_auth_code: text,
  acquirer_return_code: text,
  brand_id: text,
  card: optional(z.object({ brand: text })),
  retry_info: optional(z.object({ brand_failure_return_code: text })),
  gateway_response: optional(z.object({ code })),
  qr_code: text,
  qr_code_url: text,
  expires_at: text,
  end_to_end_id: text,
  line: text,
  pdf: text,
  nosso_numero: text,
  due_at: text,
});
export type WireTransaction = z.output<typeof transaction>;

export const charge = z.object({
  id: z.string(),
  amount: cents,
  paid_amount: optional(cents),
  canceled_amount: optional(cents),
  status: z.enum(["pending", "paid", "canceled", "processing", "failed", "overpaid", "underpaid", "chargedback"]),
  currency: z.string(),
  payment_method: z.string(),
  paid_at: text,
  canceled_at: text,
  created_at: z.string(),
  pending_cancellation: optional(z.boolean()),
  // What others wrote there may be anything, and takes nothing away from what we did.
  metadata: optional(z.record(z.string(), z.unknown())),
  order: optional(z.object({ id: z.string(), code: text })),
  last_transaction: optional(transaction),
});
export type WireCharge = z.output<typeof charge>;

export const order = z.object({
  id: z.string(),
  code: z.string(),
  amount: cents,
  currency: z.string(),
  status: z.enum(["pending", "paid", "canceled", "failed"]),
  charges: z.array(charge).min(1).max(1),
});
export type WireOrder = z.output<typeof order>;

/** As the list of orders shows them: only what leads to the charges. */
export const orderList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      code: text,
      charges: optional(z.array(z.object({ id: z.string(), created_at: text, status: text }))),
    }),
  ),
});

export const transactionList = z.object({ data: z.array(transaction) });

export const payableList = z.object({
  data: z.array(z.object({ id: z.union([z.string(), z.number()]), type: text, amount: z.int() })),
});

export const recipient = z.object({
  id: z.string(),
  code: text,
  status: z.string(),
  status_reason: text,
  kyc_details: optional(z.object({ status: text, status_reason: text })),
});
export type WireRecipient = z.output<typeof recipient>;
export const recipientList = z.object({ data: z.array(z.object({ id: z.string() })) });

export const metadataAnswer = z.object({ id: z.string(), metadata: z.record(z.string(), z.unknown()) });

export const errorAnswer = z.object({
  message: z.string(),
  errors: optional(z.record(z.string(), z.unknown())),
});
export type WireError = z.output<typeof errorAnswer>;

const notified = z.object({
  id: text,
  code: text,
  status: text,
  amount: optional(z.int()),
  currency: text,
  order: optional(z.object({ code: text })),
  metadata: optional(z.record(z.string(), z.unknown())),
});

export const event = z.object({
  id: z.string().min(1).max(100),
  type: z.string().min(1).max(100),
  created_at: z.string(),
  data: notified,
});
