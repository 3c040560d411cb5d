import { endpoint } from "@/app/api/endpoint";
import { now } from "@/lib/context";
import { batchBody, oneQuery, payoutParams } from "@/lib/payouts/schema";
import { serializeBatch } from "@/lib/payouts/serializer";
import { batchAt } from "@/lib/payouts/service";

export const GET = endpoint({
  method: "GET",
  path: "/v1/payouts/payment-batches/{id}",
  tag: "Payouts",
  summary: "Read a payment batch",
  access: "secret",
  params: payoutParams,
  query: oneQuery,
  reply: batchBody,
  status: 200,
  examples: { one: { summary: "One batch" } },
  handle: async (ctx, { params, query }) => serializeBatch(await batchAt(ctx, params.id, query.sellerId), now(ctx)),
});
