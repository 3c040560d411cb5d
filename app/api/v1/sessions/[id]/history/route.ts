import { endpoint } from "@/app/api/endpoint";
import { envelope } from "@/lib/http/pagination";
import { historyOf } from "@/lib/sessions/queries";
import { historyPage, sessionParams, sessionRecordList } from "@/lib/sessions/schema";
import { serializeRecord } from "@/lib/sessions/serializer";

export const GET = endpoint({
  method: "GET",
  path: "/v1/sessions/{id}/history",
  tag: "Sessions",
  summary: "Read what happened to a session",
  description: "Newest first: each change and each payment, with what the session was after it.",
  access: "secret",
  params: sessionParams,
  query: historyPage,
  reply: sessionRecordList,
  status: 200,
  examples: { all: { summary: "The newest records" } },
  async handle(ctx, { params, query }) {
    const { items, totalItems } = await historyOf(ctx, params.id, query);
    return envelope(query, { items: items.map(serializeRecord), totalItems });
  },
});
