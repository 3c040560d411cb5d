import { endpoint } from "@/app/api/endpoint";
import { lifecycleBody, lifecycleInput, subscriptionParams } from "@/lib/subscriptions/schema";
import { cancelById } from "@/lib/subscriptions/service";

export const PATCH = endpoint({
  method: "PATCH",
  path: "/v1/subscriptions/{id}/cancel",
  tag: "Subscriptions",
  summary: "Cancel a subscription",
  description: "For good, at once. A charge that was sent before keeps its true result; none is sent afterwards.",
  access: "secret",
  params: subscriptionParams,
  body: lifecycleInput,
  reply: lifecycleBody,
  status: 200,
  errors: ["subscription_invalid_state"],
  examples: { why: { summary: "With a reason, kept in its history", body: { reason: "asked by the customer" } } },
  handle: (ctx, { params, body }) => cancelById(ctx, params.id, body),
});

export const POST = endpoint({
  method: "POST",
  path: "/v1/subscriptions/{id}/cancel",
  tag: "Subscriptions",
  summary: "Cancel a subscription, by POST",
  description: "The same as the PATCH of this path, with an idempotency key if one is sent.",
  access: "secret",
  params: subscriptionParams,
  body: lifecycleInput,
  reply: lifecycleBody,
  status: 200,
  errors: ["subscription_invalid_state", "idempotency_key_payload_mismatch"],
  examples: { why: { summary: "With a reason, kept in its history", body: { reason: "asked by the customer" } } },
  handle: (ctx, { params, body }) => cancelById(ctx, params.id, body),
});
