import { endpoint } from "@/app/api/endpoint";
import { removeProvider, updateProvider } from "@/lib/merchants/providers";
import { providerBody, providerChanges, providerParams, providerRemoval } from "@/lib/merchants/schema";
import { serializeProvider } from "@/lib/merchants/serializer";

export const PATCH = endpoint({
  method: "PATCH",
  path: "/v1/providers/{id}",
  tag: "Providers",
  summary: "Update a provider",
  description:
    "Credentials are sent whole and keep their type; a member sent back as asterisks keeps its stored value. A public key may change name and priority only.",
  access: ["providers"],
  params: providerParams,
  body: providerChanges,
  reply: providerBody,
  status: 200,
  errors: ["provider_credentials_invalid", "sandbox_and_live_providers_mixed"],
  examples: {
    first: { summary: "Tried first", body: { priority: 1 } },
    paused: { summary: "No new payments through it", body: { paused: true } },
    credentials: {
      summary: "Another key",
      body: { credentials: { type: "SANDBOX", apiKey: "another text" } },
    },
  },
  handle: async (ctx, { params, body }) => serializeProvider(await updateProvider(ctx, params.id, body)),
});

export const DELETE = endpoint({
  method: "DELETE",
  path: "/v1/providers/{id}",
  tag: "Providers",
  summary: "Remove a provider",
  description: "No new payments through it. Its charges keep working for capture, void and queries.",
  access: "secret",
  params: providerParams,
  query: providerRemoval,
  reply: "empty",
  status: 204,
  errors: ["provider_in_use"],
  handle: (ctx, { params, query }) => removeProvider(ctx, params.id, query),
});
