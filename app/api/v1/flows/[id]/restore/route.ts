import { endpoint } from "@/app/api/endpoint";
import { flowBody, flowParams, flowRestore } from "@/lib/flows/schema";
import { serializeFlow } from "@/lib/flows/serializer";
import { restoreFlow } from "@/lib/flows/service";

export const POST = endpoint({
  method: "POST",
  path: "/v1/flows/{id}/restore",
  tag: "Flows",
  summary: "Restore a version",
  description: "Makes a draft, the next version of the family, with the rules of this one.",
  access: "secret",
  params: flowParams,
  body: flowRestore,
  reply: flowBody,
  status: 201,
  errors: ["flow_invalid", "provider_kind_not_available", "merchant_not_found"],
  examples: { again: { summary: "For one merchant", body: { merchantId: "{{merchantId}}" } } },
  handle: async (ctx, { params, body }) => serializeFlow(await restoreFlow(ctx, params.id, body.merchantId)),
});
