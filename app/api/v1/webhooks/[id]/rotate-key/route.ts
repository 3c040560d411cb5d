import { endpoint } from "@/app/api/endpoint";
import { webhookBody, webhookParams } from "@/lib/webhooks/schema";
import { serializeWebhook } from "@/lib/webhooks/serializer";
import { rotateKey } from "@/lib/webhooks/service";

export const POST = endpoint({
  method: "POST",
  path: "/v1/webhooks/{id}/rotate-key",
  tag: "Webhooks",
  summary: "Make a new signing key",
  description:
    "For 24 hours both keys sign: the new one stands first in `webhook-signature`, the previous one makes `x-signature`. A second call within that time drops the oldest key at once.",
  access: "secret",
  params: webhookParams,
  reply: webhookBody,
  status: 200,
  examples: { rotate: { summary: "A new key" } },
  handle: async (ctx, { params }) => serializeWebhook(ctx, await rotateKey(ctx, params.id)),
});
