import { endpoint } from "@/app/api/endpoint";
import { envelope } from "@/lib/http/pagination";
import { listSalePlans } from "@/lib/sale-plans/queries";
import { salePlanFilters, salePlanList } from "@/lib/sale-plans/schema";
import { serializeSalePlan } from "@/lib/sale-plans/serializer";

export const GET = endpoint({
  method: "GET",
  path: "/v1/subacquirer/plans",
  tag: "Sellers",
  summary: "List sale plans",
  description: "What sellers pay. Exactly one plan is the default: sellers without a plan of their own have it.",
  access: "secret",
  query: salePlanFilters,
  reply: salePlanList,
  status: 200,
  examples: {
    newest: { summary: "The ten newest" },
    default: { summary: "The default plan", query: { isDefault: "true" } },
  },
  async handle(ctx, { query }) {
    const { items, totalItems } = await listSalePlans(ctx, query);
    return envelope(query, { items: items.map((plan) => serializeSalePlan(ctx, plan)), totalItems });
  },
});
