import { endpoint } from "@/app/api/endpoint";
import { envelope } from "@/lib/http/pagination";
import { listDeliveries } from "@/lib/webhooks/queries";
import { deliveryFilters, deliveryList, webhookParams } from "@/lib/webhooks/schema";
import { serializeDelivery } from "@/lib/webhooks/serializer";
import { webhookAt } from "@/lib/webhooks/service";

export const GET = endpoint({
  method: "GET",
  path: "/v1/webhooks/{id}/deliveries",
  tag: "Webhooks",
  summary: "List deliveries",
  description: "What was sent to one webhook, with every attempt and what came of it.",
  access: ["webhooks"],
  params: webhookParams,
  query: deliveryFilters,
  reply: deliveryList,
  status: 200,
  examples: {
    newest: { summary: "The ten newest" },
    failed: { summary: "What did not arrive", query: { status: "exhausted,held,dropped", event: "transaction.*" } },
  },
  async handle(ctx, { params, query }) {
    const webhook = await webhookAt(ctx, params.id);
    const { items, totalItems } = await listDeliveries(ctx, webhook.id, query);
    return envelope(query, { items: items.map(serializeDelivery), totalItems });
  },
});
