import { endpoint } from "@/app/api/endpoint";
import { resendDelivery } from "@/lib/webhooks/resend";
import { deliveryBody, deliveryParams } from "@/lib/webhooks/schema";
import { serializeDelivery } from "@/lib/webhooks/serializer";

export const POST = endpoint({
  method: "POST",
  path: "/v1/webhooks/{id}/deliveries/{deliveryId}/resend",
  tag: "Webhooks",
  summary: "Send one again",
  description: "A new delivery of the same event, with the same id and the same bytes, whatever became of the first.",
  access: ["webhooks"],
  params: deliveryParams,
  reply: deliveryBody,
  status: 202,
  errors: ["webhook_disabled"],
  examples: { again: { summary: "Once more" } },
  handle: async (ctx, { params }) => serializeDelivery(await resendDelivery(ctx, params.id, params.deliveryId)),
});
