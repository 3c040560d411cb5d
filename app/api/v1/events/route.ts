import { endpoint } from "@/app/api/endpoint";
import { envelope } from "@/lib/http/pagination";
import { listEvents } from "@/lib/webhooks/queries";
import { eventFilters, eventList } from "@/lib/webhooks/schema";
import { serializeEvent } from "@/lib/webhooks/serializer";

export const GET = endpoint({
  method: "GET",
  path: "/v1/events",
  tag: "Events",
  summary: "List events",
  description: "Everything that happened in the account in the last 90 days, delivered or not.",
  access: ["webhooks"],
  query: eventFilters,
  reply: eventList,
  status: 200,
  examples: {
    newest: { summary: "The ten newest" },
    paid: { summary: "Payments captured, oldest first", query: { event: "transaction.authorized", order: "asc" } },
  },
  async handle(ctx, { query }) {
    const { items, totalItems } = await listEvents(ctx, query);
    return envelope(query, { items: items.map(serializeEvent), totalItems });
  },
});
