import { z } from "zod";
import { endpoint } from "@/app/api/endpoint";
import { uuid } from "@/lib/http/fields";
import { receiveNotification } from "@/lib/provider-webhooks/receive";

export const POST = endpoint({
  method: "POST",
  path: "/v1/providers/{id}/notifications",
  tag: "Providers",
  summary: "Receive a provider's own notification",
  description: "Signed by the provider. It moves nothing: the payment it speaks of is asked about.",
  access: "none",
  params: z.object({ id: uuid }),
  reply: "raw",
  produces: "application/json",
  status: 200,
  idempotency: "none",
  handle: ({ requestId, bytes }, { params, headers }) => receiveNotification(requestId, params.id, headers, bytes),
});
