import { endpoint } from "@/app/api/endpoint";
import { envelope, pageQuery } from "@/lib/http/pagination";
import { linesOfBatch } from "@/lib/payouts/queries";
import { lineList, payoutParams } from "@/lib/payouts/schema";
import { serializeLine } from "@/lib/payouts/serializer";
import { batchAt } from "@/lib/payouts/service";

export const GET = endpoint({
  method: "GET",
  path: "/v1/payouts/payment-batches/{id}/lines",
  tag: "Payouts",
  summary: "List the lines of a batch",
  description: "Everything that a batch is made of, oldest first: the lines add up to its `finalBalance`.",
  access: "secret",
  params: payoutParams,
  query: pageQuery,
  reply: lineList,
  status: 200,
  examples: { first: { summary: "The first ten" } },
  async handle(ctx, { params, query }) {
    const { id } = await batchAt(ctx, params.id);
    const { items, totalItems } = await linesOfBatch(ctx, id, query);
    return envelope(query, { items: items.map(serializeLine), totalItems });
  },
});
