import { endpoint } from "@/app/api/endpoint";
import { envelope, pageQuery } from "@/lib/http/pagination";
import { listWebhooks } from "@/lib/webhooks/queries";
import { newWebhook, webhookBody, webhookList } from "@/lib/webhooks/schema";
import { serializeWebhook } from "@/lib/webhooks/serializer";
import { createWebhook } from "@/lib/webhooks/service";

export const POST = endpoint({
  method: "POST",
  path: "/v1/webhooks",
  tag: "Webhooks",
  summary: "Register a webhook",
  description:
    "From now on the endpoint receives every event it subscribed to, signed with the key pair made for it: `publicKey` verifies.",
  access: ["webhooks"],
  body: newWebhook,
  reply: webhookBody,
  status: 201,
  errors: ["webhook_endpoint_already_exists", "webhook_endpoint_not_allowed"],
  examples: {
    all: { summary: "Every event", body: { event: "*", endpoint: "https://hooks.loja.example/trilho" } },
    object: {
      summary: "Every event of payments",
      body: { event: "transaction.*", endpoint: "https://hooks.loja.example/payments?shop=1", version: 1.1 },
    },
    one: {
      summary: "One event, not yet sent",
      body: { event: "card.failed", endpoint: "https://hooks.loja.example/cards", status: false },
    },
  },
  handle: async (ctx, { body }) => serializeWebhook(ctx, await createWebhook(ctx, body)),
});

export const GET = endpoint({
  method: "GET",
  path: "/v1/webhooks",
  tag: "Webhooks",
  summary: "List webhooks",
  access: ["webhooks"],
  query: pageQuery,
  reply: webhookList,
  status: 200,
  examples: { newest: { summary: "The ten newest" } },
  async handle(ctx, { query }) {
    const { items, totalItems } = await listWebhooks(ctx, query);
    return envelope(query, { items: items.map((webhook) => serializeWebhook(ctx, webhook)), totalItems });
  },
});
