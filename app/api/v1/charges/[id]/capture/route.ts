import { z } from "zod";
import { endpoint } from "@/app/api/endpoint";
import { chargeReply } from "@/lib/charges/answer";
import { captureCharge } from "@/lib/charges/change";
import { captureChargeInput, chargeBody } from "@/lib/charges/schema";
import { uuid } from "@/lib/http/fields";

export const POST = endpoint({
  method: "POST",
  path: "/v1/charges/{id}/capture",
  tag: "Charges",
  summary: "Capture a hold, in full or in part",
  description: "A provider's refusal answers 201 with the charge unchanged and an `error` member.",
  access: "secret",
  scenario: true,
  planned: true,
  inBand: true,
  kind: "charge.capture",
  params: z.object({ id: uuid }),
  body: captureChargeInput,
  reply: chargeBody,
  status: 201,
  errors: [
    "charge_invalid_state",
    "amount_exceeds_remaining",
    "charge_operation_in_progress",
    "purchase_slot_charge",
    "antifraud_pending",
    "plan_changed",
    "idempotency_key_payload_mismatch",
    "idempotency_key_in_progress",
  ],
  examples: { whole: { summary: "Everything", body: {} }, part: { summary: "A part", body: { amount: 1000 } } },
  handle: async (ctx, { params, body }, answer) =>
    answer.as(chargeReply("charge.capture", await captureCharge(ctx, params.id, body))),
});
