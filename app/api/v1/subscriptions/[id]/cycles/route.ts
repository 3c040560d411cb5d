import { endpoint } from "@/app/api/endpoint";
import { envelope } from "@/lib/http/pagination";
import { listCycles } from "@/lib/subscriptions/queries";
import { cycleFilters, cycleList, subscriptionParams } from "@/lib/subscriptions/schema";
import { serializeCycleSummary } from "@/lib/subscriptions/serializer";

export const GET = endpoint({
  method: "GET",
  path: "/v1/subscriptions/{id}/cycles",
  tag: "Subscriptions",
  summary: "List the cycles of a subscription",
  description: "Those that fell due: charged, waiting, or skipped by a pause. The tries are on the cycle itself.",
  access: ["subscriptions"],
  params: subscriptionParams,
  query: cycleFilters,
  reply: cycleList,
  status: 200,
  examples: { newest: { summary: "The ten newest" } },
  handle: async (ctx, { params, query }) => {
    const { items, totalItems } = await listCycles(ctx, params.id, query);
    return envelope(query, { items: items.map(serializeCycleSummary), totalItems });
  },
});
