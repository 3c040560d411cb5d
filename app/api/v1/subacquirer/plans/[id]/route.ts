import { endpoint } from "@/app/api/endpoint";
import { salePlanBody, salePlanParams } from "@/lib/sale-plans/schema";
import { serializeSalePlan } from "@/lib/sale-plans/serializer";
import { salePlanAt } from "@/lib/sale-plans/service";

export const GET = endpoint({
  method: "GET",
  path: "/v1/subacquirer/plans/{id}",
  tag: "Sellers",
  summary: "Read a sale plan",
  access: "secret",
  params: salePlanParams,
  reply: salePlanBody,
  status: 200,
  examples: { one: { summary: "One plan" } },
  handle: async (ctx, { params }) => serializeSalePlan(ctx, await salePlanAt(ctx, params.id)),
});
