import { z } from "zod";
import { endpoint } from "@/app/api/endpoint";
import { chargeReply } from "@/lib/charges/answer";
import { chargeBody, voidChargeInput } from "@/lib/charges/schema";
import { uuid } from "@/lib/http/fields";
import { voidAnyCharge } from "@/lib/purchases/refund-part";

export const POST = endpoint({
  method: "POST",
  path: "/v1/charges/{id}/void",
  tag: "Charges",
  summary: "Void or refund, in full or in part",
  description: "A provider's refusal answers 201 with the charge unchanged and an `error` member.",
  access: "secret",
  scenario: true,
  planned: true,
  inBand: true,
  kind: "charge.void",
  params: z.object({ id: uuid }),
  body: voidChargeInput,
  reply: chargeBody,
  status: 201,
  errors: [
    "charge_invalid_state",
    "amount_exceeds_remaining",
    "seller_not_found",
    "charge_operation_in_progress",
    "purchase_slot_charge",
    "purchase_operation_in_progress",
    "refund_not_supported",
    "refund_window_expired",
    "plan_changed",
    "idempotency_key_payload_mismatch",
    "idempotency_key_in_progress",
  ],
  examples: { whole: { summary: "Everything", body: {} }, part: { summary: "A part", body: { amount: 1000 } } },
  handle: async (ctx, { params, body }, answer) =>
    answer.as(chargeReply("charge.void", await voidAnyCharge(ctx, params.id, body))),
});
