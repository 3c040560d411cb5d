import { endpoint } from "@/app/api/endpoint";
import { getFlow } from "@/lib/flows/queries";
import { flowBody, flowChanges, flowParams } from "@/lib/flows/schema";
import { serializeFlow } from "@/lib/flows/serializer";
import { updateFlow } from "@/lib/flows/service";

export const GET = endpoint({
  method: "GET",
  path: "/v1/flows/{id}",
  tag: "Flows",
  summary: "Read a flow",
  access: ["flows"],
  params: flowParams,
  reply: flowBody,
  status: 200,
  handle: async (ctx, { params }) => serializeFlow(await getFlow(ctx, params.id)),
});

export const PATCH = endpoint({
  method: "PATCH",
  path: "/v1/flows/{id}",
  tag: "Flows",
  summary: "Change, activate or archive a flow",
  description:
    "Names the version that was read. A draft changes in place; other rules for an active flow are the draft of its next version, which is answered. Activating takes its merchants out of the flow they had, and is refused where the version fails a test that was saved for the flow in the dashboard.",
  access: "secret",
  params: flowParams,
  body: flowChanges,
  reply: flowBody,
  status: 200,
  errors: ["flow_invalid", "flow_changed", "flow_not_draft", "provider_kind_not_available", "merchant_not_found"],
  examples: {
    activate: { summary: "Decide payments from now on", body: { version: "1.0.0", status: "active", note: "cheaper" } },
  },
  handle: async (ctx, { params, body, headers }) => {
    const version = body.version ?? headers.get("if-match")?.replaceAll('"', "");
    return serializeFlow(await updateFlow(ctx, params.id, { ...body, version }));
  },
});
