import { endpoint } from "@/app/api/endpoint";
import { envelope, offsetOf } from "@/lib/http/pagination";
import { availableReceivablesBody as body, receivableFilters } from "@/lib/prepayments/schema";
import { availableReceivables } from "@/lib/prepayments/service";

export const GET = endpoint({
  method: "GET",
  path: "/v1/subacquirer/prepayment/receivables",
  tag: "Prepayment",
  summary: "List receivables that can be paid early",
  description: "By settlement date. What is disputed, confirmed before, or settles too soon is left out.",
  access: "secret",
  errorKeys: "I",
  query: receivableFilters,
  reply: body,
  status: 200,
  errors: ["prepayment_not_enabled", "seller_not_found", "no_receivables"],
  examples: {
    own: { summary: "The account's own" },
    seller: { summary: "One seller's", query: { sellerId: "{{sellerId}}" } },
  },
  async handle(ctx, { query }) {
    const { sellerId, limit } = query;
    const { items, total, amount } = await availableReceivables(ctx, { sellerId, limit, offset: offsetOf(query) });
    const receivables = items.map(({ gross, ...item }) => ({ ...item, amount: gross }));
    const { meta } = envelope(query, { items: receivables, totalItems: total });
    return { summary: { availableAmount: amount, receivableCount: total }, receivables, meta };
  },
});
