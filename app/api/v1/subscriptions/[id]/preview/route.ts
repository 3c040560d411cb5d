import { endpoint } from "@/app/api/endpoint";
import { previewBody, subscriptionParams } from "@/lib/subscriptions/schema";
import { previewOf } from "@/lib/subscriptions/service";

export const GET = endpoint({
  method: "GET",
  path: "/v1/subscriptions/{id}/preview",
  tag: "Subscriptions",
  summary: "Preview what will be charged",
  description: "The next twelve due dates at most, with the amount of each as things stand.",
  access: "secret",
  params: subscriptionParams,
  reply: previewBody,
  status: 200,
  examples: { next: { summary: "The next due dates" } },
  handle: (ctx, { params }) => previewOf(ctx, params.id),
});
