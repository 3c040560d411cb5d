import { endpoint } from "@/app/api/endpoint";
import { envelope, listOf } from "@/lib/http/pagination";
import { pageOfCalls } from "@/lib/providers/sandbox/api/records";
import { callBody, callFilters } from "@/lib/providers/sandbox/api/schema";

export const GET = endpoint({
  method: "GET",
  path: "/v1/sandbox/calls",
  tag: "Sandbox",
  summary: "What the simulator received and answered about a charge",
  description: "Newest first; card data is never kept.",
  access: "secret",
  sandboxOnly: true,
  query: callFilters,
  reply: listOf(callBody),
  status: 200,
  examples: {
    charge: { summary: "Calls about one charge", query: { chargeId: "{{chargeId}}" } },
  },
  handle: async (ctx, { query }) => envelope(query, await pageOfCalls(ctx, query)),
});
