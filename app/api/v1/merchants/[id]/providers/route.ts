import { endpoint } from "@/app/api/endpoint";
import { createProvider } from "@/lib/merchants/providers";
import { merchantProviderParams, newProvider, providerBody } from "@/lib/merchants/schema";
import { serializeProvider } from "@/lib/merchants/serializer";

export const POST = endpoint({
  method: "POST",
  path: "/v1/merchants/{merchantId}/providers",
  tag: "Providers",
  summary: "Add a provider to a merchant",
  description:
    "Credentials are encrypted and never shown again. Kinds without a connection in this installation may be added while the merchant is inactive.",
  access: "secret",
  params: merchantProviderParams,
  body: newProvider,
  reply: providerBody,
  status: 201,
  errors: ["provider_credentials_invalid", "sandbox_and_live_providers_mixed", "provider_kind_not_available"],
  examples: {
    simulator: {
      summary: "A second simulated provider, tried after the first",
      body: { name: "Simulator 2", priority: 2, credentials: { type: "SANDBOX", apiKey: "any text" } },
    },
    antifraud: {
      summary: "A simulated analyst that captures what it approves",
      body: {
        name: "Analyst",
        priority: 1,
        credentials: { type: "SANDBOX_ANTIFRAUD", apiKey: "any text" },
        options: { type: "ANTIFRAUD", productType: "ASYNC", captureOnApproved: true },
      },
    },
  },
  handle: async (ctx, { params, body }) => serializeProvider(await createProvider(ctx, params.merchantId, body)),
});
