import { endpoint } from "@/app/api/endpoint";
import { newestRequests, tailBody, tailQuery } from "@/lib/request-logs/tail";

export const GET = endpoint({
  method: "GET",
  path: "/v1/logs",
  tag: "Events",
  summary: "Read the newest calls",
  description:
    "What the account asked this API lately, the newest first. Bodies are in the dashboard; `npx trilho logs tail` shows the calls as they come.",
  access: "secret",
  query: tailQuery,
  reply: tailBody,
  status: 200,
  examples: {
    newest: { summary: "The twenty newest" },
    refused: { summary: "What was refused", query: { result: "refused", limit: "5" } },
  },
  handle: async (ctx, { query }) => ({ items: await newestRequests(ctx, query) }),
});
