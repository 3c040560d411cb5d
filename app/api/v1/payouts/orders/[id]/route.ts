import { endpoint } from "@/app/api/endpoint";
import { oneQuery, orderBody, payoutParams } from "@/lib/payouts/schema";
import { serializeOrder } from "@/lib/payouts/serializer";
import { orderAt } from "@/lib/payouts/service";

export const GET = endpoint({
  method: "GET",
  path: "/v1/payouts/orders/{id}",
  tag: "Payouts",
  summary: "Read a payment order",
  access: "secret",
  params: payoutParams,
  query: oneQuery,
  reply: orderBody,
  status: 200,
  examples: { one: { summary: "One order" } },
  handle: async (ctx, { params, query }) => serializeOrder(await orderAt(ctx, params.id, query.sellerId)),
});
