import { endpoint } from "@/app/api/endpoint";
import { envelope, pageQuery } from "@/lib/http/pagination";
import { ordersOfBatch } from "@/lib/payouts/queries";
import { orderList, payoutParams } from "@/lib/payouts/schema";
import { serializeOrder } from "@/lib/payouts/serializer";
import { batchAt } from "@/lib/payouts/service";

export const GET = endpoint({
  method: "GET",
  path: "/v1/payouts/payment-batches/{id}/orders",
  tag: "Payouts",
  summary: "List the orders of a batch",
  description: "A batch that failed keeps them; they stand in a later one as well.",
  access: "secret",
  params: payoutParams,
  query: pageQuery,
  reply: orderList,
  status: 200,
  examples: { first: { summary: "The ten newest" } },
  async handle(ctx, { params, query }) {
    const { id } = await batchAt(ctx, params.id);
    const { items, totalItems } = await ordersOfBatch(ctx, id, query);
    return envelope(query, { items: items.map(serializeOrder), totalItems });
  },
});
