import { endpoint } from "@/app/api/endpoint";
import { envelope } from "@/lib/http/pagination";
import { listOrders } from "@/lib/payouts/queries";
import { orderFilters, orderList } from "@/lib/payouts/schema";
import { serializeOrder } from "@/lib/payouts/serializer";

export const GET = endpoint({
  method: "GET",
  path: "/v1/payouts/orders",
  tag: "Payouts",
  summary: "List payment orders",
  description: "An order is there from the day its instalment is released, or from the moment it was taken.",
  access: "secret",
  query: orderFilters,
  reply: orderList,
  status: 200,
  examples: {
    own: { summary: "The ten newest of the account itself" },
    charge: { summary: "All of one charge", query: { sellerId: "*", chargeId: "{{chargeId}}" } },
  },
  async handle(ctx, { query }) {
    const { items, totalItems } = await listOrders(ctx, query);
    return envelope(query, { items: items.map(serializeOrder), totalItems });
  },
});
