import { endpoint } from "@/app/api/endpoint";
import { listChanges } from "@/lib/flows/queries";
import { flowChangeList, flowParams } from "@/lib/flows/schema";
import { serializeChange } from "@/lib/flows/serializer";
import { envelope, pageQuery } from "@/lib/http/pagination";

export const GET = endpoint({
  method: "GET",
  path: "/v1/flows/{id}/changes",
  tag: "Flows",
  summary: "List what was done to a flow",
  description: "To any version of its family, by whom and why; newest first.",
  access: "secret",
  params: flowParams,
  query: pageQuery,
  reply: flowChangeList,
  status: 200,
  handle: async (ctx, { params, query }) => {
    const { items, totalItems } = await listChanges(ctx, params.id, query);
    return envelope(query, { items: items.map(serializeChange), totalItems });
  },
});
