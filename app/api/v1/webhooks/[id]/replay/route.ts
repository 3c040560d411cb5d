import { endpoint } from "@/app/api/endpoint";
import { replay } from "@/lib/webhooks/resend";
import { eventReplayBody, newEventReplay, webhookParams } from "@/lib/webhooks/schema";

export const POST = endpoint({
  method: "POST",
  path: "/v1/webhooks/{id}/replay",
  tag: "Webhooks",
  summary: "Send a window of time again",
  description:
    "Every event of the window that the webhook takes, oldest first, delivered or not. The window is at most 30 days long.",
  access: ["webhooks"],
  params: webhookParams,
  body: newEventReplay,
  reply: eventReplayBody,
  status: 202,
  errors: ["webhook_disabled"],
  examples: {
    day: {
      summary: "The payments of one day",
      body: { since: "2026-11-20T00:00:00Z", until: "2026-11-20T23:59:59.999Z", event: "transaction.*" },
    },
  },
  handle: async (ctx, { params, body }) => ({ count: await replay(ctx, params.id, body) }),
});
