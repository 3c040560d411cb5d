import { z } from "zod";
import { endpoint } from "@/app/api/endpoint";
import { uuid } from "@/lib/http/fields";
import { capturePurchase } from "@/lib/purchases/change";
import { capturePurchaseInput, purchaseBody } from "@/lib/purchases/schema";
import { serializePurchase } from "@/lib/purchases/serializer";

export const POST = endpoint({
  method: "POST",
  path: "/v1/purchases/{id}/capture",
  tag: "Purchases",
  summary: "Capture the held cards",
  description:
    "All cards in full. Accepted with 202; the purchase ends paid, or cancelled or failed after an automatic rollback.",
  keepsKeys: true,
  access: "secret",
  envelope: "purchases",
  idempotency: "required",
  scenario: true,
  params: z.object({ id: uuid }),
  body: capturePurchaseInput,
  reply: purchaseBody,
  status: 202,
  errors: [
    "invalid_request",
    "purchase_not_found",
    "purchase_operation_in_progress",
    "purchase_invalid_state",
    "purchase_intent_mismatch",
    "idempotency_key_payload_mismatch",
  ],
  examples: { whole: { summary: "Everything that is held", body: {} } },
  async handle(ctx, { params, body }) {
    const { purchase, operation } = await capturePurchase(ctx, params.id, body);
    return serializePurchase(purchase, operation);
  },
});
