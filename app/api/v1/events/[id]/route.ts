import { endpoint } from "@/app/api/endpoint";
import { eventBody, eventParams } from "@/lib/webhooks/schema";
import { serializeEvent } from "@/lib/webhooks/serializer";
import { eventAt } from "@/lib/webhooks/service";

export const GET = endpoint({
  method: "GET",
  path: "/v1/events/{id}",
  tag: "Events",
  summary: "Read an event",
  access: ["webhooks"],
  params: eventParams,
  reply: eventBody,
  status: 200,
  examples: { one: { summary: "One event" } },
  handle: async (ctx, { params }) => serializeEvent(await eventAt(ctx, params.id)),
});
