import { endpoint } from "@/app/api/endpoint";
import { cycleReply, RETRY_KIND } from "@/lib/subscriptions/answer";
import { cycleBody, cycleParams } from "@/lib/subscriptions/schema";
import { retryCycle } from "@/lib/subscriptions/service";

export const POST = endpoint({
  method: "POST",
  path: "/v1/subscriptions/{id}/cycles/{cycleId}/retry",
  tag: "Subscriptions",
  summary: "Try a cycle now",
  description:
    "A cycle that is being retried, or the one that made its subscription unpaid. The try is outside the policy's count and within what the networks allow; declined, everything is as it was.",
  access: "secret",
  scenario: true,
  inBand: true,
  kind: RETRY_KIND,
  params: cycleParams,
  reply: cycleBody,
  status: 200,
  errors: ["subscription_invalid_state", "idempotency_key_payload_mismatch", "idempotency_key_in_progress"],
  examples: { now: { summary: "Try it now" } },
  handle: async (ctx, { params }, answer) => answer.as(cycleReply(await retryCycle(ctx, params.id, params.cycleId))),
});
