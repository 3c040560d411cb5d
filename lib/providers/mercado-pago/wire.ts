import { z } from "zod";
import { centsOf } from "@/lib/providers/mercado-pago/money";

/** What is read of Mercado Pago's answers; everything else is dropped, so that no outcome can carry more. */

const optional = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null);
const text = optional(z.string());
const id = z.union([z.string().min(1), z.int()]).transform(String);
const money = z.number().transform((decimal, checked) => {
  const cents = centsOf(decimal);
  if (cents === undefined || cents < 0) checked.addIssue({ code: "custom", message: "is no amount" });
  return cents ?? 0;
});

export const refund = z.object({ id, amount: money, status: text, date_created: text });
export type WireRefund = z.output<typeof refund>;

export const payment = z.object({
  id,
  status: z.enum([
    "pending",
    "approved",
    "authorized",
    "in_process",
    "in_mediation",
    "rejected",
    "cancelled",
    "refunded",
    "charged_back",
  ]),
  status_detail: text,
  transaction_amount: money,
  transaction_amount_refunded: optional(money),
  currency_id: z.string(),
  captured: optional(z.boolean()),
  external_reference: text,
  date_created: z.string(),
  date_approved: text,
  date_of_expiration: text,
  installments: optional(z.int()),
  payment_method_id: z.string(),
  payment_type_id: text,
  authorization_code: text,
  metadata: optional(z.record(z.string(), z.unknown())),
  // One that cannot be read is not none: a refund that was not seen would be asked for again.
  refunds: z.array(refund).nullish(),
  point_of_interaction: optional(
    z.object({
      transaction_data: optional(z.object({ qr_code: text, ticket_url: text, network_transaction_id: text })),
    }),
  ),
  transaction_details: optional(
    z.object({ digitable_line: text, external_resource_url: text, barcode: optional(z.object({ content: text })) }),
  ),
  barcode: optional(z.object({ content: text })),
  live_mode: optional(z.boolean()),
});
export type WirePayment = z.output<typeof payment>;

export const paymentList = z.object({ results: z.array(payment) });
export const cardToken = z.object({ id: z.string().min(1) });

export const errorAnswer = z.object({
  message: text,
  error: text,
  cause: optional(z.array(z.object({ code: optional(z.union([z.string(), z.number()]).transform(String)) }))),
});
export type WireError = z.output<typeof errorAnswer>;

export const event = z.object({
  id,
  type: z.string().min(1).max(100),
  action: text,
  date_created: text,
  data: z.object({ id }),
});
