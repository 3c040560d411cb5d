import { endpoint } from "@/app/api/endpoint";
import { lifecycleBody, lifecycleInput, subscriptionParams } from "@/lib/subscriptions/schema";
import { pauseById } from "@/lib/subscriptions/service";

export const PATCH = endpoint({
  method: "PATCH",
  path: "/v1/subscriptions/{id}/pause",
  tag: "Subscriptions",
  summary: "Pause a subscription",
  description:
    "An active one only. Cycles that fall due meanwhile are skipped and do not count; a cycle that is being retried waits.",
  access: "secret",
  params: subscriptionParams,
  body: lifecycleInput,
  reply: lifecycleBody,
  status: 200,
  errors: ["subscription_invalid_state"],
  examples: { why: { summary: "With a reason, kept in its history", body: { reason: "holidays" } } },
  handle: (ctx, { params, body }) => pauseById(ctx, params.id, body),
});

export const POST = endpoint({
  method: "POST",
  path: "/v1/subscriptions/{id}/pause",
  tag: "Subscriptions",
  summary: "Pause a subscription, by POST",
  description: "The same as the PATCH of this path, with an idempotency key if one is sent.",
  access: "secret",
  params: subscriptionParams,
  body: lifecycleInput,
  reply: lifecycleBody,
  status: 200,
  errors: ["subscription_invalid_state", "idempotency_key_payload_mismatch"],
  examples: { why: { summary: "With a reason, kept in its history", body: { reason: "holidays" } } },
  handle: (ctx, { params, body }) => pauseById(ctx, params.id, body),
});
