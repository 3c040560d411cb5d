import { endpoint } from "@/app/api/endpoint";
import { RESUME_KIND, resumeReply } from "@/lib/subscriptions/answer";
import { lifecycleBody, lifecycleInput, subscriptionParams } from "@/lib/subscriptions/schema";
import { resumeById } from "@/lib/subscriptions/service";

export const PATCH = endpoint({
  method: "PATCH",
  path: "/v1/subscriptions/{id}/resume",
  tag: "Subscriptions",
  summary: "Resume a subscription",
  description:
    "A paused one goes on with the next due date. An unpaid one, or a cycle that is being retried, is tried at once within what the networks allow; `message` tells the result.",
  access: "secret",
  inBand: true,
  scenario: true,
  params: subscriptionParams,
  body: lifecycleInput,
  reply: lifecycleBody,
  status: 200,
  errors: ["subscription_invalid_state"],
  examples: { why: { summary: "With a reason, kept in its history", body: { reason: "back again" } } },
  handle: async (ctx, { params, body }, answer) => answer.as(resumeReply(await resumeById(ctx, params.id, body))),
});

export const POST = endpoint({
  method: "POST",
  path: "/v1/subscriptions/{id}/resume",
  tag: "Subscriptions",
  summary: "Resume a subscription, by POST",
  description: "The same as the PATCH of this path, with an idempotency key if one is sent.",
  access: "secret",
  inBand: true,
  scenario: true,
  kind: RESUME_KIND,
  params: subscriptionParams,
  body: lifecycleInput,
  reply: lifecycleBody,
  status: 200,
  errors: ["subscription_invalid_state", "idempotency_key_payload_mismatch", "idempotency_key_in_progress"],
  examples: { why: { summary: "With a reason, kept in its history", body: { reason: "back again" } } },
  handle: async (ctx, { params, body }, answer) => answer.as(resumeReply(await resumeById(ctx, params.id, body))),
});
