import { endpoint } from "@/app/api/endpoint";
import { now } from "@/lib/context";
import { envelope } from "@/lib/http/pagination";
import { listBatches } from "@/lib/payouts/queries";
import { batchFilters, batchList } from "@/lib/payouts/schema";
import { serializeBatch } from "@/lib/payouts/serializer";

export const GET = endpoint({
  method: "GET",
  path: "/v1/payouts/payment-batches",
  tag: "Payouts",
  summary: "List payment batches",
  description: "The account's own; with `sellerId` those of one seller, with `*` all.",
  access: "secret",
  query: batchFilters,
  reply: batchList,
  status: 200,
  examples: {
    own: { summary: "The ten newest of the account itself" },
    open: { summary: "Everybody's that are not paid", query: { sellerId: "*", status: "pending,failed" } },
    seller: { summary: "One seller's", query: { sellerId: "{{sellerId}}", startDate: "2026-11-01T00:00:00Z" } },
  },
  async handle(ctx, { query }) {
    const { items, totalItems } = await listBatches(ctx, query);
    return envelope(query, { items: items.map((batch) => serializeBatch(batch, now(ctx))), totalItems });
  },
});
