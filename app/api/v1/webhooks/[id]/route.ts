import { endpoint } from "@/app/api/endpoint";
import { webhookBody, webhookChange, webhookParams } from "@/lib/webhooks/schema";
import { serializeWebhook } from "@/lib/webhooks/serializer";
import { deleteWebhook, updateWebhook, webhookAt } from "@/lib/webhooks/service";

export const GET = endpoint({
  method: "GET",
  path: "/v1/webhooks/{id}",
  tag: "Webhooks",
  summary: "Read a webhook",
  access: ["webhooks"],
  params: webhookParams,
  reply: webhookBody,
  status: 200,
  examples: { one: { summary: "One webhook" } },
  handle: async (ctx, { params }) => serializeWebhook(ctx, await webhookAt(ctx, params.id)),
});

export const PATCH = endpoint({
  method: "PATCH",
  path: "/v1/webhooks/{id}",
  tag: "Webhooks",
  summary: "Update a webhook",
  description:
    "Only the members sent change. `status` true after we stopped the webhook sends what was held meanwhile, oldest first; `status` false drops what is not delivered.",
  access: ["webhooks"],
  params: webhookParams,
  body: webhookChange,
  reply: webhookBody,
  status: 200,
  errors: ["webhook_endpoint_already_exists", "webhook_endpoint_not_allowed"],
  examples: {
    stop: { summary: "Stop it", body: { status: false } },
    move: {
      summary: "Another endpoint and other events",
      body: { event: "card.*", endpoint: "https://hooks.loja.example/v2" },
    },
  },
  handle: async (ctx, { params, body }) => serializeWebhook(ctx, await updateWebhook(ctx, params.id, body)),
});

export const DELETE = endpoint({
  method: "DELETE",
  path: "/v1/webhooks/{id}",
  tag: "Webhooks",
  summary: "Delete a webhook",
  description: "What is not delivered is dropped. The endpoint may be registered again.",
  access: ["webhooks"],
  params: webhookParams,
  reply: "empty",
  status: 200,
  handle: (ctx, { params }) => deleteWebhook(ctx, params.id),
});
