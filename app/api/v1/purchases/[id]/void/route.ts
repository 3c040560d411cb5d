import { z } from "zod";
import { endpoint } from "@/app/api/endpoint";
import { uuid } from "@/lib/http/fields";
import { voidPurchase } from "@/lib/purchases/change";
import { purchaseBody, voidPurchaseInput } from "@/lib/purchases/schema";
import { serializePurchase } from "@/lib/purchases/serializer";

export const POST = endpoint({
  method: "POST",
  path: "/v1/purchases/{id}/void",
  tag: "Purchases",
  summary: "Void the holds, or refund a paid purchase",
  description: "Accepted with 202; the operation is void while the purchase is pending and refund when it is paid.",
  keepsKeys: true,
  access: "secret",
  envelope: "purchases",
  idempotency: "required",
  scenario: true,
  params: z.object({ id: uuid }),
  body: voidPurchaseInput,
  reply: purchaseBody,
  status: 202,
  errors: [
    "invalid_request",
    "purchase_not_found",
    "purchase_operation_in_progress",
    "purchase_invalid_state",
    "idempotency_key_payload_mismatch",
  ],
  examples: { whole: { summary: "Everything", body: {} } },
  async handle(ctx, { params }) {
    const { purchase, operation } = await voidPurchase(ctx, params.id);
    return serializePurchase(purchase, operation);
  },
});
