import { endpoint } from "@/app/api/endpoint";
import { balanceBody, balanceQuery } from "@/lib/payouts/schema";
import { balanceOf } from "@/lib/payouts/service";

export const GET = endpoint({
  method: "GET",
  path: "/v1/payouts/balance",
  tag: "Payouts",
  summary: "Read a balance",
  description: "Of the account itself over all of its merchants, or of one seller.",
  access: "secret",
  query: balanceQuery,
  reply: balanceBody,
  status: 200,
  errors: ["seller_not_found"],
  examples: {
    own: { summary: "The account's own" },
    seller: { summary: "One seller's", query: { sellerId: "{{sellerId}}" } },
  },
  handle: (ctx, { query }) => balanceOf(ctx, query.sellerId),
});
